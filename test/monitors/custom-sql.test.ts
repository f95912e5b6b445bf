import { describe, expect, test } from 'vitest'
import type { JsonBody } from '../support/monitors.ts'
import { BOUNDS, createTestMonitor, getJson, measureTogether, runPartitions } from '../support/monitors.ts'
import type { TestApp } from '../support/test-app.ts'
import { createRestrictedShop } from './restricted-shop.ts'

const SOURCE = [
  'create table orders (id int, total numeric, at timestamptz default now())',
  'create table customers (id int, email text, iban text)',
  'create schema hr',
  'create table hr.salaries (id int, salary int)',
  'create schema attic',
  'create table attic.secrets (id int, word text)',
  `insert into orders values (1, 10), (2, 20)`,
  `insert into customers values (1, 'alice@example.com', 'DE89'), (2, 'bob@example.com', 'DE90')`,
  'insert into hr.salaries values (1, 5000)',
  `insert into attic.secrets values (1, 'hush')`,
]

const createShop = async () => ({ ...(await createRestrictedShop(SOURCE)), as: (token: string) => ({ token }) })

const custom = (target: string, query_select: string) => ({ target, metric_type: 'custom_sql', metric_config: { query_select } })

const createPreviewer =
  (app: TestApp, token: string) =>
  async (body: object): Promise<JsonBody> => {
    const { status, body: response } = await app.call('POST', '/monitor/preview', { body, token })
    return { status, ...response, text: JSON.stringify(response) }
  }

describe('custom SQL reads only what its author can see', () => {
  test('synced tables visible to the author are allowed, all others are rejected by name', async () => {
    await using shop = await createShop()
    const { app, of, editor, member } = shop
    const preview = createPreviewer(app, editor.token)
    expect(await preview(custom(of('orders'), 'select sum(total) from orders o join public.customers c using (id)'))).toMatchObject({
      status: 200,
      value: 30,
    })
    for (const [table, query] of [
      ['hr.salaries', 'select max(salary) from hr.salaries'],
      ['attic.secrets', 'select count(*) from attic.secrets'],
      ['pg_roles', 'select count(*) from pg_roles'],
      ['pg_catalog.pg_authid', 'select count(*) from pg_catalog.pg_authid'],
      ['information_schema.tables', 'select count(*) from information_schema.tables'],
      ['other.public.orders', 'select count(*) from other.public.orders'],
      ['nothing', 'select count(*) from orders where exists (select from nothing)'],
    ]) {
      const { status, errors } = await preview(custom(of('orders'), query!))
      expect([status, errors]).toEqual([400, { 'metric_config.query_select': [expect.stringContaining(`must not read ${table}:`)] }])
    }
    const where = { target: of('orders'), metric_type: 'row_count', metric_config: { where: 'id in (select id from hr.salaries)' } }
    expect(await preview(where)).toMatchObject({ status: 400, errors: { 'metric_config.where': [expect.stringContaining('hr.salaries')] } })
    expect(await createPreviewer(app, member.token)(where)).toMatchObject({ status: 200, value: 1 })
    expect(await createPreviewer(app, member.token)(custom(of('orders'), 'select max(salary) from hr.salaries'))).toMatchObject({
      value: 5000,
    })
  })

  test('SQL is checked at creation and when it is edited, other edits need no access to its tables', async () => {
    await using shop = await createShop()
    const { app, of, editor, member } = shop
    const body = custom(of('orders'), 'select max(salary) from hr.salaries')
    expect((await app.call('POST', '/monitor/monitors', { body, token: editor.token })).status).toBe(400)
    const created = await app.call('POST', '/monitor/monitors', { body, token: member.token })
    expect(created.status).toBe(201)
    const path = `/monitor/monitors/${created.body.id}`
    const edited = async (body: object) => (await app.call('PATCH', path, { body, token: editor.token })).status
    expect(await edited({ metric_config: { query_select: 'select min(salary) from hr.salaries' } })).toBe(400)
    expect(await edited({ name: 'Top salary' })).toBe(200)
  })

  test('a monitor fails when its author loses access to a table, other monitors do not', async () => {
    await using shop = await createShop()
    const { app, of, editor, member, team } = shop
    const as = { call: (method: string, path: string, options?: object) => app.call(method, path, { token: member.token, ...options }) }
    const { id } = await createTestMonitor(as, { ...BOUNDS, ...custom(of('orders'), 'select max(salary) from hr.salaries') })
    const { id: own } = await createTestMonitor(as, { ...BOUNDS, ...custom(of('orders'), 'select count(*) from customers') })
    const run = async () => {
      await app.call('POST', '/monitor/monitors/run', { body: { monitors: [id, own] } })
      await runPartitions(app.ctx)
      return Promise.all([id, own].map(async (id) => (await getJson(app, `/monitor/monitors/${id}`)).last_error_message))
    }
    expect(await run()).toEqual([null, null])
    // Renaming the monitor does not change the author of the SQL.
    await app.call('PATCH', `/monitor/monitors/${id}`, { body: { name: 'Salaries' }, token: editor.token })
    expect(await run()).toEqual([null, null])
    await app.db.deleteFrom('team_members').where('team_id', '=', team).execute()
    expect(await run()).toEqual([expect.stringContaining('must not read hr.salaries'), null])
    await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', member.id).execute()
    expect(await run()).toEqual([expect.stringContaining('must not read hr.salaries'), null])
  })

  test('a table or column created manually is never queried in the source', async () => {
    await using shop = await createShop()
    const { app, integration, of, editor } = shop
    const preview = createPreviewer(app, editor.token)
    const create = async (body: object) => (await app.call('POST', '/resource/catalog', { body, token: editor.token })).body.id
    const table = await create({ entity_type: 'table', title: 'secrets', schema: 'attic', integration, databuilder_id: 'x.attic.secrets' })
    const column = await create({ entity_type: 'column', title: 'word', parent: table, integration })
    const late = await create({ entity_type: 'column', title: 'xmin', parent: of('orders'), integration })
    for (const [target, metric_type] of [
      [table, 'row_count'],
      [column, 'null_percentage'],
      [late, 'cardinality'],
    ])
      expect(await preview({ target, metric_type })).toMatchObject({
        status: 200,
        value: null,
        problem: expect.stringContaining('was not found in the last sync'),
      })
    expect(await preview(custom(table, 'select 1'))).toMatchObject({
      value: null,
      problem: expect.stringContaining('was not found in the last sync'),
    })
    expect(await measureTogether(app, { a: { target: table, metric_type: 'row_count' } })).toEqual({
      a: expect.stringContaining('Table secrets was not found in the last sync'),
    })
  })

  test('a table with a column hidden from the author is rejected', async () => {
    await using shop = await createShop()
    const { app, of, team, editor, member } = shop
    await app.call('PATCH', `/resource/all/${of('customers.iban')}`, { body: { teams: [team] } })
    const bodies = [
      custom(of('customers'), 'select count(*) from customers where iban like $$DE%$$'),
      { target: of('customers'), metric_type: 'row_count', metric_config: { where: 'length(iban) > 3' } },
    ]
    for (const body of bodies) {
      expect(await createPreviewer(app, editor.token)(body)).toMatchObject({
        status: 400,
        detail: expect.stringContaining('columns that the author of the SQL cannot see'),
      })
      expect(await createPreviewer(app, member.token)(body)).toMatchObject({ status: 200, value: 2 })
    }
  })

  test('the source of a closed team’s integration is queried for its members only', async () => {
    await using shop = await createShop()
    const { app, of, team, integration, editor, member } = shop
    await app.call('PATCH', `/integration/integrations/${integration}`, { body: { teams: [team], preview_enabled: true } })
    const rows = { target: of('orders'), metric_type: 'row_count' }
    expect(await createPreviewer(app, editor.token)(rows)).toMatchObject({
      value: null,
      problem: expect.stringContaining('team you are not in'),
    })
    expect(await createPreviewer(app, member.token)(rows)).toMatchObject({ value: 2 })
    const path = `/resource/preview_v2/table/${of('orders')}/`
    expect((await app.call('GET', path, { token: editor.token })).status).toBe(409)
    expect((await app.call('GET', path, { token: member.token })).status).toBe(200)
    const profile = `/resource/all/${of('orders')}/profile`
    expect((await app.call('POST', profile, { body: {}, token: editor.token })).status).toBe(409)
  })
})

test('errors never contain cell values', async () => {
  await using shop = await createShop()
  const { app, of, editor } = shop
  const preview = createPreviewer(app, editor.token)
  for (const query of [
    `select string_agg(email, ',') from customers`,
    'select email from customers limit 1',
    'select sum(email::int) from customers',
    'select max(cast(email as double precision)) from customers',
    'select count(email::regclass) from customers',
    'select count(email::uuid) from customers',
    `select count(to_tsquery(email || ' ((')) from customers`,
    'select count(email::jsonb) from customers',
    'select count(email::jsonpath) from customers',
    `select count(to_date(email, 'YYYY')) from customers`,
    'select sum(1 / (length(email) - length(email))) from customers',
  ]) {
    const { status, value, problem, text } = await preview(custom(of('customers'), query))
    expect([query, status, value, problem]).toEqual([query, 200, null, expect.any(String)])
    expect([query, text]).toEqual([query, expect.not.stringMatching(/alice|bob|example/)])
  }
  // An error about the query itself is passed on unchanged.
  expect(await preview(custom(of('customers'), 'select nothing from customers'))).toMatchObject({
    problem: expect.stringContaining('nothing'),
  })
  expect(await preview(custom(of('customers'), 'select email::int from customers'))).toMatchObject({
    problem: expect.stringContaining('22P02'),
  })
})
