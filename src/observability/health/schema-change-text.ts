import { type RawBuilder, sql } from 'kysely'
import { recentSchemaChangeSql } from '../../catalog/records/health-conditions.ts'
import { type Translatable, translatable } from '../../platform/core/translatable.ts'
import { describeColumnChanges } from '../../platform/history/event-sentences.ts'
import type { EventPayloads } from '../../platform/history/events.ts'

/** The latest recent change of the columns of each of these tables: `resource_id`, `since`, `payload`. */
export const recentSchemaChangesSql = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select distinct on (e.resource_id) e.resource_id, e.logged_at as since, e.payload from activities e
  where e.resource_id = any(${ids}) and ${recentSchemaChangeSql('e')} order by e.resource_id, e.logged_at desc)`

/** In words. The event names only columns that everyone who sees the table sees. */
export const describeSchemaChange = (payload: Partial<EventPayloads['schema_changed']> | null): Translatable => {
  const { columns_added, columns_removed, columns_renamed, columns_retyped, columns_nullability, columns_reordered } = payload ?? {}
  const isNamed = [columns_added, columns_removed, columns_renamed, columns_retyped, columns_nullability, columns_reordered].some(
    (names) => names && names.length > 0,
  )
  return isNamed
    ? translatable('Its columns changed: {changes}.', { changes: describeColumnChanges(payload!) })
    : translatable('Its columns changed in the last 7 days.')
}
