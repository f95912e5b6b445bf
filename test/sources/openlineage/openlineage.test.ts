import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { recordCheckResults } from '../../../src/observability/monitors/test-results.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { lockJobs } from '../../../src/sources/job-flows/job-flow-rows.ts'
import { CHECK_RESULTS_TASK, type CheckResults } from '../../../src/sources/openlineage/checks.ts'
import { jobKey } from '../../../src/sources/openlineage/names.ts'
import { runPartitions } from '../../support/monitors.ts'
import { createDataset, createOpenLineageEvent, FACETS, findIdByTitle, LAKE, listFlows } from '../../support/openlineage.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const send = async (app: TestApp, event: unknown, path = '/lineage') => {
  const response = await app.call('POST', path, { body: event })
  expect([response.status, response.text]).toEqual([path.includes('batch') ? 200 : 201, path.includes('batch') ? expect.any(String) : ''])
}

const find = async (app: TestApp, title: string, entity_type = 'table') =>
  (await app.call('GET', `/resource/all/${await findIdByTitle(app, title, entity_type)}`)).body

const countRows = async (app: TestApp) =>
  (
    await sql<{
      n: number
    }>`select (select count(*) from activities) + (select sum(extract(epoch from updated_at)) from resources)::float8 as n`.execute(app.db)
  ).rows[0]!.n

const input = (column: string, type = 'DIRECT', subtype = 'IDENTITY') => ({
  ...{ namespace: LAKE, name: 'raw/orders', field: column },
  transformations: [{ type, subtype, description: '', masking: false }],
})
const loaded = (more: object = {}) =>
  createOpenLineageEvent({
    inputs: [
      createDataset(
        LAKE,
        'raw/orders',
        FACETS.schema([
          { name: 'id', type: 'int' },
          { name: 'cents', type: 'int' },
        ]),
      ),
    ],
    outputs: [
      createDataset(
        'snowflake://acme',
        'shop.public.orders',
        {
          ...FACETS.schema([
            { name: 'id', type: 'NUMBER', description: 'The key.' },
            { name: 'total', type: 'NUMBER' },
          ]),
          ...FACETS.columnLineage(
            { id: { inputFields: [input('id')] }, total: { inputFields: [input('cents', 'DIRECT', 'AGGREGATION')] } },
            [input('id', 'INDIRECT', 'FILTER')],
          ),
          ...FACETS.storage(),
        },
        { outputFacets: FACETS.outputStatistics(12) },
      ),
    ],
    ...more,
  })
const EDGES = [
  's3://lake.raw/orders -> shop.public.orders table',
  's3://lake.raw/orders.cents -> shop.public.orders.total aggregation',
  's3://lake.raw/orders.id -> shop.public.orders filter',
  's3://lake.raw/orders.id -> shop.public.orders.id identity',
]

describe('a run', () => {
  test('creates a job, a run, datasets with columns, and lineage', async () => {
    await using app = await createTestApp()
    await app.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', app.ctx.actor.user_id!).execute()
    const runId = newId()
    const [dag, jobFacets] = [
      newId(),
      {
        ...FACETS.documentation('Loads orders.'),
        ...FACETS.ownership('user:ada@example.com', 'team:x'),
        ...FACETS.sql('insert into orders select 1'),
        ...FACETS.jobType(),
      },
    ]
    const runFacets = {
      ...FACETS.nominalTime(),
      ...FACETS.engine(),
      ...FACETS.parent(dag, 'shop'),
      unheard_of: { _producer: 'x', anything: [1] },
    }
    await send(app, createOpenLineageEvent({ type: 'START', time: '2026-01-02T03:00:00Z', runId, runFacets, jobFacets }))
    expect((await find(app, runId, 'run')).display_metadata).toMatchObject({ state: 'RUNNING', started_at: '2026-01-02T03:00:00.000Z' })
    await send(app, loaded({ runId }))
    const job = await find(app, 'shop.load', 'job')
    expect(job).toMatchObject({ description: 'Loads orders.', owners: [app.ctx.actor.user_id], children_count: 1 })
    expect(job.display_metadata).toMatchObject({
      ...{ tool: 'AIRFLOW', processing: 'BATCH', sql: 'insert into orders select 1' },
      last_run: { state: 'COMPLETED', started_at: '2026-01-02T03:00:00.000Z', ended_at: '2026-01-02T02:04:05.678Z' },
    })
    expect((await find(app, runId, 'run')).display_metadata).toEqual({
      facets: { unheard_of: { _producer: 'x', anything: [1] } },
      ...{
        state: 'COMPLETED',
        started_at: '2026-01-02T03:00:00.000Z',
        ended_at: '2026-01-02T02:04:05.678Z',
        rows_written: 12,
        bytes_written: 100,
      },
      ...{
        nominal_start_time: '2026-01-02T00:00:00Z',
        engine: 'Airflow 3.1.0',
        parent: { namespace: 'airflow', name: 'shop', run_id: dag },
      },
    })
    const orders = await find(app, 'orders')
    expect(orders).toMatchObject({ title_full: 'shop.public.orders', children_count: 2 })
    expect(orders.display_metadata).toMatchObject({ namespace: 'snowflake://acme', storage: { layer: 'iceberg', format: 'parquet' } })
    expect(await find(app, 'total', 'column')).toMatchObject({ native_type: 'NUMBER', sort_order: 2 })
    expect(await listFlows(app)).toEqual(EDGES)
    const { body: integrations } = await app.call('GET', '/integration/integrations?type=openlineage')
    expect(integrations.results).toMatchObject([{ name: 'airflow', resource_count: 12 }])
    const logs = (await app.call('GET', `/activity_log/resource_logs/?resource_id=${job.id}`)).body
    expect(logs.version_histories).toMatchObject([{ performer_type: 'INTEGRATION', performer_id: null }])
  })

  test('has job lineage, and the evidence of an edge names the job', async () => {
    await using app = await createTestApp()
    await send(app, loaded({ runId: newId() }))
    const job = await find(app, 'shop.load', 'job')
    const graph = async (more = '') => (await app.call('GET', `/lineage/graph?resource_id=${job.id}${more}`)).body
    const { nodes, edges, totals } = await graph()
    const title = new Map(nodes.map((node: { id: string; title: string }) => [node.id, node.title]))
    expect(edges.map(({ from, to }: { from: string; to: string }) => `${title.get(from)} -> ${title.get(to)}`)).toEqual([
      `raw/orders -> ${job.title}`,
      `${job.title} -> orders`,
    ])
    expect([nodes.map(({ distance, direction }: { distance: number; direction: string }) => [distance, direction]), totals.edges]).toEqual([
      [
        [0, null],
        [1, 'UPSTREAM'],
        [1, 'DOWNSTREAM'],
      ],
      2,
    ])
    expect((await graph('&direction=DOWNSTREAM')).nodes).toHaveLength(2)
    expect((await graph('&limit=1')).nodes).toMatchObject([{ more_upstream: 1, more_downstream: 1 }])
    expect((await app.call('GET', `/ui/resource/${job.id}`)).body.tabs).toMatchObject({ upstream: 1, downstream: 1 })
    const [, input, output] = nodes
    const { body } = await app.call('GET', `/lineage/path?from=${input.id}&to=${output.id}`)
    expect(body.edges[0].evidence[0]).toMatchObject({ dialect: 'openlineage', job: job.id })
  })

  test('is listed with its job, which is a node of the graph between tables', async () => {
    await using app = await createTestApp()
    const times = { started: '2026-01-02T01:00:00Z', ended: '2026-01-02T01:02:30Z' }
    const runId = newId()
    const { inputs } = loaded()
    const outputs = ['orders', 'refunds'].map((name) =>
      createDataset('snowflake://acme', `shop.public.${name}`, {}, { outputFacets: FACETS.outputStatistics(7) }),
    )
    await send(app, createOpenLineageEvent({ type: 'START', time: times.started, runId, inputs }))
    await send(app, createOpenLineageEvent({ time: times.ended, runId, outputs }))
    await send(
      app,
      createOpenLineageEvent({ type: 'FAIL', runId: newId(), time: '2026-01-03T00:00:00Z', runFacets: FACETS.errorMessage('No.') }),
    )
    const job = await find(app, 'shop.load', 'job')
    const [raw, orders, refunds] = [await find(app, 'raw/orders'), await find(app, 'orders'), await find(app, 'refunds')]
    await app.call('PATCH', `/resource/all/${job.id}`, { body: { published: true } })
    for (const { id } of [raw, orders]) await app.call('PATCH', `/resource/all/${id}`, { body: { published: true } })
    const viewer = await app.createUser('viewer')

    const runs = async (token: string, more = '') => (await app.call('GET', `/resource/all/${job.id}/runs${more}`, { token })).body
    const titles = (datasets: { title: string }[]) => datasets.map(({ title }) => title).sort()
    const { results, count } = await runs(app.token)
    expect(count).toBe(2)
    expect(results[0]).toMatchObject({ state: 'FAILED', error: 'No.', duration_seconds: null, inputs: [], outputs: [] })
    expect(results[1]).toMatchObject({ title: runId, state: 'COMPLETED', duration_seconds: 150, rows_written: 14 })
    expect([titles(results[1].inputs), titles(results[1].outputs)]).toEqual([['raw/orders'], ['orders', 'refunds']])
    const next = (await runs(app.token, '?page_size=1&cursor=')).meta.next_cursor
    expect((await runs(app.token, `?page_size=1&cursor=${next}`)).results).toMatchObject([{ title: runId }])
    // Runs are published with their job; what they wrote is not.
    expect(titles((await runs(viewer.token)).results[1].outputs)).toEqual(['orders'])
    expect((await app.call('GET', `/resource/all/${refunds.id}/runs`, { token: viewer.token })).status).toBe(404)

    const graph = async (token: string, more = '') => {
      const { nodes, edges, truncated } = (
        await app.call('GET', `/lineage/graph?resource_id=${raw.id}&include_jobs=true${more}`, { token })
      ).body
      const title = new Map(nodes.map((node: { id: string; title: string }) => [node.id, node.title]))
      return [edges.map(({ from, to }: { from: string; to: string }) => `${title.get(from)} -> ${title.get(to)}`).sort(), truncated]
    }
    expect(await graph(app.token)).toEqual([['raw/orders -> shop.load', 'shop.load -> orders', 'shop.load -> refunds'], false])
    expect(await graph(app.token, '&limit=3')).toEqual([['raw/orders -> orders', 'raw/orders -> refunds'], true])
    expect(await graph(viewer.token)).toEqual([['raw/orders -> shop.load', 'shop.load -> orders'], false])
    // A manual edge stays beside the job, and a job the caller may not see is left out.
    await app.call('POST', '/lineage/manual', { body: { from_entity: raw.id, to_entity: orders.id, direction: 'DOWNSTREAM' } })
    expect((await graph(app.token))[0]).toContain('raw/orders -> orders')
    await app.call('PATCH', `/resource/all/${job.id}`, { body: { published: false } })
    expect((await graph(viewer.token))[0]).toEqual(['raw/orders -> orders'])
    expect((await app.call('GET', `/resource/all/${job.id}/runs`, { token: viewer.token })).status).toBe(404)
  })

  test('is the same after repeated, reordered or partial events, and repeating it writes nothing', async () => {
    await using app = await createTestApp()
    const runId = newId()
    const { inputs, outputs } = loaded()
    const events = [
      createOpenLineageEvent({ type: 'START', time: '2026-01-02T01:00:00Z', runId, inputs }),
      createOpenLineageEvent({ type: 'RUNNING', time: '2026-01-02T01:30:00Z', runId }),
      createOpenLineageEvent({ type: 'COMPLETE', time: '2026-01-02T02:00:00Z', runId, inputs, outputs }),
    ]
    for (const event of events.toReversed()) await send(app, event)
    const state = { state: 'COMPLETED', started_at: '2026-01-02T01:00:00.000Z', ended_at: '2026-01-02T02:00:00.000Z' }
    expect((await find(app, runId, 'run')).display_metadata).toMatchObject(state)
    expect(await listFlows(app)).toEqual(EDGES)
    const before = await countRows(app)
    for (const event of [...events, ...events.toReversed()]) await send(app, event)
    expect(await countRows(app)).toBe(before)
    expect((await find(app, runId, 'run')).display_metadata).toMatchObject(state)
    expect(await app.db.selectFrom('openlineage_flows').select('resource_id').execute()).toHaveLength(2) // the job and the run
  })

  test('concurrent events of a run create one run', async () => {
    await using app = await createTestApp()
    const runId = newId()
    const types = ['START', 'RUNNING', 'COMPLETE', 'OTHER', 'RUNNING']
    await Promise.all([
      ...types.map((type) => send(app, loaded({ runId, type }))),
      ...[1, 2, 3].map((i) => send(app, loaded({ name: `other ${i}`, runId: newId() }))),
    ])
    expect(await find(app, runId, 'run')).toMatchObject({ display_metadata: { state: 'COMPLETED' } })
    expect([...new Set(await listFlows(app))]).toEqual(EDGES)
  })

  test('updates lineage when it completes; a failed run records its error only', async () => {
    await using app = await createTestApp()
    await send(app, loaded())
    const runId = newId()
    const other = { inputs: [createDataset(LAKE, 'other')], outputs: [createDataset('snowflake://acme', 'shop.public.orders')] }
    await send(app, createOpenLineageEvent({ type: 'FAIL', runId, runFacets: FACETS.errorMessage('Out of memory.'), ...other }))
    expect((await find(app, runId, 'run')).display_metadata).toMatchObject({ state: 'FAILED', error: 'Out of memory.' })
    expect(await listFlows(app)).toEqual(EDGES)
    await send(app, createOpenLineageEvent({ type: 'START', ...other }))
    expect(await listFlows(app)).toEqual([...EDGES, 's3://lake.other -> shop.public.orders table'].sort())
    await send(app, createOpenLineageEvent({ ...other }))
    expect(await listFlows(app)).toEqual(['s3://lake.other -> shop.public.orders table'])
    // A late event does not replace the last run.
    await send(app, createOpenLineageEvent({ type: 'FAIL', time: '2025-01-01T00:00:00Z' }))
    expect((await find(app, 'shop.load', 'job')).display_metadata.last_run.state).toBe('COMPLETED')
  })

  test('creates columns named only in column lineage', async () => {
    await using app = await createTestApp()
    const lineage = FACETS.columnLineage({ b: { inputFields: [{ namespace: LAKE, name: 'from', field: 'a' }] } })
    await send(app, createOpenLineageEvent({ outputs: [createDataset(LAKE, 'to', lineage)] }))
    expect(await listFlows(app)).toEqual(['s3://lake.from -> s3://lake.to table', 's3://lake.from.a -> s3://lake.to.b expression'])
  })

  test('links the job itself when inputs or outputs are missing', async () => {
    await using app = await createTestApp()
    await send(app, createOpenLineageEvent({ name: 'export', inputs: [createDataset(LAKE, 'a')] }))
    await send(app, createOpenLineageEvent({ name: 'ingest', outputs: [createDataset(LAKE, 'a')] }))
    expect(await listFlows(app)).toEqual(['airflow.ingest -> s3://lake.a table', 's3://lake.a -> airflow.export table'])
  })

  test('keeps only the last fifty runs', async () => {
    await using app = await createTestApp()
    const events = Array.from({ length: 61 }, (_, i) =>
      createOpenLineageEvent({ time: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString() }),
    )
    await send(app, events, '/lineage/batch')
    const job = await find(app, 'shop.load', 'job')
    expect(job.children_count).toBe(50)
    await find(app, events[60]!.run.runId, 'run')
    const { rows } = await sql`select from resources where title = ${events[0]!.run.runId}`.execute(app.db)
    expect(rows).toEqual([])
    // Sent again, deleted runs are created again.
    await send(app, events[0])
    await app.call('DELETE', `/resource/all/${job.id}`)
    await send(app, events[60])
    expect((await find(app, 'shop.load', 'job')).children_count).toBe(1)
  })
})

describe('edits by users', () => {
  test('stay when events report something else, or nothing', async () => {
    await using app = await createTestApp()
    const sendDescription = (text?: string) =>
      send(
        app,
        createOpenLineageEvent({
          jobFacets: text ? FACETS.documentation(text) : {},
          outputs: [createDataset(LAKE, 'a', text ? FACETS.documentation(text) : {})],
        }),
      )
    await sendDescription('One.')
    await sendDescription()
    await sendDescription('Two.')
    expect((await find(app, 'a')).description).toBe('Two.')
    const { id } = await find(app, 'shop.load', 'job')
    await app.call('PATCH', `/resource/all/${id}`, { body: { description: 'By a person.' } })
    await sendDescription('Three.')
    await sendDescription()
    expect((await find(app, 'shop.load', 'job')).description).toBe('By a person.')
    expect((await find(app, 'a')).description).toBe('Three.')
    expect((await app.call('GET', `/resource/all/${id}/provenance`)).body).toContainEqual({
      ...{ field: 'description', by: 'person', value: 'By a person.' },
      ...{ source: 'openlineage', source_value: 'Three.' },
    })
  })
})

describe('a dataset that is in the catalog', () => {
  test('is matched to the table on the same server', async () => {
    await using app = await createTestApp()
    await using source = await createPostgresSource(
      'create table raw_orders (id int)',
      'create table orders (id int, note text)',
      "comment on table orders is 'As the warehouse says.'",
    )
    const warehouse = await createTestIntegration(app, 'postgres', source.credentials)
    await runSync(app, warehouse)
    const { host, port } = source.credentials
    const at = `postgres://${host}:${port}`
    const [raw, orders] = [`${source.name}.public.raw_orders`, `${source.name}.public.orders`]
    const lineage = FACETS.columnLineage({
      id: { inputFields: [{ namespace: at, name: raw, field: 'id' }], transformationType: 'IDENTITY' },
    })
    await send(
      app,
      createOpenLineageEvent({
        inputs: [createDataset(at, raw, FACETS.documentation('Raw.'))],
        outputs: [
          createDataset('s3://lake', 'orders', {
            ...FACETS.symlinks(at, orders),
            ...FACETS.documentation('Else.'),
            ...FACETS.schema([{ name: 'note', description: 'A word.' }]),
            ...lineage,
          }),
        ],
      }),
    )
    expect(await listFlows(app)).toEqual([`${raw} -> ${orders} table`, `${raw}.id -> ${orders}.id identity`])
    expect(await find(app, 'raw_orders')).toMatchObject({ integration: warehouse, description: 'Raw.' })
    expect(await find(app, 'orders')).toMatchObject({ integration: warehouse, description: 'As the warehouse says.' })
    expect((await find(app, 'note', 'column')).description).toBe('A word.')
    // On another server it is another table.
    await send(app, createOpenLineageEvent({ name: 'elsewhere', outputs: [createDataset('postgres://elsewhere:5432', orders)] }))
    const { rows } = await sql`select from resources where title = 'orders' and entity_type = 'table'`.execute(app.db)
    expect(rows).toHaveLength(2)
  })

  test('is not matched if the caller cannot see the table or several match', async () => {
    await using app = await createTestApp()
    const team = await app.createTeam(true)
    const table = async (title: string, teams: string[]) => {
      const { body } = await app.call('POST', '/integration/integrations', { body: { name: title } })
      const database = await app.createResource({ title: 'shop', entity_type: 'database', integration: body.id })
      return app.createResource({ title, parent: database.id, integration: body.id, teams })
    }
    const [hidden] = [await table('hidden', [team]), await table('twice', []), await table('twice', [])]
    const seen = await table('seen', [])
    const editor = await app.createUser('editor')
    const outputs = ['hidden', 'twice', 'seen'].map((name) => createDataset('mysql://db:3306', `shop.${name}`))
    const response = await app.call('POST', '/lineage', {
      token: editor.token,
      body: createOpenLineageEvent({ inputs: [createDataset(LAKE, 'x')], outputs }),
    })
    expect(response.status).toBe(201)
    const { rows } = await sql<{ title: string; n: number }>`
      select title, count(*) as n from resources where entity_type = 'table' and database = 'shop' group by 1 order by 1
    `.execute(app.db)
    expect(rows).toEqual([
      { title: 'hidden', n: 2 },
      { title: 'seen', n: 1 },
      { title: 'twice', n: 3 },
    ])
    const { rows: ends } = await sql<{ downstream: string }>`select downstream from lineage_edges`.execute(app.db)
    expect(ends.map(({ downstream }) => downstream)).toContain(seen.id)
    expect(ends.map(({ downstream }) => downstream)).not.toContain(hidden!.id)
  })
})

describe('accepted requests', () => {
  test('job and dataset events', async () => {
    await using app = await createTestApp()
    const { job, inputs, outputs } = loaded({ name: 'as written' })
    const rest = {
      eventTime: '2026-01-02T03:04:05Z',
      producer: 'https://example.com',
      schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
    }
    await send(app, { ...rest, job, inputs, outputs })
    expect(await listFlows(app)).toEqual(EDGES)
    await find(app, 'as written', 'job')
    const created = createDataset(
      'hive',
      'shop.days',
      {
        ...FACETS.schema([{ name: 'place', type: 'struct', fields: [{ name: 'city', type: 'string' }] }]),
        ...FACETS.columnLineage({ place: { inputFields: [input('id')] } }),
      },
      { inputFacets: FACETS.dataQualityMetrics(3) },
    )
    await send(app, { ...rest, dataset: created })
    expect(await find(app, 'days')).toMatchObject({ title_full: 'shop.days', row_count: 3, byte_size: 512 })
    expect((await find(app, 'city', 'column')).title_full).toBe('shop.days.place.city')
    expect(await listFlows(app)).toContain('s3://lake.raw/orders -> shop.days table')
  })

  test('an event, a list, or an object with a list; all or nothing', async () => {
    await using app = await createTestApp()
    await send(app, [createOpenLineageEvent({ name: 'a' }), createOpenLineageEvent({ name: 'b' })])
    await send(app, { events: [createOpenLineageEvent({ name: 'c' })] })
    await send(app, [createOpenLineageEvent({ name: 'd' })], '/lineage/batch')
    for (const name of ['a', 'b', 'c', 'd']) await find(app, name, 'job')
    const wrong = await app.call('POST', '/lineage/batch', {
      body: [createOpenLineageEvent({ name: 'e' }), { ...createOpenLineageEvent(), job: { namespace: 'x' } }],
    })
    expect([wrong.status, wrong.body.errors]).toEqual([400, { '[1].job.name': ['is required.'] }])
    expect((await sql`select from resources where title = 'e'`.execute(app.db)).rows).toEqual([])
  })

  test('events of older clients: times without a zone, the old name of the parent, and test results', async () => {
    await using app = await createTestApp()
    const parent = { job: { namespace: 'airflow', name: 'shop' }, run: { runId: newId() } }
    const tested = createDataset(
      'bigquery',
      'shop.sales.orders',
      {},
      {
        inputFacets: { dataQualityAssertions: { assertions: [{ assertion: 'unique', column: 'id', success: false }] } },
      },
    )
    const event = createOpenLineageEvent({ name: 'shop.tests', time: '2026-01-02T03:04:05.678901', inputs: [tested], outputs: [] })
    const test = { tests: [{ name: 'not_null_orders_id', status: 'pass', severity: 'error' }] }
    await send(app, { ...event, run: { ...event.run, facets: { parentRun: parent, test } } })
    expect((await find(app, event.run.runId, 'run')).display_metadata).toMatchObject({
      ended_at: '2026-01-02T03:04:05.678Z',
      parent: { name: 'shop', namespace: 'airflow', run_id: parent.run.runId },
      checks: [
        { name: 'unique', column: 'id', passed: false },
        { name: 'not_null_orders_id', passed: true },
      ],
    })
  })

  test('newer facets: tags, types, column positions, job lineage, root run', async () => {
    await using app = await createTestApp()
    const tags = (...all: object[]) => ({ tags: { _producer: 'x', _schemaURL: 'x', tags: all } })
    const event = createOpenLineageEvent({
      ...{ name: 'shop.sum', inputs: [createDataset(LAKE, 'raw', { version: { datasetVersion: '7' } })] },
      outputs: [
        createDataset(LAKE, 'sums', {
          ...tags({ key: 'pii', value: 'true' }, { key: 'tier', value: 'gold' }, { key: 'secret', value: 'true', field: 'b' }),
          ...{ datasetType: { datasetType: 'VIEW', subType: 'MATERIALIZED' }, lifecycleStateChange: { lifecycleStateChange: 'OVERWRITE' } },
          ...FACETS.schema([{ name: 'b', ordinal_position: 2 } as never, { name: 'a', ordinal_position: 1 } as never]),
        }),
      ],
      jobFacets: {
        ...tags({ key: 'daily', value: 'daily', source: 'AIRFLOW' }, { key: '', value: 'x' }, { value: 5 }),
        lineage: {
          lineage: [
            {
              ...{ namespace: LAKE, name: 'sums', type: 'DATASET', inputs: [{ namespace: LAKE, name: 'rates', type: 'DATASET' }] },
              fields: {
                a: {
                  inputs: [
                    {
                      namespace: LAKE,
                      name: 'raw',
                      type: 'DATASET',
                      field: 'x',
                      transformations: [{ type: 'DIRECT', subtype: 'IDENTITY' }],
                    },
                  ],
                },
              },
            },
            { namespace: 'airflow', name: 'shop.sum', type: 'JOB', inputs: [] },
            { namespace: LAKE },
          ],
        },
      },
      runFacets: {
        parent: { ...FACETS.parent(newId(), 'shop').parent, root: { run: { runId: newId() }, job: { namespace: 'airflow', name: 'all' } } },
      },
    })
    await send(app, event)
    const named = async (title: string, kind?: string) => {
      const { tags, ...rest } = await find(app, title, kind)
      const names = await app.db.selectFrom('tags').select(['id', 'name']).execute()
      return { ...rest, tags: (tags as string[]).map((id) => names.find((tag) => tag.id === id)?.name).sort() }
    }
    expect(await named('sums')).toMatchObject({
      ...{ native_type: 'materialized view', tags: ['pii', 'tier:gold'], display_metadata: { last_change: 'overwrite' } },
    })
    expect(await named('b', 'column')).toMatchObject({ tags: ['secret'], sort_order: 2 })
    expect(await named('shop.sum', 'job')).toMatchObject({ tags: ['daily'] })
    expect((await find(app, event.run.runId, 'run')).display_metadata.parent).toMatchObject({ name: 'shop', root: 'all' })
    expect(await listFlows(app)).toEqual([
      's3://lake.rates -> s3://lake.sums table',
      's3://lake.raw -> s3://lake.sums table',
      's3://lake.raw.x -> s3://lake.sums.a identity',
    ])
    const before = await countRows(app)
    await send(app, event)
    expect(await countRows(app)).toBe(before)
  })

  test('a dropped dataset becomes stale until it is reported again', async () => {
    await using app = await createTestApp()
    const temporary = (change: string) =>
      createDataset(LAKE, 'tmp', { ...FACETS.schema([{ name: 'a' }]), lifecycleStateChange: { lifecycleStateChange: change } })
    const stale = async () => [(await find(app, 'tmp')).stale, (await find(app, 'a', 'column')).stale]
    await send(app, createOpenLineageEvent({ name: 'make', inputs: [createDataset(LAKE, 'x')], outputs: [temporary('CREATE')] }))
    await send(app, createOpenLineageEvent({ name: 'drop', type: 'START', outputs: [temporary('DROP')] }))
    expect(await stale()).toEqual([false, false])
    const event = createOpenLineageEvent({ name: 'drop', outputs: [temporary('DROP'), { ...temporary('DROP'), name: 'never heard of' }] })
    await send(app, event)
    expect(await stale()).toEqual([true, true])
    const before = await countRows(app)
    await send(app, event)
    expect(await countRows(app)).toBe(before)
    await send(app, createOpenLineageEvent({ name: 'make', inputs: [createDataset(LAKE, 'x')], outputs: [temporary('CREATE')] }))
    expect(await stale()).toEqual([false, false])
  })

  test('records check results as measurements, and opens an incident on failure', async () => {
    await using app = await createTestApp()
    const assertions = [
      { assertion: 'not_null', column: 'id', success: false, severity: 'error' },
      { assertion: 'row_count', name: 'enough_rows', success: false, severity: 'warn' },
      { assertion: 'broken' },
    ]
    const checked = createDataset(LAKE, 'orders', FACETS.schema([{ name: 'id' }]), {
      inputFacets: { dataQualityAssertions: { assertions } },
    })
    const jobFacets = { jobType: { integration: { toString: 1 } } } // facets can contain anything
    await send(app, createOpenLineageEvent({ name: 'checks', inputs: [checked], jobFacets, time: '2026-01-02T03:00:00Z' }))
    const { rows } = await sql<{ payload: CheckResults }>`
      select p.payload from graphile_worker._private_jobs p join graphile_worker._private_tasks t on t.id = p.task_id where t.identifier = ${CHECK_RESULTS_TASK}
    `.execute(app.db)
    expect(rows).toHaveLength(1)
    const [orders, id] = [await find(app, 'orders'), await find(app, 'id', 'column')]
    await recordCheckResults(app.ctx, rows[0]!.payload)
    await recordCheckResults(app.ctx, rows[0]!.payload) // recorded once, even if processed twice
    const { results } = (await app.call('GET', '/monitor/monitors')).body
    expect(
      results.map(({ name, target, last_measurement_value }: Record<string, unknown>) => [name, target, last_measurement_value]).sort(),
    ).toEqual([
      ['enough_rows', orders.id, 0],
      ['not_null', id.id, 1],
    ])
    expect((await app.call('GET', '/monitor/incidents')).body.results).toMatchObject([{ status: 'active', value: 1 }])
    for (const { id } of results) expect((await app.call('GET', `/monitor/measurements?monitor=${id}`)).body.count).toBe(1)
    // dbt reports its tests with its artifacts: its events do not create a second monitor.
    await sql`update monitors set key = 'dbt:x' where target = ${orders.id}`.execute(app.db)
    await recordCheckResults(app.ctx, { ...rows[0]!.payload, by_dbt: true })
    expect((await app.call('GET', '/monitor/monitors')).body.count).toBe(2)
  })

  test('compressed events', async () => {
    await using app = await createTestApp()
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const body = gzipSync(JSON.stringify(loaded()))
    expect((await app.call('POST', '/lineage', { headers, body })).status).toBe(201)
    expect(await listFlows(app)).toEqual(EDGES)
    for (const broken of [body.subarray(0, 50), Buffer.from('{}')]) {
      const response = await app.call('POST', '/lineage', { headers, body: broken })
      expect([response.status, response.body.detail]).toEqual([400, 'The body is not valid gzip or is incomplete.'])
    }
    const bomb = gzipSync(`[${' '.repeat(20 * 1024 * 1024)}]`)
    expect((await app.call('POST', '/lineage', { headers, body: bomb })).status).toBe(413)
    expect((await app.call('POST', '/lineage', { headers: { ...headers, 'content-encoding': 'br' }, body })).status).toBe(415)
  })

  test('events for a named integration', async () => {
    await using app = await createTestApp()
    const custom = await createTestIntegration(app, 'custom', {})
    expect(
      (await app.call('POST', `/lineage?integration=${custom.replaceAll('-', '').toUpperCase()}`, { body: createOpenLineageEvent() }))
        .status,
    ).toBe(201)
    expect((await find(app, 'shop.load', 'job')).integration).toBe(custom)
    const rejected = async (integration: string, token?: string) => {
      const { status, body } = await app.call('POST', `/lineage?integration=${integration}`, {
        body: createOpenLineageEvent(),
        ...(token ? { token } : {}),
      })
      return [status, body.errors.integration[0].replace(integration, 'X')]
    }
    const none = [400, 'Integration X does not exist.']
    expect(await rejected(newId())).toEqual(none)
    expect(await rejected('none')).toEqual([400, 'must be a UUID.'])
    for (const path of ['/lineage/batch', '/integration/datahub/events'])
      expect((await app.call('POST', `${path}?integration=none`, { body: [] })).body.errors).toEqual({ integration: ['must be a UUID.'] })
    expect((await rejected(await createTestIntegration(app, 'dbt', {})))[0]).toBe(400)
    const hidden = await createTestIntegration(app, 'custom', {}, { teams: [await app.createTeam(true)] })
    expect(await rejected(hidden, (await app.createUser('editor')).token)).toEqual(none)
  })

  test('rejects invalid events with their position, without writing anything', async () => {
    await using app = await createTestApp()
    const good = createOpenLineageEvent()
    const before = await app.listActivities()
    for (const [body, spot] of [
      [{}, 'eventTime'],
      [{ ...good, eventTime: 'yesterday' }, 'eventTime'],
      [{ ...good, eventTime: 5 }, 'eventTime'],
      [{ ...good, eventType: 'BEGIN' }, 'eventType'],
      [{ ...good, run: { runId: 'seven' } }, 'run.runId'],
      [{ ...good, run: 'seven' }, 'run'],
      [{ ...good, job: undefined }, 'job'],
      [{ ...good, job: { namespace: '', name: 'x' } }, 'job.namespace'],
      [{ ...good, job: { namespace: 'x', name: 'y'.repeat(5000) } }, 'job.name'],
      [{ ...good, inputs: {} }, 'inputs'],
      [{ ...good, outputs: [createDataset('x', 'y'), { namespace: 'x' }] }, 'outputs[1].name'],
      [{ ...good, inputs: Array.from({ length: 1001 }, () => createDataset('x', 'y')) }, 'inputs'],
      [Array.from({ length: 1001 }, () => 1), 'body'],
      [{ events: [good, null] }, 'events[1]'],
      [{ ...good, job: { namespace: 'a\0b', name: 'x' } }, 'job.namespace'],
      [{ ...good, job: { namespace: '\ud800', name: 'x' } }, 'job.namespace'],
    ] as const) {
      const response = await app.call('POST', '/lineage', { body })
      expect([response.status, Object.keys(response.body.errors)]).toEqual([400, [spot]])
    }
    for (const body of ['"text"', '5', 'null']) expect((await app.call('POST', '/lineage', { body })).status).toBe(400)
    expect(await app.listActivities()).toEqual(before)
  })

  test('stores other facets unchanged within limits', async () => {
    await using app = await createTestApp()
    const runId = newId()
    const metrics = { rowCount: 10, columnMetrics: { id: { nullCount: 1, distinctCount: 9, min: 1, max: 10 } } }
    const event = createOpenLineageEvent({
      runId,
      type: 'FAIL',
      jobFacets: { jobType: { processingType: 'BATCH', integration: 'SPARK', emissionPolicy: 'PERIODIC' }, team_cost: { center: 42 } },
      runFacets: {
        externalQuery: { externalQueryId: 'bq-job-1', source: 'bigquery' },
        extractionError: { totalTasks: 2, failedTasks: 1, errors: [{ errorMessage: 'no plan' }] },
        environmentVariables: { environmentVariables: [{ name: 'REGION', value: 'eu' }] },
        tags: { tags: [{ key: 'tier', value: 'gold', source: 'CONFIG' }] },
        errorMessage: { message: 'Out of memory.', programmingLanguage: 'JAVA', stackTrace: 'at A\nat B' },
        huge: { text: Array.from({ length: 20 }, () => 'x'.repeat(9_000)) },
        ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`zz${i}`, { i }])),
      },
      inputs: [
        createDataset(
          LAKE,
          'a',
          { hierarchy: { hierarchy: [{ type: 'DATABASE', name: 'lake' }] } },
          { inputFacets: { dataQualityMetrics: metrics } },
        ),
      ],
      outputs: [createDataset(LAKE, 'b', {}, { outputFacets: { subset: { outputCondition: { type: 'partition' } } } })],
    })
    await send(app, event)
    const { display_metadata: run, tags: runTags } = await find(app, runId, 'run')
    expect((await app.call('GET', `/tag/${runTags[0]}`)).body.name).toBe('tier:gold')
    expect(run).toMatchObject({
      error: 'Out of memory.',
      external_query: { id: 'bq-job-1', source: 'bigquery' },
      facets: {
        externalQuery: { externalQueryId: 'bq-job-1', source: 'bigquery' },
        extractionError: { failedTasks: 1 },
        environmentVariables: { environmentVariables: [{ name: 'REGION', value: 'eu' }] },
        tags: { tags: [{ key: 'tier', value: 'gold' }] },
        errorMessage: { stackTrace: 'at A\nat B' },
        huge: { _omitted: true, bytes: expect.any(Number) },
        zz0: { i: 0 },
      },
    })
    expect(Object.keys(run.facets)).toHaveLength(50)
    expect((await find(app, 'shop.load', 'job')).display_metadata).toMatchObject({
      tool: 'SPARK',
      facets: { jobType: { emissionPolicy: 'PERIODIC' }, team_cost: { center: 42 } },
    })
    expect((await find(app, 'a')).display_metadata.facets).toEqual({ hierarchy: { hierarchy: [{ type: 'DATABASE', name: 'lake' }] } })
    expect((await find(app, 'b')).display_metadata.facets).toEqual({ subset: { outputCondition: { type: 'partition' } } })

    // Another event adds facets and deletes one; repeating it writes nothing.
    const later = createOpenLineageEvent({
      runId,
      jobFacets: { owner_note: { text: 'x' }, team_cost: { _deleted: true } },
      inputs: [createDataset(LAKE, 'a', { lease: { days: 3 } })],
    })
    await send(app, later)
    expect((await find(app, 'shop.load', 'job')).display_metadata.facets).toEqual({
      jobType: { emissionPolicy: 'PERIODIC', integration: 'SPARK', processingType: 'BATCH' },
      owner_note: { text: 'x' },
    })
    expect(Object.keys((await find(app, 'a')).display_metadata.facets).sort()).toEqual(['hierarchy', 'lease'])
    const stamp = async () => (await find(app, 'shop.load', 'job')).updated_at
    const before = await stamp()
    await send(app, later)
    expect(await stamp()).toBe(before)
  })

  test('accepts facets of any shape', async () => {
    await using app = await createTestApp()
    const unusualFacets = [
      null,
      5,
      'x',
      [],
      {},
      { fields: 5 },
      { fields: [null, 5, { name: 7 }, { name: 'x', type: [] }] },
      { fields: { x: null, y: { inputFields: [1, {}] } } },
    ]
    const names = [
      'schema',
      'columnLineage',
      'documentation',
      'ownership',
      'symlinks',
      'sql',
      'parent',
      'nominalTime',
      'errorMessage',
      'outputStatistics',
      'storage',
    ]
    for (const facet of unusualFacets) {
      const facets = Object.fromEntries(names.map((name) => [name, facet]))
      await send(
        app,
        createOpenLineageEvent({
          runFacets: facets,
          jobFacets: facets,
          outputs: [{ ...createDataset(LAKE, 'x', facets), outputFacets: facets, inputFacets: facet }],
        }),
      )
    }
    const long = 'n'.repeat(3000)
    await send(
      app,
      createOpenLineageEvent({
        namespace: long,
        name: long,
        outputs: [createDataset(long, long), createDataset('postgres://h', 'a..b'), createDataset('"; drop', '🐘.\n.x')],
      }),
    )
    await send(app, createOpenLineageEvent({ inputs: [createDataset(LAKE, 'x')], outputs: [createDataset(LAKE, 'x')] }))
  })

  test('requires a token that may write', async () => {
    await using app = await createTestApp()
    expect((await app.call('POST', '/lineage', { body: createOpenLineageEvent(), token: null })).status).toBe(401)
    const [viewer, editor] = await Promise.all([app.createUser('viewer'), app.createUser('editor')])
    expect((await app.call('POST', '/lineage', { body: createOpenLineageEvent(), token: viewer.token })).status).toBe(403)
    expect((await app.call('POST', '/lineage', { body: createOpenLineageEvent(), token: editor.token })).status).toBe(201)
    expect((await app.call('GET', '/lineage')).status).toBe(405)
  })
})

test('withdraws its values and lineage when the integration is deleted', async () => {
  await using app = await createTestApp()
  const database = await app.createResource({ title: 'shop', entity_type: 'database' })
  const schema = await app.createResource({ title: 'public', entity_type: 'schema', parent: database.id })
  for (const title of ['raw', 'orders']) await app.createResource({ title, entity_type: 'table', parent: schema.id })
  const words = FACETS.documentation('As the job says.')
  const [from, to] = ['raw', 'orders'].map((title) => createDataset('postgres://db:5432', `shop.public.${title}`, words))
  await send(app, createOpenLineageEvent({ namespace: 'short', inputs: [from!], outputs: [to!] }))
  expect(await listFlows(app)).toEqual(['shop.public.raw -> shop.public.orders table'])
  expect((await find(app, 'orders')).description).toBe('As the job says.')
  const raw = await find(app, 'raw')
  await app.call('PATCH', `/resource/all/${raw.id}`, { body: { description: 'As I say.' } })
  const { body } = await app.call('GET', '/integration/integrations?type=openlineage')
  expect((await app.call('DELETE', `/integration/integrations/${body.results[0].id}`)).status).toBe(204)
  expect(await listFlows(app)).toEqual([])
  expect([(await find(app, 'orders')).description, (await find(app, 'raw')).description]).toEqual([null, 'As I say.'])
})

test('merges datasets into tables of a warehouse connected later, with edits by users', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource('create table orders (id int)')
  const name = `${source.name}.public.orders`
  const { host, port } = source.credentials
  const event = () =>
    createOpenLineageEvent({
      inputs: [createDataset(LAKE, 'x')],
      outputs: [createDataset(`postgres://${host}:${port}`, name, FACETS.schema([{ name: 'id' }]))],
    })
  await send(app, event())
  const own = await find(app, 'orders')
  await app.call('PATCH', `/resource/all/${own.id}`, { body: { description: 'By a person.' } })
  const warehouse = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, warehouse)
  await send(app, event())
  expect((await app.call('GET', `/resource/all/${own.id}`)).body).toMatchObject({ archived: true, stale: true })
  const { rows } = await sql<{
    description: string
  }>`select description from resources where title = 'orders' and integration = ${warehouse}`.execute(app.db)
  expect(rows).toEqual([{ description: 'By a person.' }])
  const { rows: edges } = await sql<{
    integration: string
  }>`select d.integration from lineage_edges e join resources d on d.id = e.downstream`.execute(app.db)
  expect(edges).toEqual([{ integration: warehouse }])
})

test('a batch that times out saves nothing and can be repeated', async () => {
  await using app = await createTestApp()
  await using shortTimeout = await app.createInstance({ requestTimeoutMs: 1_500 })
  const [first, second] = [createOpenLineageEvent({ name: 'first' }), createOpenLineageEvent({ name: 'second' })]
  await send(app, createOpenLineageEvent({ name: 'zeroth' }))
  const { rows } = await sql<{ id: string }>`select id from integrations where name = 'airflow'`.execute(app.db)
  const blocked = await app.db.transaction().execute(async (db) => {
    await lockJobs(db, [{ integration: rows[0]!.id, key: jobKey({ namespace: 'airflow', name: 'second' }) }])
    return shortTimeout.call('POST', '/lineage/batch', { body: [first, second] })
  })
  expect(blocked).toMatchObject({
    status: 503,
    body: { detail: 'The request timed out and was rolled back. No changes were saved.' },
  })
  await send(app, [first, second], '/lineage/batch')
  await find(app, 'first', 'job')
  await find(app, 'second', 'job')
})

describe('events of one transaction', () => {
  test('have the same result as one by one, in batches and from concurrent requests', async () => {
    await using app = await createTestApp()
    const named = await Promise.all(['one by one', 'batch', 'concurrent'].map((name) => createCustomIntegration(app, name)))
    const events = createMixedEvents()
    for (const event of events) await send(app, event, `/lineage?integration=${named[0]}`)
    await send(app, events, `/lineage/batch?integration=${named[1]}`)
    // One run after the other, so that only the order between jobs is left to chance.
    const byJob = [...Map.groupBy(events, ({ job }) => job.name).values()]
    await Promise.all(byJob.map((some) => send(app, some, `/lineage/batch?integration=${named[2]}`)))
    const [first, ...others] = await Promise.all(named.map((integration) => summarize(app, integration)))
    expect(first!.resources.length).toBeGreaterThan(20)
    expect(first!.edges.length).toBeGreaterThan(5)
    expect(others[0]).toEqual(first)
    expect(others[1]!.edges).toEqual(first!.edges)
  })

  test('a request that fails does not affect the others', async () => {
    await using app = await createTestApp()
    const responses = await Promise.all([
      ...[1, 2, 3].map((i) => app.call('POST', '/lineage', { body: createOpenLineageEvent({ name: `job ${i}` }) })),
      app.call('POST', `/lineage?integration=${newId()}`, { body: createOpenLineageEvent() }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 400])
    for (const i of [1, 2, 3]) await find(app, `job ${i}`, 'job')
  })
})

const createCustomIntegration = async (app: TestApp, name: string): Promise<string> =>
  (await app.call('POST', '/integration/integrations', { body: { name, type: 'custom' } })).body.id

/** Runs of a few jobs that share datasets, with starts and ends of overlapping runs, descriptions that change, and datasets that are dropped. */
const createMixedEvents = () => {
  const time = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
  const runs = Array.from({ length: 12 }, () => newId())
  return runs.flatMap((runId, i) => {
    const [from, to] = [`raw/${i % 3}`, `made/${i % 2}`]
    const fields = FACETS.schema([
      { name: 'a', type: i % 4 === 0 ? 'int' : 'text', ...(i % 5 === 0 ? { description: `d${i}` } : {}) },
      { name: 'b' },
    ])
    const lineage = FACETS.columnLineage({ a: { inputFields: [{ namespace: LAKE, name: from, field: i % 2 === 0 ? 'a' : 'b' }] } })
    const dropped = i === 7 ? { lifecycleStateChange: { lifecycleStateChange: 'DROP' } } : {}
    const about = {
      runId,
      name: `job ${i % 4}`,
      jobFacets: i % 3 === 0 ? FACETS.documentation(`Version ${i}.`) : {},
      inputs: [createDataset(LAKE, from, fields)],
      outputs: [createDataset(LAKE, to, { ...fields, ...lineage, ...dropped })],
    }
    const type = i % 6 === 5 ? 'FAIL' : 'COMPLETE'
    return [
      createOpenLineageEvent({ ...about, type: 'START', time: time(2 * i), outputs: [] }),
      createOpenLineageEvent({ ...about, type, time: time(2 * i + 3), runFacets: FACETS.nominalTime() }),
    ]
  })
}

/** What a caller sees of an integration, without IDs. */
const summarize = async (app: TestApp, integration: string) => {
  const { rows: resources } = await sql<{ key: string; stale: boolean }>`
    select r.databuilder_id as key, p.databuilder_id as parent, r.entity_type, r.native_type, r.description, r.stale, r.children_count,
      r.external_updated_at, r.display_metadata, r.details
    from resources r left join resources p on p.id = r.parent where r.integration = ${integration} order by r.databuilder_id
  `.execute(app.db)
  const { rows: edges } = await sql`
    select u.databuilder_id as upstream, d.databuilder_id as downstream, e.kind
    from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
    where d.integration = ${integration} order by 1, 2, 3
  `.execute(app.db)
  return { resources, edges }
}

test('columns that events change are in the schema history and counted by a schema monitor', async () => {
  await using app = await createTestApp()
  const write = (...names: string[]) =>
    send(
      app,
      createOpenLineageEvent({
        outputs: [createDataset('snowflake://acme', 'shop.public.orders', FACETS.schema(names.map((name) => ({ name, type: 'NUMBER' }))))],
      }),
    )
  await write('id', 'total')
  const { id } = await find(app, 'orders')
  const { body: monitor } = await app.call('POST', '/monitor/monitors', { body: { target: id, metric_type: 'schema' } })
  await write('id', 'total', 'tax') // allowed unless rules say otherwise
  const run = async () => {
    await app.call('POST', '/monitor/monitors/run', { body: { monitors: [monitor.id] } })
    await runPartitions({ ...app.ctx, now: new Date() })
    return (await app.call('GET', `/monitor/monitors/${monitor.id}`)).body
  }
  expect(await run()).toMatchObject({ status: 'normal', last_measurement_value: 0 })
  const change = createOpenLineageEvent({
    outputs: [
      createDataset('snowflake://acme', 'shop.public.orders', {
        ...FACETS.schema([
          { name: 'id', type: 'VARCHAR' },
          { name: 'total', type: 'NUMBER' },
          { name: 'tax', type: 'NUMBER' },
        ]),
      }),
    ],
  })
  await send(app, change)
  expect(await run()).toMatchObject({ status: 'incident', last_measurement_value: 1 })
  const { body: history } = await app.call('GET', `/table/tables/${id}/schema_history`)
  expect(history.results[0]).toMatchObject({ changes: [{ kind: 'retyped', column: 'id', from: 'NUMBER', to: 'VARCHAR' }] })
})
