import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { dagster } from '../../../src/sources/connectors/dagster/dagster.ts'
import { prefect } from '../../../src/sources/connectors/prefect/prefect.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { checkAgainstGraphql } from '../../api-descriptions/graphql-description.ts'
import { discoverAll, discoverNext, findByKey, listUpstream, type NextRun } from '../../support/connectors.ts'
import { createDbtProject } from '../../support/dbt.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'
import { createJob, createRun, toPage, toRun } from './dbt-cloud.ts'

/** Answers written by hand and checked against the published schemas; no recordings of real servers are available. */
const again = { 'retry-after': '0' }

const LOADED = { __typename: 'RepositoryLocation' }
const BROKEN = { __typename: 'PythonError', message: 'No module named sales.' }

const createDagster = (database = 'shop', location: object | null = LOADED): Cassette => {
  const key = (...path: string[]) => ({ path })
  const schema = (...names: string[]) => ({
    ...{ __typename: 'TableSchemaMetadataEntry', label: 'dagster/column_schema' },
    schema: { columns: names.map((name) => ({ name, type: 'int', description: `The ${name}` })) },
  })
  const node = (path: string[], more: object = {}) => ({
    ...{
      assetKey: key(...path),
      description: `Makes ${path.at(-1)}`,
      groupName: 'sales',
      jobNames: ['nightly', '__ASSET_JOB'],
      kinds: ['sql'],
    },
    ...{ tags: [{ key: 'domain', value: 'sales' }], owners: [{ email: 'ada@example.com' }, { team: 'data' }], dependencyKeys: [] },
    ...{ metadataEntries: [], assetMaterializations: [], ...more },
  })
  const named = (table: string) => ({ __typename: 'TextMetadataEntry', label: 'dagster/table_name', text: table })
  const lineage = {
    ...{ __typename: 'TableColumnLineageMetadataEntry', label: 'dagster/column_lineage' },
    lineage: [{ columnName: 'n', columnDeps: [{ assetKey: key('public', 'orders'), columnName: 'price' }] }],
  }
  const nodes = [
    node(['public', 'orders'], { metadataEntries: [named(`${database}.public.orders`), schema('id', 'price')] }),
    node(['totals'], {
      dependencyKeys: [key('public', 'orders'), key('gone')],
      metadataEntries: [named(`${database}.public.totals`)],
      assetMaterializations: [{ timestamp: '1776146400000', metadataEntries: [schema('n'), lineage] }],
    }),
    node(['report'], { dependencyKeys: [key('totals')] }),
  ]
  const run = { runId: 'r1', status: 'SUCCESS', startTime: 1776146400.5, endTime: 1776146460.5 }
  const job = (name: string) => ({
    ...{ name, description: null, isAssetJob: false, tags: [{ key: 'dagster/max_retries', value: '3' }], runs: [run] },
    schedules: [{ name: 'daily', cronSchedule: '0 6 * * *', executionTimezone: 'UTC' }],
  })
  const answer = (operationName: string, data: object): Recording => ({
    method: 'POST',
    path: '/graphql',
    request: { operationName },
    body: { data },
  })
  return {
    auth: { header: 'dagster-cloud-api-token', value: 'correct-horse' },
    checkAnswer: checkAgainstGraphql('dagster'),
    recordings: [
      answer('Repositories', {
        version: '1.12.0',
        repositoriesOrError: {
          __typename: 'RepositoryConnection',
          nodes: location === LOADED ? [{ name: '__repository__', location: { name: 'shop' } }] : [],
        },
        workspaceOrError: { __typename: 'Workspace', locationEntries: [{ name: 'shop', locationOrLoadError: location }] },
      }),
      answer('Repository', {
        repositoryOrError: {
          __typename: 'Repository',
          jobs: [job('nightly'), job('__ASSET_JOB')],
          assetNodes: nodes.map(({ assetKey }) => ({ assetKey })),
        },
      }),
      answer('Assets', { assetNodes: nodes }),
    ],
  }
}

test('assets of Dagster describe tables of the warehouse and give them lineage', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using source = await createPostgresSource('create table orders (id int, price int)', 'create table totals (n int)')
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  await using replay = await startReplay(createDagster(source.name))
  const id = await createTestIntegration(app, 'dagster', { url: replay.url, token: 'correct-horse' }, { name: 'Dagster' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe('Connected to Dagster 1.12.0: 1 repositories.')
  // Two of the three assets are tables of the warehouse.
  expect(await runSync(app, id)).toMatchObject({
    status: 'COMPLETED',
    error: null,
    report: { new: { job_group: 1, job: 1, run: 1, table: 1 } },
  })
  const totals = await findByFullTitle(app, `${source.name}.public.totals`)
  expect(totals).toMatchObject({ description: 'Makes totals', display_metadata: { dagster: { group: 'sales', teams: ['data'] } } })
  expect(await listUpstream(app, totals.id, 'table')).toEqual(['orders'])
  const n = await findByFullTitle(app, `${source.name}.public.totals.n`)
  expect(await listUpstream(app, n.id, 'column')).toEqual(['price'])
  expect(await findByFullTitle(app, `${source.name}.public.orders.price`)).toMatchObject({ description: 'The price' })
  expect(await listUpstream(app, (await findByKey(app, id, 'asset.report')).id, 'table')).toEqual(['totals'])
  expect((await findByKey(app, id, 'repository.shop.__repository__.nightly.r1')).display_metadata).toMatchObject({ duration_seconds: 60 })
  await expectNoChanges(app, id, { job: 1, run: 1, table: 1 })
  // A code location that is not loaded is not listed: nothing of it is lost.
  await using unloaded = await startReplay(createDagster(source.name, BROKEN))
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { url: unloaded.url, token: 'correct-horse' } } })
  const { status, report } = await runSync(app, id)
  expect([status, report.stale]).toEqual(['COMPLETED', {}])
  expect(await listUpstream(app, totals.id, 'table')).toEqual(['orders'])
  expect((await findByFullTitle(app, `${source.name}.public.totals`)).display_metadata).toEqual(totals.display_metadata)
  // Nothing of it stays when the integration is deleted.
  expect((await app.call('DELETE', `/integration/integrations/${id}`)).status).toBe(204)
  expect(await listUpstream(app, totals.id, 'table')).toEqual([])
  expect((await findByFullTitle(app, `${source.name}.public.totals`)).description).toBeNull()
  expect([...replay.problems, ...unloaded.problems]).toEqual([])
})

test('faults of the API of Dagster', async () => {
  await expectFaultsHandled(dagster, createDagster(), (url) => ({ url, token: 'correct-horse' }))
  const discover = async (faults: readonly Fault[] = [], changed: Partial<Cassette> = {}) => {
    await using replay = await startReplay({ ...createDagster(), ...changed }, faults)
    const found = await discoverAll(dagster, { url: replay.url, token: 'correct-horse' })
    expect(replay.problems).toEqual([])
    return found
  }
  const path = '/graphql'
  const answering = (operationName: string, data: object): Partial<Cassette> => ({
    recordings: createDagster().recordings.map((each) =>
      each.request?.operationName === operationName ? { ...each, body: { data } } : each,
    ),
  })
  const gone = await discover([], answering('Assets', { assetNodes: [] }))
  expect(gone.some((each) => each.type === 'item' && each.entity_type === 'table')).toBe(false)
  expect(await discover([], createDagster('shop', BROKEN))).toEqual([
    expect.objectContaining({ type: 'unlisted', key: 'repository.shop', reason: expect.stringContaining('No module named sales.') }),
    expect.objectContaining({ type: 'unlisted', key: 'asset' }),
  ])
  expect((await discover([], createDagster('shop', null))).map((each) => each.type)).toEqual(['unlisted', 'unlisted'])
  const broken = { repositoryOrError: { __typename: 'PythonError', message: 'import failed' } }
  await expect(discover([], answering('Repository', broken))).rejects.toThrow('Dagster: import failed')
  const old = { errors: [{ message: "Cannot query field 'kinds' on type 'AssetNode'." }], data: null }
  await expect(discover([{ path, status: 200, after: 2, body: old }])).rejects.toThrow(/'kinds'.*Dagster 1\.8/)
  const renamed = { repositoryOrError: { __typename: 'Repository', pipelines: [], assetNodes: [] } }
  await expect(discover([], { ...answering('Repository', renamed), checkAnswer: undefined })).rejects.toThrow(
    '`data.repositoryOrError.jobs` must be a list, but is missing.',
  )
})

const toUuid = (number: number): string => `0192c1b0-1111-7000-8000-${String(number).padStart(12, '0')}`
const [LOAD, REPORT] = [toUuid(1), toUuid(2)]
/** Prefect creates runs before they start; those of all other states have been started, or tried to. */
const STARTED = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED', 'PAUSED', 'CANCELLING']
/** Those that wait for a retry are scheduled again. */
const STARTED_RUNS = { operator: 'or_', state: { type: { any_: STARTED } }, start_time: { is_null_: false } }

const createPrefect = (): Cassette => {
  const post = (path: string, request: object, body: unknown): Recording => ({ method: 'POST', path, request: { ...request }, body })
  const at = { created: '2026-04-01T00:00:00Z', updated: '2026-04-14T00:00:00Z' }
  const flow = (id: string, name: string) => ({ id, name, ...at, tags: ['Nightly'], labels: {} })
  const [start_time, end_time] = ['2026-04-14T06:00:00Z', '2026-04-14T06:00:30Z']
  const run = {
    ...{
      id: toUuid(3),
      ...at,
      name: 'brave-otter',
      flow_id: LOAD,
      deployment_id: toUuid(4),
      state_id: toUuid(5),
      parameters: {},
      context: {},
    },
    ...{ state_type: 'CRASHED', state_name: 'Crashed', start_time, end_time, expected_start_time: start_time, total_run_time: 30 },
    ...{ state: { id: toUuid(5), type: 'CRASHED', name: 'Crashed', timestamp: end_time, message: null, data: null, state_details: {} } },
    ...{ next_scheduled_start_time: null, run_count: 1, estimated_run_time: 30, estimated_start_time_delta: 0.5, auto_scheduled: true },
    ...{
      work_pool_id: null,
      work_pool_name: null,
      work_queue_id: null,
      work_queue_name: null,
      flow_version: 'a',
      deployment_version: null,
    },
    ...{ empirical_policy: { retries: 0, retry_delay: 0, pause_keys: [], resuming: false, retry_type: null }, tags: [], labels: {} },
    ...{ idempotency_key: null, parent_task_run_id: null, created_by: null, infrastructure_document_id: null, infrastructure_pid: null },
    ...{ job_variables: {} },
  }
  const schedule = (number: number, active: boolean, value: object) => ({
    ...{
      id: toUuid(number),
      ...at,
      deployment_id: toUuid(4),
      schedule: value,
      active,
      max_scheduled_runs: null,
      parameters: {},
      slug: null,
    },
  })
  const deployment = {
    ...{
      id: toUuid(4),
      ...at,
      name: 'prod',
      flow_id: LOAD,
      description: 'Every morning',
      tags: [],
      labels: {},
      paused: false,
      version: null,
    },
    ...{ entrypoint: 'flows.py:load', path: '.', pull_steps: null, parameters: {}, parameter_openapi_schema: {}, job_variables: {} },
    schedules: [
      schedule(6, true, { cron: '0 6 * * *', timezone: 'Europe/Berlin', day_or: true }),
      schedule(7, false, { interval: 3600, anchor_date: start_time, timezone: null }),
    ],
    ...{
      concurrency_limit: null,
      global_concurrency_limit: null,
      concurrency_options: null,
      work_pool_name: 'docker',
      work_queue_name: null,
    },
    ...{ last_polled: null, storage_document_id: null, infrastructure_document_id: null, created_by: null, updated_by: null },
    ...{ status: 'READY', enforce_parameter_schema: true },
  }
  const listRuns = (id: string, ...runs: object[]) =>
    post('/api/flow_runs/filter', { flows: { id: { any_: [id] } }, flow_runs: STARTED_RUNS, sort: 'START_TIME_DESC', limit: 25 }, runs)
  return {
    auth: { header: 'authorization', value: 'Bearer correct-horse' },
    checkAnswer: checkAgainst('prefect'),
    recordings: [
      post('/api/flows/count', {}, 2),
      post('/api/deployments/count', {}, 1),
      post('/api/flows/filter', { limit: 200, offset: 0 }, [flow(LOAD, 'load')]),
      post('/api/flows/filter', { limit: 200, offset: 1 }, [flow(REPORT, 'report')]),
      post('/api/deployments/filter', { limit: 200, offset: 0 }, [deployment]),
      listRuns(LOAD, run),
      listRuns(REPORT),
    ],
  }
}

test('flows, deployments and runs of Prefect, and faults of its API', async () => {
  await expectFaultsHandled(prefect, createPrefect(), (url) => ({ url: `${url}/api`, api_key: 'correct-horse' }))
  const discover = async (faults: readonly Fault[] = [], change?: (recording: Recording) => Recording) => {
    const cassette = createPrefect()
    const changed = change && { recordings: cassette.recordings.map(change), checkAnswer: undefined }
    await using replay = await startReplay({ ...cassette, ...changed }, faults)
    const found = await discoverAll(prefect, { url: `${replay.url}/api`, api_key: 'correct-horse' })
    expect(replay.problems).toEqual([])
    return found
  }
  const all = await discover()
  expect(all.map((each) => each.type === 'item' && `${each.entity_type} ${each.title}`)).toEqual([
    'job_group Prefect',
    ...['job load', 'run brave-otter', 'job report', 'job prod'],
  ])
  expect(all).toContainEqual(
    expect.objectContaining({ title: 'brave-otter', facts: expect.objectContaining({ state: 'FAILED', duration_seconds: 30 }) }),
  )
  expect(all).toContainEqual(
    expect.objectContaining({
      title: 'prod',
      facts: expect.objectContaining({
        schedules: [
          { schedule: '0 6 * * *', timezone: 'Europe/Berlin', active: true },
          { schedule: 'every 3600 seconds', timezone: null, active: false },
        ],
      }),
    }),
  )
  const [flows, runs] = ['/api/flows/filter', '/api/flow_runs/filter']
  await expect(discover([{ path: flows, status: 200, after: 1, body: [] }])).rejects.toThrow(
    'page 2 is empty, but only 1 of 2 were listed.',
  )
  const gone = await discover([{ path: runs, status: 404 }])
  expect(gone).toHaveLength(1)
  const renamed = (each: Recording) => (each.path === runs ? { ...each, body: [{ id: 'r1', state: { type: 'X' } }] } : each)
  expect((await discover([], renamed)).filter((each) => each.type === 'item' && each.entity_type === 'run')).toHaveLength(2)
  const moved = (each: Recording) => (each.path === flows ? { ...each, body: [{ flow_id: 'f1' }] } : each)
  await expect(discover([], moved)).rejects.toThrow('`[0].id` must be text, but is missing.')
})

test('only flows of Prefect that had runs since the last sync are asked for them', async () => {
  const cassette = createPrefect()
  const bodyOf = (path: string, number = 0) => cassette.recordings.filter((each) => each.path === path)[number]!.body as object[]
  const [load, report] = [...bodyOf('/api/flows/filter'), ...bodyOf('/api/flows/filter', 1)]
  const [example] = bodyOf('/api/flow_runs/filter')
  const run = (number: number, flow_id: string, state_type: string) => ({ ...example, id: toUuid(number), flow_id, state_type })
  let flows: readonly unknown[] = [load, report]
  let runs = [run(31, LOAD, 'COMPLETED'), run(32, REPORT, 'FAILED')]
  let [changed, waiting]: object[][] = [[], []]
  interface Filter {
    readonly flows?: { readonly id: { readonly any_: readonly string[] } }
    readonly flow_runs: {
      readonly state: { readonly type: { readonly any_: readonly string[] } }
      readonly start_time: { after_?: string }
    }
  }
  const asked: string[] = []
  await using replay = await startReplay({
    ...cassette,
    recordings: [
      ...cassette.recordings.filter(({ path }) => !/flows|flow_runs/.test(path)),
      { method: 'POST', path: '/api/flows/count', body: () => flows.length },
      { method: 'POST', path: '/api/flows/filter', body: () => flows },
      {
        ...{ method: 'POST', path: '/api/flow_runs/filter' },
        body: ({ flows: of, flow_runs }: Filter) => {
          const [flow] = of?.id.any_ ?? []
          const isWaiting = flow_runs.state.type.any_.includes('SCHEDULED')
          asked.push(flow ?? (isWaiting ? 'waiting' : `changed since ${flow_runs.start_time.after_}`))
          if (flow === undefined) return isWaiting ? waiting : changed
          return runs.filter(({ flow_id }) => flow_id === flow)
        },
      },
    ],
  })
  const settings = { url: `${replay.url}/api`, api_key: 'correct-horse' }
  const next = async (last?: NextRun) => {
    asked.splice(0)
    const found = await discoverNext(prefect, settings, last)
    const all = asked.splice(0)
    expect(found.catalog).toEqual((await discoverNext(prefect, settings)).catalog)
    expect(replay.problems).toEqual([])
    return { found, asked: all }
  }
  const first = await next()
  expect(first.asked).toEqual([LOAD, REPORT])
  const since = expect.stringMatching(/^changed since /)
  const second = await next(first.found)
  expect(second.asked).toEqual([since, 'waiting'])
  expect(Date.now() - Date.parse(second.asked[0]!.slice('changed since '.length))).toBeGreaterThanOrEqual(60 * 60_000)
  // A run of one flow has begun, and the other one is retried; one flow is gone, one is new.
  const NEW = toUuid(9)
  runs = [run(33, LOAD, 'RUNNING'), ...runs, run(34, NEW, 'COMPLETED')]
  changed = [runs[0]!]
  flows = [load, { ...report, id: NEW, name: 'new' }]
  const third = await next(second.found)
  expect(third.asked).toEqual([since, 'waiting', LOAD, NEW])
  runs = runs.map((each) => ({ ...each, state_type: 'COMPLETED' }))
  changed = []
  const fourth = await next(third.found)
  expect(fourth.asked).toEqual([since, 'waiting', LOAD])
  runs = runs.map((each) => (each.flow_id === NEW ? { ...each, state_type: 'SCHEDULED' } : each))
  waiting = runs.filter(({ flow_id }) => flow_id === NEW)
  expect((await next(fourth.found)).asked).toEqual([since, 'waiting', NEW])
})

test('jobs of dbt Cloud, and the project from the artifacts of their last successful runs', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const base = '/api/v2/accounts/7'
  const { manifest, catalog, run_results } = createDbtProject()
  const jobs: Recording[] = [
    { path: `${base}/jobs/`, query: { offset: '0', project_id: '3' }, body: toPage([createJob(1, 'Build')], 2) },
    { path: `${base}/jobs/`, query: { offset: '1', project_id: '3' }, body: toPage([createJob(2, 'Docs')], 2) },
    { path: `${base}/jobs/`, query: { offset: '0' }, body: toPage([createJob(1, 'Build'), createJob(9, 'Other', 4)]) },
  ]
  const [ran] = run_results.results
  const failure = { status: 'error', message: 'out of memory', timing: [{ name: 'execute', completed_at: '2026-04-15T06:00:30Z' }] }
  const failedResults = { ...run_results, results: [{ ...ran, ...failure }] }
  await using replay = await startReplay(
    {
      auth: { header: 'authorization', value: 'Token correct-horse' },
      checkAnswer: checkAgainst('dbt-cloud'),
      recordings: [
        ...jobs,
        {
          path: `${base}/runs/`,
          query: { job_definition_id: '1', order_by: '-id', limit: '25' },
          body: toPage([createRun(12, 20, '2026-04-15 06:01:00+00:00'), createRun(11, 10, '2026-04-14 06:01:00+00:00')]),
        },
        {
          path: `${base}/runs/`,
          query: { job_definition_id: '2', order_by: '-id', limit: '25' },
          body: toPage([createRun(21, 10, '2026-04-13 06:01:00+00:00')]),
        },
        // Without steps, what the last one wrote is read.
        ...[11, 12, 21].map((id) => ({ path: `${base}/runs/${id}/`, body: toRun(createRun(id, 10, null), []) })),
        { path: `${base}/runs/12/artifacts/manifest.json`, body: manifest },
        { path: `${base}/runs/12/artifacts/run_results.json`, body: failedResults },
        { path: `${base}/runs/11/artifacts/manifest.json`, body: manifest },
        { path: `${base}/runs/11/artifacts/run_results.json`, body: run_results },
        { path: `${base}/runs/21/artifacts/manifest.json`, body: manifest },
        { path: `${base}/runs/21/artifacts/catalog.json`, body: catalog },
      ],
    },
    [{ path: `${base}/runs/`, status: 429, headers: again, times: 1 }],
  )
  const credentials = { url: replay.url, account_id: '7', token: 'correct-horse', project_id: '3' }
  const id = await createTestIntegration(app, 'dbt_cloud', credentials, { name: 'dbt Cloud' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe('Connected to dbt Cloud: 2 jobs.')
  const synced = await runSync(app, id)
  expect(synced).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { job: 3, run: 5 } } }) // with the model that ran twice
  expect((await findByKey(app, id, 'dbt cloud.1')).display_metadata).toMatchObject({
    schedule: '0 6 * * *',
    last_run: { state: 'FAILED', status: 'error' },
  })
  const customers = await findByFullTitle(app, 'dev.public.customers')
  expect(customers.description).toBe('One row for each customer.')
  // The results of the newest run count although it failed.
  expect(customers.display_metadata.dbt.run).toMatchObject({ status: 'error', message: 'out of memory' })
  const model = (
    await app.call(
      'GET',
      `/resource/catalog?filter=${encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'native_type', value: 'dbt model' }))}`,
    )
  ).body
  const { results } = (await app.call('GET', `/resource/all/${model.results[0].id}/runs`)).body
  expect(results.map(({ state }: { state: string }) => state)).toEqual(['FAILED', 'COMPLETED'])
  expect(await listUpstream(app, customers.id, 'table')).toEqual(['raw_customers', 'raw_orders'])
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { project_id: null } } })
  const several = await app.call('POST', `/integration/integrations/${id}/test`)
  expect([several.status, several.body.detail]).toEqual([400, expect.stringContaining('several projects with jobs: 3, 4')])
  // Not every run writes every artifact.
  expect(replay.problems.filter((problem) => !/artifacts\/\w+\.json: was not recorded$/.test(problem))).toEqual([])
})
