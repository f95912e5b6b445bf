import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { joinTargetSql, type MonitorWithTarget, TARGET_JSON_SQL } from '../monitor-model/monitor-rows.ts'

const MAX_MONITORS = 10_000

/** Assigns a monitor to a file, which deletes it once it is no longer listed there. Not recorded as a change of the monitor. */
export const setFile = (ctx: Context, id: string, file: string) =>
  ctx.db.updateTable('monitors').set({ file }).where('id', '=', id).execute()

export const findMonitorsOfTargets = async (ctx: Context, targets: readonly string[]): Promise<Map<string, MonitorWithTarget[]>> => {
  const { rows } = await sql<MonitorWithTarget>`
    select m.*, ${TARGET_JSON_SQL} from monitors m ${joinTargetSql('m')} where m.target = any(${targets}::uuid[]) and ${visibleTo(ctx.actor)} order by m.created_at, m.id
  `.execute(ctx.db, ctx.limits)
  return Map.groupBy(rows, ({ target }) => target)
}

/** The monitors of a file, or all monitors if no file is given. */
export const findMonitorsOfFile = async (ctx: Context, file?: string): Promise<MonitorWithTarget[]> => {
  const { rows } = await sql<MonitorWithTarget>`
    select m.*, ${TARGET_JSON_SQL} from monitors m ${joinTargetSql('m')}
    where ${file === undefined ? sql`true` : sql`m.file = ${file}`} and ${visibleTo(ctx.actor)}
    order by r.title_full collate "C", m.name collate "C", m.id limit ${MAX_MONITORS}
  `.execute(ctx.db, ctx.limits)
  return rows
}
