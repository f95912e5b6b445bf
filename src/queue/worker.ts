import { type CronItem, Logger, makeWorkerUtils, parseCronItems, type Runner, run, type TaskList } from 'graphile-worker'
import pg from 'pg'

/** The queue's own tables, in a schema of their own. Safe to run from several instances at once. */
export const migrateQueue = async (url: string): Promise<void> => {
  const utils = await makeWorkerUtils({ connectionString: url, logger: quiet })
  await utils.migrate()
  await utils.release()
}

export interface WorkerOptions {
  readonly url: string
  readonly tasks: TaskList
  readonly clock: CronItem[]
  readonly concurrency?: number
  readonly onError: (error: unknown, what: string) => void
}

/** Works off the queue until it is stopped. What is under way when the process dies is taken up by another after a while. */
export const startWorker = async ({ url, tasks, clock, concurrency = 4, onError }: WorkerOptions): Promise<Runner> => {
  const pool = new pg.Pool({ connectionString: url, max: concurrency + 2, idleTimeoutMillis: 30_000, application_name: 'tablinum-worker' })
  pool.on('error', (error) => onError(error, 'queue connection')) // without a listener the process would end with the connection
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    parsedCronItems: parseCronItems(clock),
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: quiet,
  })
  runner.events.on('job:error', ({ error, job }) => onError(error, `task ${job.task_identifier}`))
  runner.promise.finally(() => pool.end()).catch((error) => onError(error, 'worker'))
  return runner
}

const quiet = new Logger(() => () => {})
