import { EventEmitter } from 'node:events'
import { type CronItem, Logger, makeWorkerUtils, type Runner, run, type WorkerEvents } from 'graphile-worker'
import type { Database } from '../db/connect.ts'
import { classConnections, type WorkerClass } from './classes.ts'
import { HEARTBEAT_TIMING, Heartbeat, type HeartbeatTiming, recordHeartbeat, recoverTasks } from './heartbeat.ts'
import type { BackgroundMetrics } from './metrics.ts'
import { openQueuePool } from './pool.ts'
import { Scheduler, startScheduler } from './scheduler.ts'

/** Creates the queue's tables in their own schema. Safe to run from several instances at once. */
export const migrateQueue = async (url: string): Promise<void> => {
  await using connections = openQueuePool(url, { max: 1, onError: () => {} })
  const utils = await makeWorkerUtils({ pgPool: connections.pool, logger: silentLogger })
  await utils.migrate()
  await utils.release()
}

export interface WorkerOptions {
  readonly database: Database
  readonly classes: readonly WorkerClass[]
  readonly clock: CronItem[]
  /** How soon dead workers are detected. */
  readonly timing?: HeartbeatTiming
  readonly metrics?: BackgroundMetrics
  readonly onError: (error: unknown, what: string) => void
  readonly onWarning?: (message: string, details: object) => void
}

export interface Worker {
  /** Claims no new tasks and waits for the running ones. */
  stop(): Promise<void>
}

/**
 * Processes the queue until stopped. Each class has its own runner, which claims only the tasks of the class; they share the connections,
 * the heartbeat and the recovery. Tasks of a process that died are retried by another one after half a minute.
 */
export const startWorker = async ({
  database,
  classes,
  clock,
  timing = HEARTBEAT_TIMING,
  metrics,
  onError,
  onWarning = () => {},
}: WorkerOptions): Promise<Worker> => {
  const events = new EventEmitter() as WorkerEvents
  const workers = new Set<string>()
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id)) // the ID under which its workers claim tasks
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId))
  events.on('worker:stop', ({ worker }) => workers.delete(worker.workerId))
  const running = new Set<string>()
  events.on('job:start', ({ job }) => running.add(job.id))
  if (metrics) observeTasks(events, classes, metrics)
  events.on('job:complete', ({ job }) => setImmediate(() => running.delete(job.id))) // by then its completion is being written
  events.on('pool:listen:error', ({ error }) => onError(error, 'queue connection'))
  events.on('job:error', ({ error, job }) => onError(error, `task ${job.task_identifier}`))
  await using undo = new AsyncDisposableStack()
  const connections = undo.use(openQueuePool(database.url, { max: classConnections(classes), onError }))
  let heartbeatTimer: NodeJS.Timeout | undefined
  undo.defer(() => clearInterval(heartbeatTimer)) // only after the last task: others would consider its worker dead
  const runners: Runner[] = []
  undo.defer(async () => void (await Promise.all(runners.map((runner) => runner.stop()))))
  for (const { tasks, slots } of classes)
    runners.push(
      await run({
        pgPool: connections.pool,
        taskList: tasks,
        parsedCronItems: [], // src/platform/queue/scheduler.ts schedules tasks
        concurrency: slots,
        noHandleSignals: true,
        pollInterval: 1000,
        logger: silentLogger,
        events,
      }),
    )
  const heartbeat = new Heartbeat(timing, performance.now())
  const recordAndRecover = async () => {
    await recordHeartbeat(database.db, [...workers])
    if (!heartbeat.record(performance.now())) return
    // A task whose completion is not written yet looks abandoned, so only tasks of other processes are recovered then.
    await recoverTasks(database.db, timing, connections.isSettled() ? { workers: [...workers], tasks: [...running] } : undefined)
  }
  const sendHeartbeat = () => recordAndRecover().catch((error) => onError(error, 'worker heartbeat'))
  await sendHeartbeat()
  heartbeatTimer = setInterval(sendHeartbeat, timing.beatEveryMs)
  if (clock.length > 0) undo.use(await startScheduler(new Scheduler({ db: database.db, items: clock, metrics, onWarning }), onError))
  const everything = undo.move()
  return { stop: () => everything.disposeAsync() }
}

/** The duration of each task, from its start until its result is written. */
const observeTasks = (events: WorkerEvents, classes: readonly WorkerClass[], metrics: BackgroundMetrics): void => {
  const classOf = new Map(classes.flatMap(({ name, tasks }) => Object.keys(tasks).map((task) => [task, name])))
  const startedAt = new WeakMap<object, number>()
  events.on('job:start', ({ job }) => startedAt.set(job, performance.now()))
  events.on('job:complete', ({ job, error }) => {
    const task = job.task_identifier
    const labels = { class: classOf.get(task) ?? 'unknown', task, result: error ? 'failed' : 'completed' }
    metrics.taskDuration.observe(labels, (performance.now() - (startedAt.get(job) ?? performance.now())) / 1000)
  })
}

const silentLogger = new Logger(() => () => {})
