import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type Actor, integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import { getDialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { findSqlDialect } from '../../sources/integrations/sql-dialect.ts'
import { splitItemKey } from '../../sources/sync/item.ts'
import type { MonitorRow } from '../monitor-model/monitor-rows.ts'
import { findResourcesByPath } from '../monitor-model/paths.ts'
import type { MetricConfig } from '../monitor-model/schema.ts'
import {
  type CustomSql,
  findStatementAuthors,
  getAllowedFunctions,
  parseStatement,
  resolveStatement,
  type StatementScope,
} from './custom-sql.ts'
import type { MetricRequest } from './metric-sql.ts'

/** What to query at the source for a monitor. Tables and columns have their names in the source, not their titles in the catalog. */
export interface MetricQuery extends MetricRequest {
  readonly name: string
  /** ID of the table's resource, and the table's path in the source. */
  readonly relation: string
  readonly path: readonly string[]
  readonly integration: string | null
  /** The dialect the custom SQL was checked for. */
  readonly dialect?: string
  readonly query_select?: string
  /** Row count of the table at its last sync. */
  readonly rows: number | null
  readonly monitor: MonitorRow
  /** Why it cannot be queried. */
  readonly problem?: string
}

interface MetricQueryRow extends MonitorRow {
  readonly entity_type: string
  readonly integration: string | null
  readonly integration_type: string | null
  readonly sql_dialect: string | null
  readonly connection: unknown
  readonly open: boolean
  readonly column_key: string | null
  readonly column_title: string
  readonly table: {
    id: string
    title: string
    entity_type: string
    key: string | null
    stale: boolean
    rows: number | null
  } | null
  readonly timestamp_key: string | null
  readonly native_type: string | null
  /** Names of the columns of `duplicates`, in the source; null if one was not found. */
  readonly key_columns: readonly (string | null)[]
  readonly previous_rows: number | null
}

/** Custom SQL is checked with the permissions of its author. */
export const findMetricQueries = async (ctx: Context, ids: readonly string[]): Promise<Map<string, MetricQuery>> => {
  const rows = await findMetricQueryRows(ctx, sql`(select m.* from monitors m where m.id = any(${ids}::uuid[]))`)
  const authorOf = await findStatementAuthors(
    ctx,
    rows.filter(hasAuthor).map(({ statement_by }) => statement_by),
  )
  const queries = new Map<string, MetricQuery>()
  for (const row of rows) queries.set(row.id, await withCustomSql(ctx, authorOf(row.statement_by), row))
  return queries
}

/** For a monitor that is not saved yet: custom SQL is checked with the permissions of the caller. */
export const buildMetricQuery = async (ctx: Context, row: MonitorRow): Promise<MetricQuery> => {
  const [found] = await findMetricQueryRows(ctx, draftRowSql(row))
  return withCustomSql(ctx, ctx.actor, found!)
}

const draftRowSql = (row: MonitorRow): RawBuilder<unknown> =>
  sql`jsonb_populate_record(null::monitors, ${JSON.stringify(row)}::text::jsonb)`

/**
 * Uses only names reported by a sync of the table's own integration: a table or column created manually can have any name, and a source
 * must never be queried with such a name.
 */
const findMetricQueryRows = async (ctx: Context, monitors: RawBuilder<unknown>): Promise<MetricQueryRow[]> => {
  const { rows } = await sql<MetricQueryRow>`
    select m.*, r.entity_type, coalesce(t.integration, r.integration) as integration, i.type as integration_type, i.sql_dialect, i.connection,
      coalesce(${integrationsVisibleTo(ctx.actor, 'i')}, true) as open, oc.key as column_key, r.title as column_title,
      case when t.id is not null then json_build_object('id', t.id, 'title', t.title, 'entity_type', t.entity_type, 'key', ot.key, 'stale', t.stale, 'rows', t.row_count) end as table,
      c.key as timestamp_key, r.native_type, array(
        select o.key from jsonb_array_elements_text(case when jsonb_typeof(m.metric_config -> 'columns') = 'array' then m.metric_config -> 'columns' else '[]' end) with ordinality k(title, n)
          left join resources c on c.parent = t.id and c.entity_type = 'column' and c.title = k.title and not c.stale
          left join resource_origins o on o.resource_id = c.id and o.integration = t.integration and o.gone_at is null
        order by k.n
      ) as key_columns,
      case when m.metric_type = 'row_count_change' then (
        select x.row_count from monitor_measurements x where x.monitor = m.id and x.row_count is not null order by x.measured_at desc limit 1
      ) end as previous_rows
    from ${monitors} m join resources r on r.id = m.target
    left join resources t on t.id = case when r.entity_type = 'column' then r.parent else r.id end
    left join integrations i on i.id = coalesce(t.integration, r.integration)
    left join resource_origins ot on ot.resource_id = t.id and ot.integration = t.integration and ot.gone_at is null
    left join resource_origins oc on oc.resource_id = r.id and oc.integration = t.integration and oc.gone_at is null
    left join lateral (
      select o.key from resources c join resource_origins o on o.resource_id = c.id and o.integration = t.integration and o.gone_at is null
      where c.parent = t.id and c.entity_type = 'column' and c.title = m.metric_config ->> 'timestamp_column' limit 1
    ) c on true
  `.execute(ctx.db)
  return rows
}

/**
 * Why the caller may not use this SQL in a monitor; undefined if they may. If the table itself cannot be measured, only the text is checked:
 * the monitor can be created, and each run reports what is missing.
 */
export const findCustomSqlProblem = async (ctx: Context, monitor: MonitorRow): Promise<string | undefined> => {
  const statement = findCustomSql(monitor)
  if (!statement) return undefined
  const [row] = await findMetricQueryRows(ctx, draftRowSql(monitor))
  const scope = getStatementScope(row!)
  const checked = scope
    ? await resolveStatement(ctx, ctx.actor, statement, scope)
    : parseStatement(ctx, statement, findSqlDialect(row!) ?? 'postgres', getAllowedFunctions(row!.connection))
  return 'problem' in checked ? checked.problem : undefined
}

const withCustomSql = async (ctx: Context, author: Actor, row: MetricQueryRow): Promise<MetricQuery> => {
  const query = await withReference(ctx, author, row, toMetricQuery(row))
  const statement = findCustomSql(row)
  const scope = getStatementScope(row)
  if (!statement || !scope) return query
  const resolved = await resolveStatement(ctx, author, statement, scope)
  return 'problem' in resolved
    ? { ...query, problem: `${statement.kind} ${resolved.problem}` }
    : { ...query, dialect: scope.dialect, [statement.kind]: resolved.sql }
}

/** Adds the column that `referential` compares with, as far as the author of the monitor may see it. */
const withReference = async (ctx: Context, author: Actor, row: MetricQueryRow, query: MetricQuery): Promise<MetricQuery> => {
  const { references } = row.metric_config as MetricConfig
  if (row.metric_type !== 'referential' || query.problem !== undefined || !query.integration) return query
  const reference = await findReference({ ...ctx, actor: author }, query.integration, references ?? '')
  return typeof reference === 'string' ? { ...query, problem: reference } : { ...query, reference }
}

/** A column by its full title, with its names in the source; or why it cannot be used. */
export const findReference = async (
  ctx: Context,
  integration: string,
  references: string,
): Promise<NonNullable<MetricRequest['reference']> | string> => {
  const found = ((await findResourcesByPath(ctx, [references])).get(references) ?? []).filter(
    (each) => each.entity_type === 'column' && each.integration === integration,
  )
  const { rows } = await sql<{ table_key: string; column_key: string }>`
    select ot.key as table_key, oc.key as column_key
    from resources c join resources t on t.id = c.parent and t.entity_type = 'table' and not t.stale and ${visibleTo(ctx.actor, 't')}
      join resource_origins oc on oc.resource_id = c.id and oc.integration = c.integration and oc.gone_at is null
      join resource_origins ot on ot.resource_id = t.id and ot.integration = c.integration and ot.gone_at is null
    where c.id = any(${found.map(({ id }) => id)}::uuid[]) and not c.stale
  `.execute(ctx.db)
  const [path, column] = [splitItemKey(rows[0]?.table_key ?? ''), getSourceName(rows[0]?.column_key ?? null)]
  if (rows.length !== 1 || !path || !column)
    return `references: this integration has ${rows.length > 1 ? 'several columns' : 'no synced column'} with the full title ${references} that the author of the monitor can see.`
  return { path, column }
}

/** Where the SQL would run; undefined if the table cannot be measured. */
const getStatementScope = (row: MetricQueryRow): StatementScope | undefined => {
  const { relation, path, integration, problem } = toMetricQuery(row)
  const dialect = findSqlDialect(row)
  if (problem !== undefined || !integration || !dialect) return undefined
  return { integration, dialect, functions: getAllowedFunctions(row.connection), table: relation, path }
}

/** Whether the monitor reads something with the permissions of its author: custom SQL or another table. */
const hasAuthor = (monitor: MonitorRow): boolean => findCustomSql(monitor) !== undefined || monitor.metric_type === 'referential'

/** The custom SQL of a monitor, if any. */
export const findCustomSql = ({ metric_type, metric_config }: MonitorRow): CustomSql | undefined => {
  const { where, query_select } = metric_config as MetricConfig
  if (metric_type === 'custom_sql') return { kind: 'query_select', text: query_select ?? '' }
  return where === undefined ? undefined : { kind: 'where', text: where }
}

const toMetricQuery = (row: MetricQueryRow): MetricQuery => {
  const {
    entity_type,
    integration,
    integration_type: _,
    sql_dialect: __,
    connection: ___,
    open: ____,
    column_key,
    column_title,
    table,
    timestamp_key,
    native_type,
    key_columns,
    previous_rows,
    ...monitor
  } = row
  const { where, query_select, timestamp_column, days, values, pattern, min_value, max_value } = monitor.metric_config as MetricConfig
  return {
    id: monitor.id,
    name: monitor.name,
    metric_type: monitor.metric_type,
    relation: table?.id ?? monitor.target,
    path: (table?.key ? splitItemKey(table.key) : undefined) ?? [],
    integration,
    monitor,
    ...(entity_type === 'column' ? { column: getSourceName(column_key) ?? column_title } : {}),
    ...(where === undefined ? {} : { where }),
    ...(monitor.metric_type === 'custom_sql' ? { query_select: query_select ?? '' } : {}),
    ...(timestamp_column === undefined ? {} : { timestamp_column: getSourceName(timestamp_key) ?? timestamp_column }),
    ...(days === undefined ? {} : { days }),
    numeric: getDialectSql(findSqlDialect(row) ?? 'postgres').isNumericType(native_type),
    ...(values === undefined ? {} : { values }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(min_value === undefined ? {} : { min_value }),
    ...(max_value === undefined ? {} : { max_value }),
    key_columns: key_columns.flatMap((key) => getSourceName(key) ?? []),
    previous_rows,
    rows: table?.rows ?? null,
    large: (table?.rows ?? 0) >= LARGE_TABLE_ROWS,
    ...findProblem(row),
  }
}

const LARGE_TABLE_ROWS = 100_000_000

const getSourceName = (key: string | null): string | undefined => (key ? splitItemKey(key)?.at(-1) : undefined)

const findProblem = (row: MetricQueryRow): { problem?: string } => {
  const { metric_type, metric_config, entity_type, table, open, column_key, column_title, timestamp_key } = row
  if (metric_type === 'pushed') return { problem: 'The values of this monitor are pushed, so it cannot be run.' }
  if (!table) return { problem: 'The column does not belong to a table.' }
  if (entity_type === 'column' && table.entity_type === 'column') return { problem: 'Nested fields of a column cannot be measured.' }
  if (!findSqlDialect(row)) return {} // opening the source reports what is missing
  if (!open) return { problem: 'The integration of this table belongs to a team you are not in, so its source cannot be queried.' }
  if (!getSourceName(table.key) || table.stale)
    return { problem: `Table ${table.title} was not found in the last sync of its source, so it cannot be measured.` }
  if (entity_type === 'column' && !getSourceName(column_key))
    return { problem: `Column ${column_title} was not found in the last sync of its source, so it cannot be measured.` }
  const { timestamp_column, columns = [] } = metric_config as MetricConfig
  const missing = columns.find((_, i) => !getSourceName(row.key_columns[i] ?? null))
  if (missing !== undefined) return { problem: `Column ${missing} was not found in the last sync of its source.` }
  if (timestamp_column !== undefined && !getSourceName(timestamp_key))
    return { problem: `Timestamp column ${timestamp_column} was not found in the last sync of its source.` }
  return {}
}
