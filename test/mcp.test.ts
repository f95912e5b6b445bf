import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './test-app.ts'

let app: TestApp
let address: URL

beforeAll(async () => {
  app = await createTestApp()
  await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  address = new URL(`/mcp`, app.fastify.listeningOrigin)
})
afterAll(() => app[Symbol.asyncDispose]())

const headersOf = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

const connectClient = async (token: string): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(address, headersOf(token)))
  return client
}

const connectFormerClient = async (token: string): Promise<FormerClient> => {
  const client = new FormerClient({ name: 'test', version: '1' })
  await client.connect(new FormerTransport(address, headersOf(token)) as never)
  return client
}

test('both generations of the official client list and call tools', async () => {
  const table = await app.createResource({ title: 'orders', entity_type: 'table', description: 'One row for each order.', published: true })
  for (const connect of [connectClient, connectFormerClient]) {
    const client = await connect(app.token)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('search')
    const found = await client.callTool({ name: 'search', arguments: { query: 'orders' } })
    expect(found.structuredContent).toMatchObject({ total: 1, returned: 1, truncated: false, cursor: null, items: [{ id: table.id }] })
    await client.close()
  }
})
