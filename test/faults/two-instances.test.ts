import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestInstance } from '../support/test-app.ts'

/** Two processes on one database: a write on one is visible in the next response of the other. */
let app: TestApp
let other: TestInstance
beforeAll(async () => {
  app = await createTestApp()
  other = await app.createInstance()
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const read = (at: TestInstance | TestApp, id: string) => at.call('GET', `/resource/all/${id}`)
const list = async (at: TestInstance | TestApp, query = '') => (await at.call('GET', `/resource/catalog?page_size=1000${query}`)).body

test('creates, edits, moves, bulk edits and deletes on one instance are visible on the other immediately', async () => {
  const verified = `&filter=${encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'verified', value: true }))}`
  const mustAgree = async (count: number, countVerified: number) => {
    const [here, there] = [await list(app), await list(other)]
    expect(there.results).toEqual(here.results)
    expect([here.count, there.count]).toEqual([count, count])
    expect([(await list(app, verified)).count, (await list(other, verified)).count]).toEqual([countVerified, countVerified])
  }
  await mustAgree(0, 0)
  const create = async (at: TestInstance | TestApp, body: object) =>
    (await at.call('POST', '/resource/catalog', { body })).body.id as string
  const top = await create(app, { title: 'top', entity_type: 'database' })
  await mustAgree(1, 0)
  const low = await create(other, { title: 'low', parent: top })
  await mustAgree(2, 0)
  expect((await read(app, top)).body.children_count).toBe(1)
  expect((await read(other, low)).body.title_full).toBe('top.low')
  await app.call('PATCH', `/resource/all/${top}`, { body: { title: 'renamed', verified: true } })
  expect((await read(other, low)).body.title_full).toBe('renamed.low')
  await mustAgree(2, 1)
  await other.call('POST', '/resource/all/bulk_update/', {
    body: [top, low].map((id) => ({ id, data: { verified: id === low, pii: true } })),
  })
  expect((await read(app, low)).body).toMatchObject({ verified: true, pii: true, version: 2 })
  await mustAgree(2, 1)
  await app.call('DELETE', `/resource/all/${top}`)
  await mustAgree(0, 0)
  expect((await read(other, low)).status).toBe(404)
})

test('a revoked token, a disabled user and a changed role take effect immediately on all instances', async () => {
  const person = await app.createUser('editor')
  const as = (at: TestInstance | TestApp, method: string) =>
    at.call(method, '/resource/catalog', { token: person.token, body: method === 'POST' ? {} : undefined })
  const statuses = async (method: string) => [(await as(app, method)).status, (await as(other, method)).status]
  expect(await statuses('POST')).toEqual([201, 201])
  await app.db.updateTable('users').set({ role: 'viewer' }).where('id', '=', person.id).execute()
  expect(await statuses('POST')).toEqual([403, 403])
  const revoked = await app.call('DELETE', `/auth/tokens/${person.ctx.actor.token_id}`)
  expect(revoked.status).toBe(204)
  expect(await statuses('GET')).toEqual([401, 401])
})

test('no edit is lost between two instances: every version follows the previous one', async () => {
  const { id } = await app.createResource()
  const edits = Array.from({ length: 30 }, (_, i) =>
    (i % 2 ? app : other).call('PATCH', `/resource/all/${id}`, { body: { description: `by ${i}` } }),
  )
  const versions = (await Promise.all(edits)).map(({ body }) => body.version).sort((a, b) => a - b)
  expect(versions).toEqual(Array.from({ length: 30 }, (_, i) => i + 2))
  expect((await read(other, id)).body).toEqual((await read(app, id)).body)
})
