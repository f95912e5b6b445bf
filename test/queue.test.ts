import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { addTask } from '../src/queue/add-task.ts'
import { recoverTasks } from '../src/queue/recover.ts'
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
