import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { embedChanges } from '../../src/catalog/search-vectors/embed-changes.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const KEY = 'a-secret-key'
/** Texts with words of the same concept have the same direction. No list of synonyms has the second ones. */
const CONCEPTS = [
  ['salary', 'blorquist', 'snarfle'],
  ['postage', 'dweezil'],
  ['rainfall', 'grumbolt'],
]
const embed = (text: string): number[] => {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  const own = CONCEPTS.map((concept) => words.filter((word) => concept.includes(word)).length)
  return Array.from({ length: 64 }, (_, i) => (own[i % CONCEPTS.length]! > 0 ? 1 : -0.1) + i / 1000)
}

/** An embeddings service on loopback. `answer` can replace its response. */
const startService = async () => {
  const requests: { input: string[]; model: string; dimensions?: number; authorization?: string }[] = []
  const state: { answer?: (input: string[]) => { status: number; headers?: Record<string, string> } | undefined } = {}
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = JSON.parse(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString())
    requests.push({ ...body, authorization: request.headers.authorization })
    const other = request.url === '/v1/embeddings' ? state.answer?.(body.input) : { status: 404 }
    response.writeHead(other?.status ?? 200, { 'content-type': 'application/json', ...other?.headers })
    // Not in order, as the specification allows.
    const data = body.input.map((text: string, index: number) => ({ index, embedding: embed(text) })).reverse()
    response.end(JSON.stringify(other ? { error: KEY } : { data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, state, stop, [Symbol.asyncDispose]: stop }
}

const noError = (error: unknown) => {
  throw error
}
const startInstance = (app: TestApp, url: string, model = 'small') =>
  app.createInstance({ config: { embeddings: { url, key: KEY, model, dimensions: 64 } } })
const countChanges = async ({ db }: TestApp) =>
  (await db.selectFrom('search_vector_changes').select('id').execute()).length +
  (await db.selectFrom('search_vectors').select('signs').execute()).length

test('finds resources by meaning, ranks words and meaning together, and shows nothing hidden', async () => {
  await using app = await createTestApp()
  const table = await app.createResource({
    entity_type: 'table',
    title: 'hr_payments',
    description: 'The salary of each person.',
    published: true,
  })
  await app.createResource({ entity_type: 'column', title: 'amount', parent: table.id, published: true })
  const hidden = await app.createResource({
    entity_type: 'table',
    title: 'ceo_payments',
    description: 'More about salary.',
    published: false,
  })
  await app.createResource({ entity_type: 'table', title: 'stations', description: 'Rainfall by day.', published: true })
  // Without the setting nothing is noted.
  await embedChanges(app.ctx, noError)
  expect(await countChanges(app)).toBe(0)

  await using service = await startService()
  await using instance = await startInstance(app, service.url)
  await embedChanges(instance.ctx, noError)
  expect(service.requests.flatMap(({ input }) => input).toSorted()).toEqual([
    expect.stringContaining('table: ceo payments'),
    'table: hr payments\nhr_payments\nThe salary of each person.\ncolumns: amount',
    expect.stringContaining('Rainfall by day.'),
  ])
  expect(service.requests[0]).toMatchObject({ model: 'small', dimensions: 64, authorization: `Bearer ${KEY}` })

  const find = async (q: string, token = app.token) =>
    (await instance.call('GET', `/search?explain=true&q=${encodeURIComponent(q)}`, { token })).body
  const found = await find('how much blorquist')
  expect(
    found.results
      .slice(0, 2)
      .map(({ title }: { title: string }) => title)
      .toSorted(),
  ).toEqual(['ceo_payments', 'hr_payments'])
  expect(found.results[0].score.parts).toContainEqual({ name: 'meaning', value: 2 })
  expect(found.results[0].reason.matches).toContainEqual({ word: 'blorquist', match: 'meaning' })
  expect(found.count).toBe(found.results.length)
  expect((await find('stations rainfall')).results[0].title).toBe('stations')
  const viewer = await app.createUser('viewer')
  const visible = await find('how much blorquist', viewer.token)
  expect(visible.results[0].title).toBe('hr_payments')
  expect(JSON.stringify(visible)).not.toContain(hidden.id)
  expect((await find('blorquist type:column')).results).toEqual([])

  // Only a changed text is embedded again.
  service.requests.length = 0
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { verified: true, description: 'Parcels and their postage.' } })
  await embedChanges(instance.ctx, noError)
  expect(service.requests.flatMap(({ input }) => input)).toEqual([expect.stringContaining('postage')])
  expect((await find('dweezil')).results[0].id).toBe(table.id)
  await app.db.updateTable('resources').set({ external_usage: 5_000 }).where('id', '=', table.id).execute()
  service.requests.length = 0
  await embedChanges(instance.ctx, noError)
  expect(service.requests).toEqual([])
  await app.call('DELETE', `/resource/all/${table.id}`)
  expect((await find('dweezil')).results.map(({ id }: { id: string }) => id)).not.toContain(table.id)
  expect(await app.db.selectFrom('search_vectors').select('resource_id').execute()).toHaveLength(2)

  // Another model embeds everything again.
  await using other = await startInstance(app, service.url, 'large')
  expect((await other.call('GET', '/search?q=how+much+blorquist')).body.results).toEqual([])
  await embedChanges(other.ctx, noError)
  expect(service.requests.filter(({ model, input }) => model === 'large' && input.length === 2)).toHaveLength(1)
  // A process without a service leaves the vectors alone until too many changes wait.
  const countVectors = async () => (await app.db.selectFrom('search_vectors').select('resource_id').execute()).length
  await embedChanges(app.ctx, noError)
  expect(await countVectors()).toBe(2)
  const fill = sql`insert into search_vector_changes (resource_id) select ${hidden.id}::uuid from generate_series(1, 100001)`
  await fill.execute(app.db)
  await embedChanges(app.ctx, noError)
  expect([await countVectors(), await countChanges(app)]).toEqual([0, 0])
})

test('waits when the service asks for it, leaves out a rejected text, and never shows the key', async () => {
  await using app = await createTestApp()
  for (const title of ['first', 'second', 'third']) await app.createResource({ entity_type: 'table', title })
  await using service = await startService()
  await using instance = await startInstance(app, service.url)
  const vectors = () => app.db.selectFrom('search_vectors').select('resource_id').execute()

  let limited = true
  service.state.answer = (input) => {
    if (limited) {
      limited = false
      return { status: 429, headers: { 'retry-after': '1' } }
    }
    return input.some((text) => text.includes('second')) ? { status: 400 } : undefined
  }
  const errors: string[] = []
  await embedChanges(instance.ctx, (error, what) => errors.push(`${what}: ${error}`))
  expect(await vectors()).toHaveLength(2)
  expect(errors).toEqual([expect.stringMatching(/^embedding of resource [0-9a-f-]+: .*status 400\.$/)])

  // The rest is continued by the next run.
  await app.createResource({ entity_type: 'table', title: 'fourth' })
  service.state.answer = () => ({ status: 401 })
  const error = await embedChanges(instance.ctx, noError).catch(String)
  expect(error).toMatch(/status 401/)
  expect(error).not.toContain(KEY)
  service.state.answer = undefined
  await embedChanges(instance.ctx, noError)
  expect(await vectors()).toHaveLength(3)
})

test('search answers by words when the service fails, and by meaning again afterwards', async () => {
  await using app = await createTestApp()
  const table = await app.createResource({ entity_type: 'table', title: 'people', description: 'The salary of each person.' })
  await using service = await startService()
  await using instance = await startInstance(app, service.url)
  await embedChanges(instance.ctx, noError)
  const find = async (q: string) => (await instance.call('GET', `/search?facets=false&q=${encodeURIComponent(q)}`)).body.results
  // A query that the service rejects says nothing about the next one.
  service.state.answer = (input) => (input.includes('snarfle?') ? { status: 400 } : undefined)
  expect(await find('snarfle?')).toEqual([])
  expect(await find('blorquist')).toMatchObject([{ id: table.id }])
  service.state.answer = () => ({ status: 503, headers: { 'retry-after': '1' } })
  expect(await find('people snarfle')).toMatchObject([{ id: table.id }])
  service.state.answer = undefined
  await eventually(async () => expect(await find('snarfle blorquist')).toMatchObject([{ id: table.id }]))
  // After a failure the service is left alone for some seconds.
  service.state.answer = () => ({ status: 503 })
  expect(await find('blorquist again')).toEqual([])
  const asked = service.requests.length
  expect(await find('blorquist once more')).toEqual([])
  expect(service.requests).toHaveLength(asked)
  await service.stop()
  expect(await find('people and more')).toMatchObject([{ id: table.id }])
})
