import { type RawBuilder, sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'
import { REACTIONS } from './schema.ts'

const MAX_NAMED = 20

/** The reactions to the comment `c` as JSON: how many of each kind, and who was first. */
export const reactionsSql = (actor: Actor): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('kind', k.kind, 'count', k.count, 'mine', k.mine, 'users', k.users)
    order by array_position(${[...REACTIONS]}::text[], k.kind)), '[]')
  from (
    select x.kind, count(*) as count, coalesce(bool_or(x.user_id = ${actor.user_id}::uuid), false) as mine,
      (array_agg(json_build_object('id', x.user_id, 'name', ${userNameSql(actor, 'v')}) order by x.created_at, x.user_id))[:${sql.lit(MAX_NAMED)}] as users
    from comment_reactions x join users v on v.id = x.user_id where x.comment_id = c.id group by x.kind
  ) k)`
