import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN } from './database.ts'
import { startTestServer, type TestServer } from './faults/server.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/**
 * Every shell command of the README and the docs, run in the order of its page against a server with the demo. Before a block that cannot
 * run here, the page says why: `<!-- not run: needs a warehouse account -->`. A page is a session: variables it sets stay set.
 */
const ROOT = join(import.meta.dirname, '..')
const PAGES = ['README.md', ...globSync('docs/*.md', { cwd: ROOT }).toSorted()]
const START = 'npm start -- --demo' // the server of this test
const BLOCK = /^(?:<!-- not run: (?<reason>[^\n]+) -->\n)?(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^ *```$/gms

interface Block {
  readonly line: number
  readonly text: string
  readonly reason?: string
}

const readBlocks = (page: string): Block[] => {
  const source = readFileSync(join(ROOT, page), 'utf8')
  return [...source.matchAll(BLOCK)].flatMap(({ index, groups: { reason, indent, language, text } = {} }) => {
    const line = source.slice(0, index).split('\n').length
    if (language === '' && /^ *\$ /m.test(text!))
      throw new Error(`${page}:${line} has commands with a prompt. Use a block of \`sh\` and one for its output.`)
    return language === 'sh' ? [{ line, text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), reason }] : []
  })
}

let app: TestApp
let server: TestServer
let folder: string

beforeAll(async () => {
  app = await createTestApp()
  await mkdir(join(ROOT, 'node_modules/.cache'), { recursive: true })
  folder = await mkdtemp(join(ROOT, 'node_modules/.cache/docs-')) // in the checkout, where `npx tablinum` works
  await writeFile(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  server = await startTestServer({ DATABASE_URL: app.url, TABLINUM_DATA: folder, TABLINUM_FILES: folder }, '--demo')
})

afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await app?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true })
})

/** Runs a block in a shell that stops at the first failure; the variables it sets are kept for the next one. */
const runBlock = async (text: string, variables: string): Promise<{ code: number | null; output: string; variables: string }> => {
  const script = `set -aeuo pipefail\n${variables}\n${text}\nexport -p > .variables`
  const env = { PATH: process.env.PATH, HOME: folder, CURL_HOME: folder, DATABASE_URL: app.url, TABLINUM_DATA: folder }
  const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output, variables: code === 0 ? readFileSync(join(folder, '.variables'), 'utf8') : variables }
}

/** What the reader would fill in: the token, the address, and `NAME=…  # the "field" of the response`. */
const fillIn = (text: string, lastOutput: string): string =>
  text
    .replaceAll('tbl_…', ADMIN_TOKEN)
    .replaceAll('tablinum_demo.', `${new URL(app.url).pathname.slice(1)}_demo.`) // named after the database
    .replaceAll('http://127.0.0.1:3000', server.address)
    .replaceAll(
      /=…(?= +# the "(\w+)")/g,
      (_, field) => `=${new RegExp(`"${field}": ?"([^"]+)"`).exec(lastOutput)?.[1] ?? `…missing ${field}…`}`,
    )

describe('the commands of the documentation', () => {
  test.for(PAGES)('%s', async (page) => {
    let [variables, output] = [`TOKEN=${ADMIN_TOKEN} TABLINUM=${server.address}`, '']
    for (const { line, text, reason } of readBlocks(page)) {
      if (reason !== undefined || text.trim() === START) continue
      const command = fillIn(text, output)
      expect(command, `${page}:${line} has a placeholder that nothing fills in`).not.toMatch(/…|<\w+>/)
      const ran = await runBlock(command, variables)
      expect(ran.code, `${page}:${line}\n${command}\n${ran.output}`).toBe(0)
      ;({ variables, output } = ran)
    }
  })
})
