import { type RawBuilder, sql } from 'kysely'
import { type Context, onPrimary } from '../../platform/context/context.ts'
import { NEWEST_FIRST_SQL, writtenSinceSql } from '../../platform/lists/count.ts'
import { getVisibilityKey, visibleTo } from '../../platform/permissions/permissions.ts'
import { COUNT_MAX_AGE_MS, MAX_CHANGES } from './count.ts'

/** A field to count resources by. */
interface CountGroup {
  readonly name: string
  /** The group IDs of a row under this alias, as an array. */
  readonly groupIdsSql: (alias: string) => RawBuilder<unknown>
  /** Joins groups and resources: rows with the group's `id` and the resource under the alias `r`. */
  readonly groupRowsSql: (ids: readonly string[]) => RawBuilder<unknown>
}

export const BY_TAG: CountGroup = {
  name: 'tag',
  groupIdsSql: (alias) => sql.ref(`${alias}.tags`),
  groupRowsSql: (ids) => sql`
    (select f.target as id, f.resource_id from resource_refs f where f.field = 'tags' and f.target = any(${ids}::uuid[])) g
    join resources r on r.id = g.resource_id`,
}

export const BY_INTEGRATION: CountGroup = {
  name: 'integration',
  groupIdsSql: (alias) => sql`array[${sql.ref(`${alias}.integration`)}]`,
  groupRowsSql: (ids) => sql`unnest(${ids}::uuid[]) as g(id) join resources r on r.integration = g.id`,
}

interface GroupCounts {
  readonly snapshot: string
  readonly counts: Readonly<Record<string, number>> | null
}

/**
 * Counts the resources the caller can see in each group: exact, in one statement. Cached counts of the same snapshot are updated with the
 * rows written since, as in count.ts; otherwise all groups are counted again.
 */
export const countByGroup = async (caller: Context, group: CountGroup, ids: readonly string[]): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map()
  const ctx = onPrimary(caller) // cached counts need exact snapshots
  const { entries } = ctx.runtime.caches.counts
  const at = performance.now()
  const key = (id: string) => `each ${group.name} ${JSON.stringify(getVisibilityKey(ctx.actor))} ${id}`
  const before = ids.map((id) => entries.get(key(id)))
  const [first] = before
  const isSameSnapshot = first && before.every((each) => each?.snapshot === first.snapshot) && at - first.at < COUNT_MAX_AGE_MS
  const written = isSameSnapshot ? await countChangesByGroup(ctx, group, ids, first.snapshot) : undefined
  const { snapshot, counts } = written ?? (await countAllGroups(ctx, group, ids))
  const result = new Map(ids.map((id, i) => [id, (written ? before[i]!.count : 0) + (counts?.[id] ?? 0)]))
  // Counts taken inside a transaction are not cached because it may be rolled back.
  if (!ctx.in_transaction) for (const [id, count] of result) entries.set(key(id), { count, snapshot, at })
  return result
}

const countAllGroups = async (ctx: Context, group: CountGroup, ids: readonly string[]): Promise<GroupCounts> => {
  const { rows } = await sql<GroupCounts>`
    select pg_current_snapshot()::text as snapshot, (
      select json_object_agg(c.id, c.n) from (select g.id, count(*) as n from ${group.groupRowsSql(ids)} where ${visibleTo(ctx.actor)} group by g.id) c
    ) as counts
  `.execute(ctx.db, ctx.limits)
  return rows[0]!
}

/** Rows added to and removed from each group since that snapshot. Undefined if so many rows were written that a full count is cheaper. */
const countChangesByGroup = async (
  ctx: Context,
  group: CountGroup,
  ids: readonly string[],
  since: string,
): Promise<GroupCounts | undefined> => {
  const { rows } = await sql<GroupCounts & { changes: number; wide: boolean }>`
    with written as materialized (
      select c.seq, c.resource_id, c.old from resource_changes c where ${writtenSinceSql(since, 'c')} ${NEWEST_FIRST_SQL} limit ${MAX_CHANGES + 1}
    ), first as (
      select distinct on (resource_id) resource_id, old from written where resource_id is not null order by resource_id, seq
    ), moved as (
      select unnest(${group.groupIdsSql('r')}) as id, 1 as n from resources r where r.id in (select resource_id from first) and ${visibleTo(ctx.actor, 'r')}
      union all
      select unnest(${group.groupIdsSql('o')}), -1 from (select (f.old).* from first f where (f.old).id is not null) o where ${visibleTo(ctx.actor, 'o')}
    )
    select pg_current_snapshot()::text as snapshot, (select count(*) from written) as changes,
      exists (select from written where resource_id is null) as wide,
      (select json_object_agg(m.id, m.n) from (select id, sum(n) as n from moved where id = any(${ids}::uuid[]) group by id) m) as counts
  `.execute(ctx.db, ctx.limits)
  const { changes, wide, ...each } = rows[0]!
  return wide || changes > MAX_CHANGES ? undefined : each
}
