import { EventEmitter } from 'node:events'
import { type CronItem, Logger, makeWorkerUtils, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Database } from '../db/connect.ts'
import { openQueuePool } from './pool.ts'
import { beat, Pulse, recoverTasks, TIMING, type Timing } from './recover.ts'

/** The queue's own tables, in a schema of their own. Safe to run from several instances at once. */
export const migrateQueue = async (url: string): Promise<void> => {
  await using connections = openQueuePool(url, { max: 1, onError: () => {} })
  const utils = await makeWorkerUtils({ pgPool: connections.pool, logger: quiet })
  await utils.migrate()
  await utils.release()
}

export interface WorkerOptions {
  readonly database: Database
  readonly tasks: TaskList
  readonly clock: CronItem[]
  readonly concurrency?: number
  /** How soon the dead are noticed. */
  readonly timing?: Timing
  readonly onError: (error: unknown, what: string) => void
}

export interface Worker {
  /** Takes no new task, and waits for those under way. */
  stop(): Promise<void>
}

/** Works off the queue until it is stopped. What is under way when the process dies is taken up by another after half a minute. */
export const startWorker = async ({
  database,
  tasks,
  clock,
  concurrency = 4,
  timing = TIMING,
  onError,
}: WorkerOptions): Promise<Worker> => {
  const events = new EventEmitter() as WorkerEvents
  const workers = new Set<string>()
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id)) // in whose name its workers take their tasks
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId))
  events.on('worker:stop', ({ worker }) => workers.delete(worker.workerId))
  const underWay = new Set<string>()
  events.on('job:start', ({ job }) => underWay.add(job.id))
  events.on('job:complete', ({ job }) => setImmediate(() => underWay.delete(job.id))) // by then its end is being written
  events.on('pool:listen:error', ({ error }) => onError(error, 'queue connection'))
  events.on('job:error', ({ error, job }) => onError(error, `task ${job.task_identifier}`))
  await using undo = new AsyncDisposableStack()
  const connections = undo.use(openQueuePool(database.url, { max: concurrency + 2, onError }))
  const runner = await run({
    pgPool: connections.pool,
    taskList: tasks,
    parsedCronItems: parseCronItems(clock),
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: quiet,
    events,
  })
  undo.defer(() => runner.stop())
  const pulse = new Pulse(timing, performance.now())
  const alive = async () => {
    await beat(database.db, [...workers])
    if (!pulse.beat(performance.now())) return
    // While the end of a task is owed, that task looks like one nobody works on: only others are judged.
    await recoverTasks(database.db, timing, connections.ended() ? { workers: [...workers], tasks: [...underWay] } : undefined)
  }
  const tell = () => alive().catch((error) => onError(error, 'worker beat'))
  await tell()
  const beating = setInterval(tell, timing.beatEveryMs)
  undo.defer(() => clearInterval(beating))
  const everything = undo.move()
  return { stop: () => everything.disposeAsync() }
}

const quiet = new Logger(() => () => {})
