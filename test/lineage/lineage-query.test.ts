import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteUnusedQueries } from '../../src/lineage/edges/edge-rows.ts'
import { parseAndSaveLineage } from '../../src/lineage/queries/from-query.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { runConcurrently } from '../support/concurrency.ts'
import { createLineageCatalog, listEdges } from '../support/lineage-catalog.ts'
import { type CallOptions, createTestApp, type TestApp } from '../support/test-app.ts'

const AT = '/lineage/lineage_from_query'
const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const SHOP = { 'shop.public.orders': ['id', 'day', 'price'], 'shop.public.daily': ['day', 'total'], 'shop.public.returns': ['id', 'day'] }
const DAILY = 'insert into daily select day, sum(price) from orders where id > 5 group by day'

const preview = (app: TestApp, query: Record<string, string>, options?: CallOptions) =>
  app.call('GET', `${AT}?${new URLSearchParams(query)}`, options)

/** All rows of the lineage tables, including author and time of each row version. */
const dumpLineage = async ({ db }: TestApp) =>
  (
    await sql`select 'edge' as what, to_jsonb(e) as row, e.xmin::text from lineage_edges e
      union all select 'query', to_jsonb(q), q.xmin::text from lineage_queries q order by 1, 2`.execute(db)
  ).rows
const listLineageActivities = async (app: TestApp) =>
  (await app.listActivities()).filter(({ activity_type }) => activity_type.startsWith('lineage'))

const toArrow = ({ from_column: from, to_column: to, kind }: { from_column: Col; to_column: Col; kind: string }) =>
  `${from.table_name}.${from.title} > ${to.table_name}.${to.title} ${kind}`
type Col = { table_name: string | null; title: string }

test('previews tables and columns with their catalog values and writes nothing', async () => {
  await using app = await createTestApp()
  const { body: integration } = await app.call('POST', '/integration/integrations', { body: { name: 'warehouse', type: 'postgres' } })
  const catalog = await createLineageCatalog(app, SHOP, { integration: integration.id })
  await app.call('PATCH', `/resource/all/${catalog.get('shop.public.orders.price')}`, { body: { native_type: 'numeric(10,2)' } })
  const { status, body } = await preview(app, { sql: DAILY, dialect: 'postgresql' })
  expect(status).toBe(200)
  const of = { integration_id: integration.id, integration_title: 'warehouse', integration_type: 'postgres' }
  const times = { created_at: expect.any(String), updated_at: expect.any(String) }
  const location = { schema_name: 'public', database_name: 'shop', native_type: null }
  const orders = { id: catalog.get('shop.public.orders'), title: 'orders', ...times, ...location, ...of }
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
  expect(body.column_lineages.map(toArrow)).toEqual(['orders.day > daily.day identity', 'orders.price > daily.total aggregation'])
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
  expect(await dumpLineage(app)).toEqual([])
  expect(await listLineageActivities(app)).toEqual([])
})

test('saves each edge with its evidence; the same query again changes nothing', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const created = await app.call('POST', AT, { body: { sql: DAILY } })
  expect([created.status, created.body]).toEqual([200, (await preview(app, { sql: DAILY })).body])
  expect(await listEdges(app, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily filter',
    'shop.public.orders.day > shop.public.daily.day identity',
    'shop.public.orders.id > shop.public.daily filter',
    'shop.public.orders.price > shop.public.daily.total aggregation',
  ])
  const proofs = await app.db
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
  const before = await dumpLineage(app)
  expect(before).toHaveLength(6)
  for (const method of ['POST', 'PATCH', 'POST']) expect((await app.call(method, AT, { body: { sql: DAILY } })).status).toBe(200)
  expect(await dumpLineage(app)).toEqual(before)
  expect(await listLineageActivities(app)).toEqual([{ activity_type: 'lineage_derived', resource_id: catalog.get('shop.public.daily') }])
})

test('logs derived lineage at the target', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const [orders, daily, returns] = ['orders', 'daily', 'returns'].map((name) => catalog.get(`shop.public.${name}`)!)
  await app.call('POST', AT, { body: { sql: DAILY } })
  await app.call('PATCH', AT, { body: { sql: 'insert into daily (day) select day from returns' } })
  const { body } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${daily}`)
  const [last, first] = body.non_versioned_logs
  expect([first.related_resource_ids, first.related_resource_type]).toEqual([[orders], 'table'])
  expect(last.related_resource_ids.sort()).toEqual([orders, returns].sort())
  expect(last.event_blocks.map(({ value }: { value: string }) => value).join(' ')).toMatch(/derived the lineage of daily from a query$/)
})

test('PATCH replaces the derived upstream of the target and nothing else', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, { ...SHOP, 'shop.public.other': ['day'] })
  const id = (name: string) => catalog.get(`shop.public.${name}`)!
  for (const [from, to] of [
    ['returns', 'daily'],
    ['orders', 'daily'],
  ] as const)
    await app.call('POST', '/lineage/manual', { body: { from_entity: id(from), to_entity: id(to), direction: 'DOWNSTREAM' } })
  await app.call('POST', AT, { body: { sql: DAILY } })
  await app.call('POST', AT, { body: { sql: 'insert into other select day from daily' } })
  await app.call('POST', AT, { body: { sql: 'insert into daily (day) select day from other' } })
  const kept = [
    'shop.public.daily > shop.public.other table',
    'shop.public.daily.day > shop.public.other.day identity',
    'shop.public.orders > shop.public.daily manual',
    'shop.public.returns > shop.public.daily manual',
  ]
  expect((await listEdges(app, catalog)).length).toBe(kept.length + 5 + 2)
  const replaced = await app.call('PATCH', AT, { body: { sql: 'insert into daily (total) select count(id) from returns' } })
  expect(replaced.status).toBe(200)
  expect(await listEdges(app, catalog)).toEqual(
    [...kept, 'shop.public.returns > shop.public.daily table', 'shop.public.returns.id > shop.public.daily.total aggregation'].sort(),
  )
  expect((await app.db.selectFrom('lineage_queries').select('sql').execute()).length).toBe(2)
  // A query that reads no table leaves no edges.
  await app.call('PATCH', AT, { body: { sql: 'insert into daily (total) select 1' } })
  expect(await listEdges(app, catalog)).toEqual(kept)
  expect((await app.db.selectFrom('lineage_queries').select('sql').execute()).length).toBe(1)
})

test('derived edges are not listed as manual entries and are deleted with their resources', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  await app.call('POST', AT, { body: { sql: DAILY } })
  const [edge] = await app.db.selectFrom('lineage_edges').select('id').execute()
  for (const method of ['GET', 'DELETE']) expect((await app.call(method, `/lineage/manual/${edge!.id}`)).status).toBe(404)
  expect((await app.call('GET', '/lineage/manual')).body.count).toBe(0)
  await app.call('DELETE', `/resource/all/${catalog.get('shop.public.orders.price')}`)
  expect(await listEdges(app, catalog)).toHaveLength(4)
  await app.call('DELETE', `/resource/all/${catalog.get('shop.public.orders')}`)
  expect(await listEdges(app, catalog)).toEqual([])
  await deleteUnusedQueries({ ...app.ctx, now: new Date(Date.now() + 2 * 3_600_000) })
  expect(await dumpLineage(app)).toEqual([])
})

test('keeps a query that is used again while its last edges are deleted', async () => {
  await using app = await createTestApp()
  const { ctx } = app
  const catalog = await createLineageCatalog(app, SHOP)
  const [daily, returns] = [catalog.get('shop.public.daily')!, catalog.get('shop.public.returns')!]
  const select = 'select id, day from orders'
  await parseAndSaveLineage(ctx, { sql: select, table_id: daily }, { replace: true })
  const taken = (ctx: Context) => parseAndSaveLineage(ctx, { sql: select, table_id: returns }, { replace: true })
  const other = () => parseAndSaveLineage(ctx, { sql: DAILY, table_id: daily }, { replace: true })
  expect(await runConcurrently(app, taken, other)).toEqual(['first', 'second'])
  const { rows } = await sql<{ sql: string }>`
    select distinct q.sql from lineage_edges e left join lineage_queries q on q.id = e.query order by 1`.execute(app.db)
  expect(rows.map(({ sql }) => sql)).toEqual([DAILY, select])
})

test('a bare SELECT writes to the table of table_id', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const table_id = catalog.get('shop.public.daily')!
  const select = 'select day, price * 2 as total from orders'
  const shown = await preview(app, { sql: select })
  expect([shown.status, shown.body.target_table]).toEqual([200, null])
  expect(shown.body.column_lineages.map(toArrow)).toEqual(['orders.day > null.day identity', 'orders.price > null.total expression'])
  for (const method of ['POST', 'PATCH']) {
    const rejected = await app.call(method, AT, { body: { sql: select } })
    expect([rejected.status, Object.keys(rejected.body.errors)]).toEqual([400, ['table_id']])
  }
  expect((await preview(app, { sql: select, table_id })).body).toMatchObject({ target_table: { id: table_id }, unresolved: [] })
  await app.call('POST', AT, { body: { sql: select, table_id: table_id.toUpperCase() } })
  expect(await listEdges(app, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily.day identity',
    'shop.public.orders.price > shop.public.daily.total expression',
  ])
})

test('a staging table with another name is treated as the table of table_id', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const table_id = catalog.get('shop.public.daily')!
  const { body } = await app.call('POST', AT, { body: { sql: 'create table daily__tmp as select day from orders', table_id } })
  expect(body).toMatchObject({ target_table: { id: table_id, title: 'daily' }, unresolved: [] })
  expect(await listEdges(app, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily.day identity',
  ])
})

test('follows the data flow of a script through temporary tables', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, { ...SHOP, 'shop.public.log': ['day'] })
  const script = `
    create temp table stage as select day as d, price as p from orders where id > 0;
    insert into stage select day, 0 from returns;
    insert into log select d from stage;
    insert into daily select d, sum(p) from stage group by d;`
  const { body } = await app.call('POST', AT, { body: { sql: script } })
  expect(body.target_table.title).toBe('daily')
  expect(body.source_tables.map(({ title }: { title: string }) => title)).toEqual(['orders', 'returns'])
  expect(body.statements.map(({ target_table }: { target_table: { title: string } }) => target_table.title)).toEqual([
    'stage',
    'stage',
    'log',
    'daily',
  ])
  expect(body.unresolved.map(({ name }: { name: string }) => name)).toContain('stage')
  expect((await listEdges(app, catalog)).filter((edge) => !edge.endsWith('filter'))).toEqual([
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
  expect(await listEdges(app, catalog)).toContain('shop.public.orders.id > shop.public.log filter')
  const before = await dumpLineage(app)
  await app.call('PATCH', AT, { body: { sql: script } })
  expect(await dumpLineage(app)).toEqual(before)
})

test('expands stars with the columns of the catalog, in order', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const column = (name: string) => `/resource/all/${catalog.get(`shop.public.${name}`)}`
  const sendRequest = async () => (await preview(app, { sql: 'insert into daily select * from returns' })).body.column_lineages.map(toArrow)
  expect(await sendRequest()).toEqual(['returns.id > daily.day identity', 'returns.day > daily.total identity'])
  await app.db
    .updateTable('resources')
    .set({ details: sql`jsonb_build_object('sort_order', -1)` })
    .where('id', '=', catalog.get('shop.public.returns.day')!)
    .execute()
  expect(await sendRequest()).toEqual(['returns.day > daily.day identity', 'returns.id > daily.total identity'])
  await app.call('DELETE', column('returns.day'))
  expect(await sendRequest()).toEqual(['returns.id > daily.day identity'])
})

test('returns names missing from the catalog without an ID and saves the rest', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const { body } = await app.call('POST', AT, {
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
  expect(body.column_lineages.map(toArrow)).toEqual([
    'orders.day > daily.day identity',
    'orders.TAX > daily.total expression',
    'FX.RATE > daily.total expression',
  ])
  expect(await listEdges(app, catalog)).toEqual([
    'shop.public.orders > shop.public.daily table',
    'shop.public.orders.day > shop.public.daily filter',
    'shop.public.orders.day > shop.public.daily.day identity',
  ])
})

test('reports an ambiguous name with all its candidates until something decides between them', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, {
    'shop.public.orders': ['id'],
    'shop.archive.orders': ['id'],
    'shop.archive.daily': ['id'],
  })
  const bound = async (query: Record<string, string>) => {
    const { body } = await preview(app, { sql: 'select id from orders', ...query })
    return [body.source_tables[0].id, body.unresolved.map(({ reason }: { reason: string }) => reason)]
  }
  const [one, other] = ['shop.archive.orders', 'shop.public.orders'].map((name) => catalog.get(name)!)
  expect(await bound({})).toEqual([null, ['ambiguous']])
  const { body } = await preview(app, { sql: 'select id from orders' })
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
  await using app = await createTestApp()
  const [here, there] = [newId(), newId()]
  const mine = (await createLineageCatalog(app, { 'shop.public.orders': ['id'] }, { integration: here })).get('shop.public.orders')
  await createLineageCatalog(app, { 'shop.public.orders': ['id'] }, { integration: there })
  const meant = async (integration_id: string) =>
    (await preview(app, { sql: 'select id from orders', integration_id })).body.source_tables[0].id
  expect(await meant(here)).toBe(mine)
  expect(await meant(here.replaceAll('-', '').toUpperCase())).toBe(mine)
  expect(await meant('018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f')).toBeNull()
  expect((await preview(app, { sql: 'select id from orders', integration_id: 'here' })).status).toBe(400)
})

test('treats tables the caller may not see as missing from the catalog', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const open = await createLineageCatalog(app, { 'shop.public.daily': ['day'], 'shop.public.orders': ['day'] }, { published: true })
  const secret = await createLineageCatalog(app, { 'vault.public.salaries': ['day', 'amount'] }, { teams: [team], published: true })
  const editor = await app.createUser('editor')
  const select = 'insert into daily select * from salaries'
  const { body } = await preview(app, { sql: select }, { token: editor.token })
  const nothing = await preview(app, { sql: select.replace('salaries', 'salarieZ') }, { token: editor.token })
  expect(JSON.stringify(body)).toBe(nothing.text.replaceAll('salariez', 'salaries').replaceAll('salarieZ', 'salaries'))
  await app.call('POST', AT, { body: { sql: select }, token: editor.token })
  expect(await listEdges(app, open)).toEqual([])
  const table_id = secret.get('vault.public.salaries')!
  for (const id of [table_id, UNKNOWN]) {
    const response = await app.call('POST', AT, { body: { sql: 'select 1', table_id: id }, token: editor.token })
    expect([response.status, response.body.detail]).toEqual([404, `Table ${id} was not found, or you do not have access to it.`])
  }
  const viewer = await app.createUser('viewer')
  expect((await preview(app, { sql: 'select day from orders' }, { token: viewer.token })).body.source_tables[0].id).toBe(
    open.get('shop.public.orders'),
  )
  for (const method of ['POST', 'PATCH'])
    expect((await app.call(method, AT, { body: { sql: select }, token: viewer.token })).status).toBe(403)
})

test('parses a long script in a worker thread with the same result', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const long = `${DAILY} /* ${'long '.repeat(10_000)} */`
  const [short, response, again] = await Promise.all([DAILY, long, long].map((sql) => app.call('POST', AT, { body: { sql } })))
  expect(response!.status).toBe(200)
  expect({ ...response!.body, sql: DAILY }).toEqual(short!.body)
  expect(again!.body).toEqual(response!.body)
  // Two queries with the same lineage count as two pieces of evidence.
  expect(await listEdges(app, catalog)).toHaveLength(10)
})

test('marks an incomplete result', async () => {
  await using app = await createTestApp()
  const sums = (n: number) => `with c as (select ${Array.from({ length: n }, (_, i) => `a${i}`).join('+')} as x from orders)`
  const uses = (n: number) => Array.from({ length: n }, (_, i) => `x as y${i}`).join(', ')
  for (const n of [150, 4_000]) {
    const { status, body } = await app.call('PATCH', AT, { body: { sql: `insert into daily ${sums(n)} select ${uses(n)} from c` } })
    // On a busy machine the time limit may be reached before the size limit.
    expect([status, body.incomplete, body.target_table.title]).toEqual([200, expect.stringMatching(/^(size|time)$/), 'daily'])
    expect(body.column_lineages.length).toBeLessThanOrEqual(10_000)
  }
})

test('rejects invalid input and writes nothing', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const chart = await app.createResource({ entity_type: 'chart', title: 'chart' })
  const before = [await dumpLineage(app), await app.listActivities()]
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
      const response = await app.call(method, AT, { body })
      expect([JSON.stringify(body).slice(0, 80), response.status, response.body.code]).toEqual([
        JSON.stringify(body).slice(0, 80),
        status,
        code,
      ])
    }
  for (const query of ['', 'sql=', 'sql=selekt', 'sql=select%201&dialect=klingon', 'sql=select%201&table_id=x', 'sql=select%201%00'])
    expect([query, (await app.call('GET', `${AT}?${query}`)).status]).toEqual([query, 400])
  const { body: unread } = await app.call('POST', AT, { body: { sql: '\n  selekt * from orders' } })
  expect(unread).toMatchObject({ detail: 'Line 2, column 3: No SQL statement begins with `selekt`. Did you mean SELECT?' })
  const { body: unknown } = await app.call('POST', AT, { body: { sql: DAILY, dialect: 'klingon' } })
  for (const dialect of ['postgres', 'postgresql', 'bigquery', 'mssql']) expect(unknown.errors.dialect[0]).toContain(dialect)
  expect([await dumpLineage(app), await app.listActivities()]).toEqual(before)
  // A name that could not be stored must not cause an error.
  for (const name of ['x'.repeat(5_000), '🗄️'])
    expect((await app.call('POST', AT, { body: { sql: `insert into daily (day) select "${name}" from "${name}"` } })).status).toBe(200)
  expect(await listEdges(app, catalog)).toEqual([])
})

test('replays the first response for the same Idempotency-Key', async () => {
  await using app = await createTestApp()
  await createLineageCatalog(app, SHOP)
  const sendRequest = (sql: string) => app.call('POST', AT, { body: { sql }, headers: { 'idempotency-key': 'k' } })
  const first = await sendRequest(DAILY)
  const second = await sendRequest(DAILY)
  expect([second.status, second.headers['idempotent-replayed'], second.body]).toEqual([200, 'true', first.body])
  expect((await sendRequest('insert into daily select day from orders')).status).toBe(409)
})

test('lists all targets of a script', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  const script = `insert into daily select day, sum(price) from orders group by day;
    create temp table stage as select id, day from orders;
    insert into returns select id, day from stage;
    insert into elsewhere select id from orders`
  const { status, body } = await preview(app, { sql: script, default_database: 'shop', default_schema: 'public' })
  expect(status).toBe(200)
  expect(body.target_tables).toMatchObject([
    { id: catalog.get('shop.public.daily'), title: 'daily' },
    { id: catalog.get('shop.public.returns'), title: 'returns' },
    { id: null, title: 'elsewhere' },
  ])
  expect(body.target_table).toEqual(body.target_tables[2])

  const withTarget = await preview(app, { sql: script, table_id: catalog.get('shop.public.daily')! })
  expect(withTarget.body.target_table).toMatchObject({ title: 'daily' })
  expect(withTarget.body.target_tables).toMatchObject([{ title: 'daily' }, { title: 'returns' }, { title: 'elsewhere' }])

  const select = { sql: 'select day from orders' }
  expect((await preview(app, select)).body).toMatchObject({ target_table: null, target_tables: [] })
  const bareSelect = await preview(app, { ...select, table_id: catalog.get('shop.public.daily')! })
  expect(bareSelect.body).toMatchObject({ target_table: { title: 'daily' }, target_tables: [{ title: 'daily' }] })
})

test('accepts a function or a comment alone and rejects a text without a statement', async () => {
  await using app = await createTestApp()
  const routine = await preview(app, { sql: 'create function one() returns int as $$ begin return 1; end $$ language plpgsql' })
  expect(routine).toMatchObject({ status: 200, body: { source_tables: [], target_table: null, problems: [] } })
  const comment = await preview(app, { sql: '-- nothing here' })
  expect(comment).toMatchObject({
    status: 400,
    body: { code: 'sql_unparsable', detail: expect.stringContaining('No SQL statement found.') },
  })
})
