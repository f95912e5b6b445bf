import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { airflow } from '../../../src/sources/connectors/airflow/airflow.ts'
import { parseTableUri } from '../../../src/sources/connectors/orchestration/table-uri.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { describeLineage, discoverAll, discoverNext, findByKey, listUpstream, type NextRun } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written by hand and checked against the OpenAPI documents of Airflow 2 and 3; no recordings of a real server are available. */
const TOKEN = 'correct-horse'
const TIME = '2026-04-14T06:00:00Z'

const run = (id: string, state: string, day: number) => {
  const [start, end] = [`2026-04-${day}T06:00:00Z`, state === 'running' ? null : `2026-04-${day}T06:02:30Z`]
  return {
    ...{
      dag_run_id: id,
      dag_id: 'load',
      dag_display_name: 'load',
      state,
      run_type: 'scheduled',
      triggered_by: 'timetable',
      conf: {},
      note: null,
    },
    ...{ run_after: start, logical_date: start, queued_at: start, start_date: start, end_date: end, duration: end && 150 },
    ...{ data_interval_start: start, data_interval_end: start, last_scheduling_decision: null, triggering_user_name: null },
    ...{ dag_versions: [], bundle_version: null, partition_key: null },
  }
}

const toVersion = (
  dag_id: string,
  version_number: number,
  created_at = TIME,
  id = `0192c1b0-1111-7000-8000-${dag_id}${version_number}`,
) => ({
  ...{
    id: id
      .replace(/[^-\da-f]/g, 'a')
      .padEnd(36, '0')
      .slice(0, 36),
    dag_id,
    version_number,
    dag_display_name: dag_id,
    created_at,
  },
  ...{ bundle_name: 'dags-folder', bundle_version: null, bundle_url: null },
})

interface AirflowParts {
  readonly runs?: readonly object[]
  readonly database?: string
}

const createCassette = ({ database = 'shop', runs = [run('r2', 'running', 15), run('r1', 'failed', 14)] }: AirflowParts = {}): Cassette => {
  const uri = (table: string) => `postgres://db:5432/${database}/public/${table}`
  const dag = (dag_id: string, more: object = {}) => ({
    ...{ dag_id, dag_display_name: dag_id, description: `Does ${dag_id}`, is_paused: false, owners: ['ada@example.com', 'airflow'] },
    ...{
      timetable_summary: '0 6 * * *',
      timetable_description: 'At 06:00',
      fileloc: `/dags/${dag_id}.py`,
      relative_fileloc: `${dag_id}.py`,
    },
    ...{
      tags: [{ name: 'Nightly', dag_id, dag_display_name: dag_id }],
      file_token: 'token',
      bundle_name: 'dags-folder',
      bundle_version: null,
    },
    ...{ is_stale: false, last_parsed_time: TIME, last_parse_duration: 0.2, last_expired: null, has_import_errors: false },
    ...{ max_active_tasks: 16, max_active_runs: 16, max_consecutive_failed_dag_runs: 0, has_task_concurrency_limits: false },
    ...{ next_dagrun_logical_date: TIME, next_dagrun_data_interval_start: TIME, next_dagrun_data_interval_end: TIME },
    ...{ next_dagrun_run_after: TIME, ...more },
  })
  const task = (task_id: string, ...downstream_task_ids: string[]) => ({
    ...{ task_id, task_display_name: task_id, owner: 'airflow', operator_name: 'PythonOperator', downstream_task_ids, doc_md: null },
    ...{ class_ref: { class_name: 'PythonOperator', module_path: 'airflow.providers.standard.operators.python' }, is_mapped: false },
    ...{ start_date: TIME, end_date: null, trigger_rule: 'all_success', depends_on_past: false, wait_for_downstream: false, retries: 0 },
    ...{ queue: 'default', pool: 'default_pool', pool_slots: 1, execution_timeout: null, priority_weight: 1, weight_rule: 'downstream' },
    ...{ retry_delay: { __type: 'TimeDelta', days: 0, seconds: 300, microseconds: 0 }, retry_exponential_backoff: 0 },
    ...{ ui_color: '#ffefeb', ui_fgcolor: '#000', template_fields: ['op_args'], params: {}, extra_links: [] },
  })
  const at = { created_at: TIME, updated_at: TIME }
  const asset = (name: string, address: string, more: object) => ({
    ...{ id: 1, name, uri: address, group: 'asset', extra: {}, ...at, aliases: [], watchers: [], last_asset_event: null },
    ...{ scheduled_dags: [], producing_tasks: [], consuming_tasks: [], ...more },
  })
  const dags = [dag('load'), dag('report', { timetable_summary: 'Asset' })]
  const assets = [
    asset('orders', uri('orders'), {
      scheduled_dags: [{ dag_id: 'report', ...at }],
      producing_tasks: [{ dag_id: 'load', task_id: 'copy', ...at }],
    }),
    asset('totals', uri('totals'), { producing_tasks: [{ dag_id: 'report', task_id: 'sum', ...at }] }),
    asset('file', 's3://bucket/raw.csv', { consuming_tasks: [{ dag_id: 'load', task_id: 'copy', ...at }] }),
  ]
  // One object on a page, although a hundred were requested.
  const toPages = (path: string, name: string, all: readonly object[]): Recording[] =>
    all.map((each, offset) => ({ path, query: { offset: String(offset) }, body: { [name]: [each], total_entries: all.length } }))
  return {
    auth: { header: 'authorization', value: `Bearer ${TOKEN}` },
    checkAnswer: checkAgainst('airflow'),
    recordings: [
      { path: '/api/v2/version', open: true, body: { version: '3.1.0', git_version: null } },
      {
        method: 'POST',
        path: '/auth/token',
        open: true,
        request: { username: 'ada', password: 'secret' },
        status: 201,
        body: { access_token: TOKEN },
      },
      ...toPages('/api/v2/dags', 'dags', dags),
      ...toPages('/api/v2/assets', 'assets', assets),
      { path: '/api/v2/dags/load/tasks', body: { tasks: [task('copy', 'check'), task('check')], total_entries: 2 } },
      { path: '/api/v2/dags/report/tasks', body: { tasks: [task('sum')], total_entries: 1 } },
      { path: '/api/v2/dags/load/dagRuns', query: { limit: '25', order_by: '-run_after' }, body: { dag_runs: runs, total_entries: 900 } },
      { path: '/api/v2/dags/report/dagRuns', query: { limit: '25' }, body: { dag_runs: [], total_entries: 0 } },
      { path: '/api/v2/dags/~/dagRuns', body: { dag_runs: [], total_entries: 0 } },
      {
        path: '/api/v2/dags/~/dagVersions',
        query: { order_by: '-id', limit: '100' },
        body: { dag_versions: [toVersion('report', 1), toVersion('load', 1)], total_entries: 2 },
      },
    ],
  }
}

const toEvent = (name: string, at: string) => ({
  ...{
    eventType: 'COMPLETE',
    eventTime: at,
    producer: 'https://example.com',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json',
  },
  ...{ run: { runId: '0192c1b0-1111-7000-8000-000000000001' }, job: { namespace: 'prod', name }, inputs: [], outputs: [] },
})

test('DAGs, tasks, runs and lineage through assets; jobs of OpenLineage events are not created a second time', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using source = await createPostgresSource('create table orders (id int)', 'create table totals (n int)')
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const database = source.name
  await using replay = await startReplay(createCassette({ database }))
  const credentials = { url: replay.url, user: 'ada', password: 'secret', openlineage_namespace: 'prod' }
  const id = await createTestIntegration(app, 'airflow', credentials, { name: 'Airflow' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe('Connected to Airflow 3.1.0: 2 DAGs.')
  expect(await runSync(app, id)).toMatchObject({
    status: 'COMPLETED',
    error: null,
    report: { new: { job_group: 1, job: 5, run: 2, table: 1 } },
  })
  expect(await findByKey(app, id, 'dag.load')).toMatchObject({
    title: 'load',
    display_metadata: { schedule: '0 6 * * *', last_run: { state: 'RUNNING' } },
  })
  expect((await findByKey(app, id, 'dag.load.r1')).display_metadata).toMatchObject({ state: 'FAILED', duration_seconds: 150 })
  const tables = await app.call('GET', '/resource/catalog?entity_type=table&page_size=100')
  const totals = tables.body.results.find(({ title }: { title: string }) => title === 'totals')
  // The DAG of its task is scheduled by `orders`.
  expect(await listUpstream(app, totals.id, 'table')).toEqual(['orders'])
  await expectNoChanges(app, id, { job: 5 })

  // Airflow sends events of one of its tasks from now on.
  const before = await findByKey(app, id, 'dag.load.task copy')
  await app.call('PATCH', `/resource/all/${before.id}`, { body: { description: 'Copies orders' } })
  expect((await app.call('POST', '/lineage', { body: toEvent('load.copy', '2026-04-15T06:00:00Z') })).status).toBeLessThan(300)
  await using later = await startReplay(createCassette({ database, runs: [run('r9', 'success', 16)] }))
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { ...credentials, url: later.url } } })
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null })
  const jobs = await app.call('GET', '/resource/catalog?entity_type=job&page_size=100')
  const copies = jobs.body.results.filter(({ title, archived }: { title: string; archived: boolean }) => /copy$/.test(title) && !archived)
  expect(copies).toEqual([
    expect.objectContaining({
      title: 'load.copy',
      description: 'Copies orders',
      display_metadata: expect.objectContaining({ airflow: { dag_id: 'load', downstream_tasks: ['check'] } }),
    }),
  ])
  // Runs that Airflow no longer lists are not kept.
  await expect(findByKey(app, id, 'dag.load.r1')).rejects.toThrow('"count":0')

  // What cannot be read keeps its lineage.
  await using hiding = await startReplay(createCassette({ database }), [{ path: '/api/v2/dags/report/tasks', status: 403 }])
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { ...credentials, url: hiding.url } } })
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null })
  expect(await listUpstream(app, totals.id, 'table')).toEqual(['orders'])
  expect([...replay.problems, ...later.problems, ...hiding.problems]).toEqual([])
})

const discover = async (faults: readonly Fault[] = [], change?: (recording: Recording) => Recording) => {
  const cassette = createCassette()
  const changed = change && { recordings: cassette.recordings.map(change), checkAnswer: undefined }
  await using replay = await startReplay({ ...cassette, ...changed }, faults)
  const found = await discoverAll(airflow, { url: replay.url, user: 'ada', password: 'secret' })
  expect(replay.problems).toEqual([])
  return JSON.parse(JSON.stringify(found).replaceAll(replay.url, 'http://airflow')) as typeof found
}

test('faults of the API', async () => {
  await expectFaultsHandled(airflow, createCassette(), (url) => ({ url, user: 'ada', password: 'secret' }))
  const again = { 'retry-after': '0' }
  const all = await discover()
  const repaired = await discover([
    { path: '/api/v2/dags', status: 429, headers: again, times: 2 },
    { path: '/api/v2/dags/load/tasks', status: 500, headers: again, times: 1 },
    { path: '/api/v2/assets', status: 401, times: 1 }, // the token has expired
  ])
  expect(repaired).toEqual(all)
  await expect(discover([{ path: '/api/v2/dags', status: 200, after: 1, body: { dags: [], total_entries: 2 } }])).rejects.toThrow(
    'Airflow: GET /api/v2/dags: page 2 is empty, but only 1 of 2 were listed.',
  )
  const gone = await discover([{ path: '/api/v2/dags/load/tasks', status: 404 }])
  expect(gone.filter((each) => each.type === 'item').map(({ key }) => key)).not.toContain('dag.load')
  expect(gone.some((each) => each.type === 'unlisted')).toBe(false)
  const unreadable = await discover([{ path: '/api/v2/dags/load/tasks', status: 403 }])
  expect(unreadable).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'dag.load' }))
  const renamed = (each: Recording) => (each.path.endsWith('/dagRuns') ? { ...each, body: { runs: [] } } : each)
  await expect(discover([], renamed)).rejects.toThrow('/dagRuns: `dag_runs` must be a list, but is missing.')
})

test('Airflow 2 has another path, basic authentication and datasets', async () => {
  const dag = (dag_id: string, schedule_interval: object | null) => ({
    ...{ dag_id, dag_display_name: dag_id, description: null, is_paused: true, is_active: true, owners: ['airflow'], tags: [] },
    ...{ fileloc: `/dags/${dag_id}.py`, file_token: 'token', timetable_description: '', schedule_interval },
  })
  const absolute = { leapdays: 0, year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0, microsecond: 0 }
  const dags = [
    dag('load', { __type: 'TimeDelta', days: 0, seconds: 3600, microseconds: 0 }),
    dag('monthly', {
      __type: 'RelativeDelta',
      years: 0,
      months: 1,
      days: 0,
      hours: 12,
      minutes: 0,
      seconds: 0,
      microseconds: 0,
      ...absolute,
    }),
    dag('cron', { __type: 'CronExpression', value: '@daily' }),
    dag('manual', null),
  ]
  const at = { created_at: TIME, updated_at: TIME }
  const task = {
    task_id: 'copy',
    class_ref: { module_path: 'airflow.operators.bash', class_name: 'BashOperator' },
    downstream_task_ids: [],
  }
  const producing_tasks = [{ dag_id: 'load', task_id: 'copy', ...at }]
  const dataset = { id: 1, uri: 'mysql://db/shop/orders', extra: {}, ...at, consuming_dags: [], producing_tasks }
  await using replay = await startReplay({
    auth: { header: 'authorization', value: `Basic ${Buffer.from('ada:secret').toString('base64')}` },
    checkAnswer: checkAgainst('airflow'),
    recordings: [
      { path: '/api/v2/version', open: true, status: 404, body: { title: 'Not Found' } },
      { path: '/api/v1/version', body: { version: '2.10.4', git_version: null } },
      { path: '/api/v1/dags', query: { only_active: 'true' }, body: { dags, total_entries: dags.length } },
      ...dags.flatMap(({ dag_id }): Recording[] => [
        { path: `/api/v1/dags/${dag_id}/tasks`, body: { tasks: dag_id === 'load' ? [task] : [] } },
        { path: `/api/v1/dags/${dag_id}/dagRuns`, query: { order_by: '-execution_date' }, body: { dag_runs: [], total_entries: 0 } },
      ]),
      { path: '/api/v1/datasets', body: { datasets: [dataset], total_entries: 1 } },
    ],
  })
  const found = await discoverAll(airflow, { url: replay.url, user: 'ada', password: 'secret' })
  expect(replay.problems).toEqual([])
  const facts = found.flatMap((each) => (each.type === 'item' && each.native_type === 'DAG' ? [each.facts] : []))
  expect(facts.map((each) => [each!.schedule, each!.paused])).toEqual([
    ['every 3600 seconds', true],
    ['every 1 month, 12 hours', true],
    ['@daily', true],
    [null, true],
  ])
  expect(found).toContainEqual({ type: 'flow', job: 'dag.load.task copy', from: [], to: [{ table: ['shop', 'orders'], dialect: 'mysql' }] })
  expect(describeLineage(found)).toEqual([])
})

test('addresses of tables', () => {
  expect(parseTableUri('postgresql://db:5432/shop/public/orders')).toEqual({ table: ['shop', 'public', 'orders'], dialect: 'postgres' })
  expect(parseTableUri('bigquery://project/dataset/orders')).toEqual({ table: ['project', 'dataset', 'orders'], dialect: 'bigquery' })
  expect(parseTableUri('snowflake://account/DB.PUBLIC.ORDERS')).toEqual({ table: ['DB', 'PUBLIC', 'ORDERS'], dialect: 'snowflake' })
  expect(parseTableUri('s3://bucket/a/b')).toBeUndefined()
  expect(parseTableUri('postgres://db/orders')).toBeUndefined()
})

test('only DAGs that had runs since the last sync are asked for them', async () => {
  const cassette = createCassette()
  const [load, report] = cassette.recordings.flatMap(({ path, body }) => (path === '/api/v2/dags' ? (body as { dags: object[] }).dags : []))
  const tasks = cassette.recordings.find(({ path }) => path === '/api/v2/dags/report/tasks')!
  let dags = [load, report]
  let runs = [run('r1', 'failed', 14)]
  let changed: readonly object[] = []
  await using replay = await startReplay({
    ...cassette,
    recordings: [
      ...cassette.recordings.filter(({ path }) => !['/api/v2/dags', '/api/v2/dags/load/dagRuns', '/api/v2/dags/~/dagRuns'].includes(path)),
      {
        path: '/api/v2/dags',
        body: (_: unknown, { offset }: Record<string, string>) => ({ dags: [dags[Number(offset)]], total_entries: dags.length }),
      },
      { path: '/api/v2/dags/load/dagRuns', body: () => ({ dag_runs: runs, total_entries: 900 }) },
      { ...tasks, path: '/api/v2/dags/extra/tasks' },
      { path: '/api/v2/dags/extra/dagRuns', body: { dag_runs: [], total_entries: 0 } },
      {
        path: '/api/v2/dags/~/dagRuns',
        body: (_: unknown, { offset }: Record<string, string>) => ({
          ...{ dag_runs: changed.slice(Number(offset), Number(offset) + 100), total_entries: changed.length },
        }),
      },
    ],
  })
  const settings = { url: replay.url, user: 'ada', password: 'secret' }
  const next = async (last?: NextRun) => {
    const before = replay.requests.length
    const found = await discoverNext(airflow, settings, last)
    const asked = replay.requests.slice(before)
    expect(found.catalog).toEqual((await discoverNext(airflow, settings)).catalog)
    expect(replay.problems).toEqual([])
    return { run: found, count: asked.length, asked: asked.flatMap((each) => /dags\/([^/]+)\/dagRuns/.exec(each)?.[1] ?? []) }
  }
  const first = await next()
  expect(first.asked).toEqual(['load', 'report'])
  const second = await next(first.run)
  expect([second.asked, second.count]).toEqual([['~'], first.count - 1])
  expect(second.run.catalog).toEqual(first.run.catalog)
  const request = replay.requests.find((each) => each.includes('~/dagRuns'))!
  const since = new URL(`http://x${request.split(' ')[1]}`).searchParams.get('updated_at_gte')!
  expect(Date.now() - Date.parse(since)).toBeGreaterThanOrEqual(60 * 60_000)
  // A run has begun, a DAG is gone, another is new.
  runs = [run('r2', 'running', 15), ...runs]
  changed = [runs[0]!]
  dags = [load, { ...load, dag_id: 'extra', dag_display_name: 'extra' }]
  const third = await next(second.run)
  expect(third.asked).toEqual(['~', 'load', 'extra'])
  // It was not over, so it is read again whatever the list says.
  runs = [run('r2', 'success', 15), ...runs.slice(1)]
  changed = []
  const fourth = await next(third.run)
  expect(fourth.asked).toEqual(['~', 'load'])
  expect((await next(fourth.run)).asked).toEqual(['~'])

  // Runs that Airflow deleted are in no list: after a week, everything is read.
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString()
  const after = (count: number) => ({ ...fourth.run, state: { ...(fourth.run.state as object), read_at: days(count) } })
  expect((await next(after(6))).asked).toEqual(['~'])
  expect((await next(after(8))).asked).toEqual(['load', 'extra'])
  // With too many runs, it is cheaper to ask for each DAG.
  changed = Array.from({ length: 250 }, (_, i) => run(`x${i}`, 'success', 15))
  expect((await next(fourth.run)).asked).toEqual(['~', '~', 'load', 'extra'])
  changed = changed.slice(0, 99)
  expect((await next(fourth.run)).asked).toEqual(['~', 'load'])
  // Versions that do not have the parameter reject it.
  await using old = await startReplay({ ...cassette }, [{ path: '/api/v2/dags/~/dagRuns', status: 400 }])
  const { catalog } = await discoverNext(airflow, { ...settings, url: old.url }, { ...fourth.run, versions: new Map() })
  expect(catalog).toEqual((await discoverNext(airflow, { ...settings, url: old.url })).catalog)
  expect(old.problems).toEqual([])
  const lines: string[] = []
  const log = async (line: string) => void lines.push(line)
  const context = { allowedHosts: ['127.0.0.1'], settings: { ...settings, url: old.url }, versions: new Map(), progress: async () => {} }
  for await (const found of airflow.discover({ ...context, state: fourth.run.state, log })) void found
  expect(lines).toEqual([
    expect.stringMatching(
      /^This source does not list the runs .*, so the runs of all jobs are read\..*Airflow has this list since version 2\.6\. \(Airflow: GET .* returned status 400\.\)$/,
    ),
  ])
})

test('only DAGs with a new version are asked for their tasks, and those whose version no run has used', async () => {
  const cassette = createCassette()
  const task = (cassette.recordings.find(({ path }) => path === '/api/v2/dags/report/tasks')!.body as { tasks: object[] }).tasks[0]!
  const dag = cassette.recordings.flatMap(({ path, body }) => (path === '/api/v2/dags' ? (body as { dags: object[] }).dags : []))[0]!
  const now = new Date().toISOString()
  const tasks: Record<string, object[]> = { a: [task], b: [task], c: [task] }
  let dags = ['a', 'b', 'c']
  // No run has used the version of the last one.
  let versions = [toVersion('c', 1), toVersion('b', 3), toVersion('a', 2), toVersion('a', 1)]
  const used: Record<string, object[]> = { a: [toVersion('a', 1), toVersion('a', 2)], b: [toVersion('b', 3)], c: [] }
  const start = (faults: readonly Fault[] = []) =>
    startReplay(
      {
        ...cassette,
        recordings: [
          ...cassette.recordings.filter(({ path }) => !/dags(\/(load|report|~)\/.*)?$/.test(path)),
          {
            path: '/api/v2/dags',
            body: (_: unknown, { offset }: Record<string, string>) => ({
              ...{ dags: [{ ...dag, dag_id: dags[Number(offset)], dag_display_name: dags[Number(offset)] }], total_entries: dags.length },
            }),
          },
          { path: '/api/v2/dags/~/dagRuns', body: { dag_runs: [], total_entries: 0 } },
          { path: '/api/v2/dags/~/dagVersions', body: () => ({ dag_versions: versions, total_entries: versions.length }) },
          ...['a', 'b', 'c'].flatMap((id) => [
            { path: `/api/v2/dags/${id}/tasks`, body: () => ({ tasks: tasks[id], total_entries: tasks[id]!.length }) },
            {
              path: `/api/v2/dags/${id}/dagRuns`,
              body: () => ({ dag_runs: [{ ...run('r1', 'success', 14), dag_id: id, dag_versions: used[id] }], total_entries: 1 }),
            },
          ]),
        ],
      },
      faults,
    )
  await using replay = await start()
  /** The DAGs that a run asks for their tasks. Whatever it reads, the outcome is that of a run that reads everything. */
  const next = async (last?: NextRun) => {
    const before = replay.requests.length
    const settings = { url: replay.url, user: 'ada', password: 'secret' }
    const found = await discoverNext(airflow, settings, last)
    const asked = replay.requests.slice(before).flatMap((each) => /dags\/(\w+)\/tasks/.exec(each)?.[1] ?? [])
    expect(found.catalog).toEqual((await discoverNext(airflow, settings)).catalog)
    return { found, asked }
  }
  const rename = (id: string, title: string) => {
    tasks[id] = [{ ...task, task_id: title, task_display_name: title }]
  }
  const first = await next()
  expect(first.asked).toEqual(['a', 'b', 'c'])
  expect(first.found.catalog.find((each) => each.startsWith('dag.a.r1 '))).toContain('"dag_version":2')
  // Its tasks are replaced in place.
  rename('c', 'other')
  const second = await next(first.found)
  expect(second.asked).toEqual(['c'])
  // One has a new version, one is deleted and created again, one is gone.
  rename('a', 'next')
  rename('b', 'again')
  versions = [toVersion('b', 3, now, '0192c1b0-2222-7000-8000-000000000001'), toVersion('a', 3, now), ...versions]
  dags = ['a', 'b']
  const third = await next(second.found)
  expect(third.asked).toEqual(['a', 'b'])
  expect(third.found.catalog.some((each) => each.startsWith('dag.c'))).toBe(false)
  // No run of `a` has used its version yet, as far as is known: those of the last sync are over.
  expect((await next(third.found)).asked).toEqual(['a'])
  const old = {
    ...third.found,
    state: { ...(third.found.state as object), tasks_read_at: new Date(Date.now() - 8 * 86_400_000).toISOString() },
  }
  expect((await next(old)).asked).toEqual(['a', 'b'])
  expect((await next({ ...third.found, state: { ...(third.found.state as object), tasks: 'AAAA' } })).asked).toEqual(['a', 'b'])
  await using denied = await start([{ path: '/api/v2/dags/~/dagVersions', status: 403 }])
  await discoverNext(airflow, { url: denied.url, user: 'ada', password: 'secret' }, third.found)
  expect(denied.requests.filter((each) => each.endsWith('/tasks'))).toHaveLength(2)
  expect(replay.problems).toEqual([])
})
