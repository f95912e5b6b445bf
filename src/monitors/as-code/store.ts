import { sql } from 'kysely'
import { visibleTo } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../id.ts'
import { type SeenMonitor, TARGET, withTarget } from '../store.ts'

/** The SQL of files of monitors. Which file a monitor belongs to stands in its key: `file:<file>:<something of its own>`. */
const MOST = 10_000

export const keyFor = (file: string, before: string | null = null): string =>
  before?.startsWith(`file:${file}:`) ? before : `file:${file}:${newId()}`

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
    where ${file === undefined ? sql`true` : sql`starts_with(m.key, ${`file:${file}:`})`} and ${visibleTo(ctx.actor)}
    order by r.title_full collate "C", m.name collate "C", m.id limit ${MOST}
  `.execute(ctx.db, ctx.limits)
  return rows
}
