import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { type DomainEvent, recordEvents } from '../../platform/history/events.ts'

/** Column changes of one sync, as one event per table, so that owners and subscribers get one notification. */
export interface SchemaChange {
  readonly table_id: string
  /** Full title of the table. */
  readonly table: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly retyped: readonly { readonly name: string; readonly from: string | null; readonly to: string | null }[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Total number of changed columns: the lists name the first 50 of each. */
  readonly columns: number
}

const MAX_LISTED_COLUMNS = 50
const MAX_REPORTED_TABLES = 100 // tables listed in the report of a sync
const BATCH_SIZE = 500
const MARGIN_MS = 60_000

/** Reads the changes from the activities of the sync, so that those of an attempt that crashed are included in the one that finishes. */
export const recordSchemaChanges = async (ctx: Context, sync_id: string, began: Date): Promise<SchemaChange[]> => {
  const since = new Date(Math.min(began.getTime(), getIdTime(sync_id)) - MARGIN_MS)
  const found = await findChanges(ctx, sync_id, since)
  for (let i = 0; i < found.length; i += BATCH_SIZE)
    await inTransaction(ctx, (ctx) => recordEvents(ctx, found.slice(i, i + BATCH_SIZE).map(toEvent)))
  return found.slice(0, MAX_REPORTED_TABLES).map(({ icon: _, title: __, integration: ___, ...change }) => change)
}

/** Creation time of a version 7 ID. */
const getIdTime = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

interface TableSchemaChange extends SchemaChange {
  readonly title: string
  readonly icon: string | null
  readonly integration: string | null
}

const toEvent = ({ table_id, title, icon, integration, added, removed, retyped, renamed, columns }: TableSchemaChange): DomainEvent => ({
  kind: 'schema_changed',
  resource: { id: table_id, type: 'table', title, icon, integration_id: integration },
  payload: { columns_added: added, columns_removed: removed, columns_retyped: retyped, columns_renamed: renamed, columns },
})

const changeValueSql = (field: string, side: 'from' | 'to') =>
  sql`jsonb_path_query_first(a.changes, ${`$[*] ? (@.field == "${field}").${side}`}::text::jsonpath) #>> '{}'`
const columnNamesSql = (kind: string, value = sql`to_jsonb(c.name)`) =>
  sql`coalesce(jsonb_path_query_array(jsonb_agg(${value} order by c.name) filter (where c.kind = ${sql.lit(kind)}), ${`$[0 to ${MAX_LISTED_COLUMNS - 1}]`}::text::jsonpath), '[]')`

/** New and removed tables are reported as such, not by their columns. */
const findChanges = async (ctx: Context, sync_id: string, since: Date): Promise<TableSchemaChange[]> => {
  const ofSync = (alias: string) =>
    sql`${sql.ref(`${alias}.related_resource_type`)} = 'sync' and ${sql.ref(`${alias}.related_resource_ids`)} = array[${sync_id}::uuid]`
  const { rows } = await sql<TableSchemaChange>`
    with changed as (
      select r.parent as table_id, a.resource_title as name, k.kind, ${changeValueSql('native_type', 'from')} as type_from, ${changeValueSql('native_type', 'to')} as type_to,
        ${changeValueSql('title', 'from')} as title_from
      from activities a join resources r on r.id = a.resource_id
        cross join lateral (
          select case when a.activity_type like '%\\_created' then 'added'
            when ${changeValueSql('stale', 'to')} = 'true' then 'removed'
            when ${changeValueSql('stale', 'to')} = 'false' then 'added' end as kind
          union all select 'retyped' where a.activity_type like '%\\_updated' and jsonb_path_exists(a.changes, '$[*] ? (@.field == "native_type")')
          union all select 'renamed' where a.activity_type like '%\\_updated' and jsonb_path_exists(a.changes, '$[*] ? (@.field == "title")')
        ) k
      where a.performer_type = 'INTEGRATION' and a.logged_at >= ${since}::timestamptz and ${ofSync('a')} and a.version is not null
        and a.resource_type = 'column' and r.entity_type = 'column' and k.kind is not null
    )
    select t.id as table_id, t.title_full as table, t.title, t.icon, t.integration, count(*) as columns, ${columnNamesSql('added')} as added, ${columnNamesSql('removed')} as removed,
      ${columnNamesSql('retyped', sql`jsonb_build_object('name', c.name, 'from', c.type_from, 'to', c.type_to)`)} as retyped,
      ${columnNamesSql('renamed', sql`jsonb_build_object('from', c.title_from, 'to', c.name)`)} as renamed
    from changed c join resources t on t.id = c.table_id and t.entity_type = 'table' and not t.stale
    where not exists (select from activities p where p.resource_id = t.id and ${ofSync('p')} and (p.version = 1 or p.activity_type = 'schema_changed'))
    group by t.id order by t.title_full collate "C", t.id
  `.execute(ctx.db)
  return rows
}
