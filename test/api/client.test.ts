import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as examples from '../../client/examples.ts'
import { type Client, type ClientOptions, createClient, TablinumError } from '../../client/src/index.ts'
import { computeDigest } from '../../scripts/openapi.ts'
import { newId } from '../../src/platform/core/id.ts'
import { loadOpenApi } from '../support/contract.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The client against a running server. */
let app: TestApp
let baseUrl: string
let client: Client
const clientWith = (options: Partial<ClientOptions> = {}): Client => createClient({ baseUrl, token: app.token, retryWaitMs: 1, ...options })
beforeAll(async () => {
  app = await createTestApp()
  baseUrl = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  client = clientWith()
})
afterAll(() => app[Symbol.asyncDispose]())

const taken = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const createCountingClient = (): { client: Client; requested: string[] } => {
  const requested: string[] = []
  const counting: ClientOptions['fetch'] = (url, init) => {
    requested.push(url)
    return fetch(url, init)
  }
  return { client: clientWith({ fetch: counting }), requested }
}

test('the client types match the served OpenAPI document (`npm run client` regenerates them)', async () => {
  const types = await readFile('client/src/api.ts', 'utf8')
  expect(types.slice(0, 200)).toContain(computeDigest(await loadOpenApi(app.fastify)))
})

test('a schema with a title occurs once in the document, so that its type has one name', async () => {
  const { paths } = await loadOpenApi(app.fastify)
  const inline: string[] = []
  JSON.stringify(paths, (key, value) => {
    if (typeof value?.title === 'string' && (value.type || value.anyOf) && !key.startsWith('example')) inline.push(value.title)
    return value
  })
  expect(inline).toEqual([])
})

test('creates, reads, edits and deletes with typed requests and responses', async () => {
  const created = await client.post('/document', { body: { title: 'Handbook', definition: '# Hello' } })
  expect(created.entity_type).toBe('document')
  const path = { document_id: created.id }
  const edited = await client.patch('/document/{document_id}', { path, body: { definition: '# Hello again' } })
  expect(edited.definition_version).toBe(created.definition_version + 1)
  expect((await client.get('/document/{document_id}', { path })).definition).toBe('# Hello again')
  expect(await client.delete('/document/{document_id}', { path })).toBeUndefined()
  await expect(client.get('/document/{document_id}', { path })).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('the compiler rejects invalid calls', () => {
  const never = () => {
    // @ts-expect-error unknown path
    void client.get('/nothing')
    // @ts-expect-error missing path parameter
    void client.get('/document/{document_id}')
    // @ts-expect-error title must be a string
    void client.post('/document', { body: { title: 7 } })
    // @ts-expect-error unknown field
    void client.get('/document/{document_id}', { path: { document_id: '' } }).then(({ titel }) => titel)
    // @ts-expect-error not a list endpoint
    void client.all('/user/me')
  }
  expect(never).toBeTypeOf('function')
})

test('iterates over a list by cursor and misses nothing during concurrent writes', async () => {
  const parent = await app.createResource({ entity_type: 'schema', title: 'walked' })
  const createdIds: string[] = []
  for (let i = 0; i < 7; i += 1) createdIds.push((await app.createResource({ parent: parent.id, title: `table ${i}` })).id)
  const seen: string[] = []
  const query = { parent_id: parent.id, page_size: 3, sort: { field: 'title', order: 'asc' } as const }
  for await (const { id } of client.all('/resource/catalog', { query })) {
    // With page numbers, rows would shift by one and the first of the next page would be skipped.
    if (seen.length === 0) await client.delete('/resource/all/{resource_id}', { path: { resource_id: id } })
    seen.push(id)
  }
  expect(seen).toEqual(createdIds)
})

test('iterates over any list by cursor, also an empty one', async () => {
  for (let i = 0; i < 5; i += 1) await client.post('/tag', { body: { name: `walked ${i}` } })
  const { client: counting, requested } = createCountingClient()
  const tags: { id: string; name: string }[] = []
  for await (const tag of counting.all('/tag', { query: { page_size: 2 } })) {
    if (tags.length === 0) await client.delete('/tag/{tag_id}', { path: { tag_id: tag.id } })
    tags.push(tag)
  }
  expect(
    tags
      .map(({ name }) => name)
      .filter((name) => name.startsWith('walked'))
      .sort(),
  ).toEqual([0, 1, 2, 3, 4].map((i) => `walked ${i}`))
  expect(requested.length).toBeGreaterThan(2)
  expect(await taken(client.all('/resource/catalog', { query: { title: 'no such title at all' } }))).toEqual([])
})

test('requests no further page when the iteration is stopped early', async () => {
  const { client: counting, requested } = createCountingClient()
  for await (const _ of counting.all('/resource/catalog', { query: { page_size: 1 } })) break
  expect(requested).toHaveLength(1)
})

test('throws an API error with all details of the response', async () => {
  const rejected = await client.post('/resource/catalog', { body: { parent: newId() } }).catch((error: unknown) => error)
  expect(rejected).toBeInstanceOf(TablinumError)
  expect(rejected).toMatchObject({ status: 400, code: 'validation_failed', errors: { parent: [expect.any(String)] } })
  expect(rejected).toMatchObject({ request_id: expect.any(String), message: (rejected as TablinumError).detail })
  await expect(clientWith({ token: 'tbl_none' }).get('/user/me')).rejects.toMatchObject({ status: 401, code: 'unauthenticated' })
  const page = clientWith({ fetch: async () => new Response('<html>', { status: 502 }) })
  await expect(page.get('/user/me')).rejects.toMatchObject({ status: 502, code: 'unknown' })
})

/** A fetch that answers the first calls itself. */
const busy = (times: number, status: number, retryAfter?: string): { fetch: ClientOptions['fetch']; keys: (string | null)[] } => {
  const keys: (string | null)[] = []
  return {
    keys,
    fetch: async (url, init) => {
      keys.push(new Headers(init.headers).get('idempotency-key'))
      if (keys.length > times) return fetch(url, init)
      return new Response('{}', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })
    },
  }
}

for (const status of [429, 503])
  test(`${status}: retries with the same idempotency key until it succeeds`, async () => {
    const { fetch, keys } = busy(3, status, '0')
    const created = await clientWith({ fetch }).post('/resource/catalog', { body: { title: `after ${status}` } })
    expect(created.title).toBe(`after ${status}`)
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
  })

for (const [unit, header] of [
  ['in seconds', () => '7'],
  ['until a date', () => new Date(Date.now() + 7000).toUTCString()],
] as const)
  test(`waits as long as Retry-After says, ${unit}`, async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const responses = [new Response('{}', { status: 503, headers: { 'retry-after': header() } }), new Response('{}')]
      const response = clientWith({ fetch: async () => responses.shift()! }).get('/user/me')
      await vi.advanceTimersByTimeAsync(6900)
      expect(responses).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(200)
      await response
      expect(responses).toHaveLength(0)
    } finally {
      vi.useRealTimers()
    }
  })

test('stops after the configured number of retries, and never retries a client error', async () => {
  const away = busy(10, 503, '0')
  await expect(clientWith({ fetch: away.fetch, retries: 2 }).get('/user/me')).rejects.toMatchObject({ status: 503 })
  expect(away.keys).toHaveLength(3)
  const wrong = busy(10, 409)
  await expect(clientWith({ fetch: wrong.fetch }).get('/user/me')).rejects.toMatchObject({ status: 409 })
  expect(wrong.keys).toHaveLength(1)
})

test('a POST whose response is lost is executed once', async () => {
  let lost = 0
  const losing: ClientOptions['fetch'] = async (url, init) => {
    const response = await fetch(url, init)
    if (lost++ > 0) return response
    throw new TypeError('fetch failed')
  }
  const created = await clientWith({ fetch: losing }).post('/resource/catalog', { body: { title: 'made once' } })
  const found = await taken(
    client.all('/resource/catalog', { query: { filter: { operator: 'exact', field: 'title', value: 'made once' } } }),
  )
  expect(found.map(({ id }) => id)).toEqual([created.id])
  lost = 0
  await expect(
    clientWith({ fetch: losing }).patch('/resource/all/{resource_id}', { path: { resource_id: created.id }, body: { pii: true } }),
  ).rejects.toThrow('fetch failed')
})

test('an abort cancels the request and the wait between retries', async () => {
  await expect(client.get('/user/me', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  const { fetch, keys } = busy(10, 503, '60')
  const controller = new AbortController()
  const response = clientWith({ fetch }).get('/user/me', { signal: controller.signal })
  await eventually(() => expect(keys).toHaveLength(1))
  controller.abort(new Error('enough'))
  await expect(response).rejects.toThrow('enough')
})

test('the README examples work and match the tested code', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const id = await examples.readAndWrite(client)
  expect(await examples.walk(client)).toBeGreaterThan(0)
  expect(await examples.errors(client)).toMatchObject({ status: 400 })
  expect(await examples.conditional(client, id)).toBe(true)
  expect(await examples.files(client, newId())).toContain('"databuilder_id":"shop"')
  expect(await examples.limits(client)).toBeGreaterThan(0)
  expect(log).toHaveBeenCalled()
  log.mockRestore()

  const plain = (text: string) => text.replace(/^ *(return .*)?\n/gm, '').replace(/^ +/gm, '')
  const source = plain(await readFile('client/examples.ts', 'utf8'))
  const shown = [...(await readFile('client/README.md', 'utf8')).matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => plain(code))
  expect(shown.length).toBe(Object.keys(examples).length + 1)
  for (const code of shown.slice(1)) expect(source).toContain(code)
})
