import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { mergeRuns, parseRuns } from '../../../src/sources/dbt/runs.ts'
import { createDbtProject, uploadArtifacts } from '../../support/dbt.ts'
import { createDataset, createOpenLineageEvent } from '../../support/openlineage.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** What a model, seed or snapshot did in one invocation of dbt. */
interface NodeOutcome {
  readonly unique_id: string
  readonly status?: string
  readonly seconds?: number
  readonly message?: string
}

/** The results of one invocation that started at this time. */
const invoke = (started: string, outcomes: readonly NodeOutcome[], invocation_id: string | null = started) => {
  const { metadata } = createDbtProject().run_results
  const end = (seconds: number) => new Date(Date.parse(started) + seconds * 1000).toISOString()
  return {
    metadata: { ...metadata, generated_at: end(60), invocation_id },
    args: { which: 'build' },
    results: outcomes.map(({ unique_id, status = 'success', seconds = 5, message = null }) => ({
      ...{ unique_id, status, message, failures: null, execution_time: seconds },
      timing: status === 'skipped' ? [] : [{ name: 'execute', started_at: started, completed_at: end(seconds) }],
      adapter_response: status === 'success' ? { rows_affected: 7 } : {},
    })),
  }
}

const MODEL = 'model.shop.customers'
const SEED = 'seed.shop.raw_customers'

const sync = async (app: TestApp, id: string, files: Readonly<Record<string, unknown>>) => {
  const { status, body, text } = await uploadArtifacts(app, id, files)
  expect([status, text]).toEqual([200, expect.any(String)])
  await runJob(app.ctx, JOB_HANDLERS, body.id, { integration_id: id, sync_id: body.id }, true)
}

const find = async (app: TestApp, title: string, entity_type: string): Promise<{ id: string; display_metadata: never }[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from resources where title = ${title} and entity_type = ${entity_type} and not stale and not archived`.execute(app.db)
  return Promise.all(rows.map(async ({ id }) => (await app.call('GET', `/resource/all/${id}`)).body))
}

const graph = async (app: TestApp, id: string, token = app.token) => {
  const { nodes, edges } = (await app.call('GET', `/lineage/graph?resource_id=${id}&include_jobs=true`, { token })).body
  const names = new Map(
    nodes.map((node: { id: string; title: string; entity_type: string }) => [node.id, `${node.entity_type} ${node.title}`]),
  )
  return edges.map(({ from, to }: { from: string; to: string }) => `${names.get(from)} -> ${names.get(to)}`).sort()
}

const titles = (datasets: { title: string }[]) => datasets.map(({ title }) => title).sort()

test('models, seeds and snapshots that ran are jobs between their tables, with the runs of several uploads', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'dbt', {})
  const { manifest, catalog } = createDbtProject()
  const files = { 'manifest.json': manifest, 'catalog.json': catalog }
  await sync(app, id, { ...files, 'run_results.json': invoke('2026-01-02T03:00:00.000Z', [{ unique_id: SEED }, { unique_id: MODEL }]) })
  const [job] = await find(app, 'customers', 'job')
  const [table] = await find(app, 'customers', 'table')
  expect(job).toMatchObject({
    native_type: 'dbt model',
    title_full: 'shop.customers',
    display_metadata: { unique_id: MODEL, materialized: 'table', last_run: { state: 'COMPLETED', duration_seconds: 5 } },
  })
  expect(await graph(app, table!.id)).toEqual(
    expect.arrayContaining([
      'job customers -> table customers',
      'job raw_customers -> table raw_customers',
      'table raw_customers -> job customers',
      'table raw_orders -> job customers',
    ]),
  )
  expect(await graph(app, table!.id)).not.toContain('table raw_orders -> table customers')

  // The next night it reads less and fails; the night after it is skipped.
  Object.assign(manifest.nodes[MODEL] as object, {
    depends_on: { nodes: [SEED] },
    raw_code: "select id as customer_id from {{ ref('raw_customers') }}",
    compiled_code: 'select id as customer_id from "dev"."public"."raw_customers"',
  })
  const failed = { unique_id: MODEL, status: 'error', seconds: 2, message: 'relation "raw_customers" does not exist' }
  await sync(app, id, { ...files, 'run_results.json': invoke('2026-01-03T03:00:00.000Z', [failed]) })
  await sync(app, id, { ...files, 'run_results.json': invoke('2026-01-04T03:00:00.000Z', [{ unique_id: MODEL, status: 'skipped' }]) })
  const { results, count } = (await app.call('GET', `/resource/all/${job!.id}/runs`)).body
  expect(count).toBe(3)
  expect(results).toMatchObject([
    { state: 'ABORTED', started_at: null, duration_seconds: null, error: null, inputs: [], outputs: [] },
    { title: '2026-01-03 03:00', state: 'FAILED', duration_seconds: 2, error: failed.message, rows_written: null },
    { title: '2026-01-02 03:00', state: 'COMPLETED', duration_seconds: 5, rows_written: 7, started_at: '2026-01-02T03:00:00.000Z' },
  ])
  expect([titles(results[1].inputs), titles(results[1].outputs)]).toEqual([['raw_customers'], ['customers']])
  expect([titles(results[2].inputs), titles(results[2].outputs)]).toEqual([['raw_customers', 'raw_orders'], ['customers']])
  expect(await graph(app, table!.id)).not.toContain('table raw_orders -> job customers')
  // A run itself, for its page.
  expect((await app.call('GET', `/resource/all/${results[1].id}/runs`)).body.results).toEqual([results[1]])

  // A file that arrives twice changes nothing, and the model that is gone has no job.
  const changes = (await app.listActivities()).length
  await sync(app, id, { ...files, 'run_results.json': invoke('2026-01-04T03:00:00.000Z', [{ unique_id: MODEL, status: 'skipped' }]) })
  expect((await app.listActivities()).length).toBe(changes)
  delete (manifest.nodes as Record<string, unknown>)[MODEL]
  await sync(app, id, { 'manifest.json': manifest })
  expect(await find(app, 'customers', 'job')).toEqual([])
  expect(await graph(app, (await find(app, 'raw_customers', 'table'))[0]!.id)).toEqual(['job raw_customers -> table raw_customers'])
})

test('a failed model is a cause of wrong numbers downstream; its evidence is not shown as code', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'dbt', {})
  const { manifest, catalog } = createDbtProject()
  const run_results = invoke('2026-01-02T03:00:00.000Z', [{ unique_id: MODEL, status: 'error', message: 'out of memory' }])
  await sync(app, id, { 'manifest.json': manifest, 'catalog.json': catalog, 'run_results.json': run_results })
  const [dashboard] = await find(app, 'Weekly numbers', 'dashboard')
  const { causes } = (await app.call('GET', `/lineage/root_cause?resource_id=${dashboard!.id}`)).body
  expect(causes).toContainEqual(expect.objectContaining({ kind: 'failed_run', text: 'The last run of customers failed.' }))
  const [table] = await find(app, 'customers', 'table')
  const { blocks } = (await app.call('GET', `/resource/all/${table!.id}/code`)).body
  expect(blocks.map(({ kind }: { kind: string }) => kind)).toEqual(['dbt', 'dbt_compiled'])
})

test('a job is hidden with the table of a warehouse that it fills, and goes with the project', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table raw_customers (id int)',
    'create table raw_orders (id int, customer_id int, amount int)',
    'create table customers (customer_id int, total numeric)',
  )
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const { body: team } = await app.call('POST', '/auth/teams', { body: { name: 'Finance', closed: true } })
  const [table] = await find(app, 'customers', 'table')
  const [orders] = await find(app, 'raw_orders', 'table')
  await app.call('PATCH', `/resource/all/${table!.id}`, { body: { teams: [team.id] } })
  const id = await createTestIntegration(app, 'dbt', {})
  const { manifest, run_results } = createDbtProject({ database: source.name })
  await sync(app, id, { 'manifest.json': manifest, 'run_results.json': run_results })
  const [job] = await find(app, 'customers', 'job')
  const editor = await app.createUser('editor')
  expect((await app.call('GET', `/resource/all/${job!.id}/runs`)).body.count).toBe(1)
  expect((await app.call('GET', `/resource/all/${job!.id}/runs`, { token: editor.token })).status).toBe(404)
  const { results } = (await app.call('GET', `/resource/all/${job!.id}/runs`)).body
  expect((await app.call('GET', `/resource/all/${results[0].id}`, { token: editor.token })).status).toBe(404)
  expect((await graph(app, orders!.id, editor.token)).join()).not.toMatch(/(job|table) customers\b(?!_history)/)
  expect(await graph(app, orders!.id)).toContain('table raw_orders -> job customers')

  expect((await app.call('DELETE', `/integration/integrations/${id}`)).status).toBe(204)
  expect(await graph(app, orders!.id)).toEqual([])
})

test('a model whose runs arrive as OpenLineage events is not a second job', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'dbt', {})
  const { manifest, catalog, run_results } = createDbtProject()
  const files = { 'manifest.json': manifest, 'catalog.json': catalog, 'run_results.json': run_results }
  await sync(app, id, files)
  expect(await find(app, 'customers', 'job')).toHaveLength(1)
  const namespace = 'postgres://db:5432'
  const event = createOpenLineageEvent({
    ...{ namespace: 'dbt', name: 'dev.public.shop.customers.build.run' },
    inputs: [createDataset(namespace, 'dev.public.raw_orders')],
    outputs: [createDataset(namespace, 'dev.public.customers')],
  })
  expect((await app.call('POST', '/lineage', { body: event })).status).toBe(201)
  await sync(app, id, files)
  expect(await find(app, 'customers', 'job')).toEqual([])
  const [table] = await find(app, 'customers', 'table')
  const edges = await graph(app, table!.id)
  expect(edges).toContain('job dev.public.shop.customers.build.run -> table customers')
  expect(edges).not.toContain('job customers -> table customers')
})

test('the newest 25 runs of a node are kept, each invocation once, fewer in very large projects', () => {
  const nights = Array.from({ length: 30 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n, 3)).toISOString())
  const parsed = nights.map((night) => parseRuns(invoke(night, [{ unique_id: MODEL }, { unique_id: 'test.shop.unique.1' }])))
  const runs = parsed.reduce(mergeRuns, [])
  expect(runs.map(({ id }) => id)).toEqual(nights.toReversed().slice(0, 25))
  expect(mergeRuns(runs, runs)).toEqual(runs)
  const many = Array.from({ length: 20_000 }, (_, n) => ({ ...runs[0]!, unique_id: `model.shop.m${n}` }))
  const again = many.map((run) => ({ ...run, id: 'older', ended_at: '2020-01-01T00:00:00.000Z' }))
  const older = many.map((run) => ({ ...run, id: 'oldest', ended_at: '2019-01-01T00:00:00.000Z' }))
  expect(mergeRuns(mergeRuns(older, again), many)).toHaveLength(40_000)
  // Without an invocation, runs differ by their time; results without any time are no runs.
  expect(parseRuns(invoke('2026-01-02T03:00:00.000Z', [{ unique_id: MODEL }], null))).toMatchObject([{ id: '2026-01-02T03:00:05.000Z' }])
  expect(parseRuns({ metadata: {}, results: [{ unique_id: MODEL, status: 'success' }] })).toEqual([])
  const statuses = ['success', 'partial success', 'no-op'].map((status) => ({ unique_id: MODEL, status }))
  expect(parseRuns(invoke('2026-01-02T03:00:00.000Z', statuses)).map(({ status }) => status)).toEqual(statuses.map(({ status }) => status))
})
