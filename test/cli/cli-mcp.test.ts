import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenForMcp } from '../mcp/mcp-server.ts'
import { findCliFile, runCli } from '../support/cli.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let url: string

beforeAll(async () => {
  app = await createTestApp()
  url = (await listenForMcp(app)).origin
})
afterAll(() => app[Symbol.asyncDispose]())

const commandOf = async (token: string) => ({
  command: process.execPath,
  args: [await findCliFile(), 'mcp', '--url', url],
  env: { TABLINUM_TOKEN: token },
})

test('both generations of the official client reach the tools of a server through the command line', async () => {
  const table = await app.createResource({ title: 'Bestellungen für München', entity_type: 'table', published: true })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StdioClientTransport(await commandOf(app.token)))
  const former = new FormerClient({ name: 'test', version: '1' })
  await former.connect(new FormerTransport(await commandOf(app.token)))
  for (const each of [client, former]) {
    expect((await each.listTools()).tools.length).toBeGreaterThan(10)
    const found = await each.callTool({ name: 'search', arguments: { query: 'München' } })
    expect(found.structuredContent).toMatchObject({ items: [{ id: table.id, link: `${url}/r/${table.id}` }] })
    await expect(each.callTool({ name: 'unknown' })).rejects.toThrow('Unknown tool')
    await each.close()
  }
})

const run = (args: readonly string[], input: string, env: Record<string, string> = {}) => runCli(['mcp', ...args], { input, env })

test('a wrong token, an unreachable server and missing settings are explained', async () => {
  const message = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n'
  const [wrong, unreachable, missing, malformed] = await Promise.all([
    run(['--url', url, '--token', 'tbl_wrong'], message),
    run(['--url', 'http://127.0.0.1:1'], message, { TABLINUM_TOKEN: 'tbl_x' }),
    run(['--url', url], message),
    run(['--url', `${url}/mcp`], 'hello\n', { TABLINUM_TOKEN: app.token }),
  ])
  expect(JSON.parse(wrong.out)).toMatchObject({ id: 7, error: { message: expect.stringContaining('Invalid token') } })
  expect(JSON.parse(unreachable.out)).toMatchObject({ id: 7, error: { message: expect.stringContaining('Cannot reach 127.0.0.1:1') } })
  expect([missing.code, missing.out]).toEqual([2, ''])
  expect(missing.err).toContain('Set TABLINUM_TOKEN')
  expect(JSON.parse(malformed.out)).toMatchObject({ id: null, error: { code: -32_700 } })
})
