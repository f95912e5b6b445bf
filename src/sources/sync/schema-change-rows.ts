import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { ColumnChange, ColumnPosition } from './column-changes.ts'

/** SQL of the schema history. */

/** A changed column and the table it belongs to. */
export interface TableColumnChange extends ColumnChange {
  readonly table_id: string
}

/**
 * Adds changes to the schema history, in the transaction that writes the columns. A sync has one entry per table, whichever batches its columns
 * are in. Returns the number of tables.
 */
export const recordColumnChanges = async (
  { db, now }: Context,
  sync_id: string | null,
  changes: readonly TableColumnChange[],
): Promise<number> => {
  if (changes.length === 0) return 0
  const rows = [...Map.groupBy(changes, ({ table_id }) => table_id)].map(([table_id, columns]) => ({
    id: newId(),
    table_id,
    changes: columns.map(({ table_id: _, ...change }) => change),
  }))
  const { rows: tables } = await sql`
    insert into schema_changes as s (id, table_id, at, sync_id, changes)
    select x.id, x.table_id, ${now}::timestamptz, ${sync_id}::uuid, x.changes
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(id uuid, table_id uuid, changes jsonb)
      join resources t on t.id = x.table_id and t.entity_type = 'table'
    on conflict (table_id, sync_id) do update set changes = s.changes || excluded.changes, at = excluded.at
    returning 1
  `.execute(db)
  return tables.length
}

/**
 * Those of the tables that have a current column besides these: the others are described for the first time. Columns that this sync itself created do not
 * count: those of a wide table are in several batches, also of an attempt that was interrupted.
 */
export const findDescribedTables = async (
  db: Db,
  sync_id: string | null,
  tables: readonly string[],
  added: readonly string[],
): Promise<Set<string>> => {
  if (tables.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${tables}::uuid[]) t(id) where exists (
      select from resources c where c.parent = t.id and c.entity_type = 'column' and not c.stale and c.id <> all(${added}::uuid[])
        and not exists (
          select from activities a where a.resource_id = c.id and a.version = 1
            and a.related_resource_type = 'sync' and a.related_resource_ids = array[${sync_id}::uuid]
        )
    )
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Columns of these tables with the position their source reported last. */
export const findColumnPositions = async (
  db: Db,
  tables: readonly string[],
): Promise<(Omit<ColumnPosition, 'before'> & { readonly table_id: string; readonly key: string })[]> => {
  if (tables.length === 0) return []
  const { rows } = await sql<Omit<ColumnPosition, 'before'> & { table_id: string; key: string }>`
    select c.id, c.parent as table_id, c.title, o.key, (o.reported_values ->> 'sort_order')::float8 as after
    from resources c join resource_origins o on o.resource_id = c.id
    where c.parent = any(${tables}::uuid[]) and c.entity_type = 'column' and not c.stale and jsonb_typeof(o.reported_values -> 'sort_order') = 'number'
  `.execute(db)
  return rows
}

/** Those of these resources that are columns of a table that still exists in its source. */
export const findDroppedColumns = async (
  db: Db,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly table_id: string; readonly title: string; readonly native_type: string | null }[]> => {
  const { rows } = await sql<{ id: string; table_id: string; title: string; native_type: string | null }>`
    select c.id, t.id as table_id, c.title, c.native_type from resources c join resources t on t.id = c.parent and t.entity_type = 'table' and not t.stale
    where c.id = any(${ids}::uuid[]) and c.entity_type = 'column'
  `.execute(db)
  return rows
}

export interface UnannouncedChange {
  readonly id: string
  readonly table_id: string
  readonly table: string
  readonly title: string
  readonly icon: string | null
  readonly stale: boolean
  readonly changes: readonly ColumnChange[]
  /** The changed columns that everyone who sees the table sees too. */
  readonly visible: readonly string[]
}

/** Changes that no event was recorded for, also of an earlier sync that failed. */
export const findUnannounced = async (db: Db, integration: string, limit: number): Promise<UnannouncedChange[]> => {
  const { rows } = await sql<UnannouncedChange>`
    select s.id, s.table_id, t.title_full as table, t.title, t.icon, t.stale, s.changes, array(
      select c.id from jsonb_array_elements(s.changes) x join resources c on c.id = (x ->> 'column_id')::uuid
      where c.published = t.published and c.teams is not distinct from t.teams
    ) as visible
    from schema_changes s join resources t on t.id = s.table_id and t.integration = ${integration}
    where not s.announced order by t.title_full collate "C", s.id limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

export const markAnnounced = async (db: Db, ids: readonly string[]): Promise<void> => {
  await sql`update schema_changes set announced = true where id = any(${ids}::uuid[])`.execute(db)
}

/** Runs every hour: deletes the schema history of deleted tables. The trash has a copy. */
export const deleteOrphanedSchemaChanges = ({ db }: Context): Promise<void> =>
  deleteInBatches(db, 'schema_changes', sql`not exists (select from resources r where r.id = schema_changes.table_id)`)
