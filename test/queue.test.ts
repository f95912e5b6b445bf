import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { addTask } from '../src/queue/add-task.ts'
import { Pulse, recoverTasks, TIMING } from '../src/queue/recover.ts'
import { migrateQueue, startWorker } from '../src/queue/worker.ts'
import { aHouse } from './house.ts'

test('a task that takes long is not taken from a worker that lives', async () => {
  await using house = await aHouse()
  await migrateQueue(house.url)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  let runs = 0
  const slow = async () => {
    runs += 1
    await end
  }
  const worker = await startWorker({ database: house.database, tasks: { slow }, clock: [], onError: () => {} })
  await addTask(house.db, 'slow', {})
  await vi.waitFor(() => expect(runs).toBe(1), 20_000)
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes'`.execute(house.db)
  expect(await recoverTasks(house.db)).toEqual([])
  resolve()
  await worker.stop()
  expect(runs).toBe(1)
})

test('one that is given back while its worker lives is ended by whoever has it now, and its queue goes on', async () => {
  await using house = await aHouse()
  const ends: (() => void)[] = []
  const slow = () => new Promise<void>((end) => ends.push(end))
  let quickRuns = 0
  const quick = async () => {
    quickRuns += 1
  }
  const begin = () => startWorker({ database: house.database, tasks: { slow, quick }, clock: [], concurrency: 1, onError: () => {} })
  const workers = [await begin(), await begin()]
  await addTask(house.db, 'slow', {}, { queue: 'one by one' })
  await vi.waitFor(() => expect(ends).toHaveLength(1), 20_000)
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes'`.execute(house.db)
  await sql`update worker_beats set at = now() - interval '10 minutes'`.execute(house.db)
  expect(await recoverTasks(house.db)).toHaveLength(1)
  await vi.waitFor(() => expect(ends).toHaveLength(2), 20_000) // the other has it
  ends[0]!()
  await addTask(house.db, 'quick', {}) // the second still has its hands full, so the first takes it, done with the other
  await vi.waitFor(() => expect(quickRuns).toBe(1), 20_000)
  ends[1]!()
  await addTask(house.db, 'slow', {}, { queue: 'one by one' })
  await vi.waitFor(() => expect(ends).toHaveLength(3), 20_000)
  ends[2]!()
  await vi.waitFor(async () => expect((await sql`select id from graphile_worker._private_jobs`.execute(house.db)).rows).toEqual([]), 20_000)
  for (const worker of workers) await worker.stop()
})

test('what a dead worker held is taken up by a living one, without being told', async () => {
  await using house = await aHouse()
  await addTask(house.db, 'quick', {}, { queue: 'one by one' })
  await sql`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - interval '1 minute', attempts = 1`.execute(
    house.db,
  )
  await sql`update graphile_worker._private_job_queues set locked_by = 'dead', locked_at = now() - interval '1 minute'`.execute(house.db)
  let runs = 0
  const quick = async () => {
    runs += 1
  }
  const timing = { beatEveryMs: 100, silentMs: 500 }
  const worker = await startWorker({ database: house.database, tasks: { quick }, clock: [], timing, onError: () => {} })
  await vi.waitFor(() => expect(runs).toBe(1), 20_000)
  await worker.stop()
})

test('who was away itself does not judge the silence of others', () => {
  const pulse = new Pulse(TIMING, 0)
  const beats = (from: number, to: number) => Array.from({ length: (to - from) / 5 + 1 }, (_, i) => pulse.beat((from + i * 5) * 1000))
  expect(beats(5, 30)).not.toContain(true)
  expect(beats(35, 60)).not.toContain(false)
  expect(beats(80, 110)).not.toContain(true) // after twenty seconds
  expect(beats(115, 120)).not.toContain(false)
})
