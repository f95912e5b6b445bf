import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { RuleSubject } from './match-rules.ts'

export type SubjectResource = Omit<RuleSubject, 'event' | 'severity'>

/** What rules look at, by resource. Deleted resources are missing. */
export const findSubjectResources = async (ctx: Context, ids: readonly string[]): Promise<Map<string, SubjectResource>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<SubjectResource & { id: string }>`
    with recursive above as (
      select r.id as subject, r.id, r.parent, r.entity_type, true as own from resources r where r.id = any(${ids}::uuid[])
      union
      select a.subject, p.id, p.parent, p.entity_type, a.own and a.entity_type = 'column' from above a join resources p on p.id = a.parent
    )
    select a.subject as id, array_agg(distinct a.id) as path,
      ${listSql('tags')} as tags, ${listSql('teams')} as teams, ${listSql('owners')} || ${listSql('owners_groups')} as owners,
      array(select c.id from teams c where c.closed and c.id = any(${listSql('teams')})) as closed_teams
    from above a group by a.subject
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, ...resource }) => [id, resource]))
}

/** The values of the resource itself and, for a column, of its table. */
const listSql = (column: 'tags' | 'teams' | 'owners' | 'owners_groups') => sql`
  array(select distinct x.id from above s join resources r on r.id = s.id cross join lateral unnest(${sql.ref(`r.${column}`)}) x(id)
    where s.subject = a.subject and s.own)`
