import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Audience } from './outbox.ts'

/** The members of all groups in these audiences. */
export const findMembersByGroup = async (ctx: Context, audiences: readonly Audience[]): Promise<Map<string, string[]>> => {
  const groups = new Set(audiences.flatMap((each) => each.groups ?? []))
  if (groups.size === 0) return new Map()
  const { rows } = await sql<{ group_id: string; users: string[] }>`
    select m.group_id, array_agg(m.user_id) as users from group_members m where m.group_id = any(${[...groups]}::uuid[]) group by 1
  `.execute(ctx.db)
  return new Map(rows.map(({ group_id, users }) => [group_id, users]))
}
