import { expect, test } from 'vitest'
import { type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { createDbtProject } from '../../support/dbt.ts'
import { createTestIntegration, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { createJob, createRun, createStep, toPage, toRun } from './dbt-cloud.ts'

const BASE = '/api/v2/accounts/7'
const MANIFEST = `${BASE}/runs/11/artifacts/manifest.json`

const createCassette = (): Recording[] => {
  const { manifest, run_results } = createDbtProject()
  const job = (id: number) => createJob(id, `Job ${id}`)
  const run = createRun(11, 10, '2026-04-14 06:01:00.000000+00:00')
  return [
    { path: `${BASE}/jobs/`, query: { offset: '0' }, body: toPage([job(1)], 2) },
    { path: `${BASE}/jobs/`, query: { offset: '1' }, body: toPage([job(2)], 2) },
    { path: `${BASE}/runs/`, query: { job_definition_id: '1' }, body: toPage([run]) },
    { path: `${BASE}/runs/`, query: { job_definition_id: '2' }, body: toPage([]) },
    { path: `${BASE}/runs/11/`, body: toRun(run, [createStep(4, 'Invoke dbt with `dbt build`')]) },
    { path: MANIFEST, body: manifest },
    { path: `${BASE}/runs/11/artifacts/run_results.json`, body: run_results },
  ]
}

test('faults of the API of dbt Cloud', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const token = 'correct-horse'
  const id = await createTestIntegration(app, 'dbt_cloud', { url: 'http://127.0.0.1:1', account_id: '7', token })
  const sync = async (faults: readonly Fault[] = [], change?: (recording: Recording) => Recording) => {
    const recordings = createCassette()
    const cassette = change ? { recordings: recordings.map(change) } : { recordings, checkAnswer: checkAgainst('dbt-cloud') }
    await using replay = await startReplay({ auth: { header: 'authorization', value: `Token ${token}` }, ...cassette }, faults)
    await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { url: replay.url, token } } })
    const { status, error, report } = await runSync(app, id)
    // Not every run writes every artifact.
    expect(replay.problems.filter((problem) => !/artifacts\/\w+\.json: was not recorded$/.test(problem))).toEqual([])
    return { status, error, stale: report?.stale }
  }
  const again = { 'retry-after': '0' }
  expect(await sync()).toEqual({ status: 'COMPLETED', error: null, stale: {} })
  const repaired = await sync([
    { path: `${BASE}/jobs/`, status: 429, headers: again, times: 2 },
    { path: MANIFEST, status: 500, headers: again, times: 1 },
  ])
  expect(repaired).toEqual({ status: 'COMPLETED', error: null, stale: {} })
  expect(await sync([{ status: 401, after: 3 }])).toMatchObject({ status: 'FAILED', error: expect.stringContaining('was rejected (401)') })
  const emptied = (each: Recording) =>
    each.query?.offset === '1' ? { ...each, body: { data: [], extra: { pagination: { count: 0, total_count: 2 } } } } : each
  expect(await sync([], emptied)).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining(`GET ${BASE}/jobs/: page 2 is empty, but only 1 of 2 were listed.`),
  })
  const renamed = (each: Recording) => (each.query?.job_definition_id === '1' ? { ...each, body: { data: [{ run_id: 11 }] } } : each)
  expect(await sync([], renamed)).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/`data\[0\]\.\w+` must be/) })
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'stale', value: true }))
  expect((await app.call('GET', `/resource/catalog?filter=${filter}`)).body.count).toBe(0)
  // Deleted after the jobs were listed: its runs are not found.
  const withoutRuns = (each: Recording) => (each.query?.job_definition_id === '2' ? { ...each, status: 404, body: {} } : each)
  expect(await sync([], withoutRuns)).toEqual({ status: 'COMPLETED', error: null, stale: { job: 1 } })
})

test('results are those of the steps that ran something, not those of the last step', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const { manifest, catalog, run_results } = createDbtProject()
  const [model, failed] = run_results.results
  const metadata = (invocation_id: string) => ({ ...run_results.metadata, invocation_id })
  const results = (which: string, ...results: readonly unknown[]) => ({
    ...run_results,
    metadata: metadata(which),
    results,
    args: { which },
  })
  const generated = results('generate', { ...model, adapter_response: {} }, { ...failed, status: 'success', failures: null })
  const artifact = (run: number, name: string, body: unknown, step?: number): Recording => ({
    ...{ path: `${BASE}/runs/${run}/artifacts/${name}.json`, body },
    ...(step === undefined ? {} : { query: { step: String(step) } }),
  })
  /** Of the last step. */
  const missing = (run: number, name: string): Recording => ({ ...artifact(run, name, {}), status: 404 })
  const sources = {
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/sources/v3.json' },
    elapsed_time: 1,
    results: [
      {
        ...{ unique_id: 'source.shop.app.orders', status: 'warn', max_loaded_at: '2026-01-01T00:00:00+00:00', thread_id: 'Thread-1' },
        ...{ snapshotted_at: '2026-01-02T00:00:00+00:00', max_loaded_at_time_ago_in_s: 86400, execution_time: 1, timing: [] },
        ...{ criteria: { warn_after: { count: 12, period: 'hour' } }, adapter_response: {} },
      },
    ],
  }
  const steps = [
    createStep(1, 'Clone git repository'),
    createStep(2, 'Create profile from connection Postgres'),
    createStep(3, 'Invoke dbt with `dbt deps`'),
    createStep(4, 'Invoke dbt with `dbt source freshness`'),
    createStep(5, 'Invoke dbt with `dbt --warn-error run --select customers`'),
    createStep(6, 'Invoke dbt with `dbt test`'),
    createStep(7, "Invoke dbt with `dbt run-operation clean --args '{command: build}'`"),
    createStep(8, 'Invoke dbt with `dbt docs generate`'),
  ]
  // Of a run that failed, the last steps were not reached: they have no artifacts.
  const reached = [createStep(4, 'Invoke dbt with `dbt build`', 20), createStep(5, 'Invoke dbt with `dbt test`', 1)]
  const late = { name: 'execute', started_at: '2026-01-03T03:00:00Z', completed_at: '2026-01-03T03:00:01Z' }
  const broken = results('build', { ...model, status: 'error', message: 'out of memory', timing: [late] })
  const runs = (id: number, ...listed: readonly object[]) => ({
    path: `${BASE}/runs/`,
    query: { job_definition_id: String(id) },
    body: toPage(listed),
  })
  await using replay = await startReplay({
    auth: { header: 'authorization', value: 'Token correct-horse' },
    checkAnswer: checkAgainst('dbt-cloud'),
    recordings: [
      { path: `${BASE}/jobs/`, body: toPage([createJob(1, 'Nightly'), createJob(2, 'Broken')]) },
      runs(1, createRun(11, 10, '2026-04-14 06:01:00.000000+00:00')),
      runs(2, createRun(12, 20, '2026-04-15 06:01:00.000000+00:00')),
      { path: `${BASE}/runs/11/`, query: { include_related: 'run_steps' }, body: toRun(createRun(11, 10, null), steps) },
      { path: `${BASE}/runs/12/`, query: { include_related: 'run_steps' }, body: toRun(createRun(12, 20, null), reached) },
      artifact(11, 'run_results', results('run', model), 5),
      artifact(11, 'run_results', results('test', failed), 6),
      artifact(11, 'run_results', generated),
      artifact(11, 'sources', sources, 4),
      missing(11, 'sources'),
      artifact(11, 'manifest', manifest),
      artifact(11, 'catalog', catalog),
      artifact(12, 'run_results', broken, 4),
      artifact(12, 'manifest', manifest, 4),
      missing(12, 'manifest'),
    ],
  })
  const credentials = { url: replay.url, account_id: '7', token: 'correct-horse' }
  const id = await createTestIntegration(app, 'dbt_cloud', credentials)
  const { status, error } = await runSync(app, id)
  expect([status, error]).toEqual(['COMPLETED', null])
  const find = async (title: string, type: string) => {
    const is = (field: string, value: string) => ({ operator: 'exact', field, value })
    const filter = { operator: 'and', operands: [is('title', title), is('entity_type', type)] }
    const { body } = await app.call('GET', `/resource/catalog?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    expect([title, body.count]).toEqual([title, 1])
    return body.results[0].display_metadata
  }
  expect((await find('not_null_customers_customer_id', 'test')).result).toMatchObject({ status: 'fail', failures: 2 })
  // The newest result of the model is that of the run that failed in the middle.
  expect((await find('customers', 'table')).dbt).toMatchObject({ run: { status: 'error', message: 'out of memory' } })
  expect((await find('raw_orders', 'table')).dbt.freshness).toMatchObject({ status: 'warn' })
  const asked = replay.requests.filter((request) => request.includes('run_results'))
  const path = (run: number, step: number) => `GET ${BASE}/runs/${run}/artifacts/run_results.json?step=${step}`
  expect(asked).toEqual([path(12, 4), path(11, 6), path(11, 5)])
  expect(replay.problems).toEqual([])
})

const RUN_STEPS = [4, 5, 6, 7].map((index) => createStep(index, 'Invoke dbt with `dbt run`'))

/** One job with one run, and the results of its steps. */
const startRunOfSteps = (manifest: object, results: Readonly<Record<number, unknown>>) => {
  const run = createRun(11, 10, '2026-04-14 06:01:00.000000+00:00')
  return startReplay({
    recordings: [
      { path: `${BASE}/jobs/`, body: toPage([createJob(1, 'Nightly')]) },
      { path: `${BASE}/runs/`, body: toPage([run]) },
      { path: `${BASE}/runs/11/`, body: toRun(run, RUN_STEPS) },
      { path: MANIFEST, body: manifest },
      ...Object.entries(results).map(
        ([step, body]): Recording => ({ path: `${BASE}/runs/11/artifacts/run_results.json`, query: { step }, body }),
      ),
      { path: `${BASE}/runs/11/artifacts/run_results.json`, status: 404, body: {} },
    ],
  })
}

const toResultsPath = (step: number) => `GET ${BASE}/runs/11/artifacts/run_results.json?step=${step}`

test('of two earlier steps that ran the same model, the later one counts', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const { manifest, run_results } = createDbtProject()
  const [model, tested] = run_results.results
  delete (manifest.nodes['model.shop.customers'] as { compiled_code?: string }).compiled_code
  const results = (which: string, ...results: readonly object[]) => ({
    ...{ ...run_results, results, args: { which } },
    metadata: { ...run_results.metadata, invocation_id: which },
  })
  await using replay = await startRunOfSteps(manifest, {
    5: results('run', { ...model, compiled_code: 'select 1 as first' }),
    6: results('build', { ...model, compiled_code: 'select 2 as second', status: 'error', message: 'out of memory' }),
    7: results('test', tested!),
  })
  const id = await createTestIntegration(app, 'dbt_cloud', { url: replay.url, account_id: '7', token: 'correct-horse' })
  expect((await runSync(app, id)).status).toBe('COMPLETED')
  const { display_metadata } = await findByFullTitle(app, 'dev.public.customers')
  expect(display_metadata.dbt).toMatchObject({ code: 'select 2 as second', run: { status: 'error', message: 'out of memory' } })
})

test.each([
  ['together', { 5: 60, 6: 60 }, [7, 6, 5], 5],
  ['on their own', { 6: 101 }, [7, 6], 6],
])('results of earlier steps that are too large %s are left out', async (_, sizes, asked, first) => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const { manifest, run_results } = createDbtProject()
  const large = (megabytes: number) => JSON.stringify({ ...run_results, results: [], padding: 'x'.repeat(megabytes * 1024 * 1024) })
  const padded = Object.entries(sizes).map(([step, megabytes]) => [step, large(megabytes)])
  await using replay = await startRunOfSteps(manifest, {
    ...{ 4: run_results, 5: run_results },
    ...Object.fromEntries(padded),
    7: run_results,
  })
  const id = await createTestIntegration(app, 'dbt_cloud', { url: replay.url, account_id: '7', token: 'correct-horse' })
  const { id: sync, status, error } = await runSync(app, id)
  expect([status, error]).toEqual(['COMPLETED', null])
  expect(replay.requests.filter((request) => request.includes('run_results'))).toEqual(asked.map(toResultsPath))
  const { body: job } = await app.call('GET', `/background_jobs/${sync}`)
  expect(job.logs).toContain(`Run 11: the results of step ${first} and of the steps before it were left out.`)
})

test('artifacts of a run are downloaded once, and those of newer runs again after it', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const { manifest, run_results } = createDbtProject()
  const named = (description: string) => {
    const { 'model.shop.customers': model, ...nodes } = manifest.nodes
    return { ...manifest, nodes: { ...nodes, 'model.shop.customers': { ...model, description } } }
  }
  const end = (day: number) => `2026-04-${day} 06:01:00.000000+00:00`
  let jobs = [createJob(1, 'Nightly'), createJob(2, 'Hourly')]
  const runs: Record<string, { id: number }[]> = {
    1: [createRun(11, 10, end(11))],
    2: [createRun(23, 20, end(13)), createRun(22, 10, end(12))],
  }
  await using replay = await startReplay({
    auth: { header: 'authorization', value: 'Token correct-horse' },
    checkAnswer: checkAgainst('dbt-cloud'),
    recordings: [
      { path: `${BASE}/jobs/`, body: () => toPage(jobs) },
      {
        path: `${BASE}/runs/`,
        body: (_: unknown, { job_definition_id, id__gt }: Record<string, string>) => {
          if (job_definition_id !== undefined) return toPage(runs[job_definition_id]!)
          const all = Object.entries(runs).flatMap(([job, each]) => each.map((run) => ({ ...run, job_definition_id: Number(job) })))
          return toPage(all.filter(({ id }) => id > Number(id__gt)))
        },
      },
      ...[11, 22, 23, 24, 25].flatMap((id): Recording[] => [
        { path: `${BASE}/runs/${id}/`, body: toRun(createRun(id, 10, null), [createStep(4, 'Invoke dbt with `dbt build`')]) },
        { path: `${BASE}/runs/${id}/artifacts/manifest.json`, body: named(`Of run ${id}`) },
        { path: `${BASE}/runs/${id}/artifacts/run_results.json`, body: run_results },
        ...['catalog', 'sources'].map((name) => ({ path: `${BASE}/runs/${id}/artifacts/${name}.json`, status: 404, body: {} })),
      ]),
    ],
  })
  const id = await createTestIntegration(app, 'dbt_cloud', { url: replay.url, account_id: '7', token: 'correct-horse' })
  const sync = async (body?: { full: boolean }) => {
    const before = replay.requests.length
    const { status, error } = await runSync(app, id, body)
    expect([status, error]).toEqual(['COMPLETED', null])
    const read = replay.requests.slice(before).flatMap((each) => /runs\/(\d+)\/artifacts\/manifest/.exec(each)?.[1] ?? [])
    return { read: [...new Set(read)], count: replay.requests.length - before }
  }
  const describe = async () => (await findByFullTitle(app, 'dev.public.customers')).description
  const first = await sync()
  expect([first.read, await describe()]).toEqual([['23', '11', '22'], 'Of run 22'])
  const second = await sync()
  expect([second.read, second.count]).toEqual([[], 2])
  expect(first.count).toBeGreaterThan(10)
  // A newer run.
  runs[2] = [createRun(24, 10, end(14)), ...runs[2]!]
  expect([(await sync()).read, await describe()]).toEqual([['24'], 'Of run 24'])
  // One that ended before: the manifest is still that of the newest.
  runs[1] = [createRun(25, 10, end(13)), ...runs[1]!]
  expect([(await sync()).read, await describe()]).toEqual([['25', '24'], 'Of run 24'])
  // The job of the newest is gone.
  jobs = jobs.slice(0, 1)
  expect([(await sync()).read, await describe()]).toEqual([['25'], 'Of run 25'])
  expect((await sync()).read).toEqual([])
  expect((await sync({ full: true })).read).toEqual(['25'])
  expect(replay.problems).toEqual([])
})
