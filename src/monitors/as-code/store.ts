import { sql } from 'kysely'
import { visibleTo } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { type SeenMonitor, TARGET, withTarget } from '../store.ts'

const MOST = 10_000

/** Assigns a monitor to a file, which deletes it once it is no longer listed there. Not recorded as a change of the monitor. */
export const setFile = (ctx: Context, id: string, file: string) =>
  ctx.db.updateTable('monitors').set({ file }).where('id', '=', id).execute()

export const findOfTargets = async (ctx: Context, targets: readonly string[]): Promise<Map<string, SeenMonitor[]>> => {
  const { rows } = await sql<SeenMonitor>`
    select m.*, ${TARGET} from monitors m ${withTarget('m')} where m.target = any(${targets}::uuid[]) and ${visibleTo(ctx.actor)} order by m.created_at, m.id
  `.execute(ctx.db, ctx.limits)
  return Map.groupBy(rows, ({ target }) => target)
}

/** The monitors of a file, or all monitors if no file is given. */
export const findOfFile = async (ctx: Context, file?: string): Promise<SeenMonitor[]> => {
  const { rows } = await sql<SeenMonitor>`
    select m.*, ${TARGET} from monitors m ${withTarget('m')}
    where ${file === undefined ? sql`true` : sql`m.file = ${file}`} and ${visibleTo(ctx.actor)}
    order by r.title_full collate "C", m.name collate "C", m.id limit ${MOST}
  `.execute(ctx.db, ctx.limits)
  return rows
}
