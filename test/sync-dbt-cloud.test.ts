import { expect, test } from 'vitest'
import { type Fault, type Recording, startReplay } from '../connector/src/replay.ts'
import { createDbtProject } from './dbt.ts'
import { createTestIntegration, runSync } from './sources.ts'
import { createTestApp } from './test-app.ts'

const BASE = '/api/v2/accounts/7'
const MANIFEST = `${BASE}/runs/11/artifacts/manifest.json`

const createCassette = (): Recording[] => {
  const { manifest, run_results } = createDbtProject()
  const job = (id: number) => ({ id, name: `Job ${id}`, project_id: 3, description: '', execute_steps: [], schedule: null })
  const page = (data: readonly object[], total_count = data.length) => ({
    data,
    extra: { pagination: { count: data.length, total_count } },
  })
  const run = { id: 11, status: 10, started_at: '2026-04-14 06:00:00+00:00', finished_at: '2026-04-14 06:01:00+00:00', href: null }
  return [
    { path: `${BASE}/jobs/`, query: { offset: '0' }, body: page([job(1)], 2) },
    { path: `${BASE}/jobs/`, query: { offset: '1' }, body: page([job(2)], 2) },
    { path: `${BASE}/runs/`, query: { job_definition_id: '1' }, body: page([run]) },
    { path: `${BASE}/runs/`, query: { job_definition_id: '2' }, body: page([]) },
    { path: MANIFEST, body: manifest },
    { path: `${BASE}/runs/11/artifacts/run_results.json`, body: run_results },
  ]
}

test('faults of the API of dbt Cloud', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const token = 'correct-horse'
  const id = await createTestIntegration(app, 'dbt_cloud', { url: 'http://127.0.0.1:1', account_id: '7', token })
  const sync = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
    const cassette = { auth: { header: 'authorization', value: `Token ${token}` }, recordings: createCassette().map(change) }
    await using replay = await startReplay(cassette, faults)
    await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { url: replay.url, token } } })
    const { status, error, report } = await runSync(app, id)
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
