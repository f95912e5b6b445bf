import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Context } from '../src/context.ts'
import { newId } from '../src/id.ts'
import { writeLineage } from '../src/lineage/from-query.ts'
import { forgetUnusedQueries } from '../src/lineage/store.ts'
import { aHouse, type CallOptions, type House } from './house.ts'
import { aCatalog, edgesIn } from './lineage-catalog.ts'
import { oneInTheOther } from './turns.ts'

const AT = '/lineage/lineage_from_query'
const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const SHOP = { 'shop.public.orders': ['id', 'day', 'price'], 'shop.public.daily': ['day', 'total'], 'shop.public.returns': ['id', 'day'] }
const DAILY = 'insert into daily select day, sum(price) from orders where id > 5 group by day'

const preview = (house: House, query: Record<string, string>, options?: CallOptions) =>
  house.call('GET', `${AT}?${new URLSearchParams(query)}`, options)

/** All rows of the lineage tables, including author and time of each row version. */
const stored = async ({ db }: House) =>
  (
    await sql`select 'edge' as what, to_jsonb(e) as row, e.xmin::text from lineage_edges e
      union all select 'query', to_jsonb(q), q.xmin::text from lineage_queries q order by 1, 2`.execute(db)
  ).rows
const told = async (house: House) => (await house.changes()).filter(({ activity_type }) => activity_type.startsWith('lineage'))

const arrow = ({ from_column: from, to_column: to, kind }: { from_column: Col; to_column: Col; kind: string }) =>
  `${from.table_name}.${from.title} > ${to.table_name}.${to.title} ${kind}`
type Col = { table_name: string | null; title: string }

test('previews tables and columns with their catalog values and writes nothing', async () => {
  await using house = await aHouse()
  const { body: integration } = await house.call('POST', '/integration/integrations', { body: { name: 'warehouse', type: 'postgres' } })
  const catalog = await aCatalog(house, SHOP, { integration: integration.id })
  await house.call('PATCH', `/resource/all/${catalog.get('shop.public.orders.price')}`, { body: { native_type: 'numeric(10,2)' } })
  const { status, body } = await preview(house, { sql: DAILY, dialect: 'postgresql' })
  expect(status).toBe(200)
  const of = { integration_id: integration.id, integration_title: 'warehouse', integration_type: 'postgres' }
  const times = { created_at: expect.any(String), updated_at: expect.any(String) }
  const place = { schema_name: 'public', database_name: 'shop', native_type: null }
  const orders = { id: catalog.get('shop.public.orders'), title: 'orders', ...times, ...place, ...of }
  const daily = { ...orders, id: catalog.get('shop.public.daily'), title: 'daily' }
  expect(body).toMatchObject({
    sql: DAILY,
    dialect: 'postgres',
    source_tables: [orders],
    target_table: daily,
    unresolved: [],
    problems: [],
  })
  expect(body.incomplete).toBeNull()
  expect(body.column_lineages.map(arrow)).toEqual(['orders.day > daily.day identity', 'orders.price > daily.total aggregation'])
  expect(body.column_lineages[1].from_column).toEqual({
    ...orders,
    id: catalog.get('shop.public.orders.price'),
    title: 'price',
    entity_type: 'column',
    native_type: 'numeric(10,2)',
    type: 'numeric(10,2)',
    table_name: 'orders',
    table_id: orders.id,
  })
  const { start, end } = body.column_lineages[1]
  expect(DAILY.slice(start, end)).toBe('sum(price)')
  expect(body.statements).toEqual([
    {
      kind: 'insert',
      start: 0,
      end: DAILY.length,
      source_tables: [orders],
      target_table: daily,
      target_tables: [daily],
      column_lineages: body.column_lineages,
    },
  ])
  expect(await stored(house)).toEqual([])
  expect(await told(house)).toEqual([])
})

test('saves each edge with its evidence; the same query again changes nothing', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const created = await house.call('POST', AT, { body: { sql: DAILY } })
  expect([created.status, created.body]).toEqual([200, (await preview(house, { sql: DAILY })).body])
  expect(await edgesIn(house, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily filter',
    'shop.public.orders.day > shop.public.daily.day identity',
    'shop.public.orders.id > shop.public.daily filter',
    'shop.public.orders.price > shop.public.daily.total aggregation',
  ])
  const proofs = await house.db
    .selectFrom('lineage_edges as e')
    .innerJoin('lineage_queries as q', 'q.id', 'e.query')
    .select(['e.kind', 'e.statement', 'e.span_start', 'e.span_end', 'q.sql', 'q.dialect', 'q.engine_version', 'q.statements'])
    .where('e.kind', '=', 'aggregation')
    .execute()
  expect(proofs).toEqual([
    {
      kind: 'aggregation',
      statement: 0,
      span_start: DAILY.indexOf('sum'),
      span_end: DAILY.indexOf(' from'),
      sql: DAILY,
      dialect: 'postgres',
      engine_version: expect.any(String),
      statements: [{ kind: 'insert', start: 0, end: DAILY.length }],
    },
  ])
  const before = await stored(house)
  expect(before).toHaveLength(6)
  for (const method of ['POST', 'PATCH', 'POST']) expect((await house.call(method, AT, { body: { sql: DAILY } })).status).toBe(200)
  expect(await stored(house)).toEqual(before)
  expect(await told(house)).toEqual([{ activity_type: 'lineage_derived', resource_id: catalog.get('shop.public.daily') }])
})

test('logs derived lineage at the target', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const [orders, daily, returns] = ['orders', 'daily', 'returns'].map((name) => catalog.get(`shop.public.${name}`)!)
  await house.call('POST', AT, { body: { sql: DAILY } })
  await house.call('PATCH', AT, { body: { sql: 'insert into daily (day) select day from returns' } })
  const { body } = await house.call('GET', `/activity_log/resource_logs/?resource_id=${daily}`)
  const [last, first] = body.non_versioned_logs
  expect([first.related_resource_ids, first.related_resource_type]).toEqual([[orders], 'table'])
  expect(last.related_resource_ids.sort()).toEqual([orders, returns].sort())
  expect(last.event_blocks.map(({ value }: { value: string }) => value).join(' ')).toMatch(/read the lineage of daily from a query$/)
})

test('PATCH replaces the derived upstream of the target and nothing else', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, { ...SHOP, 'shop.public.other': ['day'] })
  const id = (name: string) => catalog.get(`shop.public.${name}`)!
  for (const [from, to] of [
    ['returns', 'daily'],
    ['orders', 'daily'],
  ] as const)
    await house.call('POST', '/lineage/manual', { body: { from_entity: id(from), to_entity: id(to), direction: 'DOWNSTREAM' } })
  await house.call('POST', AT, { body: { sql: DAILY } })
  await house.call('POST', AT, { body: { sql: 'insert into other select day from daily' } })
  await house.call('POST', AT, { body: { sql: 'insert into daily (day) select day from other' } })
  const kept = [
    'shop.public.daily > shop.public.other table',
    'shop.public.daily.day > shop.public.other.day identity',
    'shop.public.orders > shop.public.daily manual',
    'shop.public.returns > shop.public.daily manual',
  ]
  expect((await edgesIn(house, catalog)).length).toBe(kept.length + 5 + 2)
  const replaced = await house.call('PATCH', AT, { body: { sql: 'insert into daily (total) select count(id) from returns' } })
  expect(replaced.status).toBe(200)
  expect(await edgesIn(house, catalog)).toEqual(
    [...kept, 'shop.public.returns > shop.public.daily table', 'shop.public.returns.id > shop.public.daily.total aggregation'].sort(),
  )
  expect((await house.db.selectFrom('lineage_queries').select('sql').execute()).length).toBe(2)
  // A query that reads no table leaves no edges.
  await house.call('PATCH', AT, { body: { sql: 'insert into daily (total) select 1' } })
  expect(await edgesIn(house, catalog)).toEqual(kept)
  expect((await house.db.selectFrom('lineage_queries').select('sql').execute()).length).toBe(1)
})

test('derived edges are not listed as manual entries and are deleted with their resources', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  await house.call('POST', AT, { body: { sql: DAILY } })
  const [edge] = await house.db.selectFrom('lineage_edges').select('id').execute()
  for (const method of ['GET', 'DELETE']) expect((await house.call(method, `/lineage/manual/${edge!.id}`)).status).toBe(404)
  expect((await house.call('GET', '/lineage/manual')).body.count).toBe(0)
  await house.call('DELETE', `/resource/all/${catalog.get('shop.public.orders.price')}`)
  expect(await edgesIn(house, catalog)).toHaveLength(4)
  await house.call('DELETE', `/resource/all/${catalog.get('shop.public.orders')}`)
  expect(await edgesIn(house, catalog)).toEqual([])
  await forgetUnusedQueries({ ...house.ctx, now: new Date(Date.now() + 2 * 3_600_000) })
  expect(await stored(house)).toEqual([])
})

test('keeps a query that is used again while its last edges are deleted', async () => {
  await using house = await aHouse()
  const { ctx } = house
  const catalog = await aCatalog(house, SHOP)
  const [daily, returns] = [catalog.get('shop.public.daily')!, catalog.get('shop.public.returns')!]
  const select = 'select id, day from orders'
  await writeLineage(ctx, { sql: select, table_id: daily }, { replace: true })
  const taken = (ctx: Context) => writeLineage(ctx, { sql: select, table_id: returns }, { replace: true })
  const other = () => writeLineage(ctx, { sql: DAILY, table_id: daily }, { replace: true })
  expect(await oneInTheOther(house, taken, other)).toEqual(['first', 'second'])
  const { rows } = await sql<{ sql: string }>`
    select distinct q.sql from lineage_edges e left join lineage_queries q on q.id = e.query order by 1`.execute(house.db)
  expect(rows.map(({ sql }) => sql)).toEqual([DAILY, select])
})

test('a bare SELECT writes to the table of table_id', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const table_id = catalog.get('shop.public.daily')!
  const select = 'select day, price * 2 as total from orders'
  const shown = await preview(house, { sql: select })
  expect([shown.status, shown.body.target_table]).toEqual([200, null])
  expect(shown.body.column_lineages.map(arrow)).toEqual(['orders.day > null.day identity', 'orders.price > null.total expression'])
  for (const method of ['POST', 'PATCH']) {
    const refused = await house.call(method, AT, { body: { sql: select } })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['table_id']])
  }
  expect((await preview(house, { sql: select, table_id })).body).toMatchObject({ target_table: { id: table_id }, unresolved: [] })
  await house.call('POST', AT, { body: { sql: select, table_id: table_id.toUpperCase() } })
  expect(await edgesIn(house, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily.day identity',
    'shop.public.orders.price > shop.public.daily.total expression',
  ])
})

test('a staging table with another name is treated as the table of table_id', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const table_id = catalog.get('shop.public.daily')!
  const { body } = await house.call('POST', AT, { body: { sql: 'create table daily__tmp as select day from orders', table_id } })
  expect(body).toMatchObject({ target_table: { id: table_id, title: 'daily' }, unresolved: [] })
  expect(await edgesIn(house, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily.day identity',
  ])
})

test('follows the data flow of a script through temporary tables', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, { ...SHOP, 'shop.public.log': ['day'] })
  const script = `
    create temp table stage as select day as d, price as p from orders where id > 0;
    insert into stage select day, 0 from returns;
    insert into log select d from stage;
    insert into daily select d, sum(p) from stage group by d;`
  const { body } = await house.call('POST', AT, { body: { sql: script } })
  expect(body.target_table.title).toBe('daily')
  expect(body.source_tables.map(({ title }: { title: string }) => title)).toEqual(['orders', 'returns'])
  expect(body.statements.map(({ target_table }: { target_table: { title: string } }) => target_table.title)).toEqual([
    'stage',
    'stage',
    'log',
    'daily',
  ])
  expect(body.unresolved.map(({ name }: { name: string }) => name)).toContain('stage')
  expect((await edgesIn(house, catalog)).filter((edge) => !edge.endsWith('filter'))).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders > shop.public.log table',
    'shop.public.orders.day > shop.public.daily.day identity',
    'shop.public.orders.day > shop.public.log.day identity',
    'shop.public.orders.price > shop.public.daily.total aggregation',
    'shop.public.returns > shop.public.daily table',
    'shop.public.returns > shop.public.log table',
    'shop.public.returns.day > shop.public.daily.day identity',
    'shop.public.returns.day > shop.public.log.day identity',
  ])
  expect(await edgesIn(house, catalog)).toContain('shop.public.orders.id > shop.public.log filter')
  const before = await stored(house)
  await house.call('PATCH', AT, { body: { sql: script } })
  expect(await stored(house)).toEqual(before)
})

test('expands stars with the columns of the catalog, in order', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const column = (name: string) => `/resource/all/${catalog.get(`shop.public.${name}`)}`
  const ask = async () => (await preview(house, { sql: 'insert into daily select * from returns' })).body.column_lineages.map(arrow)
  expect(await ask()).toEqual(['returns.id > daily.day identity', 'returns.day > daily.total identity'])
  await house.db
    .updateTable('resources')
    .set({ details: sql`jsonb_build_object('sort_order', -1)` })
    .where('id', '=', catalog.get('shop.public.returns.day')!)
    .execute()
  expect(await ask()).toEqual(['returns.day > daily.day identity', 'returns.id > daily.total identity'])
  await house.call('DELETE', column('returns.day'))
  expect(await ask()).toEqual(['returns.id > daily.day identity'])
})

test('returns names missing from the catalog without an ID and saves the rest', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const { body } = await house.call('POST', AT, {
    body: {
      sql: 'insert into daily select o.day, o.tax + x.rate from orders o join lake.rates.fx x on x.day = o.day',
      dialect: 'snowflake',
    },
  })
  expect(body.source_tables[1]).toEqual({
    id: null,
    created_at: null,
    updated_at: null,
    title: 'FX',
    schema_name: 'RATES',
    database_name: 'LAKE',
    native_type: null,
    integration_id: null,
    integration_title: null,
    integration_type: null,
  })
  expect(body.unresolved.map(({ name, type, reason }: Record<string, string>) => [name, type, reason])).toEqual([
    ['LAKE.RATES.FX', 'table', 'not_in_catalog'],
    ['shop.public.orders.TAX', 'column', 'not_in_catalog'],
  ])
  expect(body.column_lineages.map(arrow)).toEqual([
    'orders.day > daily.day identity',
    'orders.TAX > daily.total expression',
    'FX.RATE > daily.total expression',
  ])
  expect(await edgesIn(house, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily filter',
    'shop.public.orders.day > shop.public.daily.day identity',
  ])
})

test('reports an ambiguous name with all its candidates until something decides between them', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, { 'shop.public.orders': ['id'], 'shop.archive.orders': ['id'], 'shop.archive.daily': ['id'] })
  const bound = async (query: Record<string, string>) => {
    const { body } = await preview(house, { sql: 'select id from orders', ...query })
    return [body.source_tables[0].id, body.unresolved.map(({ reason }: { reason: string }) => reason)]
  }
  const [one, other] = ['shop.archive.orders', 'shop.public.orders'].map((name) => catalog.get(name)!)
  expect(await bound({})).toEqual([null, ['ambiguous']])
  const { body } = await preview(house, { sql: 'select id from orders' })
  expect(body.unresolved[0].candidates.map(({ title_full }: { title_full: string }) => title_full).sort()).toEqual([
    'shop.archive.orders',
    'shop.public.orders',
  ])
  expect(await bound({ default_schema: 'public' })).toEqual([other, []])
  expect(await bound({ default_schema: 'archive', default_database: 'shop' })).toEqual([one, []])
  expect(await bound({ default_schema: 'elsewhere' })).toEqual([null, ['not_in_catalog']])
  expect(await bound({ table_id: catalog.get('shop.archive.daily')! })).toEqual([one, []])
  expect(await bound({ sql: 'select id from "shop"."public"."orders"' })).toEqual([other, []])
})

test('prefers tables of the integration the query runs in; an unknown integration changes nothing', async () => {
  await using house = await aHouse()
  const [here, there] = [newId(), newId()]
  const mine = (await aCatalog(house, { 'shop.public.orders': ['id'] }, { integration: here })).get('shop.public.orders')
  await aCatalog(house, { 'shop.public.orders': ['id'] }, { integration: there })
  const meant = async (integration_id: string) =>
    (await preview(house, { sql: 'select id from orders', integration_id })).body.source_tables[0].id
  expect(await meant(here)).toBe(mine)
  expect(await meant(here.replaceAll('-', '').toUpperCase())).toBe(mine)
  expect(await meant('018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f')).toBeNull()
  expect((await preview(house, { sql: 'select id from orders', integration_id: 'here' })).status).toBe(400)
})

test('treats tables the caller may not see as missing from the catalog', async () => {
  await using house = await aHouse()
  const team = await house.team(true)
  const open = await aCatalog(house, { 'shop.public.daily': ['day'], 'shop.public.orders': ['day'] }, { published: true })
  const secret = await aCatalog(house, { 'vault.public.salaries': ['day', 'amount'] }, { teams: [team], published: true })
  const editor = await house.someone('editor')
  const select = 'insert into daily select * from salaries'
  const { body } = await preview(house, { sql: select }, { token: editor.token })
  const nothing = await preview(house, { sql: select.replace('salaries', 'salarieZ') }, { token: editor.token })
  expect(JSON.stringify(body)).toBe(nothing.text.replaceAll('salariez', 'salaries').replaceAll('salarieZ', 'salaries'))
  await house.call('POST', AT, { body: { sql: select }, token: editor.token })
  expect(await edgesIn(house, open)).toEqual([])
  const table_id = secret.get('vault.public.salaries')!
  for (const id of [table_id, UNKNOWN]) {
    const answer = await house.call('POST', AT, { body: { sql: 'select 1', table_id: id }, token: editor.token })
    expect([answer.status, answer.body.detail]).toEqual([404, `There is no table ${id}, or you may not see it.`])
  }
  const viewer = await house.someone('viewer')
  expect((await preview(house, { sql: 'select day from orders' }, { token: viewer.token })).body.source_tables[0].id).toBe(
    open.get('shop.public.orders'),
  )
  for (const method of ['POST', 'PATCH'])
    expect((await house.call(method, AT, { body: { sql: select }, token: viewer.token })).status).toBe(403)
})

test('parses a long script in a worker thread with the same result', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const long = `${DAILY} /* ${'long '.repeat(10_000)} */`
  const [short, answer, again] = await Promise.all([DAILY, long, long].map((sql) => house.call('POST', AT, { body: { sql } })))
  expect(answer!.status).toBe(200)
  expect({ ...answer!.body, sql: DAILY }).toEqual(short!.body)
  expect(again!.body).toEqual(answer!.body)
  // Two queries with the same lineage count as two pieces of evidence.
  expect(await edgesIn(house, catalog)).toHaveLength(10)
})

test('marks an incomplete result', async () => {
  await using house = await aHouse()
  const sums = (n: number) => `with c as (select ${Array.from({ length: n }, (_, i) => `a${i}`).join('+')} as x from orders)`
  const uses = (n: number) => Array.from({ length: n }, (_, i) => `x as y${i}`).join(', ')
  for (const n of [150, 4_000]) {
    const { status, body } = await house.call('PATCH', AT, { body: { sql: `insert into daily ${sums(n)} select ${uses(n)} from c` } })
    // On a busy machine the time limit may be reached before the size limit.
    expect([status, body.incomplete, body.target_table.title]).toEqual([200, expect.stringMatching(/^(size|time)$/), 'daily'])
    expect(body.column_lineages.length).toBeLessThanOrEqual(10_000)
  }
})

test('rejects invalid input and writes nothing', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const chart = await house.resource({ entity_type: 'chart', title: 'chart' })
  const before = [await stored(house), await house.changes()]
  for (const [status, code, body] of [
    [400, 'validation_failed', {}],
    [400, 'validation_failed', { sql: '' }],
    [400, 'validation_failed', { sql: 5 }],
    [400, 'validation_failed', { sql: null }],
    [400, 'validation_failed', { sql: 'select 1\0' }],
    [400, 'validation_failed', { sql: 'select \ud800' }],
    [400, 'validation_failed', { sql: DAILY, dialect: 'klingon' }],
    [400, 'validation_failed', { sql: DAILY, dialect: 5 }],
    [400, 'validation_failed', { sql: DAILY, table_id: 'orders' }],
    [400, 'validation_failed', { sql: DAILY, default_schema: ['public'] }],
    [400, 'validation_failed', { sql: DAILY, default_schema: 'x'.repeat(501) }],
    [400, 'validation_failed', { sql: 'drop table daily' }],
    [400, 'sql_unparsable', { sql: 'selekt * from orders' }],
    [400, 'sql_unparsable', { sql: ' \n ' }],
    [404, 'not_found', { sql: DAILY, table_id: UNKNOWN }],
    [404, 'not_found', { sql: DAILY, table_id: chart.id }],
    [413, 'payload_too_large', { sql: `select '${'x'.repeat(1024 * 1024)}'` }],
  ] as const)
    for (const method of ['POST', 'PATCH']) {
      const answer = await house.call(method, AT, { body })
      expect([JSON.stringify(body).slice(0, 80), answer.status, answer.body.code]).toEqual([
        JSON.stringify(body).slice(0, 80),
        status,
        code,
      ])
    }
  for (const query of ['', 'sql=', 'sql=selekt', 'sql=select%201&dialect=klingon', 'sql=select%201&table_id=x', 'sql=select%201%00'])
    expect([query, (await house.call('GET', `${AT}?${query}`)).status]).toEqual([query, 400])
  const { body: unread } = await house.call('POST', AT, { body: { sql: '\n  selekt * from orders' } })
  expect(unread).toMatchObject({ detail: 'Line 2, column 3: No SQL statement begins with `selekt`. Did you mean SELECT?' })
  const { body: unknown } = await house.call('POST', AT, { body: { sql: DAILY, dialect: 'klingon' } })
  for (const known of ['postgres', 'postgresql', 'bigquery', 'mssql']) expect(unknown.errors.dialect[0]).toContain(known)
  expect([await stored(house), await house.changes()]).toEqual(before)
  // A name that could not be stored must not cause an error.
  for (const name of ['x'.repeat(5_000), '🗄️'])
    expect((await house.call('POST', AT, { body: { sql: `insert into daily (day) select "${name}" from "${name}"` } })).status).toBe(200)
  expect(await edgesIn(house, catalog)).toEqual([])
})

test('replays the first response for the same Idempotency-Key', async () => {
  await using house = await aHouse()
  await aCatalog(house, SHOP)
  const ask = (sql: string) => house.call('POST', AT, { body: { sql }, headers: { 'idempotency-key': 'k' } })
  const first = await ask(DAILY)
  const second = await ask(DAILY)
  expect([second.status, second.headers['idempotent-replayed'], second.body]).toEqual([200, 'true', first.body])
  expect((await ask('insert into daily select day from orders')).status).toBe(409)
})

test('lists all targets of a script', async () => {
  await using house = await aHouse()
  const catalog = await aCatalog(house, SHOP)
  const script = `insert into daily select day, sum(price) from orders group by day;
    create temp table stage as select id, day from orders;
    insert into returns select id, day from stage;
    insert into elsewhere select id from orders`
  const { status, body } = await preview(house, { sql: script, default_database: 'shop', default_schema: 'public' })
  expect(status).toBe(200)
  expect(body.target_tables).toMatchObject([
    { id: catalog.get('shop.public.daily'), title: 'daily' },
    { id: catalog.get('shop.public.returns'), title: 'returns' },
    { id: null, title: 'elsewhere' },
  ])
  expect(body.target_table).toEqual(body.target_tables[2])

  const given = await preview(house, { sql: script, table_id: catalog.get('shop.public.daily')! })
  expect(given.body.target_table).toMatchObject({ title: 'daily' })
  expect(given.body.target_tables).toMatchObject([{ title: 'daily' }, { title: 'returns' }, { title: 'elsewhere' }])

  const select = { sql: 'select day from orders' }
  expect((await preview(house, select)).body).toMatchObject({ target_table: null, target_tables: [] })
  const bare = await preview(house, { ...select, table_id: catalog.get('shop.public.daily')! })
  expect(bare.body).toMatchObject({ target_table: { title: 'daily' }, target_tables: [{ title: 'daily' }] })
})

test('accepts a function or a comment alone and rejects a text without a statement', async () => {
  await using house = await aHouse()
  const routine = await preview(house, { sql: 'create function one() returns int as $$ begin return 1; end $$ language plpgsql' })
  expect(routine).toMatchObject({ status: 200, body: { source_tables: [], target_table: null, problems: [] } })
  const comment = await preview(house, { sql: '-- nothing here' })
  expect(comment).toMatchObject({
    status: 400,
    body: { code: 'sql_unparsable', detail: expect.stringContaining('No SQL statement found.') },
  })
})
