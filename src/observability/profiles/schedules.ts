import { sql } from 'kysely'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import { requirePermission, SYSTEM } from '../../platform/permissions/permissions.ts'
import { getIntegrationName } from '../../sources/integrations/read.ts'
import { computeNextRun, formatSchedule, parseSchedule, type Schedule } from '../monitor-model/schedule.ts'
import { getSourceTableById } from '../source-tables/source-table.ts'
import { queueProfile } from './profile.ts'
import { PROFILE_SOURCE_JOB } from './profile-source.ts'
import type { ProfileSchedule, ProfileScheduleEdit } from './schema.ts'

/** Regular profiles of a table, or of all tables of an integration. */
export type ScheduleTarget = { readonly type: 'table' | 'integration'; readonly id: string }

interface ScheduleRow {
  readonly target: string
  readonly target_type: ScheduleTarget['type']
  readonly schedule: Schedule
  readonly sample_rows: number
  readonly next_run_at: string
  readonly last_run_at: string | null
  readonly job: string | null
}

/** Also of a table without a source: it has no schedule, or one that can be deleted. */
export const getProfileSchedule = async (ctx: Context, target: ScheduleTarget): Promise<ProfileSchedule> => {
  await getTargetName(ctx, target)
  const row = await findSchedule(ctx, target)
  return row ? toRecord(row) : NO_SCHEDULE
}

export const saveProfileSchedule = (ctx: Context, target: ScheduleTarget, edit: ProfileScheduleEdit): Promise<ProfileSchedule> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, WRITES[target.type])
    const title = await getTargetName(ctx, target)
    if (target.type === 'table') await getSourceTableById(ctx, target.id) // a table without a source cannot be profiled
    const { sample_rows = DEFAULT_SAMPLE_ROWS, ...input } = edit
    const schedule = parseSchedule(input)
    if (typeof schedule === 'string') throw invalid({ timezone: [schedule] })
    const before = await findSchedule(ctx, target)
    const next_run_at = computeNextRun(schedule, ctx.now)
    const { rows } = await sql<ScheduleRow>`
      insert into profile_schedules (target, target_type, schedule, sample_rows, next_run_at, created_at, updated_at)
      values (${target.id}, ${target.type}, ${JSON.stringify(schedule)}::text::jsonb, ${sample_rows}, ${next_run_at}::timestamptz,
        ${ctx.now}::timestamptz, ${ctx.now}::timestamptz)
      on conflict (target) do update set schedule = excluded.schedule, sample_rows = excluded.sample_rows, next_run_at = excluded.next_run_at,
        updated_at = excluded.updated_at
      returning *
    `.execute(ctx.db)
    await recordChange(ctx, target, title, before, rows[0])
    return toRecord(rows[0]!)
  })

export const deleteProfileSchedule = (ctx: Context, target: ScheduleTarget): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, WRITES[target.type])
    const title = await getTargetName(ctx, target)
    const before = await findSchedule(ctx, target)
    if (!before) throw notFound('profile schedule', target.id)
    await sql`delete from profile_schedules where target = ${target.id}`.execute(ctx.db)
    await recordChange(ctx, target, title, before, undefined)
  })

const DEFAULT_SAMPLE_ROWS = 10_000
const NO_SCHEDULE: ProfileSchedule = { schedule: null, sample_rows: DEFAULT_SAMPLE_ROWS, next_run_at: null, last_run_at: null, job: null }
const MAX_DUE = 100

/** Runs every five minutes: queues the profiles that are due, unless the one before is still running. */
export const queueDueProfiles = async (ctx: Context, onError: (error: unknown, what: string) => void): Promise<void> => {
  const { rows } = await sql<ScheduleRow>`
    select s.* from profile_schedules s where s.next_run_at <= ${ctx.now}::timestamptz
      and not exists (select from background_jobs j where j.id = s.job and j.status in ('PENDING', 'RUNNING')
        and j.updated_at > ${ctx.now}::timestamptz - interval '2 days')
    order by s.next_run_at limit ${MAX_DUE}
  `.execute(ctx.db)
  for (const row of rows)
    await queueScheduled({ ...ctx, actor: SYSTEM }, row).catch((error) => onError(error, `queueing the profile of ${row.target}`))
}

/** A table that cannot be profiled now, e.g. because it is stale, is tried again at its next time. */
const queueScheduled = async (ctx: Context, { target, target_type, schedule, sample_rows }: ScheduleRow): Promise<void> => {
  const next = computeNextRun(schedule, ctx.now)
  await sql`
    update profile_schedules set next_run_at = ${next}::timestamptz, last_run_at = ${ctx.now}::timestamptz where target = ${target}`.execute(
    ctx.db,
  )
  await inTransaction(ctx, async (ctx) => {
    const job =
      target_type === 'table'
        ? await queueProfile(ctx, target, { sample_rows })
        : await createJob(ctx, {
            kind: PROFILE_SOURCE_JOB,
            title: `Profile ${await getIntegrationName(ctx, target)}`,
            payload: { integration_id: target, sample_rows },
            queue: 'profile source',
          })
    await sql`update profile_schedules set job = ${job.id} where target = ${target}`.execute(ctx.db)
  })
}

/** Runs every hour: schedules of deleted tables and integrations. */
export const deleteOrphanedSchedules = ({ db }: Context): Promise<void> =>
  deleteInBatches(
    db,
    'profile_schedules',
    sql`not exists (select from resources r where r.id = profile_schedules.target)
      and not exists (select from integrations i where i.id = profile_schedules.target)`,
  )

const WRITES = { table: 'catalog.write', integration: 'integrations.manage' } as const

/** Fails unless the caller can see the target. */
const getTargetName = async (ctx: Context, { type, id }: ScheduleTarget): Promise<string> => {
  if (type === 'integration') return getIntegrationName(ctx, id)
  const table = (await findVisibleRows(ctx, [id])).get(id)
  if (table?.entity_type !== 'table') throw notFound('table', id)
  return table.title
}

const findSchedule = async (ctx: Context, { id, type }: ScheduleTarget): Promise<ScheduleRow | undefined> => {
  const { rows } = await sql<ScheduleRow>`
    select s.* from profile_schedules s where s.target = ${id} and s.target_type = ${type}`.execute(ctx.db)
  return rows[0]
}

const toRecord = ({ schedule, sample_rows, next_run_at, last_run_at, job }: ScheduleRow): ProfileSchedule => ({
  schedule: { ...schedule, cadence: schedule.cadence as 'daily' | 'weekly', timezone: schedule.timezone ?? null },
  sample_rows,
  next_run_at,
  last_run_at,
  job,
})

const recordChange = async (
  ctx: Context,
  { id, type }: ScheduleTarget,
  title: string,
  before: ScheduleRow | undefined,
  after: ScheduleRow | undefined,
): Promise<void> => {
  const describe = (row: ScheduleRow | undefined) => (row ? `${formatSchedule(row.schedule)}, ${row.sample_rows} rows` : null)
  const [from, to] = [describe(before), describe(after)]
  if (from !== to)
    await recordActivity(ctx, {
      activity_type: 'profile_schedule_updated',
      resource_id: id,
      resource_type: type,
      resource_title: title,
      changes: [{ field: 'schedule', from, to }],
    })
}
