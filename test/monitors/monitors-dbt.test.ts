import { expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { createDbtProject, uploadArtifacts } from '../support/dbt.ts'
import { getJson, type JsonBody } from '../support/monitors.ts'
import { createTestIntegration } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const TEST = 'test.shop.not_null_customers_customer_id.1'

/** Uploads the artifacts of a dbt build with this test result and runs the job. */
const build = async (app: TestApp, id: string, completed_at: string, status: string, failures: number | null) => {
  const { manifest, catalog } = createDbtProject()
  const metadata = { dbt_schema_version: 'https://schemas.getdbt.com/dbt/run-results/v6.json', generated_at: completed_at }
  const timing = [{ name: 'execute', started_at: completed_at, completed_at }]
  const results = [{ unique_id: TEST, status, failures, timing, execution_time: 0.1, message: null, adapter_response: {} }]
  const files = { 'manifest.json': manifest, 'catalog.json': catalog, 'run_results.json': { metadata, results } }
  const { body } = await uploadArtifacts(app, id, files)
  await runJob(app.ctx, JOB_HANDLERS, body.id, { integration_id: id, sync_id: body.id }, true)
  expect((await getJson(app, `/background_jobs/${body.id}`)).failed).toBe(false)
}

test('a dbt test becomes a monitor, a failure opens an incident, and uploading it twice changes nothing', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'dbt', {})
  await build(app, id, '2026-01-02T03:00:00Z', 'pass', 0)
  const [monitor] = (await getJson(app, '/monitor/monitors')).results
  expect(monitor).toMatchObject({
    name: 'not_null_customers_customer_id',
    metric_type: 'pushed',
    condition_manual_max: 0,
    status: 'normal',
    last_measurement_value: 0,
    next_run_at: null,
    display_metadata: { target: { entity_type: 'table', label: 'dev.public.customers' } },
  })
  await build(app, id, '2026-01-03T03:00:00Z', 'fail', 7)
  await build(app, id, '2026-01-03T03:00:00Z', 'fail', 7) // the same build
  const measured = async (): Promise<JsonBody[]> => (await getJson(app, `/monitor/measurements?monitor=${monitor.id}`)).results
  expect((await measured()).map(({ value }) => value)).toEqual([7, 0])
  expect((await getJson(app, '/monitor/incidents')).results).toMatchObject([{ monitor: monitor.id, status: 'active', value: 7 }])
  await build(app, id, '2026-01-04T03:00:00Z', 'skipped', null)
  await build(app, id, '2026-01-04T04:00:00Z', 'error', null)
  expect(await measured()).toHaveLength(2)
  for (const day of [5, 6, 7]) await build(app, id, `2026-01-0${day}T03:00:00Z`, 'pass', 0)
  expect((await getJson(app, '/monitor/incidents')).results).toMatchObject([{ status: 'resolved' }])
  expect((await getJson(app, '/monitor/monitors')).count).toBe(1)
})
