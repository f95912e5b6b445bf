import { type Selectable, sql } from 'kysely'
import { type Context, inTransaction } from '../context/context.ts'
import { conflict, notFound } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { deleteInBatches } from '../db/in-batches.ts'
import type { BackgroundJobsTable } from '../db/tables/queue.ts'
import { recordActivity } from '../history/record.ts'
import { asc, desc } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { mapPage, readPage } from '../lists/read-page.ts'
import { can } from '../permissions/permissions.ts'
import { addTask } from '../queue/add-task.ts'
import type { Job } from './schema.ts'

export type JobRow = Selectable<BackgroundJobsTable>

/** The task that runs jobs of a worker class. */
export const JOB_TASK = { syncs: 'run_sync_job', long: 'run_long_job' } as const
/** The task name of jobs queued before worker classes existed. */
export const LEGACY_JOB_TASK = 'run_job'

export interface NewJob {
  readonly id?: string
  readonly kind: string
  readonly title: string
  readonly payload?: object
  /** The worker class that runs it. */
  readonly worker_class?: keyof typeof JOB_TASK
  /** Jobs in one named queue run one after the other. */
  readonly queue?: string
  /** Maximum attempts. The delay between them grows to six hours from the tenth on. */
  readonly maxAttempts?: number
}

/** Creates a job and queues its work, in the caller's transaction. */
export const createJob = (ctx: Context, { payload = {}, worker_class = 'long', queue, maxAttempts = 3, ...job }: NewJob): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    const record = await createExternalJob(ctx, job)
    await addTask(ctx.db, JOB_TASK[worker_class], { job_id: record.id, payload }, { maxAttempts, queue })
    return record
  })

/** Creates a job whose work is queued, and its progress reported, elsewhere. */
export const createExternalJob = async (
  ctx: Context,
  { id = newId(), kind, title }: Pick<NewJob, 'id' | 'kind' | 'title'>,
): Promise<Job> => {
  const times = { created_at: ctx.now, updated_at: ctx.now, started: ctx.now }
  const row = await ctx.db
    .insertInto('background_jobs')
    .values({ id, kind, title, user_id: ctx.actor.user_id, status: 'PENDING', ...times })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toJob(row)
}

export const getJob = async (ctx: Context, id: string): Promise<Job> => {
  const row = await ctx.db.selectFrom('background_jobs').selectAll().where('id', '=', id).where(visibleJobsSql(ctx)).executeTakeFirst()
  if (!row) throw notFound('job', id)
  return toJob(row)
}

/** A job that does what the caller wants as well. Without its log if others have started it: that may name what the caller does not see. */
export const getSharedJob = async (ctx: Context, id: string): Promise<Job> => {
  const row = await ctx.db
    .selectFrom('background_jobs')
    .selectAll()
    .select(visibleJobsSql(ctx).as('visible'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('job', id)
  const { visible, ...job } = row
  return toJob(visible ? job : { ...job, logs: '' })
}

/** Kinds of jobs whose work is in small steps, each complete in itself, or leaves nothing behind. */
const CANCELLABLE_JOBS: ReadonlySet<string> = new Set(['draft_suggestions', 'install_driver', 'undo_import'])

/** The job ends after its current step; what it has done stays. */
export const cancelJob = (ctx: Context, id: string): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    const row = await ctx.db
      .selectFrom('background_jobs')
      .selectAll()
      .where('id', '=', id)
      .where(visibleJobsSql(ctx))
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('job', id)
    if (!CANCELLABLE_JOBS.has(row.kind)) throw conflict('Jobs of this kind cannot be cancelled.')
    if (row.completed || row.cancel_requested) return toJob(row)
    await ctx.db.updateTable('background_jobs').set({ cancel_requested: true }).where('id', '=', id).execute()
    await recordActivity(ctx, {
      activity_type: 'job_cancelled',
      resource_id: id,
      resource_type: 'job',
      resource_title: row.title,
      changes: [],
    })
    return toJob(row)
  })

/** Those of a kind that are queued or running and not cancelled, with what they were created with. */
export const listActiveJobs = async (ctx: Context, kind: string): Promise<{ readonly job: Job; readonly payload: unknown }[]> => {
  const { rows } = await sql<JobRow & { payload: unknown }>`
    select b.*, t.payload -> 'payload' as payload
    from background_jobs b join graphile_worker._private_jobs t on t.payload ->> 'job_id' = b.id::text
    where b.kind = ${kind} and b.completed is null and not b.cancel_requested and ${visibleJobsSql(ctx)}
    order by b.created_at, b.id`.execute(ctx.db)
  return rows.map(({ payload, ...row }) => ({ job: toJob(row), payload }))
}

export const listJobs = async (ctx: Context, page: PageRequest, status?: string) => {
  const jobs = await readPage<JobRow>(ctx, page, {
    select: sql`j.*`,
    from: sql`background_jobs j`,
    where: sql`${visibleJobsSql(ctx)} and ${status === undefined ? sql`true` : sql`j.status = ${status}`}`,
    order: [desc('timestamp', 'j.created_at'), asc('id', 'j.id')],
  })
  return mapPage(jobs, toJob)
}

/** Housekeeping: jobs that ended long ago. What they did is in the activity log. */
export const deleteOldJobs = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(db, 'background_jobs', sql`status in ('COMPLETED', 'FAILED') and created_at < ${now}::timestamptz - interval '90 days'`)

/** Admins see every job, others their own. */
const visibleJobsSql = (ctx: Context) =>
  can(ctx.actor, 'people.manage') ? sql<boolean>`true` : sql<boolean>`user_id = ${ctx.actor.user_id}`

const toJob = ({ kind: _, user_id, cancel_requested: _cancel_requested, ...row }: JobRow): Job => ({
  ...row,
  user: user_id,
  status: row.status as Job['status'],
  started: row.started ?? row.created_at,
})
