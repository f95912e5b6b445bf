import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { notifyAdmins } from '../../notifications/alerts/queue-alerts.ts'
import type { ChannelName } from '../../platform/channels/channel.ts'
import { PRODUCT_VERSION } from '../../platform/config/product-version.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { readMigrations } from '../../platform/db/migrate.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { type BackupSummary, createBackup } from './create-backup.ts'
import { BackupError } from './error.ts'
import { MAX_RUNNING } from './records.ts'
import { findKeep } from './schedule.ts'

export interface ScheduledBackupOptions {
  readonly onError: (error: unknown, what: string) => void
  /** Channels on which admins are notified of a failure. */
  readonly listChannels?: () => Promise<readonly ChannelName[]>
  /** Aborted when the process stops: another one makes the backup. */
  readonly stopping?: AbortSignal
}

/** Makes a scheduled backup and removes those that are too many. It may run again after a crash. */
export const runScheduledBackup = async (
  ctx: Context,
  { backup: id }: { backup: string },
  options: ScheduledBackupOptions,
): Promise<void> => {
  const { rows } = await sql<{ started_at: string }>`
    select b.started_at from backups b where b.id = ${id} and b.finished_at is null`.execute(ctx.db)
  const [backup] = rows
  if (!backup) return // finished before a crash, or of the server that this workspace was restored from
  const name = getFileName(id, backup.started_at)
  let summary: BackupSummary
  try {
    summary = await writeBackup(ctx, name, options.stopping)
  } catch (error) {
    if (options.stopping?.aborted) throw error
    return failScheduledBackup(ctx, id, (error as Error).message, options)
  }
  await completeScheduledBackup(ctx, id, name, summary)
  for (const remove of [removeOldBackups, removeUnfinishedBackups])
    await remove(ctx).catch((error) => options.onError(error, 'removing old backups'))
}

const writeBackup = async (ctx: Context, name: string, signal: AbortSignal | undefined): Promise<BackupSummary> => {
  const folder = getFolder(ctx)
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new BackupError(`Cannot create the folder ${folder}: ${error.message}`)
  })
  const file = join(folder, name)
  // What a process that died has left. No other process makes this backup at the same time.
  for (const left of [file, `${file}.part`]) await rm(left, { force: true })
  const { url } = ctx.runtime.databases.transfer
  return createBackup({ url, file, version: PRODUCT_VERSION, migrations: await readMigrations(), signal })
}

const getFileName = (id: string, started_at: string): string =>
  `tablinum-${new Date(started_at).toISOString().slice(0, 16).replace(':', '')}-${id.slice(-8)}.backup`

const getFolder = ({ runtime: { backupsFolder } }: Context): string => {
  if (backupsFolder === undefined)
    throw new BackupError('The process that makes backups has no folder for them. Set TABLINUM_BACKUPS in its environment, too.')
  return backupsFolder
}

const completeScheduledBackup = (ctx: Context, id: string, file: string, { header, bytes }: BackupSummary): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const rows = header.parts.reduce((sum, part) => sum + part.rows, 0)
    await sql`
      update backups set finished_at = clock_timestamp(), file = ${file}, row_count = ${rows}::float8::bigint, byte_size = ${bytes}::float8::bigint
      where id = ${id}`.execute(ctx.db)
    await recordEvent(ctx, { kind: 'backup_created', resource: { type: 'backup', title: file }, payload: { backup: id, rows, bytes } })
  })

const failScheduledBackup = async (ctx: Context, id: string, error: string, { listChannels }: ScheduledBackupOptions): Promise<void> => {
  const channels = (await listChannels?.()) ?? []
  await inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      update backups set finished_at = clock_timestamp(), error = ${error} where id = ${id} and finished_at is null returning id`.execute(
      ctx.db,
    )
    if (rows.length === 0) return
    await recordEvent(ctx, { kind: 'backup_failed', resource: { type: 'backup' }, payload: { backup: id, error } })
    const notice = { title: 'The scheduled backup failed', lines: [error, await describeLastSuccess(ctx)], path: '/settings/server' }
    await notifyAdmins(ctx, notice, channels)
  })
}

const describeLastSuccess = async (ctx: Context): Promise<string> => {
  const { rows } = await sql<{ at: string | null }>`
    select max(b.started_at) as at from backups b where b.finished_at is not null and b.error is null`.execute(ctx.db)
  const at = rows[0]?.at
  return at
    ? `The last complete backup is of ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
    : 'There is no complete backup yet.'
}

/** Runs with the schedule: a backup whose process died in every attempt cannot report it itself. */
export const failAbandonedBackups = async (ctx: Context, options: ScheduledBackupOptions): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select b.id from backups b where b.method = 'schedule' and b.finished_at is null
      and b.started_at < ${ctx.now}::timestamptz - ${MAX_RUNNING}::interval`.execute(ctx.db)
  for (const { id } of rows) await failScheduledBackup(ctx, id, 'It was started and did not finish within a day.', options)
}

/** Only files that the schedule made: others in the folder, and backups made by hand, are never touched. */
const removeOldBackups = async (ctx: Context): Promise<void> => {
  const keep = await findKeep(ctx)
  if (keep === undefined) return
  const { rows } = await sql<{ id: string; file: string }>`
    select b.id, b.file from backups b
    where b.method = 'schedule' and b.finished_at is not null and b.error is null and b.file is not null and b.removed_at is null
    order by b.started_at desc, b.id desc offset ${keep}`.execute(ctx.db)
  for (const { id, file } of rows) {
    await rm(join(getFolder(ctx), basename(file)), { force: true })
    await inTransaction(ctx, async (ctx) => {
      await sql`update backups set removed_at = clock_timestamp() where id = ${id}`.execute(ctx.db)
      await recordEvent(ctx, { kind: 'backup_removed', resource: { type: 'backup', title: file }, payload: { backup: id } })
    })
  }
}

const MAX_UNFINISHED = 100

/** What processes that died in every attempt have left. There is one backup at a time, so none of them is being written. */
const removeUnfinishedBackups = async (ctx: Context): Promise<void> => {
  const { rows } = await sql<{ id: string; started_at: string }>`
    select b.id, b.started_at from backups b where b.method = 'schedule' and b.error is not null
    order by b.started_at desc limit ${sql.lit(MAX_UNFINISHED)}`.execute(ctx.db)
  for (const { id, started_at } of rows) await rm(join(getFolder(ctx), `${getFileName(id, started_at)}.part`), { force: true })
}
