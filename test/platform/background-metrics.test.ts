import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTasks, workerClasses } from '../../src/app/tasks.ts'
import { followForWebhooks } from '../../src/notifications/webhooks/follow.ts'
import { queueDueRuns } from '../../src/observability/runs/queue-runs.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { createJob } from '../../src/platform/jobs/jobs.ts'
import { addTask } from '../../src/platform/queue/add-task.ts'
import { startWorker } from '../../src/platform/queue/worker.ts'
import { eventually } from '../support/eventually.ts'
import { createInterruptibleProxy } from '../support/interruptible-proxy.ts'
import { createTestMonitor, findResourcesByTitle, HOUR, runPartitions } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The value of a series of /metrics, or undefined. */
const peekMetric = async (app: Pick<TestApp, 'call'>, series: string): Promise<number | undefined> => {
  const { text } = await app.call('GET', 'metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

/** The same, once the database was read in time, which takes a while on a busy machine. */
const readMetric = async (app: Pick<TestApp, 'call'>, series: string): Promise<number> =>
  eventually(async () => {
    const value = await peekMetric(app, series)
    expect(value, series).toBeDefined()
    return value!
  })

test('what waits in the queue and in the ledger of deliveries is counted, with the age of the oldest', async () => {
  await using app = await createTestApp()
  const [soon, earlier] = [new Date(Date.now() + HOUR), new Date(Date.now() - HOUR)]
  await addTask(app.db, 'run_long_job', { job_id: 'a' }, { runAt: earlier })
  await addTask(app.db, 'embed_changes', {}, { runAt: new Date() })
  await addTask(app.db, 'run_sync_job', { job_id: 'b' }, { runAt: soon })
  await app.call('POST', '/notification/webhooks', { body: { url: 'https://hooks.example.com', events: ['resource_created'] } })
  await app.call('POST', '/resource/catalog', { body: { title: 'orders' } })
  while (await followForWebhooks({ ...app.ctx, now: earlier }));
  await sql`insert into changed_health (resource_id) values (gen_random_uuid())`.execute(app.db)
  const tasks = (name: string, state: string) => readMetric(app, `tablinum_queue_tasks{class="${name}",state="${state}"}`)
  expect([
    await tasks('long', 'ready'),
    await tasks('syncs', 'scheduled'),
    await tasks('syncs', 'ready'),
    await tasks('clock', 'ready'),
  ]).toEqual([2, 1, 0, 0])
  expect(await readMetric(app, 'tablinum_queue_oldest_task_age_seconds{class="long"}')).toBeGreaterThan(3_590)
  expect(await readMetric(app, 'tablinum_queue_oldest_task_age_seconds{class="syncs"}')).toBe(0)
  expect(await readMetric(app, 'tablinum_deliveries{channel="webhook",state="pending"}')).toBe(1)
  expect(await readMetric(app, 'tablinum_delivery_oldest_due_age_seconds{channel="webhook"}')).toBeGreaterThan(3_590)
  expect(await readMetric(app, 'tablinum_deliveries{channel="slack",state="pending"}')).toBe(0)
  expect(await readMetric(app, 'tablinum_health_changes_waiting')).toBe(1)
})

test('while the database is away, /metrics answers without what it would read there', async () => {
  await using app = await createTestApp()
  await using proxy = await createInterruptibleProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  expect(await readMetric(instance, 'tablinum_monitor_runs_waiting')).toBe(0)
  proxy.hang()
  await eventually(async () => expect(await peekMetric(instance, 'tablinum_monitor_runs_waiting')).toBeUndefined())
  expect(await readMetric(instance, 'tablinum_pool_connections{pool="request",state="max"}')).toBe(4)
  proxy.resume()
  expect(await readMetric(instance, 'tablinum_monitor_runs_waiting')).toBe(0)
})

test('syncs and monitor runs are counted with their results, and how late monitors were', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource('create table orders (id int)', 'create table gone (id int)')
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, id)
  const find = await findResourcesByTitle(app)
  for (const title of ['public.orders', 'public.gone'])
    await createTestMonitor(app, { target: find(title), metric_type: 'row_count', back_fill: false })
  await source.run('drop table gone')
  await sql`delete from monitor_runs`.execute(app.db) // the first run of a new monitor
  await sql`update monitors set next_run_at = now() - interval '90 seconds'`.execute(app.db)
  expect(await readMetric(app, 'tablinum_monitor_runs_waiting')).toBe(2)
  expect(await readMetric(app, 'tablinum_monitor_oldest_waiting_run_age_seconds')).toBeGreaterThan(89)
  await queueDueRuns({ ...app.ctx, now: new Date() })
  await runPartitions({ ...app.ctx, now: new Date() })
  expect(await readMetric(app, 'tablinum_sync_duration_seconds_count{type="postgres",result="completed"}')).toBe(1)
  for (const result of ['measured', 'error']) expect(await readMetric(app, `tablinum_monitor_runs_total{result="${result}"}`)).toBe(1)
  expect(await readMetric(app, 'tablinum_monitor_delay_seconds_count')).toBe(2)
  expect(await readMetric(app, 'tablinum_monitor_delay_seconds_bucket{le="60"}')).toBe(0)

  await runSync(app, await createTestIntegration(app, 'postgres', { ...source.credentials, database: 'missing' }, { name: 'Missing' }))
  expect(await readMetric(app, 'tablinum_sync_duration_seconds_count{type="postgres",result="failed"}')).toBe(1)
})

test('tasks are measured by class, task and result', async () => {
  await using app = await createTestApp()
  const works = new Map([
    ['fine', async () => {}],
    [
      'broken',
      async () => {
        throw new Error('It is broken.')
      },
    ],
  ])
  const onError = () => {}
  const tasks = buildTasks(() => ({ ...app.ctx, now: new Date() }), works, { onError })
  const classes = workerClasses(tasks, readConfig({}, []).workers)
  const worker = await startWorker({ database: app.database, classes, clock: [], metrics: app.ctx.runtime.backgroundMetrics, onError })
  for (const kind of works.keys()) await createJob(app.ctx, { kind, title: kind, maxAttempts: 1 })
  const count = (result: string) =>
    peekMetric(app, `tablinum_task_duration_seconds_count{class="long",task="run_long_job",result="${result}"}`)
  await eventually(async () => expect([await count('completed'), await count('failed')]).toEqual([1, 1]))
  await worker.stop()
})
