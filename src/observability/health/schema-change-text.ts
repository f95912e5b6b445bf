import { type RawBuilder, sql } from 'kysely'
import { recentSchemaChangeSql } from '../../catalog/records/health-conditions.ts'
import { type Translatable, translatable } from '../../platform/core/translatable.ts'
import { describeColumnChanges } from '../../platform/history/event-sentences.ts'
import type { EventPayloads } from '../../platform/history/events.ts'
import { type Actor, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'

export interface RecentSchemaChange {
  readonly payload: Partial<EventPayloads['schema_changed']> | null
  /** The changed columns that the actor may not see, or that no longer exist. Null: that is not known. */
  readonly hidden: readonly string[] | null
}

/** The latest recent change of the columns of each of these tables: `resource_id`, `since`, `payload`, `hidden`. */
export const recentSchemaChangesSql = (actor: Actor, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select l.*, ${hiddenColumnsSql(actor)} as hidden from (
    select distinct on (e.resource_id) e.resource_id, e.logged_at as since, e.payload from activities e
    where e.resource_id = any(${ids}) and ${recentSchemaChangeSql('e')} order by e.resource_id, e.logged_at desc
  ) l)`

const hiddenColumnsSql = (actor: Actor): RawBuilder<unknown> =>
  seesEverything(actor)
    ? sql`'{}'::text[]`
    : sql`(select array(
        select c ->> 'column' from jsonb_array_elements(h.changes) c
        where not exists (select from resources v where v.id = (c ->> 'column_id')::uuid and ${visibleTo(actor, 'v')})
      ) from schema_changes h where h.id = (l.payload ->> 'schema_change')::uuid)`

/**
 * In words. The event names only columns that everyone who saw the table saw then. If one of them is hidden from the reader now, none is named, as
 * an incomplete list would read like a complete one.
 */
export const describeSchemaChange = ({ payload, hidden }: RecentSchemaChange): Translatable => {
  const named = payload ? findNamed(payload) : []
  return named.length > 0 && hidden && !named.some((name) => hidden.includes(name))
    ? translatable('Its columns changed: {changes}.', { changes: describeColumnChanges(payload!) })
    : translatable('Its columns changed in the last 7 days.')
}

const findNamed = ({
  columns_added = [],
  columns_removed = [],
  columns_renamed = [],
  columns_retyped = [],
  columns_nullability = [],
  columns_reordered = [],
}: Partial<EventPayloads['schema_changed']>): string[] => [
  ...[columns_added, columns_removed, columns_reordered].flat(),
  ...columns_renamed.map(({ to }) => to),
  ...[columns_retyped, columns_nullability].flatMap((columns) => columns.map(({ name }) => name)),
]
