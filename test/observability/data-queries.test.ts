import { expect, test } from 'vitest'
import { createRestrictedShop } from '../monitors/restricted-shop.ts'
import type { TestApp } from '../support/test-app.ts'

const SOURCE = [
  'create table orders (id int, status text, total numeric, created_at timestamptz)',
  `insert into orders select i, (array['open', 'paid', null])[1 + i % 3], i * 10, timestamptz '2026-01-01 00:00:00+00' + i * interval '1 hour'
   from generate_series(1, 300) i`,
  'create table customers (id int, email text, salary numeric, note text)',
  `insert into customers values (1, 'alice@example.com', 5000, 'a_b'), (2, 'bob@example.com', 6000, 'axb')`,
  'create schema hr',
  'create table hr.salaries (id int, salary int)',
  'insert into hr.salaries values (1, 424242)',
  'create schema attic',
  'create table attic.secrets (word text)',
  `insert into attic.secrets values ('hush')`,
]

/** E-mail addresses and salaries of customers are PII. */
const createShop = async () => {
  const shop = await createRestrictedShop(SOURCE)
  for (const column of ['customers.email', 'customers.salary'])
    await shop.app.call('PATCH', `/resource/all/${shop.of(column)}`, { body: { pii: true } })
  return shop
}

const createRunner =
  (app: TestApp, table: string, token: string) =>
  (sql: string, more: object = {}) =>
    app.call('POST', `/resource/all/${table}/query`, { token, body: { sql, ...more } })

const preview = (app: TestApp, table: string, query: Record<string, string>, token?: string) =>
  app.call('GET', `/resource/preview_v2/table/${table}/?${new URLSearchParams(query)}`, { ...(token && { token }) })

test('a query reads synced tables that the caller can see, and returns rows with their columns', async () => {
  await using shop = await createShop()
  const { app, of, editor } = shop
  const run = createRunner(app, of('orders'), editor.token)
  const { status, body } = await run('select status, count(*) as n from orders group by status order by n desc, status limit 5')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    resource_id: of('orders'),
    columns: [
      { name: 'status', native_type: 'text' },
      { name: 'n', native_type: 'bigint' },
    ],
    rows: [
      ['open', 100],
      ['paid', 100],
      [null, 100],
    ],
    truncated: false,
    masked: [],
  })
  // Aliases, names of tables, joins, common table expressions and subqueries.
  for (const [sql, rows] of [
    ['select o.id from public.orders o where o.id = 3', [[3]]],
    ['select orders.id from orders where orders.id = 3', [[3]]],
    [
      'select o.id, c.note from orders as o join customers c using (id) order by 1',
      [
        [1, 'a_b'],
        [2, 'axb'],
      ],
    ],
    ['select orders.id from orders, customers where orders.id = customers.id order by 1', [[1], [2]]],
    ['with big as (select * from orders where total > 2990) select id from big', [[300]]],
    ['select (select max(id) from orders) as m', [[300]]],
    ['select count(*) from orders where id in (select id from customers)', [[2]]],
    ['select 1 as one union all select 2 order by 1', [[1], [2]]],
  ] as const) {
    const { status, body, text } = await run(sql)
    expect([sql, status, body.rows ?? text]).toEqual([sql, 200, rows])
  }
  const many = await run('select id from orders order by id', { limit: 2 })
  expect(many.body).toMatchObject({ rows: [[1], [2]], truncated: true })
  expect((await run('select id from orders order by id')).body.rows).toHaveLength(100)
  expect((await run(`select repeat('x', 5000) as long`)).body.rows[0][0]).toBe(`${'x'.repeat(2000)}…`)
})

test('what a query must not do is rejected before the source is asked', async () => {
  await using shop = await createShop()
  const { app, of, editor, source } = shop
  const run = createRunner(app, of('orders'), editor.token)
  const visits = source.visits()
  for (const [sql, problem] of [
    ['select * from hr.salaries', 'must not read hr.salaries'],
    ['select * from attic.secrets', 'must not read attic.secrets: this integration has no synced table of this name that you can see.'],
    ['select * from pg_catalog.pg_authid', 'must not read pg_catalog.pg_authid'],
    ['select * from orders where exists (select from attic.secrets)', 'must not read attic.secrets'],
    ["select pg_read_file('/etc/passwd')", 'must not call pg_read_file'],
    ['select pg_sleep(10) from orders', 'must not call pg_sleep'],
    ["select query_to_xml('select 1', true, true, '')", 'must not call query_to_xml'],
    ['delete from orders', 'must be a single SELECT'],
    ['with d as (delete from orders returning *) select * from d', 'DELETE'],
    ['select 1; select 2', 'single'],
    ['select * into copy from orders', 'INTO'],
    ['select * from orders for update', 'lock'],
    ['table orders', 'must be a single SELECT'],
    ['explain select 1', 'must be a single SELECT'],
  ] as const) {
    const { status, body, text } = await run(sql)
    expect([sql, status, text]).toEqual([sql, 400, expect.stringContaining(problem)])
    expect(body.errors).toHaveProperty('sql')
  }
  expect(source.visits()).toBe(visits)
})

test('masked columns have no values, whatever the query does with them', async () => {
  await using shop = await createShop()
  const { app, of, editor } = shop
  const run = createRunner(app, of('customers'), editor.token)
  const all = await run('select * from customers order by id')
  expect(all.body).toMatchObject({
    rows: [
      [1, '•••', '•••', 'a_b'],
      [2, '•••', '•••', 'axb'],
    ],
    masked: ['customers.email', 'customers.salary'],
  })
  for (const sql of [
    'select customers from customers',
    'select row_to_json(c) from customers c',
    'select c::text from customers c',
    'select string_agg(email, salary::text) from customers',
    'select public.customers.email from customers',
    `select id from customers where email like 'alice%'`,
    'select * from (select email as id from customers) x',
    'select max(salary) from customers',
    'select email::int from customers',
    'select o.id, (select c.email from customers c where c.id = o.id) from orders o where o.id < 3',
    'select * from orders o join lateral (select email from customers c where c.id = o.id) x on true',
  ]) {
    const { text } = await run(sql)
    expect([sql, text]).toEqual([sql, expect.not.stringMatching(/alice|bob|5000|6000/)])
  }
  expect((await run(`select id from customers where email like 'alice%'`)).body.rows).toEqual([])
  // On request, for those who can edit the table, and recorded.
  const shown = await run('select email from customers where id = 1', { show_pii: true })
  expect(shown.body).toMatchObject({ rows: [['alice@example.com']], masked: [] })
  const viewed = await app.db.selectFrom('activities').selectAll().where('activity_type', '=', 'pii_viewed').execute()
  expect(viewed).toMatchObject([{ resource_id: of('customers'), payload: { columns: ['email', 'salary'] } }])
})

test('errors of the source contain no cell values, and results have a size', async () => {
  await using shop = await createShop()
  const { app, of, editor } = shop
  const run = createRunner(app, of('customers'), editor.token)
  const cast = await run('select note::int from customers')
  expect([cast.status, cast.text]).toEqual([409, expect.not.stringContaining('a_b')])
  expect((await run('select nothing from customers')).text).toContain('nothing')
  const large = await run(`select repeat('x', 1000000) from orders`)
  expect([large.status, large.body.detail]).toEqual([409, expect.stringContaining('larger than 32 MB')])
  expect((await run('select 1')).status).toBe(200) // through a new connection
})

test('only those who may query, a synced table of a source with previews, and nothing hidden', async () => {
  await using shop = await createShop()
  const { app, of, editor, integration } = shop
  const sql = 'select count(*) from orders'
  const viewer = await app.createUser('viewer')
  await app.call('PATCH', `/resource/all/${of('orders')}`, { body: { published: true } })
  expect((await createRunner(app, of('orders'), viewer.token)(sql)).status).toBe(403)
  const reader = await app.createUser('editor', { scope: 'read' })
  expect((await createRunner(app, of('orders'), reader.token)(sql)).status).toBe(403)
  expect((await createRunner(app, of('hr.salaries'), editor.token)(sql)).status).toBe(404)
  expect((await createRunner(app, of('orders.id'), editor.token)(sql)).status).toBe(404)
  await app.call('PATCH', `/integration/integrations/${integration}`, { body: { preview_enabled: false } })
  expect((await createRunner(app, of('orders'), editor.token)(sql)).status).toBe(409)
})

test('the audit log has each query without literal values, and only the audit log', async () => {
  await using shop = await createShop()
  const { app, of, editor } = shop
  await createRunner(app, of('orders'), editor.token)(`select id from orders where status = 'secret word'`)
  await createRunner(app, of('orders'), editor.token)('select * from attic.secrets') // rejected: nothing ran
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'activity_type', value: 'data_queried' }))
  const { body, text } = await app.call('GET', `/activity_log/audit_logs/?filter=${filter}`)
  expect(body).toMatchObject({ count: 1, results: [{ performer_id: editor.id, activity_type: 'data_queried' }] })
  expect(text).not.toContain('secret word')
  const { payload } = await app.db
    .selectFrom('activities')
    .select('payload')
    .where('activity_type', '=', 'data_queried')
    .executeTakeFirstOrThrow()
  expect(payload).toEqual({ sql: 'select id from orders where status = ?', tables: [of('orders')] })
  const log = await app.call('GET', `/activity_log/resource_logs/?resource_id=${of('orders')}`, { token: editor.token })
  expect(log.text).not.toContain('data_queried')
})

test('previews are sorted and filtered by the source', async () => {
  await using shop = await createShop()
  const { app, of } = shop
  const orders = of('orders')
  const first = await preview(app, orders, {})
  expect(first.body).toMatchObject({ table_name: '"public"."orders"', newest_by: of('orders.created_at') })
  const ids = async (query: Record<string, string>) => {
    const { status, body, text } = await preview(app, orders, query)
    if (status !== 200) throw new Error(text)
    return body.rows.map(([id]: [number]) => id)
  }
  const newest = await ids({ sort_by: of('orders.created_at'), sort_direction: 'desc' })
  expect(newest.slice(0, 3)).toEqual([300, 299, 298])
  expect((await ids({ sort_by: of('orders.total') })).slice(0, 2)).toEqual([1, 2])
  const by = (column: string, filter_operator: string, filter_value = '') =>
    ids({ filter_by: of(`orders.${column}`), filter_operator, filter_value, sort_by: of('orders.id') })
  expect(await by('id', 'equals', '7')).toEqual([7])
  expect(await by('id', 'less', '3')).toEqual([1, 2])
  expect(await by('total', 'greater', '2980.5')).toEqual([299, 300])
  expect((await by('status', 'contains', 'PA')).slice(0, 2)).toEqual([1, 4])
  expect((await by('status', 'equals', 'open')).slice(0, 2)).toEqual([3, 6])
  expect((await by('status', 'is_empty')).slice(0, 2)).toEqual([2, 5])
  expect((await by('status', 'is_not_empty')).slice(0, 2)).toEqual([1, 3])
  expect(await by('status', 'equals', `' or true --`)).toEqual([])
  expect((await by('created_at', 'equals', '2026-01-02')).length).toBe(24)
  expect(await by('created_at', 'equals', '2026-01-01 05:00')).toEqual([5])
  expect(await by('created_at', 'greater', '2026-01-13 10:30')).toEqual([299, 300])
  // Rows without a value come last in both directions.
  for (const sort_direction of ['asc', 'desc']) {
    const { body } = await preview(app, orders, { sort_by: of('orders.status'), sort_direction })
    expect(body.rows[0][1]).toBe(sort_direction === 'asc' ? 'open' : 'paid')
  }
  const notes = await preview(app, of('customers'), { filter_by: of('customers.note'), filter_operator: 'contains', filter_value: 'a_' })
  expect(notes.body.rows.map((row: unknown[]) => row[3])).toEqual(['a_b'])
})

test('nothing is sorted or filtered by a masked column, or by one of another table', async () => {
  await using shop = await createShop()
  const { app, of, editor } = shop
  const customers = of('customers')
  for (const [query, field] of [
    [{ filter_by: of('customers.email'), filter_operator: 'contains', filter_value: 'alice' }, 'filter_by'],
    [{ sort_by: of('customers.salary') }, 'sort_by'],
    [{ sort_by: of('orders.id') }, 'sort_by'],
    [{ filter_by: of('customers.id'), filter_value: 'x' }, 'filter_value'],
    [{ filter_by: of('customers.id') }, 'filter_value'],
  ] as const) {
    const { status, body } = await preview(app, customers, query, editor.token)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
  }
  const shown = await preview(app, customers, { show_pii: 'true', sort_by: of('customers.salary'), sort_direction: 'desc' })
  expect(shown.body.rows.map(([id]: [number]) => id)).toEqual([2, 1])
})
