import { sql } from 'kysely'
import { computeNextRun, formatSchedule, parseSchedule, type Schedule } from '../../observability/monitor-model/schedule.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, invalid, notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { addTask } from '../../platform/queue/add-task.ts'
import { findLastScheduled } from './records.ts'
import type { BackupSchedule, BackupScheduleEdit } from './schema.ts'

/** Backups that the server makes by itself, in a folder that its operator chose. */
export const SCHEDULED_BACKUP_TASK = 'scheduled_backup'
const MAX_ATTEMPTS = 3 // for a process that dies; a failed backup is not repeated before its next time
const DEFAULT_KEEP = 7

interface ScheduleRow {
  readonly schedule: Schedule
  readonly keep: number
  readonly next_run_at: string
}

export const getBackupSchedule = async (ctx: Context): Promise<BackupSchedule> => {
  requirePermission(ctx.actor, 'server.manage')
  const row = await findSchedule(ctx)
  return {
    schedule: row
      ? { ...row.schedule, cadence: row.schedule.cadence as 'daily' | 'weekly', timezone: row.schedule.timezone ?? null }
      : null,
    keep: row?.keep ?? DEFAULT_KEEP,
    next_run_at: row?.next_run_at ?? null,
    folder: ctx.runtime.backupsFolder ?? null,
    last: (await findLastScheduled(ctx)) ?? null,
  }
}

export const saveBackupSchedule = (ctx: Context, { keep = DEFAULT_KEEP, ...input }: BackupScheduleEdit): Promise<BackupSchedule> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'server.manage')
    if (ctx.runtime.backupsFolder === undefined)
      throw conflict(translatable('This server has no folder for backups. Set TABLINUM_BACKUPS and restart it.'))
    const schedule = parseSchedule(input)
    if (typeof schedule === 'string') throw invalid({ timezone: [schedule] })
    const before = await findSchedule(ctx)
    const next_run_at = computeNextRun(schedule, ctx.now)
    await sql`
      insert into backup_schedule (schedule, keep, next_run_at, updated_at)
      values (${JSON.stringify(schedule)}::text::jsonb, ${keep}, ${next_run_at}::timestamptz, ${ctx.now}::timestamptz)
      on conflict (id) do update set schedule = excluded.schedule, keep = excluded.keep, next_run_at = excluded.next_run_at,
        updated_at = excluded.updated_at`.execute(ctx.db)
    await recordChange(ctx, before, { schedule, keep })
    return getBackupSchedule(ctx)
  })

export const deleteBackupSchedule = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'server.manage')
    const before = await findSchedule(ctx)
    if (!before) throw notFound('backup schedule')
    await sql`delete from backup_schedule`.execute(ctx.db)
    await recordChange(ctx, before, undefined)
  })

/** How many scheduled backups are kept; undefined without a schedule. */
export const findKeep = async (ctx: Context): Promise<number | undefined> => (await findSchedule(ctx))?.keep

const findSchedule = async (ctx: Context): Promise<ScheduleRow | undefined> => {
  const { rows } = await sql<ScheduleRow>`select s.schedule, s.keep, s.next_run_at from backup_schedule s`.execute(ctx.db, ctx.limits)
  return rows[0]
}

type Described = Pick<ScheduleRow, 'schedule' | 'keep'>

const recordChange = async (ctx: Context, before: Described | undefined, after: Described | undefined): Promise<void> => {
  const describe = (row: Described | undefined) => (row ? `${formatSchedule(row.schedule)}, the last ${row.keep} are kept` : null)
  const [from, to] = [describe(before), describe(after)]
  if (from === to) return
  await recordActivity(ctx, {
    activity_type: 'backup_schedule_updated',
    resource_type: 'backup_schedule',
    changes: [{ field: 'schedule', from, to }],
  })
}

/** Runs every five minutes. The next time and the task are one transaction, so each time is queued once, however many processes there are. */
export const queueDueBackup = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<ScheduleRow>`
      select s.schedule, s.keep, s.next_run_at from backup_schedule s
      where s.next_run_at <= ${ctx.now}::timestamptz for update skip locked`.execute(ctx.db)
    const [due] = rows
    if (!due) return
    await sql`update backup_schedule set next_run_at = ${computeNextRun(due.schedule, ctx.now)}::timestamptz`.execute(ctx.db)
    if ((await findLastScheduled(ctx))?.status === 'running') return // one that takes a day is not started twice
    const id = newId()
    await sql`insert into backups (id, method, started_at) values (${id}, 'schedule', ${ctx.now}::timestamptz)`.execute(ctx.db)
    await addTask(ctx.db, SCHEDULED_BACKUP_TASK, { backup: id }, { maxAttempts: MAX_ATTEMPTS, queue: SCHEDULED_BACKUP_TASK })
  })
