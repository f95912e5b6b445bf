import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { aHouse, type House } from './house.ts'
import { COLUMN_DESCRIPTOR, idsOf, LINEAGE, made, mustBePage, mustHave, mustRefuse, PROPERTY, TABLE_DESCRIPTOR } from './interface.ts'

/** Interface document: "Custom properties" and "Lineage". */
let house: House
beforeAll(async () => {
  house = await aHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const aTable = async (title = 'orders') => (await house.resource({ entity_type: 'table', title })).id

describe('/resource/all_v2/custom_properties/', () => {
  const ALL = '/resource/all_v2/custom_properties/'
  const BULK = '/resource/all_v2/bulk_update/custom_properties/'
  const aProperty = (name = `Property ${newId()}`, more: object = {}) => made(house, ALL, { name, value_type: 'string', ...more }, 200)
  const kept = async (property: string, entity: string) => {
    const { status, body } = await house.call('GET', `${ALL}${property}/${entity}`)
    return status === 404 ? undefined : body.value
  }

  test('POST: 200 and the record', async () => {
    const record = await aProperty('Cost centre', { entity_types: ['all'] })
    mustHave(record, PROPERTY)
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
      mustRefuse(await house.call('POST', ALL, { body }), 400, 'validation_failed')
  })

  test('GET: 200 and an array of records without an envelope', async () => {
    const { id } = await aProperty()
    const { status, body } = await house.call('GET', ALL)
    expect(status).toBe(200)
    for (const record of body) mustHave(record, PROPERTY)
    expect(body.map((record: { id: string }) => record.id)).toContain(id)
  })

  test('GET {id}: 200 and the record; 404', async () => {
    const property = await aProperty()
    expect(await house.call('GET', `${ALL}${property.id}`)).toMatchObject({ status: 200, body: property })
    mustRefuse(await house.call('GET', `${ALL}${newId()}`), 404, 'not_found')
  })

  test('PUT {id}: the same body as create, 200 and the record', async () => {
    const { id } = await aProperty()
    const body = { name: `Renamed ${id}`, value_type: 'string', entity_types: ['table'] }
    expect(await house.call('PUT', `${ALL}${id}`, { body })).toMatchObject({ status: 200, body: { id, ...body } })
    mustRefuse(await house.call('PUT', `${ALL}${newId()}`, { body: { ...body, name: 'Nothing' } }), 404, 'not_found')
  })

  test('DELETE {id}: 204 without content', async () => {
    const { id } = await aProperty()
    const { status, text } = await house.call('DELETE', `${ALL}${id}`)
    expect([status, text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) mustRefuse(await house.call(method, `${ALL}${id}`), 404, 'not_found')
  })

  test('PUT {id}/{entity_id}: 200 without content; value is required and text', async () => {
    const { id } = await aProperty()
    const entity = await aTable()
    const { status, text } = await house.call('PUT', `${ALL}${id}/${entity}`, { body: { value: 'gold' } })
    expect([status, text]).toEqual([200, ''])
    expect(await kept(id, entity)).toBe('gold')
    for (const body of [{}, { value: 5 }, { value: null }])
      mustRefuse(await house.call('PUT', `${ALL}${id}/${entity}`, { body }), 400, 'validation_failed')
    expect(await kept(id, entity)).toBe('gold')
    for (const path of [`${ALL}${newId()}/${entity}`, `${ALL}${id}/${newId()}`])
      mustRefuse(await house.call('PUT', path, { body: { value: 'gold' } }), 404, 'not_found')
  })

  test('PUT bulk_update: 200 without content; keys are IDs or URL-encoded names; an empty string deletes', async () => {
    const [tier, centre] = [await aProperty(), await aProperty(`Größe & more ${newId()}`)]
    const entities = [await aTable(), await aTable()]
    const write = (properties: object) => house.call('PUT', BULK, { body: { entity_ids: entities, properties } })
    const { status, text } = await write({ [tier.id]: 'gold', [encodeURIComponent(String(centre.name))]: 'large' })
    expect([status, text]).toEqual([200, ''])
    for (const entity of entities) expect([await kept(tier.id, entity), await kept(centre.id, entity)]).toEqual(['gold', 'large'])
    await write({ [tier.id]: '' })
    for (const entity of entities) expect([await kept(tier.id, entity), await kept(centre.id, entity)]).toEqual([undefined, 'large'])
  })

  test('PUT bulk_update: both fields are required, and nothing is written if one entity is not found', async () => {
    const { id } = await aProperty()
    const entity = await aTable()
    for (const body of [
      { entity_ids: [entity] },
      { properties: { [id]: 'x' } },
      { entity_ids: entity, properties: {} },
      { entity_ids: [entity], properties: { [id]: 5 } },
    ])
      mustRefuse(await house.call('PUT', BULK, { body }), 400, 'validation_failed')
    mustRefuse(await house.call('PUT', BULK, { body: { entity_ids: [entity, newId()], properties: { [id]: 'x' } } }), 404, 'not_found')
    expect(await kept(id, entity)).toBeUndefined()
  })
})

describe('/lineage/manual', () => {
  const ends = async () => ({ from_entity: await aTable('orders'), to_entity: await aTable('sales') })

  for (const direction of ['DOWNSTREAM', 'UPSTREAM'])
    test(`POST: 201 and the entry, ${direction}; the opposite direction exists automatically`, async () => {
      const { from_entity, to_entity } = await ends()
      const entry = await made(house, '/lineage/manual', { from_entity, to_entity, direction })
      mustHave(entry, LINEAGE)
      expect(entry).toMatchObject({ from_entity, to_entity, direction, is_manual: true })
      const answer = await house.call('GET', `/lineage/manual?from_entity=${to_entity}`)
      mustBePage(answer, LINEAGE)
      const opposite = direction === 'DOWNSTREAM' ? 'UPSTREAM' : 'DOWNSTREAM'
      expect(answer.body.results).toMatchObject([{ from_entity: to_entity, to_entity: from_entity, direction: opposite, is_manual: true }])
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
      mustRefuse(await house.call('POST', '/lineage/manual', { body: { ...good, ...wrong } }), 400, 'validation_failed')
    expect((await house.call('GET', `/lineage/manual?from_entity=${from_entity}`)).body.count).toBe(0)
  })

  test('GET: filters by source and destination; 400', async () => {
    const { from_entity, to_entity } = await ends()
    const { id } = await made(house, '/lineage/manual', { from_entity, to_entity, direction: 'DOWNSTREAM' })
    for (const query of [
      `from_entity=${from_entity}`,
      `from_entity_id=${from_entity}`,
      `to_entity=${to_entity}`,
      `from_entity=${from_entity}&to_entity=${to_entity}`,
    ])
      expect([query, idsOf(await house.call('GET', `/lineage/manual?${query}`))]).toEqual([query, [id]])
    mustRefuse(await house.call('GET', '/lineage/manual?from_entity=x'), 400, 'validation_failed')
  })

  test('GET {id}: 200 and the entry; DELETE {id}: 204 without content; 404', async () => {
    const entry = await made(house, '/lineage/manual', { ...(await ends()), direction: 'DOWNSTREAM' })
    expect(await house.call('GET', `/lineage/manual/${entry.id}`)).toMatchObject({ status: 200, body: entry })
    const { status, text } = await house.call('DELETE', `/lineage/manual/${entry.id}`)
    expect([status, text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) mustRefuse(await house.call(method, `/lineage/manual/${entry.id}`), 404, 'not_found')
    expect((await house.call('GET', `/lineage/manual?from_entity=${entry.to_entity}`)).body.count).toBe(0)
  })
})

describe('/lineage/lineage_from_query', () => {
  const PATH = '/lineage/lineage_from_query'
  const query = (fields: Record<string, string>) => `${PATH}?${new URLSearchParams(fields)}`

  /** shop.public.orders(id, price) and shop.public.sales(total) */
  const aShop = async (house: House) => {
    const database = await made(house, '/database/databases', { title: 'shop', integration: newId() })
    const schema = await made(house, '/database/schemas', { title: 'public', parent: database.id })
    const table = async (title: string, columns: string[]) => {
      const { id } = await made(house, '/table/tables', { title, parent: schema.id })
      for (const column of columns) await made(house, '/table/columns', { title: column, parent: id, type: 'numeric' })
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
  const upstreamOf = async (house: House, table: string) => {
    const edges = await house.db.selectFrom('lineage_edges').select(['upstream', 'query']).where('downstream', '=', table).execute()
    return edges.map(({ upstream, query }) => ({ upstream, is_manual: query === null }))
  }

  test('GET previews: the result with every field, and nothing is written', async () => {
    await using house = await aHouse()
    const { orders, sales } = await aShop(house)
    const { status, body } = await house.call('GET', query(fields))
    expect(status).toBe(200)
    expect(body.sql).toBe(fields.sql)
    for (const table of [...body.source_tables, body.target_table]) mustHave(table, TABLE_DESCRIPTOR)
    expect(body.source_tables).toMatchObject([{ id: orders, title: 'orders', schema_name: 'public', database_name: 'shop' }])
    expect(body.target_table).toMatchObject({ id: sales, title: 'sales' })
    expect(body.column_lineages).toMatchObject([{ from_column: { title: 'price' }, to_column: { title: 'total' } }])
    for (const { from_column, to_column } of body.column_lineages)
      for (const column of [from_column, to_column]) mustHave(column, COLUMN_DESCRIPTOR)
    expect(await upstreamOf(house, sales)).toEqual([])
  })

  for (const method of ['POST', 'PATCH'])
    test(`${method}: 200 and the result, and the lineage is saved; table_id is the target`, async () => {
      await using house = await aHouse()
      const { orders, sales } = await aShop(house)
      const sql = 'select sum(price) as total from orders'
      const { status, body } = await house.call(method, PATH, { body: { ...fields, sql, table_id: sales } })
      expect(status).toBe(200)
      expect(body).toMatchObject({ sql, source_tables: [{ id: orders }], target_table: { id: sales } })
      expect(await upstreamOf(house, sales)).toEqual([{ upstream: orders, is_manual: false }])
    })

  test('POST adds to existing lineage; PATCH first removes the target’s derived upstream edges', async () => {
    await using house = await aHouse()
    const { orders, sales } = await aShop(house)
    const [refunds, said] = [
      await made(house, '/table/tables', { title: 'refunds' }),
      await made(house, '/table/tables', { title: 'said' }),
    ]
    const downstream = await made(house, '/table/tables', { title: 'report' })
    await made(house, '/lineage/manual', { from_entity: said.id, to_entity: sales, direction: 'DOWNSTREAM' })
    const write = (method: string, sql: string, table_id = sales) =>
      house.call(method, PATH, { body: { sql, dialect: 'postgresql', table_id } })
    await write('POST', 'select 1 as total from orders')
    await write('POST', 'select 1 as total from refunds')
    await write('POST', 'select 1 as total from sales', downstream.id)
    const manual = { upstream: said.id, is_manual: true }
    const [fromOrders, fromRefunds] = [orders, refunds.id].map((upstream) => ({ upstream, is_manual: false }))
    const inAnyOrder = (edges: unknown[]) => new Set(edges.map((edge) => JSON.stringify(edge)))
    expect(inAnyOrder(await upstreamOf(house, sales))).toEqual(inAnyOrder([manual, fromOrders, fromRefunds]))
    expect((await write('PATCH', 'select 2 as total from refunds')).status).toBe(200)
    expect(inAnyOrder(await upstreamOf(house, sales))).toEqual(inAnyOrder([manual, fromRefunds]))
    expect(await upstreamOf(house, downstream.id)).toHaveLength(1)
  })

  test('400 for unparsable SQL and an unknown dialect; 404 for an unknown table_id', async () => {
    const call = (method: string, more: Record<string, string>) =>
      method === 'GET' ? house.call('GET', query({ ...fields, ...more })) : house.call(method, PATH, { body: { ...fields, ...more } })
    for (const method of ['GET', 'POST', 'PATCH']) {
      mustRefuse(await call(method, { sql: 'selekt )(' }), 400, 'sql_unparsable')
      mustRefuse(await call(method, { dialect: 'klingon' }), 400, 'validation_failed')
      mustRefuse(await call(method, { table_id: newId() }), 404, 'not_found')
    }
  })
})
