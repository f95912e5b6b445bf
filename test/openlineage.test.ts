import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { recordChecks } from '../src/monitors/tests.ts'
import { CHECKS_TASK, type ChecksTold } from '../src/openlineage/checks.ts'
import { jobKey } from '../src/openlineage/names.ts'
import { lockJob } from '../src/openlineage/store.ts'
import { aHouse, type House } from './house.ts'
import { anEvent, dataset, FACETS } from './openlineage.ts'
import { aPostgres, connectTo, sync } from './sources.ts'

const send = async (house: House, event: unknown, path = '/lineage') => {
  const answer = await house.call('POST', path, { body: event })
  expect([answer.status, answer.text]).toEqual([path.includes('batch') ? 200 : 201, path.includes('batch') ? expect.any(String) : ''])
}

const find = async (house: House, title: string, entity_type = 'table') => {
  const { rows } = await sql<{ id: string }>`select id from resources where title = ${title} and entity_type = ${entity_type}`.execute(
    house.db,
  )
  expect([title, rows.length]).toEqual([title, 1])
  return (await house.call('GET', `/resource/all/${rows[0]!.id}`)).body
}

const flows = async (house: House) => {
  const { rows } = await sql<{ flow: string }>`
    select u.title_full || ' -> ' || d.title_full || ' ' || e.kind as flow from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
  `.execute(house.db)
  return rows.map(({ flow }) => flow).sort()
}
const count = async (house: House) =>
  (
    await sql<{
      n: number
    }>`select (select count(*) from activities) + (select sum(extract(epoch from updated_at)) from resources)::float8 as n`.execute(
      house.db,
    )
  ).rows[0]!.n

const LAKE = 's3://lake'
const input = (column: string, type = 'DIRECT', subtype = 'IDENTITY') => ({
  ...{ namespace: LAKE, name: 'raw/orders', field: column },
  transformations: [{ type, subtype, description: '', masking: false }],
})
const loaded = (more: object = {}) =>
  anEvent({
    inputs: [
      dataset(
        LAKE,
        'raw/orders',
        FACETS.schema([
          { name: 'id', type: 'int' },
          { name: 'cents', type: 'int' },
        ]),
      ),
    ],
    outputs: [
      dataset(
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
    await using house = await aHouse()
    await house.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', house.ctx.actor.user_id!).execute()
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
    await send(house, anEvent({ type: 'START', time: '2026-01-02T03:00:00Z', runId, runFacets, jobFacets }))
    expect((await find(house, runId, 'run')).display_metadata).toMatchObject({ state: 'RUNNING', started_at: '2026-01-02T03:00:00.000Z' })
    await send(house, loaded({ runId }))
    const job = await find(house, 'shop.load', 'job')
    expect(job).toMatchObject({ description: 'Loads orders.', owners: [house.ctx.actor.user_id], children_count: 1 })
    expect(job.display_metadata).toMatchObject({
      ...{ tool: 'AIRFLOW', processing: 'BATCH', sql: 'insert into orders select 1' },
      last_run: { state: 'COMPLETED', started_at: '2026-01-02T03:00:00.000Z', ended_at: '2026-01-02T02:04:05.678Z' },
    })
    expect((await find(house, runId, 'run')).display_metadata).toEqual({
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
    const orders = await find(house, 'orders')
    expect(orders).toMatchObject({ title_full: 'shop.public.orders', children_count: 2 })
    expect(orders.display_metadata).toMatchObject({ namespace: 'snowflake://acme', storage: { layer: 'iceberg', format: 'parquet' } })
    expect(await find(house, 'total', 'column')).toMatchObject({ native_type: 'NUMBER', sort_order: 2 })
    expect(await flows(house)).toEqual(EDGES)
    const { body: integrations } = await house.call('GET', '/integration/integrations?type=openlineage')
    expect(integrations.results).toMatchObject([{ name: 'airflow', resource_count: 12 }])
    const logs = (await house.call('GET', `/activity_log/resource_logs/?resource_id=${job.id}`)).body
    expect(logs.version_histories).toMatchObject([{ performer_type: 'INTEGRATION', performer_id: null }])
  })

  test('has job lineage, and the evidence of an edge names the job', async () => {
    await using house = await aHouse()
    await send(house, loaded({ runId: newId() }))
    const job = await find(house, 'shop.load', 'job')
    const graph = async (more = '') => (await house.call('GET', `/lineage/graph?resource_id=${job.id}${more}`)).body
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
    expect((await house.call('GET', `/ui/resource/${job.id}`)).body.tabs).toMatchObject({ upstream: 1, downstream: 1 })
    const [, input, output] = nodes
    const { body } = await house.call('GET', `/lineage/path?from=${input.id}&to=${output.id}`)
    expect(body.edges[0].evidence[0]).toMatchObject({ dialect: 'openlineage', job: job.id })
  })

  test('is the same after repeated, reordered or partial events, and repeating it writes nothing', async () => {
    await using house = await aHouse()
    const runId = newId()
    const { inputs, outputs } = loaded()
    const events = [
      anEvent({ type: 'START', time: '2026-01-02T01:00:00Z', runId, inputs }),
      anEvent({ type: 'RUNNING', time: '2026-01-02T01:30:00Z', runId }),
      anEvent({ type: 'COMPLETE', time: '2026-01-02T02:00:00Z', runId, inputs, outputs }),
    ]
    for (const event of events.toReversed()) await send(house, event)
    const state = { state: 'COMPLETED', started_at: '2026-01-02T01:00:00.000Z', ended_at: '2026-01-02T02:00:00.000Z' }
    expect((await find(house, runId, 'run')).display_metadata).toMatchObject(state)
    expect(await flows(house)).toEqual(EDGES)
    const before = await count(house)
    for (const event of [...events, ...events.toReversed()]) await send(house, event)
    expect(await count(house)).toBe(before)
    expect((await find(house, runId, 'run')).display_metadata).toMatchObject(state)
    expect(await house.db.selectFrom('openlineage_flows').select('resource_id').execute()).toHaveLength(2) // the job, and the run that was started again
  })

  test('concurrent events of a run create one run', async () => {
    await using house = await aHouse()
    const runId = newId()
    const types = ['START', 'RUNNING', 'COMPLETE', 'OTHER', 'RUNNING']
    await Promise.all([
      ...types.map((type) => send(house, loaded({ runId, type }))),
      ...[1, 2, 3].map((i) => send(house, loaded({ name: `other ${i}`, runId: newId() }))),
    ])
    expect(await find(house, runId, 'run')).toMatchObject({ display_metadata: { state: 'COMPLETED' } })
    expect([...new Set(await flows(house))]).toEqual(EDGES)
  })

  test('updates lineage when it completes; a failed run records its error only', async () => {
    await using house = await aHouse()
    await send(house, loaded())
    const runId = newId()
    const other = { inputs: [dataset(LAKE, 'other')], outputs: [dataset('snowflake://acme', 'shop.public.orders')] }
    await send(house, anEvent({ type: 'FAIL', runId, runFacets: FACETS.errorMessage('Out of memory.'), ...other }))
    expect((await find(house, runId, 'run')).display_metadata).toMatchObject({ state: 'FAILED', error: 'Out of memory.' })
    expect(await flows(house)).toEqual(EDGES)
    await send(house, anEvent({ type: 'START', ...other }))
    expect(await flows(house)).toEqual([...EDGES, 's3://lake.other -> shop.public.orders table'].sort())
    await send(house, anEvent({ ...other }))
    expect(await flows(house)).toEqual(['s3://lake.other -> shop.public.orders table'])
    // A late event does not replace the last run.
    await send(house, anEvent({ type: 'FAIL', time: '2025-01-01T00:00:00Z' }))
    expect((await find(house, 'shop.load', 'job')).display_metadata.last_run.state).toBe('COMPLETED')
  })

  test('creates columns named only in column lineage', async () => {
    await using house = await aHouse()
    const lineage = FACETS.columnLineage({ b: { inputFields: [{ namespace: LAKE, name: 'from', field: 'a' }] } })
    await send(house, anEvent({ outputs: [dataset(LAKE, 'to', lineage)] }))
    expect(await flows(house)).toEqual(['s3://lake.from -> s3://lake.to table', 's3://lake.from.a -> s3://lake.to.b expression'])
  })

  test('links the job itself when inputs or outputs are missing', async () => {
    await using house = await aHouse()
    await send(house, anEvent({ name: 'export', inputs: [dataset(LAKE, 'a')] }))
    await send(house, anEvent({ name: 'ingest', outputs: [dataset(LAKE, 'a')] }))
    expect(await flows(house)).toEqual(['airflow.ingest -> s3://lake.a table', 's3://lake.a -> airflow.export table'])
  })

  test('keeps only the last fifty runs', async () => {
    await using house = await aHouse()
    const events = Array.from({ length: 61 }, (_, i) => anEvent({ time: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString() }))
    await send(house, events, '/lineage/batch')
    const job = await find(house, 'shop.load', 'job')
    expect(job.children_count).toBe(50)
    await find(house, events[60]!.run.runId, 'run')
    const { rows } = await sql`select from resources where title = ${events[0]!.run.runId}`.execute(house.db)
    expect(rows).toEqual([])
    // Sent again, deleted runs are created again.
    await send(house, events[0])
    await house.call('DELETE', `/resource/all/${job.id}`)
    await send(house, events[60])
    expect((await find(house, 'shop.load', 'job')).children_count).toBe(1)
  })
})

describe('edits by users', () => {
  test('stay when events report something else, or nothing', async () => {
    await using house = await aHouse()
    const told = (text?: string) =>
      send(
        house,
        anEvent({
          jobFacets: text ? FACETS.documentation(text) : {},
          outputs: [dataset(LAKE, 'a', text ? FACETS.documentation(text) : {})],
        }),
      )
    await told('One.')
    await told()
    await told('Two.')
    expect((await find(house, 'a')).description).toBe('Two.')
    const { id } = await find(house, 'shop.load', 'job')
    await house.call('PATCH', `/resource/all/${id}`, { body: { description: 'By a person.' } })
    await told('Three.')
    await told()
    expect((await find(house, 'shop.load', 'job')).description).toBe('By a person.')
    expect((await find(house, 'a')).description).toBe('Three.')
    expect((await house.call('GET', `/resource/all/${id}/provenance`)).body).toContainEqual({
      ...{ field: 'description', by: 'person', value: 'By a person.' },
      ...{ source: 'openlineage', source_value: 'Three.' },
    })
  })
})

describe('a dataset that is in the catalog', () => {
  test('is matched to the table on the same server', async () => {
    await using house = await aHouse()
    await using source = await aPostgres(
      'create table raw_orders (id int)',
      'create table orders (id int, note text)',
      "comment on table orders is 'As the warehouse says.'",
    )
    const warehouse = await connectTo(house, 'postgres', source.credentials)
    await sync(house, warehouse)
    const { host, port } = source.credentials
    const at = `postgres://${host}:${port}`
    const [raw, orders] = [`${source.name}.public.raw_orders`, `${source.name}.public.orders`]
    const lineage = FACETS.columnLineage({
      id: { inputFields: [{ namespace: at, name: raw, field: 'id' }], transformationType: 'IDENTITY' },
    })
    await send(
      house,
      anEvent({
        inputs: [dataset(at, raw, FACETS.documentation('Raw.'))],
        outputs: [
          dataset('s3://lake', 'orders', {
            ...FACETS.symlinks(at, orders),
            ...FACETS.documentation('Else.'),
            ...FACETS.schema([{ name: 'note', description: 'A word.' }]),
            ...lineage,
          }),
        ],
      }),
    )
    expect(await flows(house)).toEqual([`${raw} -> ${orders} table`, `${raw}.id -> ${orders}.id identity`])
    expect(await find(house, 'raw_orders')).toMatchObject({ integration: warehouse, description: 'Raw.' })
    expect(await find(house, 'orders')).toMatchObject({ integration: warehouse, description: 'As the warehouse says.' })
    expect((await find(house, 'note', 'column')).description).toBe('A word.')
    // On another server it is another table.
    await send(house, anEvent({ name: 'elsewhere', outputs: [dataset('postgres://elsewhere:5432', orders)] }))
    const { rows } = await sql`select from resources where title = 'orders' and entity_type = 'table'`.execute(house.db)
    expect(rows).toHaveLength(2)
  })

  test('is not matched if the caller cannot see the table or several match', async () => {
    await using house = await aHouse()
    const team = await house.team(true)
    const table = async (title: string, teams: string[]) => {
      const { body } = await house.call('POST', '/integration/integrations', { body: { name: title } })
      const database = await house.resource({ title: 'shop', entity_type: 'database', integration: body.id })
      return house.resource({ title, parent: database.id, integration: body.id, teams })
    }
    const [hidden] = [await table('hidden', [team]), await table('twice', []), await table('twice', [])]
    const seen = await table('seen', [])
    const editor = await house.someone('editor')
    const outputs = ['hidden', 'twice', 'seen'].map((name) => dataset('mysql://db:3306', `shop.${name}`))
    const answer = await house.call('POST', '/lineage', { token: editor.token, body: anEvent({ inputs: [dataset(LAKE, 'x')], outputs }) })
    expect(answer.status).toBe(201)
    const { rows } = await sql<{ title: string; n: number }>`
      select title, count(*) as n from resources where entity_type = 'table' and database = 'shop' group by 1 order by 1
    `.execute(house.db)
    expect(rows).toEqual([
      { title: 'hidden', n: 2 },
      { title: 'seen', n: 1 },
      { title: 'twice', n: 3 },
    ])
    const { rows: ends } = await sql<{ downstream: string }>`select downstream from lineage_edges`.execute(house.db)
    expect(ends.map(({ downstream }) => downstream)).toContain(seen.id)
    expect(ends.map(({ downstream }) => downstream)).not.toContain(hidden!.id)
  })
})

describe('accepted requests', () => {
  test('job and dataset events', async () => {
    await using house = await aHouse()
    const { job, inputs, outputs } = loaded({ name: 'as written' })
    const rest = {
      eventTime: '2026-01-02T03:04:05Z',
      producer: 'https://example.com',
      schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
    }
    await send(house, { ...rest, job, inputs, outputs })
    expect(await flows(house)).toEqual(EDGES)
    await find(house, 'as written', 'job')
    const made = dataset(
      'hive',
      'shop.days',
      {
        ...FACETS.schema([{ name: 'place', type: 'struct', fields: [{ name: 'city', type: 'string' }] }]),
        ...FACETS.columnLineage({ place: { inputFields: [input('id')] } }),
      },
      { inputFacets: FACETS.dataQualityMetrics(3) },
    )
    await send(house, { ...rest, dataset: made })
    expect(await find(house, 'days')).toMatchObject({ title_full: 'shop.days', row_count: 3, byte_size: 512 })
    expect((await find(house, 'city', 'column')).title_full).toBe('shop.days.place.city')
    expect(await flows(house)).toContain('s3://lake.raw/orders -> shop.days table')
  })

  test('an event, a list, or an object with a list; all or nothing', async () => {
    await using house = await aHouse()
    await send(house, [anEvent({ name: 'a' }), anEvent({ name: 'b' })])
    await send(house, { events: [anEvent({ name: 'c' })] })
    await send(house, [anEvent({ name: 'd' })], '/lineage/batch')
    for (const name of ['a', 'b', 'c', 'd']) await find(house, name, 'job')
    const wrong = await house.call('POST', '/lineage/batch', { body: [anEvent({ name: 'e' }), { ...anEvent(), job: { namespace: 'x' } }] })
    expect([wrong.status, wrong.body.errors]).toEqual([400, { '[1].job.name': ['is required.'] }])
    expect((await sql`select from resources where title = 'e'`.execute(house.db)).rows).toEqual([])
  })

  test('events of older clients: times without a zone, the old name of the parent, and test results', async () => {
    await using house = await aHouse()
    const parent = { job: { namespace: 'airflow', name: 'shop' }, run: { runId: newId() } }
    const tested = dataset(
      'bigquery',
      'shop.sales.orders',
      {},
      {
        inputFacets: { dataQualityAssertions: { assertions: [{ assertion: 'unique', column: 'id', success: false }] } },
      },
    )
    const event = anEvent({ name: 'shop.tests', time: '2026-01-02T03:04:05.678901', inputs: [tested], outputs: [] })
    const test = { tests: [{ name: 'not_null_orders_id', status: 'pass', severity: 'error' }] }
    await send(house, { ...event, run: { ...event.run, facets: { parentRun: parent, test } } })
    expect((await find(house, event.run.runId, 'run')).display_metadata).toMatchObject({
      ended_at: '2026-01-02T03:04:05.678Z',
      parent: { name: 'shop', namespace: 'airflow', run_id: parent.run.runId },
      checks: [
        { name: 'unique', column: 'id', passed: false },
        { name: 'not_null_orders_id', passed: true },
      ],
    })
  })

  test('newer facets: tags, types, column positions, job lineage, root run', async () => {
    await using house = await aHouse()
    const tags = (...all: object[]) => ({ tags: { _producer: 'x', _schemaURL: 'x', tags: all } })
    const event = anEvent({
      ...{ name: 'shop.sum', inputs: [dataset(LAKE, 'raw', { version: { datasetVersion: '7' } })] },
      outputs: [
        dataset(LAKE, 'sums', {
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
    await send(house, event)
    const named = async (title: string, kind?: string) => {
      const { tags, ...rest } = await find(house, title, kind)
      const names = await house.db.selectFrom('tags').select(['id', 'name']).execute()
      return { ...rest, tags: (tags as string[]).map((id) => names.find((tag) => tag.id === id)?.name).sort() }
    }
    expect(await named('sums')).toMatchObject({
      ...{ native_type: 'materialized view', tags: ['pii', 'tier:gold'], display_metadata: { last_change: 'overwrite' } },
    })
    expect(await named('b', 'column')).toMatchObject({ tags: ['secret'], sort_order: 2 })
    expect(await named('shop.sum', 'job')).toMatchObject({ tags: ['daily'] })
    expect((await find(house, event.run.runId, 'run')).display_metadata.parent).toMatchObject({ name: 'shop', root: 'all' })
    expect(await flows(house)).toEqual([
      's3://lake.rates -> s3://lake.sums table',
      's3://lake.raw -> s3://lake.sums table',
      's3://lake.raw.x -> s3://lake.sums.a identity',
    ])
    const before = await count(house)
    await send(house, event)
    expect(await count(house)).toBe(before)
  })

  test('a dropped dataset becomes stale until it is reported again', async () => {
    await using house = await aHouse()
    const temporary = (change: string) =>
      dataset(LAKE, 'tmp', { ...FACETS.schema([{ name: 'a' }]), lifecycleStateChange: { lifecycleStateChange: change } })
    const stale = async () => [(await find(house, 'tmp')).stale, (await find(house, 'a', 'column')).stale]
    await send(house, anEvent({ name: 'make', inputs: [dataset(LAKE, 'x')], outputs: [temporary('CREATE')] }))
    await send(house, anEvent({ name: 'drop', type: 'START', outputs: [temporary('DROP')] }))
    expect(await stale()).toEqual([false, false])
    const event = anEvent({ name: 'drop', outputs: [temporary('DROP'), { ...temporary('DROP'), name: 'never heard of' }] })
    await send(house, event)
    expect(await stale()).toEqual([true, true])
    const before = await count(house)
    await send(house, event)
    expect(await count(house)).toBe(before)
    await send(house, anEvent({ name: 'make', inputs: [dataset(LAKE, 'x')], outputs: [temporary('CREATE')] }))
    expect(await stale()).toEqual([false, false])
  })

  test('records check results as measurements, and opens an incident on failure', async () => {
    await using house = await aHouse()
    const assertions = [
      { assertion: 'not_null', column: 'id', success: false, severity: 'error' },
      { assertion: 'row_count', name: 'enough_rows', success: false, severity: 'warn' },
      { assertion: 'broken' },
    ]
    const checked = dataset(LAKE, 'orders', FACETS.schema([{ name: 'id' }]), { inputFacets: { dataQualityAssertions: { assertions } } })
    await send(house, anEvent({ name: 'checks', inputs: [checked], time: '2026-01-02T03:00:00Z' }))
    const { rows } = await sql<{ payload: ChecksTold }>`
      select p.payload from graphile_worker._private_jobs p join graphile_worker._private_tasks t on t.id = p.task_id where t.identifier = ${CHECKS_TASK}
    `.execute(house.db)
    expect(rows).toHaveLength(1)
    const [orders, id] = [await find(house, 'orders'), await find(house, 'id', 'column')]
    await recordChecks(house.ctx, rows[0]!.payload)
    await recordChecks(house.ctx, rows[0]!.payload) // recorded once, even if processed twice
    const { results } = (await house.call('GET', '/monitor/monitors')).body
    expect(
      results.map(({ name, target, last_measurement_value }: Record<string, unknown>) => [name, target, last_measurement_value]).sort(),
    ).toEqual([
      ['enough_rows', orders.id, 0],
      ['not_null', id.id, 1],
    ])
    expect((await house.call('GET', '/monitor/incidents')).body.results).toMatchObject([{ status: 'active', value: 1 }])
    for (const { id } of results) expect((await house.call('GET', `/monitor/measurements?monitor=${id}`)).body.count).toBe(1)
    // dbt reports its tests with its artifacts: its events do not create a second monitor.
    await sql`update monitors set key = 'dbt:x' where target = ${orders.id}`.execute(house.db)
    await recordChecks(house.ctx, { ...rows[0]!.payload, by_dbt: true })
    expect((await house.call('GET', '/monitor/monitors')).body.count).toBe(2)
  })

  test('compressed events', async () => {
    await using house = await aHouse()
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const body = gzipSync(JSON.stringify(loaded()))
    expect((await house.call('POST', '/lineage', { headers, body })).status).toBe(201)
    expect(await flows(house)).toEqual(EDGES)
    for (const broken of [body.subarray(0, 50), Buffer.from('{}')]) {
      const answer = await house.call('POST', '/lineage', { headers, body: broken })
      expect([answer.status, answer.body.detail]).toEqual([400, 'The body is not valid gzip or is incomplete.'])
    }
    const bomb = gzipSync(`[${' '.repeat(20 * 1024 * 1024)}]`)
    expect((await house.call('POST', '/lineage', { headers, body: bomb })).status).toBe(413)
    expect((await house.call('POST', '/lineage', { headers: { ...headers, 'content-encoding': 'br' }, body })).status).toBe(415)
  })

  test('events for a named integration', async () => {
    await using house = await aHouse()
    const custom = await connectTo(house, 'custom', {})
    expect((await house.call('POST', `/lineage?integration=${custom.replaceAll('-', '').toUpperCase()}`, { body: anEvent() })).status).toBe(
      201,
    )
    expect((await find(house, 'shop.load', 'job')).integration).toBe(custom)
    const refused = async (integration: string, token?: string) => {
      const { status, body } = await house.call('POST', `/lineage?integration=${integration}`, {
        body: anEvent(),
        ...(token ? { token } : {}),
      })
      return [status, body.errors.integration[0].replace(integration, 'X')]
    }
    const none = [400, 'Integration X does not exist.']
    expect(await refused(newId())).toEqual(none)
    expect(await refused('none')).toEqual([400, 'must be a UUID.'])
    expect((await refused(await connectTo(house, 'dbt', {})))[0]).toBe(400)
    const hidden = await connectTo(house, 'custom', {}, { teams: [await house.team(true)] })
    expect(await refused(hidden, (await house.someone('editor')).token)).toEqual(none)
  })

  test('rejects invalid events with their position, without writing anything', async () => {
    await using house = await aHouse()
    const good = anEvent()
    const before = await house.changes()
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
      [{ ...good, outputs: [dataset('x', 'y'), { namespace: 'x' }] }, 'outputs[1].name'],
      [{ ...good, inputs: Array.from({ length: 1001 }, () => dataset('x', 'y')) }, 'inputs'],
      [Array.from({ length: 1001 }, () => 1), 'body'],
      [{ events: [good, null] }, 'events[1]'],
      [{ ...good, job: { namespace: 'a\0b', name: 'x' } }, 'job.namespace'],
      [{ ...good, job: { namespace: '\ud800', name: 'x' } }, 'job.namespace'],
    ] as const) {
      const answer = await house.call('POST', '/lineage', { body })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [spot]])
    }
    for (const body of ['"text"', '5', 'null']) expect((await house.call('POST', '/lineage', { body })).status).toBe(400)
    expect(await house.changes()).toEqual(before)
  })

  test('stores other facets unchanged within limits', async () => {
    await using house = await aHouse()
    const runId = newId()
    const metrics = { rowCount: 10, columnMetrics: { id: { nullCount: 1, distinctCount: 9, min: 1, max: 10 } } }
    const event = anEvent({
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
        dataset(
          LAKE,
          'a',
          { hierarchy: { hierarchy: [{ type: 'DATABASE', name: 'lake' }] } },
          { inputFacets: { dataQualityMetrics: metrics } },
        ),
      ],
      outputs: [dataset(LAKE, 'b', {}, { outputFacets: { subset: { outputCondition: { type: 'partition' } } } })],
    })
    await send(house, event)
    const run = (await find(house, runId, 'run')).display_metadata
    expect(run).toMatchObject({
      error: 'Out of memory.',
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
    expect((await find(house, 'shop.load', 'job')).display_metadata).toMatchObject({
      tool: 'SPARK',
      facets: { jobType: { emissionPolicy: 'PERIODIC' }, team_cost: { center: 42 } },
    })
    expect((await find(house, 'a')).display_metadata.facets).toEqual({
      dataQualityMetrics: metrics,
      hierarchy: { hierarchy: [{ type: 'DATABASE', name: 'lake' }] },
    })
    expect((await find(house, 'b')).display_metadata.facets).toEqual({ subset: { outputCondition: { type: 'partition' } } })

    // Another event adds facets and deletes one; repeating it writes nothing.
    const later = anEvent({
      runId,
      jobFacets: { owner_note: { text: 'x' }, team_cost: { _deleted: true } },
      inputs: [dataset(LAKE, 'a', { lease: { days: 3 } })],
    })
    await send(house, later)
    expect((await find(house, 'shop.load', 'job')).display_metadata.facets).toEqual({
      jobType: { emissionPolicy: 'PERIODIC', integration: 'SPARK', processingType: 'BATCH' },
      owner_note: { text: 'x' },
    })
    expect(Object.keys((await find(house, 'a')).display_metadata.facets)).toEqual(
      ['dataQualityMetrics', 'hierarchy', 'lease'].sort((a, b) => a.length - b.length),
    )
    const stamp = async () => (await find(house, 'shop.load', 'job')).updated_at
    const before = await stamp()
    await send(house, later)
    expect(await stamp()).toBe(before)
  })

  test('accepts facets of any shape', async () => {
    await using house = await aHouse()
    const strange = [
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
    for (const facet of strange) {
      const facets = Object.fromEntries(names.map((name) => [name, facet]))
      await send(
        house,
        anEvent({
          runFacets: facets,
          jobFacets: facets,
          outputs: [{ ...dataset(LAKE, 'x', facets), outputFacets: facets, inputFacets: facet }],
        }),
      )
    }
    const long = 'n'.repeat(3000)
    await send(
      house,
      anEvent({
        namespace: long,
        name: long,
        outputs: [dataset(long, long), dataset('postgres://h', 'a..b'), dataset('"; drop', '🐘.\n.x')],
      }),
    )
    await send(house, anEvent({ inputs: [dataset(LAKE, 'x')], outputs: [dataset(LAKE, 'x')] }))
  })

  test('requires a token that may write', async () => {
    await using house = await aHouse()
    expect((await house.call('POST', '/lineage', { body: anEvent(), token: null })).status).toBe(401)
    const [viewer, editor] = await Promise.all([house.someone('viewer'), house.someone('editor')])
    expect((await house.call('POST', '/lineage', { body: anEvent(), token: viewer.token })).status).toBe(403)
    expect((await house.call('POST', '/lineage', { body: anEvent(), token: editor.token })).status).toBe(201)
    expect((await house.call('GET', '/lineage')).status).toBe(405)
  })
})

test('withdraws its values and lineage when the integration is deleted', async () => {
  await using house = await aHouse()
  const database = await house.resource({ title: 'shop', entity_type: 'database' })
  const schema = await house.resource({ title: 'public', entity_type: 'schema', parent: database.id })
  for (const title of ['raw', 'orders']) await house.resource({ title, entity_type: 'table', parent: schema.id })
  const words = FACETS.documentation('As the job says.')
  const [from, to] = ['raw', 'orders'].map((title) => dataset('postgres://db:5432', `shop.public.${title}`, words))
  await send(house, anEvent({ namespace: 'short', inputs: [from!], outputs: [to!] }))
  expect(await flows(house)).toEqual(['shop.public.raw -> shop.public.orders table'])
  expect((await find(house, 'orders')).description).toBe('As the job says.')
  const raw = await find(house, 'raw')
  await house.call('PATCH', `/resource/all/${raw.id}`, { body: { description: 'As I say.' } })
  const { body } = await house.call('GET', '/integration/integrations?type=openlineage')
  expect((await house.call('DELETE', `/integration/integrations/${body.results[0].id}`)).status).toBe(204)
  expect(await flows(house)).toEqual([])
  expect([(await find(house, 'orders')).description, (await find(house, 'raw')).description]).toEqual([null, 'As I say.'])
})

test('merges datasets into tables of a warehouse connected later, with edits by users', async () => {
  await using house = await aHouse()
  await using source = await aPostgres('create table orders (id int)')
  const name = `${source.name}.public.orders`
  const { host, port } = source.credentials
  const event = () =>
    anEvent({ inputs: [dataset(LAKE, 'x')], outputs: [dataset(`postgres://${host}:${port}`, name, FACETS.schema([{ name: 'id' }]))] })
  await send(house, event())
  const own = await find(house, 'orders')
  await house.call('PATCH', `/resource/all/${own.id}`, { body: { description: 'By a person.' } })
  const warehouse = await connectTo(house, 'postgres', source.credentials)
  await sync(house, warehouse)
  await send(house, event())
  expect((await house.call('GET', `/resource/all/${own.id}`)).body).toMatchObject({ archived: true, stale: true })
  const { rows } = await sql<{
    description: string
  }>`select description from resources where title = 'orders' and integration = ${warehouse}`.execute(house.db)
  expect(rows).toEqual([{ description: 'By a person.' }])
  const { rows: edges } = await sql<{
    integration: string
  }>`select d.integration from lineage_edges e join resources d on d.id = e.downstream`.execute(house.db)
  expect(edges).toEqual([{ integration: warehouse }])
})

test('reports a batch that timed out after its first event as partly saved and repeatable', async () => {
  await using house = await aHouse()
  await using hurried = await house.instance({ requestTimeoutMs: 1_500 })
  const [first, second] = [anEvent({ name: 'first' }), anEvent({ name: 'second' })]
  await send(house, anEvent({ name: 'zeroth' }))
  const { rows } = await sql<{ id: string }>`select id from integrations where name = 'airflow'`.execute(house.db)
  const blocked = await house.db.transaction().execute(async (db) => {
    await lockJob(db, rows[0]!.id, jobKey({ namespace: 'airflow', name: 'second' }))
    return hurried.call('POST', '/lineage/batch', { body: [first, second] })
  })
  expect(blocked).toMatchObject({
    status: 503,
    body: { detail: 'The request timed out. Changes saved before that are kept; it is safe to retry.' },
  })
  const before = await find(house, 'first', 'job')
  await send(house, [first, second], '/lineage/batch')
  expect(await find(house, 'first', 'job')).toEqual(before)
  await find(house, 'second', 'job')
})
