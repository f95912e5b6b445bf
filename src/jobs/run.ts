import { sql } from 'kysely'
import { findActorOf } from '../access/actors.ts'
import { SYSTEM } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { databaseTime } from '../queue/clock.ts'

/** How a job tells how far it is: 0..100, and a line for its log. */
export type Report = (progress: number, line?: string) => Promise<void>
/** What a kind of job does. It may be run again after a crash, so doing it twice must do no harm. */
export type JobWork = (ctx: Context, payload: unknown, report: Report) => Promise<void>

const LONGEST_LOG = 100_000
export const JOBS_CHANNEL = 'background_jobs'

/** Kinds that finish a change which has been made already: they run even if whoever made it may do nothing any more. */
const SYSTEM_JOBS: ReadonlySet<string> = new Set(['update_paths'])

/** Runs one job, as the person who asked for it; every step can be watched from any instance. */
export const runJob = async (
  ctx: Context,
  works: ReadonlyMap<string, JobWork>,
  job_id: string,
  payload: unknown,
  lastAttempt: boolean,
): Promise<void> => {
  const job = await ctx.db.selectFrom('background_jobs').selectAll().where('id', '=', job_id).executeTakeFirst()
  if (!job || job.completed) return // done before a crash could be noted
  const work = works.get(job.kind)
  const report: Report = (progress, line) =>
    noteJob(ctx, job_id, { status: 'RUNNING', progress: Math.round(Math.min(99, Math.max(0, progress))), line })
  await report(0)
  try {
    if (!work) throw new Error(`This version does not know jobs of the kind ${job.kind}.`)
    const actor = job.user_id && !SYSTEM_JOBS.has(job.kind) ? await findActorOf(ctx.db, job.user_id) : SYSTEM
    if (!actor) throw new Error('Whoever asked for this job is no longer active.')
    await work({ ...ctx, actor, now: await databaseTime(ctx.db) }, payload, report)
    await noteJob(ctx, job_id, { status: 'COMPLETED', progress: 100 })
  } catch (error) {
    const refused = error instanceof Refusal // asked again it would say the same
    const details = refused
      ? Object.entries(error.errors ?? {}).flatMap(([where, problems]) => problems.map((each) => `\n${where}: ${each}`))
      : []
    const line = `Failed: ${(error as Error).message}${details.join('')}`
    await noteJob(ctx, job_id, { status: lastAttempt || refused ? 'FAILED' : 'PENDING', progress: 0, line })
    if (!refused) throw error
  }
}

interface Note {
  readonly status: string
  readonly progress: number
  readonly line?: string
}

/** For jobs whose work is done elsewhere, too. */
export const noteJob = async (ctx: Context, id: string, { status, progress, line }: Note): Promise<void> => {
  const over = status === 'COMPLETED' || status === 'FAILED'
  const entry =
    line === undefined
      ? sql`''`
      : sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z" ') || ${`${line}\n`}::text`
  await sql`
    with noted as (
      update background_jobs set status = ${status}, progress = ${progress}::int, failed = ${status === 'FAILED'}::boolean, updated_at = now(),
        logs = right(logs || ${entry}, ${LONGEST_LOG}::int), completed = case when ${over}::boolean then now() end
      where id = ${id} returning id
    )
    select pg_notify(${JOBS_CHANNEL}, id::text) from noted
  `.execute(ctx.db)
}
