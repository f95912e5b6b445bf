import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { partsOf } from '../sync/item.ts'
import type { Asked } from './metrics.ts'
import type { MetricConfig } from './schema.ts'
import type { MonitorRow } from './store.ts'

/** What a monitor asks of its source: its table and column as the source calls them, whatever people call them here. */
export interface Question extends Asked {
  readonly name: string
  /** The resource of the table, and its path in the source. */
  readonly relation: string
  readonly path: readonly string[]
  readonly integration: string | null
  readonly query_select?: string
  /** How many rows the table had when it was last synced. */
  readonly rows: number | null
  readonly monitor: MonitorRow
  /** Why it cannot be asked. */
  readonly problem?: string
}

interface Row extends MonitorRow {
  readonly entity_type: string
  readonly integration: string | null
  readonly column_key: string | null
  readonly column_title: string
  readonly stale: boolean
  readonly table: {
    id: string
    entity_type: string
    key: string | null
    title: string
    schema: string | null
    database: string | null
    rows: number | null
  } | null
  readonly timestamp_key: string | null
}

export const findQuestions = (ctx: Context, ids: readonly string[]): Promise<Map<string, Question>> =>
  questionsOf(ctx, sql`(select m.* from monitors m where m.id = any(${ids}::uuid[]))`)

/** What a monitor that is not kept would ask. */
export const questionFor = async (ctx: Context, row: MonitorRow): Promise<Question> =>
  (await questionsOf(ctx, sql`jsonb_populate_record(null::monitors, ${JSON.stringify(row)}::text::jsonb)`)).get(row.id)!

const questionsOf = async (ctx: Context, monitors: RawBuilder<unknown>): Promise<Map<string, Question>> => {
  const { rows } = await sql<Row>`
    select m.*, r.entity_type, r.integration, r.databuilder_id as column_key, r.title as column_title, r.stale,
      case when t.id is not null then json_build_object('id', t.id, 'entity_type', t.entity_type, 'key', t.databuilder_id, 'title', t.title, 'schema', t.schema, 'database', t.database, 'rows', t.row_count) end as table,
      c.databuilder_id as timestamp_key
    from ${monitors} m join resources r on r.id = m.target
    left join resources t on t.id = case when r.entity_type = 'column' then r.parent else r.id end
    left join lateral (
      select c.databuilder_id from resources c where c.parent = t.id and c.entity_type = 'column' and c.title = m.metric_config ->> 'timestamp_column' limit 1
    ) c on true
  `.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, toQuestion(row)]))
}

const toQuestion = (row: Row): Question => {
  const { entity_type, integration, column_key, column_title, stale: _, table, timestamp_key, ...monitor } = row
  const { where, query_select, timestamp_column } = monitor.metric_config as MetricConfig
  const path = table
    ? ((table.key ? partsOf(table.key) : undefined) ?? [table.database, table.schema, table.title].filter((part) => part !== null))
    : []
  return {
    id: monitor.id,
    name: monitor.name,
    metric_type: monitor.metric_type,
    relation: table?.id ?? monitor.target,
    path,
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

const problemOf = ({ metric_type, entity_type, table }: Row): { problem?: string } => {
  if (metric_type === 'pushed') return { problem: 'Its values are pushed: there is nothing to run.' }
  if (!table) return { problem: 'Its column stands under no table.' }
  if (entity_type === 'column' && table.entity_type === 'column') return { problem: 'A field inside of a column cannot be measured.' }
  return {}
}
