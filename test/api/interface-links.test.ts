import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import {
  COLUMN_DESCRIPTOR,
  expectCreated,
  expectError,
  expectFields,
  expectPage,
  getIds,
  LINEAGE,
  PROPERTY,
  TABLE_DESCRIPTOR,
} from './interface.ts'

/** Interface document: "Custom properties" and "Lineage". */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const createTestTable = async (title = 'orders') => (await app.createResource({ entity_type: 'table', title })).id

describe('/resource/all_v2/custom_properties/', () => {
  const ALL = '/resource/all_v2/custom_properties/'
  const BULK = '/resource/all_v2/bulk_update/custom_properties/'
  const aProperty = (name = `Property ${newId()}`, more: object = {}) =>
    expectCreated(app, ALL, { name, value_type: 'string', ...more }, 200)
  const kept = async (property: string, entity: string) => {
    const { status, body } = await app.call('GET', `${ALL}${property}/${entity}`)
    return status === 404 ? undefined : body.value
  }

  test('POST: 200 and the record', async () => {
    const record = await aProperty('Cost centre', { entity_types: ['all'] })
    expectFields(record, PROPERTY)
    expect(record).toMatchObject({ name: 'Cost centre', value_type: 'string', entity_types: ['all'] })
  })

  test('POST: name and value_type are required and validated', async () => {
    for (const body of [
      { name: 'x' },
      { value_type: 'string' },
      { name: 5, value_type: 'string' },
      { name: 'x', value_type: 'poem' },
      { name: 'x', value_type: 'string', entity_types: 'all' },
    ])
      expectError(await app.call('POST', ALL, { body }), 400, 'validation_failed')
  })

  test('GET: 200 and an array of records without an envelope', async () => {
    const { id } = await aProperty()
    const { status, body } = await app.call('GET', ALL)
    expect(status).toBe(200)
    for (const record of body) expectFields(record, PROPERTY)
    expect(body.map((record: { id: string }) => record.id)).toContain(id)
  })

  test('GET {id}: 200 and the record; 404', async () => {
    const property = await aProperty()
    expect(await app.call('GET', `${ALL}${property.id}`)).toMatchObject({ status: 200, body: property })
    expectError(await app.call('GET', `${ALL}${newId()}`), 404, 'not_found')
  })

  test('PUT {id}: the same body as create, 200 and the record', async () => {
    const { id } = await aProperty()
    const body = { name: `Renamed ${id}`, value_type: 'string', entity_types: ['table'] }
    expect(await app.call('PUT', `${ALL}${id}`, { body })).toMatchObject({ status: 200, body: { id, ...body } })
    expectError(await app.call('PUT', `${ALL}${newId()}`, { body: { ...body, name: 'Nothing' } }), 404, 'not_found')
  })

  test('DELETE {id}: 204 without content', async () => {
    const { id } = await aProperty()
    const { status, text } = await app.call('DELETE', `${ALL}${id}`)
    expect([status, text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expectError(await app.call(method, `${ALL}${id}`), 404, 'not_found')
  })

  test('PUT {id}/{entity_id}: 200 without content; value is required and text', async () => {
    const { id } = await aProperty()
    const entity = await createTestTable()
    const { status, text } = await app.call('PUT', `${ALL}${id}/${entity}`, { body: { value: 'gold' } })
    expect([status, text]).toEqual([200, ''])
    expect(await kept(id, entity)).toBe('gold')
    for (const body of [{}, { value: 5 }, { value: null }])
      expectError(await app.call('PUT', `${ALL}${id}/${entity}`, { body }), 400, 'validation_failed')
    expect(await kept(id, entity)).toBe('gold')
    for (const path of [`${ALL}${newId()}/${entity}`, `${ALL}${id}/${newId()}`])
      expectError(await app.call('PUT', path, { body: { value: 'gold' } }), 404, 'not_found')
  })

  test('PUT bulk_update: 200 without content; keys are IDs or URL-encoded names; an empty string deletes', async () => {
    const [tier, centre] = [await aProperty(), await aProperty(`Größe & more ${newId()}`)]
    const entities = [await createTestTable(), await createTestTable()]
    const write = (properties: object) => app.call('PUT', BULK, { body: { entity_ids: entities, properties } })
    const { status, text } = await write({ [tier.id]: 'gold', [encodeURIComponent(String(centre.name))]: 'large' })
    expect([status, text]).toEqual([200, ''])
    for (const entity of entities) expect([await kept(tier.id, entity), await kept(centre.id, entity)]).toEqual(['gold', 'large'])
    await write({ [tier.id]: '' })
    for (const entity of entities) expect([await kept(tier.id, entity), await kept(centre.id, entity)]).toEqual([undefined, 'large'])
  })

  test('PUT bulk_update: both fields are required, and nothing is written if one entity is not found', async () => {
    const { id } = await aProperty()
    const entity = await createTestTable()
    for (const body of [
      { entity_ids: [entity] },
      { properties: { [id]: 'x' } },
      { entity_ids: entity, properties: {} },
      { entity_ids: [entity], properties: { [id]: 5 } },
    ])
      expectError(await app.call('PUT', BULK, { body }), 400, 'validation_failed')
    expectError(await app.call('PUT', BULK, { body: { entity_ids: [entity, newId()], properties: { [id]: 'x' } } }), 404, 'not_found')
    expect(await kept(id, entity)).toBeUndefined()
  })
})

describe('/lineage/manual', () => {
  const ends = async () => ({ from_entity: await createTestTable('orders'), to_entity: await createTestTable('sales') })

  for (const direction of ['DOWNSTREAM', 'UPSTREAM'])
    test(`POST: 201 and the entry, ${direction}; the opposite direction exists automatically`, async () => {
      const { from_entity, to_entity } = await ends()
      const entry = await expectCreated(app, '/lineage/manual', { from_entity, to_entity, direction })
      expectFields(entry, LINEAGE)
      expect(entry).toMatchObject({ from_entity, to_entity, direction, is_manual: true })
      const response = await app.call('GET', `/lineage/manual?from_entity=${to_entity}`)
      expectPage(response, LINEAGE)
      const opposite = direction === 'DOWNSTREAM' ? 'UPSTREAM' : 'DOWNSTREAM'
      expect(response.body.results).toMatchObject([
        { from_entity: to_entity, to_entity: from_entity, direction: opposite, is_manual: true },
      ])
    })

  test('POST: 400 for unknown, identical or missing ends and for other directions', async () => {
    const { from_entity, to_entity } = await ends()
    const good = { from_entity, to_entity, direction: 'DOWNSTREAM' }
    for (const wrong of [
      { to_entity: newId() },
      { from_entity: 'x' },
      { to_entity: from_entity },
      { direction: 'SIDEWAYS' },
      { direction: undefined },
      { from_entity: undefined },
    ])
      expectError(await app.call('POST', '/lineage/manual', { body: { ...good, ...wrong } }), 400, 'validation_failed')
    expect((await app.call('GET', `/lineage/manual?from_entity=${from_entity}`)).body.count).toBe(0)
  })

  test('GET: filters by source and destination; 400', async () => {
    const { from_entity, to_entity } = await ends()
    const { id } = await expectCreated(app, '/lineage/manual', { from_entity, to_entity, direction: 'DOWNSTREAM' })
    for (const query of [
      `from_entity=${from_entity}`,
      `from_entity_id=${from_entity}`,
      `to_entity=${to_entity}`,
      `from_entity=${from_entity}&to_entity=${to_entity}`,
    ])
      expect([query, getIds(await app.call('GET', `/lineage/manual?${query}`))]).toEqual([query, [id]])
    expectError(await app.call('GET', '/lineage/manual?from_entity=x'), 400, 'validation_failed')
  })

  test('GET {id}: 200 and the entry; DELETE {id}: 204 without content; 404', async () => {
    const entry = await expectCreated(app, '/lineage/manual', { ...(await ends()), direction: 'DOWNSTREAM' })
    expect(await app.call('GET', `/lineage/manual/${entry.id}`)).toMatchObject({ status: 200, body: entry })
    const { status, text } = await app.call('DELETE', `/lineage/manual/${entry.id}`)
    expect([status, text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expectError(await app.call(method, `/lineage/manual/${entry.id}`), 404, 'not_found')
    expect((await app.call('GET', `/lineage/manual?from_entity=${entry.to_entity}`)).body.count).toBe(0)
  })
})

describe('/lineage/lineage_from_query', () => {
  const PATH = '/lineage/lineage_from_query'
  const query = (fields: Record<string, string>) => `${PATH}?${new URLSearchParams(fields)}`

  /** shop.public.orders(id, price) and shop.public.sales(total) */
  const aShop = async (app: TestApp) => {
    const database = await expectCreated(app, '/database/databases', { title: 'shop', integration: newId() })
    const schema = await expectCreated(app, '/database/schemas', { title: 'public', parent: database.id })
    const table = async (title: string, columns: string[]) => {
      const { id } = await expectCreated(app, '/table/tables', { title, parent: schema.id })
      for (const column of columns) await expectCreated(app, '/table/columns', { title: column, parent: id, type: 'numeric' })
      return id
    }
    return { orders: await table('orders', ['id', 'price']), sales: await table('sales', ['total']) }
  }
  const fields = {
    sql: 'insert into sales (total) select sum(price) from orders',
    dialect: 'postgresql',
    default_database: 'shop',
    default_schema: 'public',
  }
  /** The upstream tables of a table, and whether each edge is manual. */
  const upstreamOf = async (app: TestApp, table: string) => {
    const edges = await app.db.selectFrom('lineage_edges').select(['upstream', 'query']).where('downstream', '=', table).execute()
    return edges.map(({ upstream, query }) => ({ upstream, is_manual: query === null }))
  }

  test('GET previews: the result with every field, and nothing is written', async () => {
    await using app = await createTestApp()
    const { orders, sales } = await aShop(app)
    const { status, body } = await app.call('GET', query(fields))
    expect(status).toBe(200)
    expect(body.sql).toBe(fields.sql)
    for (const table of [...body.source_tables, body.target_table]) expectFields(table, TABLE_DESCRIPTOR)
    expect(body.source_tables).toMatchObject([{ id: orders, title: 'orders', schema_name: 'public', database_name: 'shop' }])
    expect(body.target_table).toMatchObject({ id: sales, title: 'sales' })
    expect(body.column_lineages).toMatchObject([{ from_column: { title: 'price' }, to_column: { title: 'total' } }])
    for (const { from_column, to_column } of body.column_lineages)
      for (const column of [from_column, to_column]) expectFields(column, COLUMN_DESCRIPTOR)
    expect(await upstreamOf(app, sales)).toEqual([])
  })

  for (const method of ['POST', 'PATCH'])
    test(`${method}: 200 and the result, and the lineage is saved; table_id is the target`, async () => {
      await using app = await createTestApp()
      const { orders, sales } = await aShop(app)
      const sql = 'select sum(price) as total from orders'
      const { status, body } = await app.call(method, PATH, { body: { ...fields, sql, table_id: sales } })
      expect(status).toBe(200)
      expect(body).toMatchObject({ sql, source_tables: [{ id: orders }], target_table: { id: sales } })
      expect(await upstreamOf(app, sales)).toEqual([{ upstream: orders, is_manual: false }])
    })

  test('POST adds to existing lineage; PATCH first removes the target’s derived upstream edges', async () => {
    await using app = await createTestApp()
    const { orders, sales } = await aShop(app)
    const [refunds, manual_source] = [
      await expectCreated(app, '/table/tables', { title: 'refunds' }),
      await expectCreated(app, '/table/tables', { title: 'said' }),
    ]
    const downstream = await expectCreated(app, '/table/tables', { title: 'report' })
    await expectCreated(app, '/lineage/manual', { from_entity: manual_source.id, to_entity: sales, direction: 'DOWNSTREAM' })
    const write = (method: string, sql: string, table_id = sales) =>
      app.call(method, PATH, { body: { sql, dialect: 'postgresql', table_id } })
    await write('POST', 'select 1 as total from orders')
    await write('POST', 'select 1 as total from refunds')
    await write('POST', 'select 1 as total from sales', downstream.id)
    const manual = { upstream: manual_source.id, is_manual: true }
    const [fromOrders, fromRefunds] = [orders, refunds.id].map((upstream) => ({ upstream, is_manual: false }))
    const inAnyOrder = (edges: unknown[]) => new Set(edges.map((edge) => JSON.stringify(edge)))
    expect(inAnyOrder(await upstreamOf(app, sales))).toEqual(inAnyOrder([manual, fromOrders, fromRefunds]))
    expect((await write('PATCH', 'select 2 as total from refunds')).status).toBe(200)
    expect(inAnyOrder(await upstreamOf(app, sales))).toEqual(inAnyOrder([manual, fromRefunds]))
    expect(await upstreamOf(app, downstream.id)).toHaveLength(1)
  })

  test('400 for unparsable SQL and an unknown dialect; 404 for an unknown table_id', async () => {
    const call = (method: string, more: Record<string, string>) =>
      method === 'GET' ? app.call('GET', query({ ...fields, ...more })) : app.call(method, PATH, { body: { ...fields, ...more } })
    for (const method of ['GET', 'POST', 'PATCH']) {
      expectError(await call(method, { sql: 'selekt )(' }), 400, 'sql_unparsable')
      expectError(await call(method, { dialect: 'klingon' }), 400, 'validation_failed')
      expectError(await call(method, { table_id: newId() }), 404, 'not_found')
    }
  })
})
