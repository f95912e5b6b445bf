import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'

/** The users behind IDs of users, groups and teams. */
export const findMembers = async (ctx: Context, ids: readonly string[]): Promise<Map<string, string[]>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; users: string[] }>`
    select m.id, array_agg(m.user_id) as users from (
      select u.id, u.id as user_id from users u where u.id = any(${ids}::uuid[])
      union all select g.group_id, g.user_id from group_members g where g.group_id = any(${ids}::uuid[])
      union all select t.team_id, t.user_id from team_members t where t.team_id = any(${ids}::uuid[])
    ) m group by m.id
  `.execute(ctx.db)
  return new Map(rows.map(({ id, users }) => [id, users]))
}

/** Those of the IDs that are no user, group or team. */
export const findUnknownMembers = async (ctx: Context, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select i.id from unnest(${ids}::uuid[]) i(id)
    where not exists (select from users u where u.id = i.id) and not exists (select from groups g where g.id = i.id)
      and not exists (select from teams t where t.id = i.id)
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}
