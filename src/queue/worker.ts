import { EventEmitter } from 'node:events'
import { type CronItem, Logger, makeWorkerUtils, type Runner, run, type WorkerEvents } from 'graphile-worker'
import type { Database } from '../db/connect.ts'
import { classConnections, type WorkerClass } from './classes.ts'
import { Clock, startClock } from './clock.ts'
import type { BackgroundMetrics } from './metrics.ts'
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
  readonly classes: readonly WorkerClass[]
  readonly clock: CronItem[]
  /** How soon the dead are noticed. */
  readonly timing?: Timing
  readonly metrics?: BackgroundMetrics
  readonly onError: (error: unknown, what: string) => void
  readonly onWarning?: (message: string, details: object) => void
}

export interface Worker {
  /** Takes no new task, and waits for those under way. */
  stop(): Promise<void>
}

/**
 * Works off the queue until it is stopped. Each class has a runner of its own, which takes only the tasks it knows; they share the connections,
 * the beat and the recovery. What is under way when the process dies is taken up by another after half a minute.
 */
export const startWorker = async ({
  database,
  classes,
  clock,
  timing = TIMING,
  metrics,
  onError,
  onWarning = () => {},
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
  const connections = undo.use(openQueuePool(database.url, { max: classConnections(classes), onError }))
  let beating: NodeJS.Timeout | undefined
  undo.defer(() => clearInterval(beating)) // not before the last task has ended: others would take it for one of a dead worker
  const runners: Runner[] = []
  undo.defer(async () => void (await Promise.all(runners.map((runner) => runner.stop()))))
  for (const { tasks, slots } of classes)
    runners.push(
      await run({
        pgPool: connections.pool,
        taskList: tasks,
        parsedCronItems: [], // src/queue/clock.ts is the schedule
        concurrency: slots,
        noHandleSignals: true,
        pollInterval: 1000,
        logger: quiet,
        events,
      }),
    )
  const pulse = new Pulse(timing, performance.now())
  const alive = async () => {
    await beat(database.db, [...workers])
    if (!pulse.beat(performance.now())) return
    // While the end of a task is owed, that task looks like one nobody works on: only others are judged.
    await recoverTasks(database.db, timing, connections.ended() ? { workers: [...workers], tasks: [...underWay] } : undefined)
  }
  const tell = () => alive().catch((error) => onError(error, 'worker beat'))
  await tell()
  beating = setInterval(tell, timing.beatEveryMs)
  if (clock.length > 0) undo.use(await startClock(new Clock({ db: database.db, items: clock, metrics, onWarning }), onError))
  const everything = undo.move()
  return { stop: () => everything.disposeAsync() }
}

const quiet = new Logger(() => () => {})
