import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bulkUpdate } from '../../src/catalog/resources/bulk.ts'
import { createResources } from '../../src/catalog/resources/create.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { findWrongVersions } from '../support/find-wrong-locations.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** POST /resource/all/bulk_update/ */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const bulk = (body: unknown, options = {}) => app.call('POST', '/resource/all/bulk_update/', { body, ...options })
const createTestResources = (n: number) => Promise.all(Array.from({ length: n }, (_, i) => app.createResource({ title: `r${i}` })))
const descriptions = async (ids: string[]) =>
  Promise.all(ids.map(async (id) => (await app.call('GET', `/resource/all/${id}`)).body.description))

test('returns the normalized IDs in the order sent', async () => {
  const ids = (await createTestResources(5)).map(({ id }) => id).reverse()
  const { status, body } = await bulk(
    ids.map((id, i) => ({ id: i % 2 ? id.toUpperCase() : id.replaceAll('-', ''), data: { description: `d${i}` } })),
  )
  expect(status).toBe(200)
  expect(body).toEqual(ids)
  expect(await descriptions(ids)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4'])
})

test('can change every field of the create body', async () => {
  const [record, parent] = await createTestResources(2)
  const id = newId()
  const lists = { teams: [id], owners: [id], owners_groups: [id], collections: [id], tags: [id], terms: [id], subscribers: [id] }
  const data = { title: 'new', entity_type: 'document', description: 'd', definition: 'D', pii: true, verified: true, published: true }
  await bulk([{ id: record!.id, data: { ...data, ...lists, integration: id, parent: parent!.id } }])
  const after = (await app.call('GET', `/resource/all/${record!.id}`)).body
  expect(after).toMatchObject({ ...data, ...lists, integration: id, parent: parent!.id, version: 2, title_full: 'r1.new' })
})

test('merges two changes of the same resource into one version, the later one wins', async () => {
  const [record] = await createTestResources(1)
  const id = record!.id
  const response = await bulk([
    { id, data: { description: 'a', pii: true } },
    { id, data: { description: 'b' } },
  ])
  expect(response.body).toEqual([id, id])
  expect((await app.call('GET', `/resource/all/${id}`)).body).toMatchObject({ description: 'b', pii: true, version: 2 })
  expect(await findWrongVersions(app.db)).toEqual([])
})

test('changes nothing if one resource is missing, invalid or hidden', async () => {
  const ids = (await createTestResources(3)).map(({ id }) => id)
  const good = ids.map((id) => ({ id, data: { description: 'changed' } }))
  for (const [what, bad, status, code] of [
    ['missing', { id: newId(), data: {} }, 404, 'not_found'],
    ['not a UUID', { id: 'nobody', data: {} }, 400, 'validation_failed'],
    ['without data', { id: ids[0] }, 400, 'validation_failed'],
    ['wrong type', { id: ids[0], data: { pii: 'yes' } }, 400, 'validation_failed'],
    ['missing parent', { id: ids[0], data: { parent: newId() } }, 400, 'validation_failed'],
  ] as const)
    expect(await bulk([...good, bad]), what).toMatchObject({ status, body: { code } })
  const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
  expect(await bulk(good, { token: viewer.token })).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  const hidden = await app.createResource({ teams: [await app.createTeam(true)] })
  expect((await bulk([...good, { id: hidden.id, data: {} }], { token: editor.token })).status).toBe(404)
  expect(await descriptions(ids)).toEqual([null, null, null])
})

test('names the path of an invalid field', async () => {
  const [a, b] = await createTestResources(2)
  const { body } = await bulk([
    { id: a!.id, data: {} },
    { id: b!.id, data: { tags: ['x'] } },
  ])
  expect(body.errors).toEqual({ '[1].data.tags[0]': [expect.any(String)] })
})

test('accepts 100 resources and rejects 101', async () => {
  const ids = (await createTestResources(100)).map(({ id }) => id)
  const updates = ids.map((id) => ({ id, data: { verified: true } }))
  expect((await bulk(updates)).body).toEqual(ids)
  const tooMany = await bulk([...updates, { id: ids[0], data: {} }])
  expect(tooMany).toMatchObject({ status: 400, body: { code: 'too_many_entities' } })
  const { body } = await app.call(
    'GET',
    `/resource/catalog?filter=${encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'verified', value: true }))}&page_size=1`,
  )
  expect(body.count).toBeGreaterThanOrEqual(100)
})

test('warns about each unknown field once, but not about record fields', async () => {
  const records = await createTestResources(3)
  const { headers, status } = await bulk(records.map((record) => ({ id: record.id, data: { ...record, colour: 'red' } })))
  expect([status, headers.warning]).toEqual([200, '199 - "ignored fields: data.colour"'])
})

test('concurrent bulk updates of the same rows in any order all succeed', async () => {
  const ids = (await createTestResources(20)).map(({ id }) => id)
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, n) => bulk((n % 2 ? ids : [...ids].reverse()).map((id) => ({ id, data: { description: `by ${n}` } })))),
  )
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  expect(new Set(await descriptions(ids)).size).toBe(1)
  expect(await findWrongVersions(app.db)).toEqual([])
})

test('most edits of adjacent rows are heap-only (HOT) updates', async () => {
  await using fresh = await createTestApp()
  const created = await createResources(
    fresh.ctx,
    Array.from({ length: 100 }, (_, i) => ({ title: `t${i}`, entity_type: 'table' })),
  )
  const edits = created.map(({ id }) => ({ id, data: { description: 'short', owners: [newId()] } }))
  const { edited, inPlace } = await inTransaction(fresh.ctx, async (ctx) => {
    await bulkUpdate(ctx, edits)
    const { rows } = await sql<{ edited: number; inPlace: number }>`
      select n_tup_upd::int as edited, n_tup_hot_upd::int as "inPlace" from pg_stat_xact_user_tables where relname = 'resources'
    `.execute(ctx.db)
    return rows[0]!
  })
  expect(edited).toBe(100)
  expect(inPlace).toBeGreaterThanOrEqual(60) // new row versions are larger than the original rows
})
