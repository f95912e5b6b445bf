import { type RawBuilder, sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { openDedicatedConnection } from '../../platform/db/dedicated-connection.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { Backup, Backups } from './schema.ts'

/** Which backups were made. */
const MAX_LISTED = 20
/** A process that died cannot record its end. */
export const MAX_RUNNING = '1 day'

export const listBackups = async (ctx: Context): Promise<Backups> => {
  requirePermission(ctx.actor, 'server.manage')
  return { results: await readBackups(ctx, sql`true`, MAX_LISTED) }
}

export const findLastScheduled = async (ctx: Context): Promise<Backup | undefined> =>
  (await readBackups(ctx, sql`b.method = 'schedule'`, 1))[0]

const readBackups = async (ctx: Context, condition: RawBuilder<unknown>, limit: number): Promise<Backup[]> => {
  const { rows } = await sql<Backup>`
    select b.id, b.method,
      case when b.error is not null or (b.finished_at is null and b.started_at < ${ctx.now}::timestamptz - ${MAX_RUNNING}::interval) then 'failed'
        when b.finished_at is null then 'running' else 'completed' end as status,
      case when u.id is not null then ${userNameSql(ctx.actor, 'u')} end as created_by_name,
      b.started_at, b.finished_at, b.row_count::float8 as row_count, b.byte_size::float8 as byte_size, b.error,
      b.file, b.removed_at
    from backups b left join users u on u.id = b.created_by where ${condition} order by b.started_at desc, b.id desc limit ${limit}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Recorded before anything is sent: a backup contains the whole workspace. */
export const startDownload = (ctx: Context, file: string, row_count: number): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'server.manage')
    const id = newId()
    await sql`
      insert into backups (id, method, created_by, started_at, row_count)
      values (${id}, 'download', ${ctx.actor.user_id}::uuid, ${ctx.now}::timestamptz, ${row_count}::float8::bigint)`.execute(ctx.db)
    await recordEvent(ctx, {
      kind: 'backup_downloaded',
      resource: { type: 'backup', title: file },
      payload: { backup: id, rows: row_count },
    })
    return id
  })

export const finishDownload = async (
  { runtime }: Context,
  id: string,
  result: { byte_size: number } | { error: string },
): Promise<void> => {
  const { db } = runtime.databases.background
  await ('error' in result
    ? sql`update backups set finished_at = clock_timestamp(), error = ${result.error} where id = ${id}`
    : sql`update backups set finished_at = clock_timestamp(), byte_size = ${result.byte_size}::float8::bigint where id = ${id}`
  ).execute(db)
}

/** Records a backup that a command made. */
export const recordCommand = async (
  url: string,
  { rows, bytes, started }: { rows: number; bytes: number; started: Date },
): Promise<void> => {
  await using connection = await openDedicatedConnection(url, 'tablinum backup')
  await connection.query(
    `insert into backups (id, method, started_at, finished_at, row_count, byte_size) values ($1, 'command', $2, now(), $3, $4)`,
    [newId(), started, rows, bytes],
  )
}
