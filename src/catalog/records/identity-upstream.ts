import { type RawBuilder, sql } from 'kysely'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'

const MAX_STEPS = 6
const MAX_FOUND = 20_000

export interface IdentityUpstreamSearch {
  readonly actor: Actor
  readonly columns: readonly string[]
  /** A condition on a resource `r`: the search does not continue beyond one that meets it, e.g. because it has a description. */
  readonly until: RawBuilder<boolean>
}

/**
 * Upstream columns whose values arrive unchanged in these columns: rows of `id`, `source` (the upstream column) and `distance` in steps. A column
 * that is also computed from others has none. Paths lead only through columns that the actor can see; steps and results are limited.
 */
export const identityUpstreamSql = ({ actor, columns, until }: IdentityUpstreamSearch): RawBuilder<unknown> => sql`
  select u.id, u.source, u.distance from (
    with recursive up (id, source, distance) as (
      select c.id, e.upstream, 1 from unnest(${columns}::uuid[]) c(id) cross join lateral (${identityEdgesSql('c.id')}) e
      union
      select u.id, e.upstream, u.distance + 1 from up u
      join resources r on r.id = u.source and not ${until} and ${visibleTo(actor)}
      cross join lateral (${identityEdgesSql('u.source')}) e where u.distance < ${sql.lit(MAX_STEPS)}
    ) select * from up limit ${sql.lit(MAX_FOUND)}
  ) u where u.source <> u.id`

/** `between` and `offset 0` make this an index lookup per column: the planner cannot know how few edges a column has. */
const identityEdgesSql = (column: string): RawBuilder<unknown> => sql`
  select e.upstream from lineage_edges e where e.downstream between ${sql.ref(column)} and ${sql.ref(column)} and e.kind = 'identity' and not exists (
    select from lineage_edges o where o.downstream between ${sql.ref(column)} and ${sql.ref(column)} and o.kind in ('expression', 'aggregation')
  ) offset 0`
