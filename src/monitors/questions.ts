import { type RawBuilder, sql } from 'kysely'
import { type Actor, openTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { partsOf } from '../sync/item.ts'
import type { Asked } from './metrics.ts'
import { dialectOf, findAuthors, functionsOf, type Place, readStatement, resolveStatement, type Statement } from './reads.ts'
import type { MetricConfig } from './schema.ts'
import type { MonitorRow } from './store.ts'

/** What to query at the source for a monitor. Tables and columns have their names in the source, not their titles in the catalog. */
export interface Question extends Asked {
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

interface Row extends MonitorRow {
  readonly entity_type: string
  readonly integration: string | null
  readonly integration_type: string | null
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
}

/** Custom SQL is checked with the permissions of its author. */
export const findQuestions = async (ctx: Context, ids: readonly string[]): Promise<Map<string, Question>> => {
  const rows = await findRows(ctx, sql`(select m.* from monitors m where m.id = any(${ids}::uuid[]))`)
  const authorOf = await findAuthors(
    ctx,
    rows.filter((row) => statementOf(row)).map(({ statement_by }) => statement_by),
  )
  const questions = new Map<string, Question>()
  for (const row of rows) questions.set(row.id, await withStatement(ctx, authorOf(row.statement_by), row))
  return questions
}

/** For a monitor that is not saved yet: custom SQL is checked with the permissions of the caller. */
export const questionFor = async (ctx: Context, row: MonitorRow): Promise<Question> => {
  const [found] = await findRows(ctx, draftOf(row))
  return withStatement(ctx, ctx.actor, found!)
}

const draftOf = (row: MonitorRow): RawBuilder<unknown> => sql`jsonb_populate_record(null::monitors, ${JSON.stringify(row)}::text::jsonb)`

/**
 * Uses only names reported by a sync of the table's own integration: a table or column created manually can have any name, and a source
 * must never be queried with such a name.
 */
const findRows = async (ctx: Context, monitors: RawBuilder<unknown>): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select m.*, r.entity_type, coalesce(t.integration, r.integration) as integration, i.type as integration_type, i.connection,
      coalesce(${openTo(ctx.actor, 'i')}, true) as open, oc.key as column_key, r.title as column_title,
      case when t.id is not null then json_build_object('id', t.id, 'title', t.title, 'entity_type', t.entity_type, 'key', ot.key, 'stale', t.stale, 'rows', t.row_count) end as table,
      c.key as timestamp_key
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
export const checkStatement = async (ctx: Context, monitor: MonitorRow): Promise<string | undefined> => {
  const statement = statementOf(monitor)
  if (!statement) return undefined
  const [row] = await findRows(ctx, draftOf(monitor))
  const place = placeOf(row!)
  const checked = place
    ? await resolveStatement(ctx, ctx.actor, statement, place)
    : readStatement(ctx, statement, dialectOf(row!.integration_type) ?? 'postgres', functionsOf(row!.connection))
  return 'problem' in checked ? checked.problem : undefined
}

const withStatement = async (ctx: Context, author: Actor, row: Row): Promise<Question> => {
  const question = toQuestion(row)
  const statement = statementOf(row)
  const place = placeOf(row)
  if (!statement || !place) return question
  const resolved = await resolveStatement(ctx, author, statement, place)
  return 'problem' in resolved
    ? { ...question, problem: `${statement.kind} ${resolved.problem}` }
    : { ...question, dialect: place.dialect, [statement.kind]: resolved.sql }
}

/** Where the SQL would run; undefined if the table cannot be measured. */
const placeOf = (row: Row): Place | undefined => {
  const { relation, path, integration, problem } = toQuestion(row)
  const dialect = dialectOf(row.integration_type)
  if (problem !== undefined || !integration || !dialect) return undefined
  return { integration, dialect, functions: functionsOf(row.connection), table: relation, path }
}

/** The custom SQL of a monitor, if any. */
export const statementOf = ({ metric_type, metric_config }: MonitorRow): Statement | undefined => {
  const { where, query_select } = metric_config as MetricConfig
  if (metric_type === 'custom_sql') return { kind: 'query_select', text: query_select ?? '' }
  return where === undefined ? undefined : { kind: 'where', text: where }
}

const toQuestion = (row: Row): Question => {
  const {
    entity_type,
    integration,
    integration_type: _,
    connection: __,
    open: ___,
    column_key,
    column_title,
    table,
    timestamp_key,
    ...monitor
  } = row
  const { where, query_select, timestamp_column } = monitor.metric_config as MetricConfig
  return {
    id: monitor.id,
    name: monitor.name,
    metric_type: monitor.metric_type,
    relation: table?.id ?? monitor.target,
    path: (table?.key ? partsOf(table.key) : undefined) ?? [],
    integration,
    monitor,
    ...(entity_type === 'column' ? { column: nameIn(column_key) ?? column_title } : {}),
    ...(where === undefined ? {} : { where }),
    ...(monitor.metric_type === 'custom_sql' ? { query_select: query_select ?? '' } : {}),
    ...(timestamp_column === undefined ? {} : { timestamp_column: nameIn(timestamp_key) ?? timestamp_column }),
    rows: table?.rows ?? null,
    large: (table?.rows ?? 0) >= LARGE,
    ...problemOf(row),
  }
}

const LARGE = 100_000_000

const nameIn = (key: string | null): string | undefined => (key ? partsOf(key)?.at(-1) : undefined)

const problemOf = (row: Row): { problem?: string } => {
  const { metric_type, metric_config, entity_type, integration_type, table, open, column_key, column_title, timestamp_key } = row
  if (metric_type === 'pushed') return { problem: 'The values of this monitor are pushed, so it cannot be run.' }
  if (!table) return { problem: 'The column does not belong to a table.' }
  if (entity_type === 'column' && table.entity_type === 'column') return { problem: 'Nested fields of a column cannot be measured.' }
  if (!dialectOf(integration_type)) return {} // opening the source reports what is missing
  if (!open) return { problem: 'The integration of this table belongs to a team you are not in, so its source cannot be queried.' }
  if (!nameIn(table.key) || table.stale)
    return { problem: `Table ${table.title} was not found in the last sync of its source, so it cannot be measured.` }
  if (entity_type === 'column' && !nameIn(column_key))
    return { problem: `Column ${column_title} was not found in the last sync of its source, so it cannot be measured.` }
  const { timestamp_column } = metric_config as MetricConfig
  if (timestamp_column !== undefined && !nameIn(timestamp_key))
    return { problem: `Timestamp column ${timestamp_column} was not found in the last sync of its source.` }
  return {}
}
