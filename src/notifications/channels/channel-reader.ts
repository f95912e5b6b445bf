import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type Actor, SYSTEM } from '../../platform/permissions/permissions.ts'

/** As whom a notification channel reads: like an editor who belongs to these closed teams only. Null: everything. */
export const findChannelReader = async (ctx: Context, teams: readonly string[] | null = []): Promise<Actor> => {
  if (teams === null) return SYSTEM
  const { rows } = await sql<{ id: string }>`select t.id from teams t where t.closed`.execute(ctx.db)
  const closed = rows.map(({ id }) => id)
  return {
    ...SYSTEM,
    role: 'editor',
    closed_teams: closed.filter((id) => teams.includes(id)),
    foreign_teams: closed.filter((id) => !teams.includes(id)),
  }
}
