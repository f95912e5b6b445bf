import { sql } from 'kysely'
import { visibleTo } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { type SeenMonitor, TARGET, withTarget } from '../store.ts'

/** The SQL of files of monitors. */
const MOST = 10_000

/** Makes a monitor the file's: when the file no longer names it, it is deleted. That is no change of the monitor itself. */
export const setFile = (ctx: Context, id: string, file: string) =>
  ctx.db.updateTable('monitors').set({ file }).where('id', '=', id).execute()

export const findOfTargets = async (ctx: Context, targets: readonly string[]): Promise<Map<string, SeenMonitor[]>> => {
  const { rows } = await sql<SeenMonitor>`
    select m.*, ${TARGET} from monitors m ${withTarget('m')} where m.target = any(${targets}::uuid[]) and ${visibleTo(ctx.actor)} order by m.created_at, m.id
  `.execute(ctx.db, ctx.limits)
  return Map.groupBy(rows, ({ target }) => target)
}

/** The monitors of a file; of every file and of none when it is not said. */
export const findOfFile = async (ctx: Context, file?: string): Promise<SeenMonitor[]> => {
  const { rows } = await sql<SeenMonitor>`
    select m.*, ${TARGET} from monitors m ${withTarget('m')}
    where ${file === undefined ? sql`true` : sql`m.file = ${file}`} and ${visibleTo(ctx.actor)}
    order by r.title_full collate "C", m.name collate "C", m.id limit ${MOST}
  `.execute(ctx.db, ctx.limits)
  return rows
}
