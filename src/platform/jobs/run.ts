import { trace } from '@opentelemetry/api'
import { sql } from 'kysely'
import { findUserActor } from '../authentication/actors.ts'
import type { Context } from '../context/context.ts'
import { ApiError, conflict } from '../core/errors.ts'
import { SYSTEM } from '../permissions/permissions.ts'
import { databaseTime } from '../queue/scheduler.ts'

/** Reports the progress of a job (0 to 100) and optionally a line for its log. Throws if the job was cancelled. */
export type ReportProgress = (progress: number, line?: string) => Promise<void>
/** The handler of a kind of job. It may run again after a crash, so it must be idempotent. `stopping` is aborted when the process stops. */
export type JobHandler = (ctx: Context, payload: unknown, report: ReportProgress, stopping?: AbortSignal) => Promise<void>

/** Another process runs this job now, or has completed it, so progress from this process is not recorded. */
export class JobTakenOverError extends Error {
  constructor() {
    super('Another process has taken over this job.')
  }
}

const MAX_LOG_LENGTH = 100_000
export const JOBS_CHANNEL = 'background_jobs'

/** Jobs that complete a change already made: they run even if its author is no longer active. */
const SYSTEM_JOBS: ReadonlySet<string> = new Set(['update_paths'])

/** Runs one job as the user who started it; its progress can be streamed from any instance. */
export const runJob = async (
  ctx: Context,
  handlers: ReadonlyMap<string, JobHandler>,
  job_id: string,
  payload: unknown,
  lastAttempt: boolean,
  stopping?: AbortSignal,
): Promise<void> => {
  const job = await ctx.db.selectFrom('background_jobs').selectAll().where('id', '=', job_id).executeTakeFirst()
  if (!job || job.completed) return // finished before a crash
  trace.getActiveSpan()?.setAttribute('tablinum.job.kind', job.kind)
  const handler = handlers.get(job.kind)
  const report: ReportProgress = async (progress, line) => {
    const update = { status: 'RUNNING', progress: Math.round(Math.min(99, Math.max(0, progress))), line }
    if (await updateJobProgress(ctx, job_id, update)) throw conflict('The job was cancelled.')
  }
  try {
    await report(0)
    if (!handler) throw new Error(`This version of Tablinum does not support jobs of the kind "${job.kind}".`)
    const actor = job.user_id && !SYSTEM_JOBS.has(job.kind) ? await findUserActor(ctx.db, job.user_id) : SYSTEM
    if (!actor) throw new Error('The user who started this job is no longer active.')
    await handler({ ...ctx, actor, now: await databaseTime(ctx.db) }, payload, report, stopping)
    await updateJobProgress(ctx, job_id, { status: 'COMPLETED', progress: 100 })
  } catch (error) {
    if (error instanceof JobTakenOverError) return
    const rejected = error instanceof ApiError // a retry would fail the same way
    const details = rejected
      ? Object.entries(error.errors ?? {}).flatMap(([where, problems]) => problems.map((each) => `\n${where}: ${each}`))
      : []
    const line = `Failed: ${(error as Error).message}${details.join('')}`
    await updateJobProgress(ctx, job_id, { status: lastAttempt || rejected ? 'FAILED' : 'PENDING', progress: 0, line })
    if (!rejected) throw error
  }
}

interface JobUpdate {
  readonly status: string
  readonly progress: number
  readonly line?: string
}

/** Also used for jobs whose work is done elsewhere. A completed job stays as it is. Returns whether someone wants the job to stop. */
export const updateJobProgress = async (ctx: Context, id: string, { status, progress, line }: JobUpdate): Promise<boolean> => {
  const finished = status === 'COMPLETED' || status === 'FAILED'
  const entry =
    line === undefined
      ? sql`''`
      : sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z" ') || ${`${line}\n`}::text`
  const { rows } = await sql<{ cancel_requested: boolean }>`
    with noted as (
      update background_jobs set status = ${status}, progress = ${progress}::int, failed = ${status === 'FAILED'}::boolean, updated_at = now(),
        logs = right(logs || ${entry}, ${MAX_LOG_LENGTH}::int), completed = case when ${finished}::boolean then now() end
      where id = ${id} and completed is null returning id, cancel_requested
    )
    select cancel_requested, pg_notify(${JOBS_CHANNEL}, id::text) from noted
  `.execute(ctx.db)
  return rows[0]?.cancel_requested ?? false
}
