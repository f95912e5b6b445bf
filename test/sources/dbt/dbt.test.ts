import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { SqlTextParser } from '../../../src/lineage/queries/parser-pool.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { createDbtProject, uploadArtifacts } from '../../support/dbt.ts'
import { runPartitions } from '../../support/monitors.ts'
import { createTestNotifier } from '../../support/notification-servers.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const toFiles = ({ manifest, catalog, run_results }: ReturnType<typeof createDbtProject>) => ({
  'manifest.json': manifest,
  'catalog.json': catalog,
  'run_results.json': run_results,
})

const createDbtIntegration = (app: TestApp, more: object = {}) => createTestIntegration(app, 'dbt', more)

/** Uploads artifacts and runs the job. */
const uploadAndSync = async (app: TestApp, id: string, files: Readonly<Record<string, unknown>>) => {
  const { status, body, text } = await uploadArtifacts(app, id, files)
  expect([status, text]).toEqual([200, expect.any(String)])
  const failed = await runJob(app.ctx, JOB_HANDLERS, body.id, { integration_id: id, sync_id: body.id }, true).catch((error) => error)
  expect(failed).toBeUndefined()
  const { body: syncs } = await app.call('GET', `/integration/integrations/${id}/syncs`)
  return syncs.results[0].report
}

const find = async (app: TestApp, title: string, entity_type = 'table', integration?: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from resources where title = ${title} and entity_type = ${entity_type} and not archived and (${integration ?? null}::uuid is null or integration = ${integration ?? null}::uuid)
  `.execute(app.db)
  expect([title, rows.length]).toEqual([title, 1])
  return (await app.call('GET', `/resource/all/${rows[0]!.id}`)).body
}

/** Each once, also those that a query and the job of the model report. */
const flows = async (app: TestApp) => {
  const { rows } = await sql<{ flow: string }>`
    select distinct u.title_full || ' -> ' || d.title_full || ' ' || e.kind as flow from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
  `.execute(app.db)
  return rows.map(({ flow }) => flow).sort()
}
const edges = [
  'dev.public.customers -> dev.public.customers_history table',
  'dev.public.raw_customers -> dev.public.customers table',
  'dev.public.raw_customers.id -> dev.public.customers filter',
  'dev.public.raw_customers.id -> dev.public.customers.customer_id identity',
  'dev.public.raw_orders -> dev.public.customers table',
  'dev.public.raw_orders.amount -> dev.public.customers.total aggregation',
  'dev.public.raw_orders.customer_id -> dev.public.customers filter',
]

test('parses SQL outside a transaction', async () => {
  await using app = await createTestApp()
  const id = await createDbtIntegration(app)
  const open: number[] = []
  const { read } = SqlTextParser.prototype
  const spied = vi.spyOn(SqlTextParser.prototype, 'read').mockImplementation(async function (this: SqlTextParser, knownColumns) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
    `.execute(app.db)
    open.push(rows[0]!.n)
    return read.call(this, knownColumns)
  })
  try {
    await uploadAndSync(app, id, toFiles(createDbtProject()))
  } finally {
    spied.mockRestore()
  }
  expect(open.length).toBeGreaterThan(0)
  expect(new Set(open)).toEqual(new Set([0]))
})

describe('a project without a connected warehouse', () => {
  test('adds its models, sources, exposures, metrics and tests to the catalog, with column lineage', async () => {
    await using app = await createTestApp()
    await app.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', app.ctx.actor.user_id!).execute()
    const id = await createDbtIntegration(app)
    const report = await uploadAndSync(app, id, toFiles(createDbtProject()))
    expect(report.lineage).toEqual({ read: 1, unreadable: 0 })
    expect(report.new).toEqual({
      job_group: 1,
      database: 1,
      schema: 1,
      table: 4,
      column: 6,
      query: 3,
      dashboard: 1,
      test_suite: 1,
      test: 1,
      job: 1,
      run: 1,
    })
    const customers = await find(app, 'customers')
    expect(customers).toMatchObject({
      title_full: 'dev.public.customers',
      description: 'One row for each customer.',
      row_count: 7,
      byte_size: 640,
    })
    expect(customers.tags).toHaveLength(1)
    expect(customers.display_metadata.dbt).toMatchObject({
      unique_id: 'model.shop.customers',
      materialized: 'table',
      meta: { tier: 1 },
      run: { status: 'success', rows_affected: 7, executed_at: '2026-01-02T03:00:01.000000Z' },
    })
    expect(await find(app, 'total', 'column')).toMatchObject({ native_type: 'numeric', description: 'All they paid.', sort_order: 2 })
    const orders = await find(app, 'raw_orders')
    expect(orders.display_metadata.dbt.freshness).toEqual({ loaded_at_field: 'updated_at', warn_after: '12 hour' })
    expect(await find(app, 'Weekly numbers', 'dashboard')).toMatchObject({
      url: 'https://bi.example.com/weekly',
      owners: [app.ctx.actor.user_id],
    })
    const tested = await find(app, 'not_null_customers_customer_id', 'test')
    expect(tested.display_metadata).toMatchObject({ test: 'not_null', column: 'customer_id', tested: 'dev.public.customers' })
    expect(tested.display_metadata.result).toMatchObject({ status: 'fail', failures: 2, executed_at: '2026-01-02T03:00:01.000000Z' })
    expect(await flows(app)).toEqual(
      [
        ...edges,
        'dev.public.customers -> shop.Weekly numbers table',
        'dev.public.customers -> shop.customers table',
        'dev.public.raw_orders -> shop.stg_orders table',
        'shop.customers -> shop.Revenue table',
      ].sort(),
    )
    const changes = (await app.listActivities()).length
    const again = await uploadAndSync(app, id, toFiles(createDbtProject()))
    expect(again.lineage).toEqual({ read: 0, unreadable: 0 })
    expect([again.new, again.changed]).toEqual([{}, {}])
    expect((await app.listActivities()).length).toBe(changes)
  })

  test.each([10, 11])('supports version %i', async (version) => {
    await using app = await createTestApp()
    const report = await uploadAndSync(app, await createDbtIntegration(app), { 'manifest.json': createDbtProject({ version }).manifest })
    expect(report.new.table).toBe(4)
  })

  test('replaces the lineage of a changed model', async () => {
    await using app = await createTestApp()
    const id = await createDbtIntegration(app)
    const project = createDbtProject()
    await uploadAndSync(app, id, toFiles(project))
    const customers = project.manifest.nodes['model.shop.customers'] as Record<string, unknown>
    customers.compiled_code = 'select id as customer_id from "dev"."public"."raw_customers"'
    customers.raw_code = "select id as customer_id from {{ ref('raw_customers') }}"
    customers.depends_on = { nodes: ['seed.shop.raw_customers'] }
    await uploadAndSync(app, id, toFiles(project))
    expect((await flows(app)).filter((flow) => / -> dev\.public\.customers[. ]/.test(flow))).toEqual([
      'dev.public.raw_customers -> dev.public.customers table',
      'dev.public.raw_customers.id -> dev.public.customers.customer_id identity',
    ])
  })
})

test('columns that change between runs are schema changes: in the history, in a schema monitor, and told to owners downstream', async () => {
  await using app = await createTestApp()
  const id = await createDbtIntegration(app)
  const project = createDbtProject()
  await uploadAndSync(app, id, toFiles(project))
  const customers = await find(app, 'customers')
  const [ada, total] = [await app.createUser('editor'), await find(app, 'total', 'column')]
  const report = await app.createResource({ entity_type: 'dashboard', title: 'Revenue', owners: [ada.id] })
  await app.call('POST', '/lineage/manual', { body: { from_entity: total.id, to_entity: report.id, direction: 'DOWNSTREAM' } })
  const { body: monitor } = await app.call('POST', '/monitor/monitors', { body: { target: customers.id, metric_type: 'schema' } })
  const notifier = createTestNotifier(app)
  await notifier.follow()
  const node = project.manifest.nodes['model.shop.customers'] as unknown as { columns: Record<string, unknown> } & Record<string, unknown>
  delete node.columns.total
  node.compiled_code = 'select id as customer_id from "dev"."public"."raw_customers"'
  node.raw_code = "select id as customer_id from {{ ref('raw_customers') }}"
  delete (project.catalog.nodes as Record<string, { columns: Record<string, unknown> }>)['model.shop.customers']?.columns.total
  await uploadAndSync(app, id, toFiles(project))
  const { body: history } = await app.call('GET', `/table/tables/${customers.id}/schema_history`)
  expect(history.results[0]).toMatchObject({ changes: [{ kind: 'dropped', column: 'total' }] })
  await notifier.follow()
  const { body: inbox } = await app.call('GET', `/notification/inbox?resource_id=${customers.id}`, { token: ada.token })
  expect(JSON.stringify(inbox.results)).toContain('may break Revenue')
  await app.call('POST', '/monitor/monitors/run', { body: { monitors: [monitor.id] } })
  await runPartitions({ ...app.ctx, now: new Date() })
  expect((await app.call('GET', `/monitor/monitors/${monitor.id}`)).body).toMatchObject({ status: 'incident', last_measurement_value: 1 })
})

test('supports current artifacts: a seed that is also a source, unit tests, keys, and empty fields', async () => {
  await using app = await createTestApp()
  const id = await createDbtIntegration(app)
  const { manifest, catalog, run_results } = createDbtProject()
  const { nodes, sources, metrics } = manifest as unknown as Record<string, Record<string, Record<string, unknown>>>
  const seed = nodes!['seed.shop.raw_customers']!
  sources!['source.shop.app.customers'] = {
    ...{ ...seed, unique_id: 'source.shop.app.customers', resource_type: 'source', source_name: 'app', identifier: 'raw_customers' },
    ...{ description: 'Everybody we know.\n', source_description: 'The app.', tags: ['raw'], config: { enabled: true } },
    columns: { name: { name: 'name', description: 'As they call themselves.' }, ID: { name: 'ID', description: 'Not this one.' } },
    freshness: { warn_after: { count: null, period: null }, error_after: { count: null, period: null }, filter: null },
  }
  Object.assign(nodes!['model.shop.customers']!, { primary_key: ['total'] })
  metrics!['metric.shop.revenue']!.type_params = {
    measure: null,
    window: null,
    metric_aggregation_params: { agg: 'sum', agg_params: { percentile: null } },
  }
  const logic = {
    ...{ unique_id: 'unit_test.shop.customers.sums', resource_type: 'unit_test', name: 'sums', model: 'customers', package_name: 'shop' },
    ...{ description: 'Sums are right.', depends_on: { macros: [], nodes: ['model.shop.customers'] }, config: { tags: [], meta: {} } },
  }
  const semantic = manifest.semantic_models['semantic_model.shop.customers'] as Record<string, unknown>
  semantic.measures = [{ name: 'paid', agg: 'sum', expr: 'total', agg_params: null, metadata: { file_slice: {} } }]
  const cents = {
    ...{ unique_id: 'function.shop.cents', resource_type: 'function', name: 'cents', alias: 'cents', database: 'dev', schema: 'udf' },
    ...{
      package_name: 'shop',
      language: 'sql',
      raw_code: 'select amount * 100',
      description: 'Euros to cents.',
      depends_on: { nodes: [] },
    },
    ...{ config: { type: 'scalar', meta: {}, tags: [] }, returns: { data_type: 'integer', description: null } },
    arguments: [{ name: 'amount', data_type: 'numeric', description: null, default_value: null }],
  }
  const customers = nodes!['model.shop.customers']! as { depends_on: { nodes: string[] } }
  customers.depends_on.nodes.push(cents.unique_id)
  nodes!['analysis.shop.best'] = {
    ...{ unique_id: 'analysis.shop.best', resource_type: 'analysis', name: 'best', package_name: 'shop', tags: [], config: {} },
    ...{ raw_code: "select * from {{ ref('customers') }}", depends_on: { nodes: ['model.shop.customers'] } },
  }
  const ran = { unique_id: logic.unique_id, status: 'pass', failures: 0, timing: [], execution_time: 0.1, message: null }
  await uploadAndSync(app, id, {
    'manifest.json': { ...manifest, unit_tests: { [logic.unique_id]: logic }, functions: { [cents.unique_id]: cents } },
    'catalog.json': catalog,
    'run_results.json': { ...run_results, results: [...run_results.results, ran] },
  })
  const table = await find(app, 'raw_customers')
  expect(table).toMatchObject({ description: 'Everybody we know.', native_type: 'seed', tags: [expect.anything()] })
  expect(table.display_metadata.dbt).toMatchObject({ kind: 'seed', source: 'app', source_description: 'The app.' })
  expect(table.display_metadata.dbt.freshness).toBeUndefined()
  const columns = await app.db.selectFrom('resources').select(['title', 'description']).where('parent', '=', table.id).execute()
  expect(columns).toContainEqual({ title: 'id', description: 'The key.' })
  expect(columns).toContainEqual({ title: 'name', description: 'As they call themselves.' })
  expect(columns).toHaveLength(2)
  expect(await find(app, 'total', 'column')).toMatchObject({ is_pk: true })
  expect((await find(app, 'Revenue', 'query')).display_metadata.type_params).toEqual({ metric_aggregation_params: { agg: 'sum' } })
  expect(await find(app, 'cents', 'query')).toMatchObject({
    ...{ native_type: 'function', description: 'Euros to cents.', definition: 'select amount * 100' },
    display_metadata: { place: 'dev.udf.cents', returns: 'integer', arguments: [{ name: 'amount', data_type: 'numeric' }] },
  })
  expect(
    (await app.db.selectFrom('resources').select('display_metadata').where('native_type', '=', 'semantic model').execute())[0],
  ).toMatchObject({
    display_metadata: { measures: [{ name: 'paid', agg: 'sum', expr: 'total' }] },
  })
  expect(await flows(app)).toEqual(
    expect.arrayContaining(['shop.cents -> dev.public.customers table', 'dev.public.customers -> shop.best table']),
  )
  expect(await find(app, 'sums', 'test')).toMatchObject({
    description: 'Sums are right.',
    display_metadata: { test: 'unit test', tested: 'dev.public.customers', result: { status: 'pass' } },
  })
})

test('ignores results of commands that only compile; accepts variations between engines', async () => {
  await using app = await createTestApp()
  const id = await createDbtIntegration(app)
  const { manifest, catalog, run_results } = createDbtProject()
  const at = (artifact: string, version: number) => `https://schemas.getdbt.com/dbt/${artifact}/v${version}/${artifact}.json`
  const [ran, failed] = run_results.results
  await uploadAndSync(app, id, {
    'manifest.json': { ...manifest, metadata: { ...manifest.metadata, dbt_schema_version: at('manifest', 12), dbt_version: '2.0.0' } },
    'catalog.json': catalog,
    'run_results.json': {
      ...{ ...run_results, metadata: { ...run_results.metadata, dbt_schema_version: at('run-results', 6) } },
      ...{ results: [ran, { ...failed, status: 'Fail' }], args: { which: 'build' } },
    },
    'sources.json': {
      metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/sources/v3.json' },
      results: [{ unique_id: 'source.shop.app.orders', status: 'Warn', max_loaded_at: '2026-01-01T00:00:00+00:00' }],
    },
  })
  const result = async () => (await find(app, 'not_null_customers_customer_id', 'test')).display_metadata.result
  expect(await result()).toMatchObject({ status: 'fail', failures: 2 })
  expect((await find(app, 'raw_orders')).display_metadata.dbt.freshness).toMatchObject({ status: 'warn' })
  const compiled = { ...run_results, results: [{ ...failed, status: 'success', failures: null }], args: { which: 'generate' } }
  await uploadAndSync(app, id, { 'manifest.json': manifest, 'catalog.json': catalog, 'run_results.json': compiled })
  expect(await result()).toMatchObject({ status: 'fail', failures: 2 })
})

test('keeps the last result of each node and its lineage in partial runs', async () => {
  await using app = await createTestApp()
  const id = await createDbtIntegration(app)
  const { manifest, catalog, run_results } = createDbtProject()
  await uploadAndSync(app, id, { 'manifest.json': manifest, 'catalog.json': catalog, 'run_results.json': run_results })
  const flowsBefore = await flows(app)
  const at = (completed_at: string, unique_id: string, status: string) => ({
    ...{ ...run_results, args: { which: 'run' } },
    results: [{ unique_id, status, timing: [{ name: 'execute', completed_at }], execution_time: 1, failures: null, message: null }],
  })
  const model = manifest.nodes['model.shop.customers'] as { compiled_code?: string }
  const uncompiled = { ...manifest, nodes: { ...manifest.nodes, 'model.shop.customers': { ...model, compiled_code: undefined } } }
  await uploadAndSync(app, id, {
    'manifest.json': uncompiled,
    'run_results.json': at('2026-01-03T00:00:00Z', 'seed.shop.raw_customers', 'success'),
  })
  const tested = async () => (await find(app, 'not_null_customers_customer_id', 'test')).display_metadata.result
  const ran = async (title: string) => (await find(app, title)).display_metadata.dbt.run
  expect(await tested()).toMatchObject({ status: 'fail', failures: 2, executed_at: '2026-01-02T03:00:01.000000Z' })
  expect([await ran('customers'), await ran('raw_customers')]).toMatchObject([
    { status: 'success', rows_affected: 7 },
    { status: 'success', executed_at: '2026-01-03T00:00:00Z' },
  ])
  expect(await flows(app)).toEqual([...flowsBefore, 'shop.raw_customers -> dev.public.raw_customers table'].sort())
  // An older file that is sent late does not replace newer results.
  const unique_id = 'test.shop.not_null_customers_customer_id.1'
  await uploadAndSync(app, id, { 'manifest.json': uncompiled, 'run_results.json': at('2026-01-01T00:00:00Z', unique_id, 'pass') })
  expect(await tested()).toMatchObject({ status: 'fail' })
  await uploadAndSync(app, id, { 'manifest.json': uncompiled, 'run_results.json': at('2026-01-04T00:00:00Z', unique_id, 'pass') })
  expect(await tested()).toMatchObject({ status: 'pass' })
  expect(await ran('customers')).toMatchObject({ rows_affected: 7 })
  // Changed and not compiled: lineage from the old SQL is deleted, dependencies stay.
  const other = { ...model, compiled_code: undefined, raw_code: "select 1 from {{ ref('stg_orders') }}" }
  await uploadAndSync(app, id, { 'manifest.json': { ...manifest, nodes: { ...manifest.nodes, 'model.shop.customers': other } } })
  expect((await flows(app)).filter((flow) => / -> dev\.public\.customers[. ]/.test(flow))).toEqual([
    'dev.public.raw_customers -> dev.public.customers table',
    'dev.public.raw_orders -> dev.public.customers table',
  ])
})

test('infers columns from SQL without a catalog, and renders uncompiled SQL as far as possible', async () => {
  await using app = await createTestApp()
  const id = await createDbtIntegration(app)
  const { manifest } = createDbtProject()
  const ids = ['raw_customers', 'customers', 'customers_history'].map((name, i) => `${['seed', 'model', 'snapshot'][i]}.shop.${name}`)
  const [seed, model, snapshot] = ids.map((id) => ({ ...manifest.nodes[id], columns: {}, compiled_code: undefined }))
  const written = (customers: string, history: string, compiled?: string) => ({
    'manifest.json': {
      ...manifest,
      nodes: {
        [ids[0]!]: { ...seed, raw_code: '' },
        [ids[1]!]: { ...model, raw_code: customers, compiled_code: compiled, depends_on: { nodes: [ids[0], 'source.shop.app.orders'] } },
        [ids[2]!]: { ...snapshot, raw_code: history },
      },
    },
  })
  const columns = async () => {
    const { rows } = await sql<{ title_full: string }>`
      select title_full from resources where entity_type = 'column' and not stale order by 1
    `.execute(app.db)
    return rows.map(({ title_full }) => title_full.replace('dev.public.', ''))
  }
  const all = ['customers.first', 'customers.paid', 'customers_history.first', 'customers_history.paid']
  const read = ['raw_customers.id', 'raw_customers.name', 'raw_orders.amount', 'raw_orders.customer_id']
  const code = `{{ config(materialized='incremental') }} {# why #} {#- and how -#} select c.name as first, o.amount / 100 as paid
    from {{ ref ('shop', 'raw_customers') }} c join {{ source("app", "orders") }} o on o.customer_id = c.id
    {% if is_incremental() %} where o.at > (select max(at) from {{ this }}) {% endif %}`
  await uploadAndSync(app, id, written(code, "select * from {{ ref('customers') }}"))
  expect(await columns()).toEqual([...all, ...read])
  expect(await flows(app)).toEqual(
    expect.arrayContaining([
      'dev.public.raw_customers.name -> dev.public.customers.first identity',
      'dev.public.raw_orders.amount -> dev.public.customers.paid expression',
      'dev.public.customers.paid -> dev.public.customers_history.paid identity',
    ]),
  )
  // Loops and macros can only be compiled by dbt; compiled SQL stays valid while the source code is unchanged.
  const loop = "select {% for c in ['id'] %} {{ c }} {% endfor %} from {{ ref('raw_customers') }}"
  await uploadAndSync(app, id, written(loop, 'select 1 as one', 'select id from "dev"."public"."raw_customers"'))
  const reported = ['customers.id', 'customers_history.one', 'raw_customers.id', 'raw_orders.amount']
  expect(await columns()).toEqual(reported)
  await uploadAndSync(app, id, written(loop, 'select 1 as one'))
  expect(await columns()).toEqual(reported)
  expect(await flows(app)).toContain('dev.public.raw_customers.id -> dev.public.customers.id identity')
})

test('reads SQL from the results of `docs generate`, also with tables the project does not declare', async () => {
  await using app = await createTestApp()
  const id = await createDbtIntegration(app)
  const { manifest, run_results } = createDbtProject()
  const [customers, history] = ['model.shop.customers', 'snapshot.shop.customers_history']
  const { compiled_code, ...model } = manifest.nodes[customers] as Record<string, unknown>
  const snapshot = { ...manifest.nodes[history], raw_code: 'select id from dev.public.raw_orders', depends_on: { nodes: [] } }
  const written = (raw_code: string) => ({
    ...manifest,
    nodes: { ...manifest.nodes, [customers]: { ...model, raw_code }, [history]: snapshot },
  })
  const documented = { ...run_results, args: { which: 'generate' }, results: [{ unique_id: customers, status: 'success', compiled_code }] }
  const columns = async () => (await flows(app)).filter((flow) => / -> dev\.public\.\w+\.\w+ /.test(flow))
  const report = await uploadAndSync(app, id, { 'manifest.json': written('{{ all_of_it() }}'), 'run_results.json': documented })
  expect(report.lineage).toEqual({ read: 2, unreadable: 0 })
  const named = 'dev.public.raw_orders.id -> dev.public.customers_history.id identity'
  expect(await columns()).toEqual([
    'dev.public.raw_customers.id -> dev.public.customers.customer_id identity',
    'dev.public.raw_orders.amount -> dev.public.customers.total aggregation',
    named,
  ])
  expect((await find(app, 'customers')).display_metadata.dbt.run).toBeUndefined()
  const again = await uploadAndSync(app, id, { 'manifest.json': written('{{ all_of_it() }}') })
  expect([again.changed, again.lineage]).toEqual([{}, { read: 0, unreadable: 0 }])
  // Changed and not compiled.
  await uploadAndSync(app, id, { 'manifest.json': written('{{ less_of_it() }}') })
  expect(await columns()).toEqual([named])
})

test('resolves a table named without a reference when it is added later', async () => {
  await using app = await createTestApp()
  const [id, elsewhere] = [await createDbtIntegration(app), await createDbtIntegration(app)]
  const { manifest, catalog } = createDbtProject()
  const history = 'snapshot.shop.customers_history'
  const raw_code = 'select id from lake.web.visits'
  const snapshot = { ...manifest.nodes[history], raw_code, compiled_code: raw_code, depends_on: { nodes: [] } }
  const files = { 'manifest.json': { ...manifest, nodes: { ...manifest.nodes, [history]: snapshot } }, 'catalog.json': catalog }
  const reported = async () => (await flows(app)).filter((flow) => flow.startsWith('lake.web.visits'))
  await uploadAndSync(app, id, files)
  const changes = (await app.listActivities()).length
  await uploadAndSync(app, id, files)
  expect([await reported(), (await app.listActivities()).length]).toEqual([[], changes])
  const visits = { ...manifest.sources['source.shop.app.orders'], database: 'lake', schema: 'web', identifier: 'visits' }
  const columns = { id: { name: 'id' } }
  await uploadAndSync(app, elsewhere, {
    'manifest.json': { ...manifest, nodes: {}, sources: { 'source.shop.app.orders': { ...visits, columns } } },
  })
  for (const _ of ['at once', 'and from then on']) {
    await uploadAndSync(app, id, files)
    expect(await reported()).toEqual([
      'lake.web.visits -> dev.public.customers_history table',
      'lake.web.visits.id -> dev.public.customers_history.id identity',
    ])
  }
  // Parsed again for another reason.
  await uploadAndSync(app, id, { ...files, 'catalog.json': { ...catalog, nodes: { ...catalog.nodes, [history]: { columns, stats: {} } } } })
  expect(await reported()).toHaveLength(2)
})

describe('a project that builds in a connected warehouse', () => {
  const TABLES = [
    'create table raw_customers (id int)',
    'create table raw_orders (id int, customer_id int, amount int)',
    'create table customers (customer_id int, total numeric)',
    'create table customers_history (customer_id int)',
    "comment on column raw_orders.amount is 'As the warehouse says.'",
  ]

  test('enriches its tables without duplicates; edits by users and values of the warehouse stay', async () => {
    await using app = await createTestApp()
    await using source = await createPostgresSource(...TABLES)
    const warehouse = await createTestIntegration(app, 'postgres', source.credentials)
    await runSync(app, warehouse)
    const orders = await find(app, 'raw_orders')
    await app.call('PATCH', `/resource/all/${orders.id}`, { body: { description: 'As I say.' } })
    const id = await createDbtIntegration(app)
    const report = await uploadAndSync(app, id, toFiles(createDbtProject({ database: source.name })))
    expect(report.new.table).toBeUndefined()
    const customers = await find(app, 'customers')
    expect(customers).toMatchObject({ integration: warehouse, description: 'One row for each customer.' })
    expect(customers.display_metadata.dbt).toMatchObject({
      unique_id: 'model.shop.customers',
      tests: [{ name: 'not_null_customers_customer_id', column: 'customer_id', status: 'fail', failures: 2 }],
    })
    expect(customers.tags).toHaveLength(1)
    expect((await find(app, 'raw_orders')).description).toBe('As I say.')
    expect((await find(app, 'total', 'column')).description).toBe('All they paid.')
    const amount = await find(app, 'amount', 'column')
    expect(amount.description).toBe('As the warehouse says.')
    expect((await find(app, 'not_null_customers_customer_id', 'test')).display_metadata.tested_id).toBe(customers.id)
    const reported = (await flows(app)).filter((flow) => !flow.includes('shop.')).map((flow) => flow.replaceAll(source.name, 'dev'))
    expect(reported).toEqual(edges)

    const provenance = (await app.call('GET', `/resource/all/${orders.id}/provenance`)).body
    expect(provenance).toContainEqual({
      ...{ field: 'description', by: 'person', value: 'As I say.' },
      ...{ source: 'dbt', source_value: 'What was ordered.' },
    })
    const back = await app.call('POST', `/resource/all/${amount.id}/provenance/take_back`, {
      body: { field: 'description', source: 'dbt' },
    })
    expect(back.status).toBe(200)
    expect((await find(app, 'amount', 'column')).description).toBe('In cents.')

    const changes = (await app.listActivities()).length
    await runSync(app, warehouse)
    await uploadAndSync(app, id, toFiles(createDbtProject({ database: source.name })))
    await runSync(app, warehouse)
    expect((await app.listActivities()).length).toBe(changes)
    // The warehouse reports a change, and facts from dbt stay.
    await source.run('create index on customers (total)')
    await runSync(app, warehouse)
    expect((await find(app, 'customers')).display_metadata).toMatchObject({ dbt: { kind: 'model' }, indexes: [expect.anything()] })
  })

  test('updates fields only the project reports; tags added by users stay', async () => {
    await using app = await createTestApp()
    await using source = await createPostgresSource(...TABLES)
    await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
    const id = await createDbtIntegration(app)
    const project = createDbtProject({ database: source.name })
    await uploadAndSync(app, id, toFiles(project))
    const { body: mine } = await app.call('POST', '/tag', { body: { name: 'mine' } })
    const before = await find(app, 'customers')
    await app.call('PATCH', `/resource/all/${before.id}`, { body: { tags: [...before.tags, mine.id] } })
    Object.assign(project.manifest.nodes['model.shop.customers'] as object, {
      description: 'Everybody who bought.',
      tags: ['gold'],
      config: {},
    })
    await uploadAndSync(app, id, toFiles(project))
    const after = await find(app, 'customers')
    expect(after.description).toBe('Everybody who bought.')
    expect(after.tags).toContain(mine.id)
    expect(after.tags).not.toContain(before.tags[0])
    expect(after.tags).toHaveLength(2)
    // The model is no longer in the project: its values stay, its facts are removed.
    delete (project.manifest.nodes as Record<string, unknown>)['model.shop.customers']
    await uploadAndSync(app, id, toFiles(project))
    const left = await find(app, 'customers')
    expect(left.description).toBe('Everybody who bought.')
    expect(left.display_metadata.dbt).toBeUndefined()
    expect((await flows(app)).filter((flow) => flow.includes('.raw_orders.amount'))).toEqual([])
  })

  test('withdraws its values and lineage when it is deleted; those of users and the warehouse stay', async () => {
    await using app = await createTestApp()
    await using source = await createPostgresSource(...TABLES)
    const warehouse = await createTestIntegration(app, 'postgres', source.credentials)
    await runSync(app, warehouse)
    const tables = await find(app, 'customers')
    const { body: tag } = await app.call('POST', '/tag', { body: { name: 'core' } })
    await app.call('PATCH', `/resource/all/${tables.id}`, { body: { tags: [tag.id] } })
    const orders = await find(app, 'raw_orders')
    await app.call('PATCH', `/resource/all/${orders.id}`, { body: { description: 'As I say.' } })
    const edges = await flows(app)
    const id = await createDbtIntegration(app)
    const project = createDbtProject({ database: source.name })
    Object.assign(project.manifest.nodes['model.shop.customers'] as object, { tags: ['core', 'gold'], config: {} })
    await uploadAndSync(app, id, toFiles(project))
    expect(await find(app, 'customers')).toMatchObject({ description: 'One row for each customer.', tags: [tag.id, expect.anything()] })
    expect((await flows(app)).length).toBeGreaterThan(edges.length)

    expect((await app.call('DELETE', `/integration/integrations/${id}`)).status).toBe(204)
    expect(await find(app, 'customers')).toMatchObject({ description: null, tags: [tag.id] }) // the tag a user added first
    expect((await find(app, 'customers')).display_metadata.dbt).toBeUndefined()
    expect((await find(app, 'total', 'column')).description).toBe(null)
    expect((await find(app, 'amount', 'column')).description).toBe('As the warehouse says.')
    expect((await find(app, 'raw_orders')).description).toBe('As I say.')
    expect(await flows(app)).toEqual(edges)
  })

  test('merges its tables into those of a warehouse connected later, with edits by users', async () => {
    await using app = await createTestApp()
    await using source = await createPostgresSource(...TABLES)
    const id = await createDbtIntegration(app)
    const files = toFiles(createDbtProject({ database: source.name }))
    await uploadAndSync(app, id, files)
    const own = await find(app, 'customers_history')
    await app.call('PATCH', `/resource/all/${own.id}`, { body: { description: 'By a person.', verified: true } })
    const { body: column } = await app.call('PATCH', `/resource/all/${(await find(app, 'total', 'column', id)).id}`, {
      body: { pii: true },
    })
    const warehouse = await createTestIntegration(app, 'postgres', source.credentials)
    await runSync(app, warehouse)
    await uploadAndSync(app, id, files)
    const history = await find(app, 'customers_history')
    expect(history).toMatchObject({ integration: warehouse, description: 'By a person.', verified: true })
    for (const gone of [own.id, column.id])
      expect((await app.call('GET', `/resource/all/${gone}`)).body).toMatchObject({ archived: true, stale: true })
    expect(await find(app, 'total', 'column')).toMatchObject({ integration: warehouse, pii: true })
    expect((await flows(app)).filter((flow) => flow.endsWith('customers_history table'))).toHaveLength(1)
    const changes = (await app.listActivities()).length
    await uploadAndSync(app, id, files)
    expect((await app.listActivities()).length).toBe(changes)
  })

  test('uses the configured warehouse when two have the table', async () => {
    await using app = await createTestApp()
    const [one, two] = await Promise.all(
      ['One', 'Two'].map(async (name) => (await app.call('POST', '/integration/integrations', { body: { name } })).body.id as string),
    )
    for (const integration of [one, two]) {
      const database = await app.createResource({ title: 'dev', entity_type: 'database', integration })
      const schema = await app.createResource({ title: 'public', entity_type: 'schema', parent: database.id, integration })
      await app.createResource({ title: 'customers', entity_type: 'table', parent: schema.id, integration })
    }
    const id = await createDbtIntegration(app)
    expect((await uploadAndSync(app, id, toFiles(createDbtProject()))).new.table).toBe(4)
    await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { warehouse: two } } })
    await uploadAndSync(app, id, toFiles(createDbtProject()))
    expect((await find(app, 'customers', 'table', two)).description).toBe('One row for each customer.')
    expect((await find(app, 'customers', 'table', one)).description).toBe(null)
  })
})
