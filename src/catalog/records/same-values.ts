import { type RawBuilder, sql } from 'kysely'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'

const MAX_STEPS = 6
const MAX_FOUND = 20_000

export interface SameValues {
  readonly actor: Actor
  readonly columns: readonly string[]
  /** Of a resource `r`: it says something, so nothing beyond it is looked at. */
  readonly until: RawBuilder<boolean>
}

/**
 * Columns upstream whose values the columns pass on unchanged, as `id`, `source` and `distance`. A column that is also computed from others has
 * no such source. Only what the actor can see leads further, and the search ends after some steps and columns.
 */
export const sameValuesUpstreamSql = ({ actor, columns, until }: SameValues): RawBuilder<unknown> => sql`
  select u.id, u.source, u.distance from (
    with recursive up (id, source, distance) as (
      select c.id, e.upstream, 1 from unnest(${columns}::uuid[]) c(id) cross join lateral (${identityEdgesSql('c.id')}) e
      union
      select u.id, e.upstream, u.distance + 1 from up u
      join resources r on r.id = u.source and not ${until} and ${visibleTo(actor)}
      cross join lateral (${identityEdgesSql('u.source')}) e where u.distance < ${sql.lit(MAX_STEPS)}
    ) select * from up limit ${sql.lit(MAX_FOUND)}
  ) u where u.source <> u.id`

/** Each is a lookup in the index: the planner cannot know how few edges a column has. */
const identityEdgesSql = (column: string): RawBuilder<unknown> => sql`
  select e.upstream from lineage_edges e where e.downstream between ${sql.ref(column)} and ${sql.ref(column)} and e.kind = 'identity' and not exists (
    select from lineage_edges o where o.downstream between ${sql.ref(column)} and ${sql.ref(column)} and o.kind in ('expression', 'aggregation')
  ) offset 0`
