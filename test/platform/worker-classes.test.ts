import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTasks, SCHEDULE, workerClasses } from '../../src/app/tasks.ts'
import { ConfigError, readConfig, type WorkerSlots } from '../../src/platform/config/config.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { createExternalJob, createJob } from '../../src/platform/jobs/jobs.ts'
import type { JobHandler } from '../../src/platform/jobs/run.ts'
import { addTask } from '../../src/platform/queue/add-task.ts'
import { queueConnections } from '../../src/platform/queue/classes.ts'
import { startWorker } from '../../src/platform/queue/worker.ts'
import { eventually } from '../support/eventually.ts'
import { createTestMonitor, getJson } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const startWorkers = (env: NodeJS.ProcessEnv): WorkerSlots => readConfig(env, []).workers
const SLOTS = startWorkers({})

const startTestWorker = async (app: TestApp, slots: WorkerSlots, works: Record<string, JobHandler>) => {
  const onError = (error: unknown) => {
    throw error
  }
  const tasks = buildTasks(() => ({ ...app.ctx, now: new Date() }), new Map(Object.entries(works)), { onError })
  const worker = await startWorker({ database: app.database, classes: workerClasses(tasks, slots), clock: [], onError })
  return { [Symbol.asyncDispose]: () => worker.stop() }
}

/** Jobs that run until they are released. */
const blocking = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const state = { running: 0, release: resolve }
  const work: JobHandler = async () => {
    state.running += 1
    await promise
  }
  return { state, work }
}

const lockIntegration = async (app: TestApp, id: string) => {
  const { db, close } = connect(app.url, { poolSize: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (db) => {
    await sql`select from integrations where id = ${id} for update`.execute(db)
    locked.resolve()
    await promise
  })
  await locked.promise
  return {
    hasWaiter: () =>
      eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          app.db,
        )
        expect(rows).not.toEqual([])
      }),
    [Symbol.asyncDispose]: async () => {
      resolve()
      await holding
      await close()
    },
  }
}

test('with all slots for syncs and long jobs busy, a due monitor still runs', async () => {
  await using app = await createTestApp({ requestTimeoutMs: 3_600_000 }) // no statement that waits for a lock gives up
  await using source = await createPostgresSource('create table orders (id int)', 'insert into orders values (1), (2)')
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const { id: target } = await app.db.selectFrom('resources').select('id').where('title', '=', 'orders').executeTakeFirstOrThrow()
  const monitor = await createTestMonitor(app, { target })
  const { state, work } = blocking()
  await using _worker = await startTestWorker(app, SLOTS, { block: work })
  for (const worker_class of ['syncs', 'long'] as const)
    for (let i = 0; i <= SLOTS[worker_class]; i += 1) await createJob(app.ctx, { kind: 'block', title: worker_class, worker_class })
  try {
    await eventually(() => expect(state.running).toBe(SLOTS.syncs + SLOTS.long))
    await sql`update monitors set next_run_at = now()`.execute(app.db)
    // Nor does the clock stop while somebody holds a row that one of its tasks needs.
    await sql`update integrations set next_sync_at = now() - interval '1 minute'`.execute(app.db)
    await using lock = await lockIntegration(app, integration)
    const { queueName } = SCHEDULE.find(({ task }) => task === 'sync_due')!.options!
    for (let i = 0; i <= SLOTS.clock; i += 1) await addTask(app.db, 'sync_due', {}, { queue: queueName })
    await lock.hasWaiter()
    await addTask(app.db, 'monitors_due', {})
    await eventually(async () =>
      expect((await getJson(app, `/monitor/measurements?monitor=${monitor.id}`)).results).toMatchObject([{ value: 2 }]),
    )
    expect(state.running).toBe(SLOTS.syncs + SLOTS.long)
  } finally {
    state.release()
  }
})

test('syncs and other long jobs do not wait for each other', async () => {
  await using app = await createTestApp()
  const { state, work } = blocking()
  const done: string[] = []
  await using _worker = await startTestWorker(app, SLOTS, { block: work, quick: async () => void done.push('quick') })
  try {
    for (let i = 0; i <= SLOTS.long; i += 1) await createJob(app.ctx, { kind: 'block', title: 'long' })
    await eventually(() => expect(state.running).toBe(SLOTS.long))
    await createJob(app.ctx, { kind: 'quick', title: 'sync', worker_class: 'syncs' })
    await eventually(() => expect(done).toEqual(['quick']))
  } finally {
    state.release()
  }
})

test('of several jobs of the demo one runs at a time, and the others occupy no slots', async () => {
  await using app = await createTestApp()
  const { state, work } = blocking()
  const done: string[] = []
  await using _worker = await startTestWorker(app, SLOTS, { seed_demo: work, quick: async () => void done.push('quick') })
  try {
    for (let i = 0; i <= SLOTS.long; i += 1) expect((await app.call('POST', '/demo')).status).toBe(200)
    await eventually(() => expect(state.running).toBe(1))
    await createJob(app.ctx, { kind: 'quick', title: 'another' })
    await eventually(() => expect(done).toEqual(['quick']))
    expect(state.running).toBe(1)
  } finally {
    state.release()
  }
})

test('a job queued by an earlier version is run', async () => {
  await using app = await createTestApp()
  const job = await createExternalJob(app.ctx, { kind: 'quick', title: 'old' })
  await addTask(app.db, 'run_job', { job_id: job.id, payload: { n: 1 } }, { maxAttempts: 3, queue: 'sync 1' })
  const seen: unknown[] = []
  await using _worker = await startTestWorker(app, SLOTS, { quick: async (_, payload) => void seen.push(payload) })
  await eventually(async () => expect((await getJson(app, `/background_jobs/${job.id}`)).status).toBe('COMPLETED'))
  expect(seen).toEqual([{ n: 1 }])
})

test('the queue opens no more connections than computed', async () => {
  await using app = await createTestApp()
  const slots = { clock: 2, monitors: 2, syncs: 8, long: 8 }
  const runs: unknown[] = []
  await using _worker = await startTestWorker(app, slots, { quick: async () => void runs.push(1) })
  for (let i = 0; i < 40; i += 1) await createJob(app.ctx, { kind: 'quick', title: `${i}`, worker_class: i % 2 ? 'syncs' : 'long' })
  await eventually(() => expect(runs).toHaveLength(40))
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'tablinum queue'
  `.execute(app.db)
  expect(queueConnections(slots)).toBe(7)
  expect(rows[0]!.n).toBeLessThanOrEqual(7)
  expect(rows[0]!.n).toBeGreaterThan(4) // one listener per class, and the shared ones
})

test('worker slots are configurable; an empty setting is the default', () => {
  expect(SLOTS).toEqual({ clock: 5, monitors: 4, syncs: 2, long: 4 })
  expect(startWorkers({ TABLINUM_WORKERS_SYNCS: '5', TABLINUM_WORKERS_LONG: '' })).toEqual({ ...SLOTS, syncs: 5 })
  for (const wrong of ['0', '65', 'x', '1.5']) expect(() => startWorkers({ TABLINUM_WORKERS_CLOCK: wrong })).toThrow(ConfigError)
  expect(queueConnections(SLOTS)).toBe(7)
})

test('the background pool leaves connections besides those held by syncs', () => {
  const background = (env: NodeJS.ProcessEnv) => readConfig(env, []).pools.background
  expect(background({})).toBe(8)
  expect(background({ TABLINUM_WORKERS_SYNCS: '10' })).toBe(14)
  expect(background({ TABLINUM_WORKERS_SYNCS: '10', TABLINUM_BACKGROUND_POOL: '20' })).toBe(20)
})
