import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestApp } from '../support/test-app.ts'
import { createTokenProxy, listenForMcp } from './mcp-server.ts'

const run = promisify(execFile)

/** The suite knows 30 scenarios; 24 need the content of its example server or sessions (test/mcp/mcp-conformance.yml). */
test('the scenarios of the official conformance suite that apply to any server pass', async () => {
  await using app = await createTestApp()
  await using proxy = await createTokenProxy(await listenForMcp(app), app.token)
  const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
  const args = [suite, 'server', '--url', proxy.url, '--expected-failures', 'test/mcp/mcp-conformance.yml']
  // It fails if another scenario fails, or one that is expected to fail passes.
  const { code = 0, stdout } = await run(process.execPath, args, { maxBuffer: 10_000_000 }).catch((error) => error)
  expect(code, stdout).toBe(0)
  const summary = stdout.slice(stdout.indexOf('SUMMARY'))
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'])
    expect(summary).toMatch(new RegExp(`✓ ${scenario}`))
})
