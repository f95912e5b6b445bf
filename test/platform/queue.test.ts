import type { TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addTask } from '../../src/platform/queue/add-task.ts'
import type { WorkerClass } from '../../src/platform/queue/classes.ts'
import { HEARTBEAT_TIMING, Heartbeat, recoverTasks } from '../../src/platform/queue/heartbeat.ts'
import { migrateQueue, startWorker } from '../../src/platform/queue/worker.ts'
import { eventually } from '../support/eventually.ts'
import { createInterruptibleProxy } from '../support/interruptible-proxy.ts'
import { createTestApp } from '../support/test-app.ts'

const one = (tasks: TaskList, slots = 4): WorkerClass[] => [{ name: 'test', tasks, slots }]

test('a long task is not taken from a live worker', async () => {
  await using app = await createTestApp()
  await migrateQueue(app.url)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  let runs = 0
  const slow = async () => {
    runs += 1
    await end
  }
  const worker = await startWorker({ database: app.database, classes: one({ slow }), clock: [], onError: () => {} })
  await addTask(app.db, 'slow', {})
  await eventually(() => expect(runs).toBe(1))
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes'`.execute(app.db)
  expect(await recoverTasks(app.db)).toEqual([])
  resolve()
  await worker.stop()
  expect(runs).toBe(1)
})

test('a task recovered while its worker is alive is completed by its new worker, and its queue continues', async () => {
  await using app = await createTestApp()
  const ends: (() => void)[] = []
  const slow = () => new Promise<void>((end) => ends.push(end))
  let quickRuns = 0
  const quick = async () => {
    quickRuns += 1
  }
  const begin = () => startWorker({ database: app.database, classes: one({ slow, quick }, 1), clock: [], onError: () => {} })
  const workers = [await begin(), await begin()]
  await addTask(app.db, 'slow', {}, { queue: 'one by one' })
  await eventually(() => expect(ends).toHaveLength(1))
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes'`.execute(app.db)
  await sql`update worker_heartbeats set at = now() - interval '10 minutes'`.execute(app.db)
  expect(await recoverTasks(app.db)).toHaveLength(1)
  await eventually(() => expect(ends).toHaveLength(2)) // the other worker has it
  ends[0]!()
  await addTask(app.db, 'quick', {}) // the second worker is still busy, so the first one claims it
  await eventually(() => expect(quickRuns).toBe(1))
  ends[1]!()
  await addTask(app.db, 'slow', {}, { queue: 'one by one' })
  await eventually(() => expect(ends).toHaveLength(3))
  ends[2]!()
  await eventually(async () => expect((await sql`select id from graphile_worker._private_jobs`.execute(app.db)).rows).toEqual([]))
  for (const worker of workers) await worker.stop()
})

test('tasks of a dead worker are recovered by a live one', async () => {
  await using app = await createTestApp()
  await addTask(app.db, 'quick', {}, { queue: 'one by one' })
  await sql`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - interval '1 minute', attempts = 1`.execute(
    app.db,
  )
  await sql`update graphile_worker._private_job_queues set locked_by = 'dead', locked_at = now() - interval '1 minute'`.execute(app.db)
  let runs = 0
  const quick = async () => {
    runs += 1
  }
  const timing = { beatEveryMs: 100, silentMs: 500 }
  const worker = await startWorker({ database: app.database, classes: one({ quick }), clock: [], timing, onError: () => {} })
  await eventually(() => expect(runs).toBe(1))
  await worker.stop()
})

test.each([
  ['done', false, ['last', 'quick']],
  ['broken', true, ['last', 'quick', 'last']],
])(
  'the database is lost while a task is %s: the completion is written after reconnecting, and the worker continues',
  async (_, breaks, expected) => {
    await using app = await createTestApp()
    await using proxy = await createInterruptibleProxy(app.url)
    await using far = await app.createInstance({ url: proxy.url })
    const runs: string[] = []
    const last = async () => {
      runs.push('last')
      if (runs.length > 1) return
      await proxy.cut()
      if (breaks) throw new Error('the source is asleep')
    }
    const quick = async () => void runs.push('quick')
    const notices: string[] = []
    const onError = (_: unknown, what: string) => void notices.push(what)
    const worker = await startWorker({ database: far.database, classes: one({ last, quick }, 1), clock: [], onError })
    await addTask(app.db, 'last', {}, { queue: 'one by one' })
    await eventually(() => expect(notices).toContain('completing a task'))
    await addTask(app.db, 'quick', {}, { queue: 'one by one' })
    await proxy.restore()
    await eventually(() => expect(runs).toEqual(expected))
    await eventually(async () => expect((await sql`select id from graphile_worker._private_jobs`.execute(app.db)).rows).toEqual([]))
    await worker.stop()
  },
)

test.each([
  ['there', []],
  ['back', []],
  ['away', [{ attempts: 1 }]],
])(
  'the database is %s while a worker with a finished task stops: the completion is written if possible, and the worker stops',
  async (is, left) => {
    await using app = await createTestApp()
    await using proxy = await createInterruptibleProxy(app.url)
    await using far = await app.createInstance({ url: proxy.url })
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const last = async () => {
      if (is !== 'there') await proxy.cut()
      resolve()
    }
    const notices: string[] = []
    const onError = (_: unknown, what: string) => void notices.push(what)
    const worker = await startWorker({ database: far.database, classes: one({ last }), clock: [], onError })
    await addTask(app.db, 'last', {})
    await ended
    if (is !== 'there') await eventually(() => expect(notices).toContain('completing a task'), 5)
    if (is === 'back') await proxy.restore()
    await worker.stop()
    expect((await sql`select attempts from graphile_worker._private_jobs`.execute(app.db)).rows).toEqual(left)
  },
)

test('a task claimed while the connection was lost is recovered; running tasks stay', async () => {
  await using app = await createTestApp()
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const runs: string[] = []
  const slow = async () => {
    runs.push('slow')
    await end
  }
  const quick = async () => void runs.push('quick')
  const timing = { beatEveryMs: 100, silentMs: 500 }
  const worker = await startWorker({ database: app.database, classes: one({ slow, quick }), clock: [], timing, onError: () => {} })
  await addTask(app.db, 'slow', {})
  await eventually(() => expect(runs).toEqual(['slow']))
  const { rows } = await sql<{ locked_by: string }>`select locked_by from graphile_worker._private_jobs`.execute(app.db)
  await app.db.transaction().execute(async (trx) => {
    await addTask(trx, 'quick', {}, { queue: 'one by one' })
    const taken = sql`locked_by = ${rows[0]!.locked_by}, locked_at = now() - interval '1 minute'`
    await sql`update graphile_worker._private_jobs set ${taken}, attempts = 1 where locked_by is null`.execute(trx)
    await sql`update graphile_worker._private_job_queues set ${taken}`.execute(trx)
    await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`.execute(trx)
  })
  await eventually(() => expect(runs).toEqual(['slow', 'quick']))
  resolve()
  await worker.stop()
  expect(runs).toEqual(['slow', 'quick'])
  expect((await sql`select id from graphile_worker._private_jobs`.execute(app.db)).rows).toEqual([])
})

test('a process with a gap in its own heartbeats does not judge others', () => {
  const pulse = new Heartbeat(HEARTBEAT_TIMING, 0)
  const beats = (from: number, to: number) => Array.from({ length: (to - from) / 5 + 1 }, (_, i) => pulse.record((from + i * 5) * 1000))
  expect(beats(5, 30)).not.toContain(true)
  expect(beats(35, 60)).not.toContain(false)
  expect(beats(80, 110)).not.toContain(true) // after twenty seconds
  expect(beats(115, 120)).not.toContain(false)
})
