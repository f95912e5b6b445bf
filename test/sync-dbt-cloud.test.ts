import { expect, test } from 'vitest'
import { type Fault, type Recording, startReplay } from '../connector/src/replay.ts'
import { checkAgainst } from './api-descriptions/api-description.ts'
import { createDbtProject } from './dbt.ts'
import { createJob, createRun, toPage } from './dbt-cloud.ts'
import { createTestIntegration, runSync } from './sources.ts'
import { createTestApp } from './test-app.ts'

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
