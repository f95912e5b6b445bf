import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { looker } from '../../../src/sources/connectors/looker/looker.ts'
import { parseTableName } from '../../../src/sources/connectors/looker/looker-explore.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, findByKey, listUpstream, listVersions } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'
import { writeFolder } from './lookml-project.ts'

/** Answers written after the public description of version 4.0 of the API; no recordings of a real server are available. */
const API = '/api/4.0'
const SECRET = 'correct horse'

const createCassette = (database = 'shop'): Cassette => {
  const field = (name: string, sql: string, more: object = {}) => ({ name, view: name.split('.')[0], type: 'string', sql, ...more })
  const query = (id: string, view: string, ...fields: string[]) => ({ id, model: 'sales', view, fields })
  const about = {
    description: null,
    user_id: '7',
    deleted: false,
    created_at: new Date().toISOString(),
    updated_at: '2026-04-14T07:00:00Z',
  }
  const orders = {
    ...{
      name: 'orders',
      label: 'Orders',
      description: 'All orders',
      view_name: 'orders',
      connection_name: 'warehouse',
      dialect_name: 'postgres',
    },
    sql_table_name: 'public.orders AS orders',
    joins: [{ name: 'customers', sql_table_name: '"public"."customers" AS customers' }, { name: 'facts' }],
    fields: {
      dimensions: [
        field('orders.id', `\${TABLE}.id `),
        field('orders.price', `\${TABLE}."price"`, { type: 'number' }),
        field('orders.gross', `\${price} * 1.19`, { type: 'number' }),
        field('customers.city', `\${TABLE}.city`, { description: 'Where they live' }),
        field('facts.rank', `\${TABLE}.rank`),
      ],
      measures: [field('orders.count', '', { type: 'count' }), field('orders.revenue', `\${gross}`, { type: 'sum' })],
    },
  }
  const folder = (id: string, name: string, parent_id: string | null, more: object = {}) => ({
    id,
    name,
    parent_id,
    is_personal: false,
    ...more,
  })
  const dashboard = {
    ...{ id: '10', title: 'Sales', folder: { id: '2' }, view_count: 30, ...about },
    dashboard_elements: [
      {
        id: 'e1',
        title: 'Revenue by city',
        type: 'vis',
        look_id: null,
        result_maker: { query: query('q1', 'orders', 'customers.city', 'orders.revenue') },
      },
      { id: 'e2', title: null, title_text: 'Ranks', type: 'vis', query: query('q2', 'orders', 'facts.rank') },
      { id: 'e3', title: null, type: 'text' },
      { id: 'e4', title: 'Orders', type: 'vis', look_id: '20' },
    ],
  }
  return {
    checkAnswer: checkAgainst('looker'),
    auth: { header: 'authorization', value: 'token token-1' },
    recordings: [
      {
        ...{ path: `${API}/login`, method: 'POST', open: true, request: { client_id: 'app-1', client_secret: SECRET } },
        body: { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 },
      },
      { path: `${API}/user`, body: { display_name: 'Catalog', email: 'catalog@example.com' } },
      { path: `${API}/users/7`, query: { fields: 'email' }, body: { email: 'ada@example.com' } },
      {
        path: `${API}/folders`,
        body: [folder('2', 'Finance', '1'), folder('1', 'Shared', null), folder('5', 'Ada', null, { is_personal: true })],
      },
      {
        path: `${API}/lookml_models`,
        body: [{ name: 'sales', label: 'Sales', explores: [{ name: 'orders' }, { name: 'old', hidden: true }] }],
      },
      { path: `${API}/lookml_models/sales/explores/orders`, body: orders },
      { path: `${API}/connections/warehouse`, body: { name: 'warehouse', dialect_name: 'postgres', database, schema: 'public' } },
      { path: `${API}/dashboards`, body: [{ id: '10', folder: { id: '2' } }, { id: 'sales::overview' }] },
      { path: `${API}/dashboards/10`, body: dashboard },
      {
        path: `${API}/dashboards/sales%3A%3Aoverview`,
        body: { ...dashboard, id: 'sales::overview', title: 'Overview', dashboard_elements: [] },
      },
      {
        path: `${API}/looks`,
        body: ['20', '21'].map((id) => ({ id, updated_at: about.updated_at, folder: { id: id === '20' ? '2' : '5' } })),
      },
      {
        path: `${API}/looks/20`,
        body: { id: '20', title: 'Orders', folder: { id: '2' }, query: query('q3', 'orders', 'orders.id', 'orders.gross'), ...about },
      },
      { path: `${API}/looks/21`, body: { id: '21', title: 'Private', folder: { id: '5' }, query: query('q4', 'orders'), ...about } },
      {
        path: `${API}/queries/q2/run/sql`,
        body: 'select facts.rank from (select row_number() over (order by price) as rank from public.orders) as facts',
      },
    ],
  }
}

test('dashboards, looks and explores are synced with owners, usage and lineage to columns of the warehouse', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using source = await createPostgresSource('create table orders (id int, price int)', 'create table customers (id int, city text)')
  await using replay = await startReplay(createCassette(source.name), [{ path: `${API}/dashboards/10`, status: 401, times: 1 }])
  const { id: owner } = await app.createUser('editor')
  await app.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', owner).execute()
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const id = await createTestIntegration(app, 'looker', { url: replay.url, client_id: 'app-1', client_secret: SECRET }, { name: 'Looker' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to Looker as Catalog: 2 dashboards and 2 looks.',
  )
  const counts = { dashboard_group: 3, table: 1, column: 7, chart: 3, dashboard: 2 }
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: counts, lineage: { unreadable: 0 } } })
  expect(replay.problems).toEqual([])
  expect(replay.requests.filter((each) => each.endsWith('/login'))).toHaveLength(3)
  const dashboard = await findByKey(app, id, 'dashboard/10')
  expect(dashboard).toMatchObject({
    title_full: 'Shared.Finance.Sales',
    owners: [owner],
    external_usage: 30,
    url: `${replay.url}/dashboards/10`,
  })
  expect(await listUpstream(app, dashboard.id, 'table')).toEqual(['Orders', 'Ranks', 'Revenue by city'])
  const explore = await findByKey(app, id, 'explore/sales/orders')
  expect(explore).toMatchObject({ entity_type: 'table', native_type: 'explore', description: 'All orders' })
  expect(await listUpstream(app, explore.id, 'table')).toEqual(['customers', 'orders'])
  expect(await listUpstream(app, (await findByKey(app, id, 'explore/sales/orders.orders\\.revenue')).id, 'column')).toEqual(['price'])
  const chart = await findByKey(app, id, 'dashboard/10.element/e1')
  expect(await listUpstream(app, chart.id, 'column')).toEqual(expect.arrayContaining(['customers.city', 'orders.revenue']))
  // A view that is derived from SQL: the lineage is read from the SQL of the query.
  const ranks = await findByKey(app, id, 'dashboard/10.element/e2')
  expect(await listUpstream(app, ranks.id, 'table')).toEqual(['orders'])
  expect(await listUpstream(app, ranks.id, 'column')).toContain('price')
  await expectNoChanges(app, id, counts)
})

test('faults of the API', async () => {
  await expectFaultsHandled(looker, createCassette(), (url) => ({
    url,
    client_id: 'app-1',
    client_secret: SECRET,
    personal_folders: false,
  }))
  const discover = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), checkAnswer: undefined }, faults)
    return await discoverAll(looker, { url: replay.url, client_id: 'app-1', client_secret: SECRET, personal_folders: false })
  }
  const again = { 'retry-after': '0' }
  // A list that is missing ends the discovery, an object that is gone is left out, one that cannot be read stays as it is.
  await expect(discover([{ path: `${API}/dashboards`, status: 404 }])).rejects.toThrow(`Looker: GET ${API}/dashboards returned status 404.`)
  const partial = await discover([
    { path: `${API}/dashboards/10`, status: 404 },
    { path: `${API}/looks/20`, status: 500, headers: again },
    { path: `${API}/queries/q2/run/sql`, status: 403 },
  ])
  expect(partial.some((each) => each.type === 'item' && each.key === 'dashboard/10')).toBe(false)
  expect(partial.filter((each) => each.type === 'unlisted')).toEqual([
    { type: 'unlisted', key: 'look/20', reason: `Looker: GET ${API}/looks/20 returned status 500. What is known of it stays as it is.` },
  ])
  const renamed = (each: Recording) => (each.path === `${API}/looks/20` ? { ...each, body: { id: '20', name: 'Orders' } } : each)
  await expect(discover([], renamed)).rejects.toThrow(`GET ${API}/looks/20: \`title\` must be text, but is missing.`)
})

test('looks that were not changed are not read again', async () => {
  const cassette = createCassette()
  const discover = async (versions?: Map<string, string>, change: (recording: Recording) => Recording = (each) => each) => {
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change) })
    const settings = { url: 'http://127.0.0.1', client_id: 'app-1', client_secret: SECRET, personal_folders: false }
    const found = await discoverAll(looker, { ...settings, url: replay.url }, versions)
    expect(replay.problems).toEqual([])
    return { found, read: replay.requests.map((each) => each.replace(/\?.*/, '')).filter((each) => /\/(looks|dashboards)\/\d/.test(each)) }
  }
  const first = await discover()
  expect(first.read.sort()).toEqual([`GET ${API}/dashboards/10`, `GET ${API}/looks/20`, `GET ${API}/looks/21`])
  const second = await discover(listVersions(first.found))
  // The look in a personal folder is not in the catalog, and when a dashboard was changed is not listed.
  expect(second.read.sort()).toEqual([`GET ${API}/dashboards/10`, `GET ${API}/looks/21`])
  expect(second.found.filter((each) => each.type === 'unchanged')).toEqual([{ type: 'unchanged', key: 'look/20', parent: 'folder/2' }])
  const edited = (each: Recording) =>
    each.path === `${API}/looks` ? { ...each, body: [{ id: '20', updated_at: '2026-05-01T00:00:00Z', folder: { id: '2' } }] } : each
  const third = await discover(listVersions(first.found), edited)
  expect(third.read.sort()).toEqual([`GET ${API}/dashboards/10`, `GET ${API}/looks/20`])
})

test('a dashboard without a title, and the dialect of a connection that the user may not see', async () => {
  const cassette = createCassette()
  const untitled = (each: Recording) =>
    each.path === `${API}/dashboards/10` ? { ...each, body: { ...(each.body as object), title: null } } : each
  const hidden = { path: `${API}/connections/warehouse`, status: 403 }
  await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(untitled) }, [hidden])
  const settings = { url: replay.url, client_id: 'app-1', client_secret: SECRET, personal_folders: false }
  const found = await discoverAll(looker, settings)
  expect(found).toContainEqual(expect.objectContaining({ type: 'item', key: 'dashboard/10', title: '(no name)' }))
  expect(found).toContainEqual(
    expect.objectContaining({ key: 'dashboard/10.element/e2', query: expect.objectContaining({ dialect: 'postgres', schema: 'public' }) }),
  )
  expect(replay.problems).toEqual([])
})

test('an explore without a list of fields stays as it is', async () => {
  const cassette = createCassette()
  const path = `${API}/lookml_models/sales/explores/orders`
  const broken = (each: Recording) => (each.path === path ? { ...each, body: { ...(each.body as object), fields: null } } : each)
  const sql = { path: `${API}/queries/q1/run/sql`, body: 'select city from public.customers' }
  await using replay = await startReplay({
    ...cassette,
    recordings: [...cassette.recordings.map(broken), sql, { ...sql, path: `${API}/queries/q3/run/sql` }],
  })
  const settings = { url: replay.url, client_id: 'app-1', client_secret: SECRET, personal_folders: false }
  const found = await discoverAll(looker, settings)
  expect(found).toContainEqual({
    ...{ type: 'unlisted', key: 'explore/sales/orders' },
    reason: 'Looker: sales.orders has no fields. What is known of it stays as it is.',
  })
  expect(found.some((each) => each.type === 'item' && each.key.startsWith('explore/sales/orders'))).toBe(false)
  expect(replay.problems).toEqual([])
})

test('an explore of Looker and of its LookML project is one, with views and lineage of the files', async () => {
  await using files = await writeFolder({
    'sales.model.lkml': `connection: "warehouse" include: "*.view" explore: orders { join: customers {} join: facts {} }
      explore: old { from: customers } explore: added { from: customers }`,
    'all.view.lkml': `view: orders {
        sql_table_name: public.orders ;;
        dimension: id {} dimension: price {} dimension: gross { sql: \${price} * 1.19 ;; }
        measure: count { type: count } measure: revenue { type: sum sql: \${gross} ;; }
      }
      view: facts { derived_table: { sql: select row_number() over (order by price) as rank from orders ;; } dimension: rank {} }
      view: customers { dimension: zip {} }`,
  })
  await using source = await createPostgresSource('create table orders (id int, price int)', 'create table customers (id int, city text)')
  await using replay = await startReplay(createCassette(source.name))
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'], filesFolder: files.folder })
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const settings = { url: replay.url, client_id: 'app-1', client_secret: SECRET }
  const id = await createTestIntegration(app, 'looker', settings, { name: 'Looker' })
  const counts = { dashboard_group: 3, table: 1, column: 7, chart: 3, dashboard: 2 }
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', report: { new: counts } })
  const explore = await findByKey(app, id, 'explore/sales/orders')
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { ...settings, path: '.' } } })
  // Hidden explores stay hidden. Everything else that Looker listed is as before.
  const more = { dashboard_group: 1, table: 4, column: 8 }
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: more, lineage: { unreadable: 0 } } })
  expect((await findByKey(app, id, 'explore/sales/orders')).id).toBe(explore.id)
  expect(explore).toMatchObject({ description: 'All orders' })
  const upstream = async (key: string, level: 'table' | 'column') => listUpstream(app, (await findByKey(app, id, key)).id, level)
  expect(await upstream('explore/sales/orders', 'table')).toEqual(['customers', 'customers', 'facts', 'orders'])
  expect(await upstream('explore/sales/orders.orders\\.revenue', 'column')).toEqual(['revenue'])
  expect(await upstream('view/orders.revenue', 'column')).toEqual(['price'])
  // The dialect is that of the connection in Looker. Fields that the files do not have come from the table.
  expect(await upstream('view/facts.rank', 'column')).toContain('price')
  expect(await upstream('explore/sales/orders.customers\\.city', 'column')).toEqual(['city'])
  // A tile on a derived view flows from the explore.
  expect(await upstream('dashboard/10.element/e2', 'column')).toContain('facts.rank')
  expect(replay.problems).toEqual([])
})

test('names of tables in LookML', () => {
  const postgres = { dialect: 'postgres', database: 'shop', schema: 'public' }
  expect(parseTableName('orders', postgres)).toEqual(['shop', 'public', 'orders'])
  expect(parseTableName('"Sales"."Order Lines" AS lines', postgres)).toEqual(['shop', 'Sales', 'Order Lines'])
  expect(parseTableName('`project.data.orders`', { dialect: 'bigquery', database: 'other' })).toEqual(['project', 'data', 'orders'])
  expect(parseTableName('shop.orders', { dialect: 'mysql', database: 'other' })).toEqual(['shop', 'orders'])
  expect(parseTableName('{% parameter table %}', postgres)).toBeUndefined()
  expect(parseTableName('(select 1)', postgres)).toBeUndefined()
})
