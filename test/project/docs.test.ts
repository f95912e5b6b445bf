import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../faults/server.ts'
import { findMissingPrograms } from '../servers/debian.ts'
import { findCombinedCode } from '../support/combined-code.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { createTcpProxy } from '../support/tcp-proxy.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/**
 * Every shell command of the README and the docs, run in the order of its page against a server with the demo. Before a block that cannot
 * run here, the page says why: `<!-- not run: needs a warehouse account -->`. A page is a session: variables it sets stay set. A block of
 * `text` after a block of commands is what they print: white space does not count, and `…` stands for anything.
 */
const ROOT = join(import.meta.dirname, '../..')
const PAGES = ['README.md', ...globSync('docs/*.md', { cwd: ROOT }).toSorted()]
const STARTS = ['npm start -- --demo', 'npm start'] // the server of this test
const TUTORIAL = 'docs/tutorial.md'
/**
 * The command line as the package has it, without the two seconds of CPU time that npm takes each time. The first command runs with npx
 * itself, and the command line of the checkout.
 */
const NPX = `#!/bin/sh
[ "$1" = tablinum ] || { echo "npx $1 is not run in this test." >&2; exit 1; }
shift
PATH="${ROOT}/node_modules/.bin:$PATH" exec node "${join(await findCombinedCode(), 'src/cli.js')}" "$@"
`
const missingPsql = await findMissingPrograms({ programs: ['psql'], packages: ['postgresql-client'] })
const BLOCK = /^(?:<!-- not run: (?<reason>[^\n]+) -->\n)?(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^ *```$/gms

interface Block {
  readonly line: number
  readonly text: string
  readonly reason?: string
  printed?: string
}

const readBlocks = (page: string): Block[] => {
  const source = readFileSync(join(ROOT, page), 'utf8')
  const blocks: Block[] = []
  for (const { index, groups: { reason, indent, language, text } = {} } of source.matchAll(BLOCK)) {
    const line = source.slice(0, index).split('\n').length
    if (language === '' && /^ *\$ /m.test(text!))
      throw new Error(`${page}:${line} has commands with a prompt. Use a block of \`sh\` and one for its output.`)
    const plain = text!.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    if (language === 'sh') blocks.push({ line, text: plain, reason })
    const before = blocks.at(-1)
    if (language === 'text' && before) before.printed = plain
  }
  return blocks
}

/** The first part of the shown output that was not printed, in this order. */
const findMissingOutput = (shown: string, output: string): string | undefined => {
  const printed = removeSpace(output)
  let at = 0
  return removeSpace(shown)
    .split('…')
    .find((part) => {
      const found = printed.indexOf(part, at)
      at = found + part.length
      return found < 0
    })
}
const removeSpace = (text: string): string => text.replaceAll(/\s+/g, '')

let app: TestApp
let server: TestServer
let folder: string
let hasRunNpx = false
/** The Postgres of the tutorial: the one of the tests. */
let postgres: Awaited<ReturnType<typeof createTcpProxy>>

beforeAll(async () => {
  app = await createTestApp()
  postgres = await createTcpProxy(app.url)
  await mkdir(join(ROOT, 'node_modules/.cache'), { recursive: true })
  folder = await mkdtemp(join(ROOT, 'node_modules/.cache/docs-')) // in the checkout, where `npx tablinum` works
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/npx'), NPX, { mode: 0o755 })
  server = await startTestServer(
    { DATABASE_URL: app.url, TABLINUM_DATA: folder, TABLINUM_FILES: folder, TABLINUM_BACKUPS: folder },
    '--demo',
  )
})

afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await postgres?.close()
  await app?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true })
})

/** Runs a block in a shell that stops at the first failure; the variables it sets are kept for the next one. */
const runBlock = async (text: string, variables: string): Promise<{ code: number | null; output: string; variables: string }> => {
  const path = hasRunNpx ? `PATH="${join(folder, 'bin')}:$PATH"` : '' // after the variables: PATH is one of them
  const script = `set -aeuo pipefail\n${variables}\n${path}\n${text}\nexport -p > .variables`
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOME: folder,
    CURL_HOME: folder,
    DATABASE_URL: app.url,
    TABLINUM_DATA: folder,
  }
  const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (/\bnpx /.test(text)) hasRunNpx = true
  return { code, output, variables: code === 0 ? readFileSync(join(folder, '.variables'), 'utf8') : variables }
}

/** What the reader would fill in: the token, the address, and `NAME=…  # the "field" of the response`. */
const fillIn = (text: string, lastOutput: string): string =>
  text
    .replaceAll('tbl_…', ADMIN_TOKEN)
    .replaceAll('tablinum_demo.', `${new URL(app.url).pathname.slice(1)}_demo.`) // named after the database
    .replaceAll('http://127.0.0.1:3000', server.address)
    .replaceAll('//postgres:tutorial@', `//${new URL(app.url).username}@`)
    .replaceAll('5433', String(postgres.port))
    .replaceAll(
      /=…(?= +# the "(\w+)")/g,
      (_, field) => `=${new RegExp(`"${field}": ?"([^"]+)"`).exec(lastOutput)?.[1] ?? `…missing ${field}…`}`,
    )

describe('the commands of the documentation', () => {
  test.for(PAGES)('%s', async (page, { skip }) => {
    if (page === TUTORIAL && missingPsql) skip(missingPsql)
    let [variables, output] = [`TOKEN=${ADMIN_TOKEN} TABLINUM=${server.address}`, '']
    for (const { line, text, reason, printed } of readBlocks(page)) {
      if (reason !== undefined || STARTS.includes(text.trim())) continue
      const command = fillIn(text, output)
      expect(command, `${page}:${line} has a placeholder that nothing fills in`).not.toMatch(/…|<\w+>/)
      const ran = await runBlock(command, variables)
      expect(ran.code, `${page}:${line}\n${command}\n${ran.output}`).toBe(0)
      if (printed !== undefined)
        expect
          .soft(findMissingOutput(fillIn(printed, ''), ran.output), `${page}:${line} prints something else: ${ran.output}`)
          .toBeUndefined()
      ;({ variables, output } = ran)
    }
  })
})
