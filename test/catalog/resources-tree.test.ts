import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createResource } from '../../src/catalog/resources/create.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { findWrongLocations, findWrongVersions } from '../support/find-wrong-locations.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Full titles, containers and children counts stay correct after renames and moves. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])
})

const edit = (id: string, body: object) => app.call('PATCH', `/resource/all/${id}`, { body })
const bulk = (body: { id: string; data: object }[]) => app.call('POST', '/resource/all/bulk_update/', { body })
const read = async (id: string) => (await app.call('GET', `/resource/all/${id}`)).body
const names = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await read(id)).title_full as string))

/** cluster eu > database shop > schema public > table orders > column address > column city */
const createWarehouse = async () => {
  const createNode = async (entity_type: string, title: string, parent?: string) =>
    (await app.createResource({ entity_type, title, parent })).id
  const cluster = await createNode('cluster', 'eu')
  const database = await createNode('database', 'shop', cluster)
  const schema = await createNode('schema', 'public', database)
  const table = await createNode('table', 'orders', schema)
  const column = await createNode('column', 'address', table)
  const part = await createNode('column', 'city', column)
  return { cluster, database, schema, table, column, part }
}

test('title_full joins the titles from the database down', async () => {
  const { cluster, part, table } = await createWarehouse()
  expect(await names(cluster, table, part)).toEqual(['eu', 'shop.public.orders', 'shop.public.orders.address.city'])
  expect((await read(part)).search_metadata).toEqual({ cluster: 'eu', database: 'shop', schema: 'public', type: 'column' })
  expect((await read(table)).children_count).toBe(1)
})

test('a rename updates all descendants and creates one version', async () => {
  const { cluster, database, schema, part } = await createWarehouse()
  expect((await edit(database, { title: 'market' })).body).toMatchObject({ title_full: 'market', title_cased: 'Market' })
  expect(await names(schema, part)).toEqual(['market.public', 'market.public.orders.address.city'])
  await edit(cluster, { title: 'us' })
  await edit(schema, { title: 'sales' })
  expect(await read(part)).toMatchObject({
    title_full: 'market.sales.orders.address.city',
    search_metadata: { cluster: 'us', database: 'market', schema: 'sales', type: 'column' },
    version: 1,
  })
})

test('a move updates all descendants and the children counts of both parents', async () => {
  const [from, to] = [await createWarehouse(), await createWarehouse()]
  await edit(to.database, { title: 'archive' })
  expect((await edit(from.schema, { parent: to.database })).body.title_full).toBe('archive.public')
  expect(await names(from.part)).toEqual(['archive.public.orders.address.city'])
  expect([(await read(from.database)).children_count, (await read(to.database)).children_count]).toEqual([0, 2])
  expect((await edit(from.table, { parent: null })).body).toMatchObject({ title_full: 'orders', parent: null, parent_id: null })
  expect(await read(from.part)).toMatchObject({ title_full: 'orders.address.city', search_metadata: { database: null, schema: null } })
})

test('changing the entity type updates the location', async () => {
  const { database, schema, table } = await createWarehouse()
  expect((await bulk([{ id: schema, data: { entity_type: 'database' } }])).status).toBe(200)
  expect(await read(table)).toMatchObject({ title_full: 'public.orders', search_metadata: { database: 'public', schema: null } })
  expect((await read(database)).title_full).toBe('shop')
})

test('rejects a parent that would create a cycle', async () => {
  const { cluster, database, part } = await createWarehouse()
  for (const [id, parent] of [
    [part, part],
    [cluster, database],
    [cluster, part],
  ] as const)
    expect(await edit(id, { parent })).toMatchObject({ status: 400, body: { errors: { parent: [expect.any(String)] } } })
  expect((await read(cluster)).parent).toBe(null)
})

test('rejects a bulk update with two moves that form a cycle', async () => {
  const [a, b] = [await app.createResource({ title: 'a' }), await app.createResource({ title: 'b' })]
  const moves = [
    { id: a.id, data: { parent: b.id } },
    { id: b.id, data: { parent: a.id } },
  ]
  expect((await bulk(moves)).status).toBe(400)
  const atOnce = await Promise.all(moves.map(({ id, data }) => edit(id, data)))
  expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('rejects one of two concurrent moves that would form a cycle', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [a, b] = [await app.createResource({ title: 'a' }), await app.createResource({ title: 'b' })]
    const [belowA, belowB] = [
      await app.createResource({ title: 'a1', parent: a.id }),
      await app.createResource({ title: 'b1', parent: b.id }),
    ]
    const responses = await Promise.all([edit(a.id, { parent: belowB.id }), edit(b.id, { parent: belowA.id })])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  }
})

test('a child created during a rename gets the new path', async () => {
  const { database, table } = await createWarehouse()
  const [created, gate] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const birth = inTransaction(app.ctx, async (ctx) => {
    created.resolve((await createResource(ctx, { title: 'late', parent: table })).id)
    await gate.promise
  })
  const child = await created.promise
  const rename = edit(database, { title: 'market' })
  await sleep(200)
  gate.resolve()
  await Promise.all([birth, rename])
  expect(await names(child)).toEqual(['market.public.orders.late'])
})

test('a bulk update that renames, moves and detaches related resources keeps all paths correct', async () => {
  const { database, schema, table, column, part } = await createWarehouse()
  const sibling = await app.createResource({ entity_type: 'table', title: 'sibling', parent: schema })
  const response = await bulk([
    { id: table, data: { title: 'renamed' } },
    { id: sibling.id, data: { parent: null } },
    { id: schema, data: { title: 'moved', parent: null } },
    { id: column, data: { title: 'freed' } },
    { id: part, data: { title: 'town' } },
    { id: column, data: { parent: null } },
    { id: database, data: { title: 'empty' } },
  ])
  expect(response.status).toBe(200)
  expect(await names(database, schema, table, column, part, sibling.id)).toEqual([
    'empty',
    'moved',
    'moved.renamed',
    'freed',
    'freed.town',
    'sibling',
  ])
})

test('children_count is correct after create, move, bulk update and delete', async () => {
  const [one, two] = [await app.createResource({ title: 'one' }), await app.createResource({ title: 'two' })]
  const counts = async () => [(await read(one.id)).children_count, (await read(two.id)).children_count]
  const children = await Promise.all(Array.from({ length: 6 }, (_, i) => app.createResource({ title: `c${i}`, parent: one.id })))
  expect(await counts()).toEqual([6, 0])
  await edit(children[0]!.id, { parent: two.id })
  await bulk(children.slice(1, 4).map(({ id }) => ({ id, data: { parent: two.id } })))
  expect(await counts()).toEqual([2, 4])
  await app.call('DELETE', `/resource/all/${children[1]!.id}`)
  await bulk([{ id: children[2]!.id, data: { parent: null } }])
  expect(await counts()).toEqual([2, 2])
  await app.call('DELETE', `/resource/all/${two.id}`)
  expect((await app.call('GET', `/resource/all/${children[3]!.id}`)).status).toBe(404)
})

test('concurrent creates, renames, moves and deletes keep the tree consistent', async () => {
  const tops = await Promise.all(['a', 'b', 'c'].map((title) => app.createResource({ title, entity_type: 'database' })))
  const middles = await Promise.all(tops.map(({ id }) => app.createResource({ title: 'm', parent: id })))
  const at = <T>(list: T[], i: number) => list[i % list.length]!
  await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      i % 4 === 0
        ? edit(at(tops, i).id, { title: `top${i}` })
        : i % 4 === 1
          ? edit(at(middles, i).id, { parent: at(tops, i + 1).id })
          : i === 30
            ? app.call('DELETE', `/resource/all/${middles[0]!.id}`)
            : app.call('POST', '/resource/catalog', { body: { title: `leaf${i}`, parent: at(middles, i).id } }),
    ),
  )
})

test('children_count only includes visible children', async () => {
  const viewer = await app.createUser('viewer')
  const top = await app.createResource({ published: true })
  for (const published of [true, true, false]) await app.createResource({ parent: top.id, published })
  expect((await read(top.id)).children_count).toBe(3)
  expect((await app.call('GET', `/resource/all/${top.id}`, { token: viewer.token })).body.children_count).toBe(2)
})
