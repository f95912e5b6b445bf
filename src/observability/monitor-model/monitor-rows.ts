import { type RawBuilder, type Selectable, sql } from 'kysely'
import { getEntityTypeConfig } from '../../catalog/entity-types/entity-types.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { MonitorsTable } from '../../platform/db/tables/monitors.ts'
import { desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { MonitorQuery } from './schema.ts'

/** SQL of monitors. A monitor is visible to everyone who can see its target, and hidden while its target is in the trash. */
export type MonitorRow = Omit<Selectable<MonitorsTable>, 'table_id'>

/** The fields of a target that monitors need. */
export interface TargetRow {
  readonly id: string
  readonly entity_type: string
  readonly title: string
  readonly title_full: string
  readonly icon: string | null
  readonly native_type: string | null
  readonly parent: string | null
  readonly integration: string | null
  readonly integration_type: string | null
  readonly sql_dialect: string | null
}

export interface MonitorWithTarget extends MonitorRow {
  readonly of: TargetRow
}

export const TARGET_JSON_SQL = sql`json_build_object('id', r.id, 'entity_type', r.entity_type, 'title', r.title, 'title_full', r.title_full, 'icon', r.icon,
  'native_type', r.native_type, 'parent', r.parent, 'integration', r.integration, 'integration_type', i.type, 'sql_dialect', i.sql_dialect) as of`
/** Joins the target (`r`) of the row with this alias, and its integration (`i`). */
export const joinTargetSql = (alias: string) =>
  sql`join resources r on r.id = ${sql.ref(`${alias}.target`)} left join integrations i on i.id = r.integration`

export const toTargetBrief = ({ entity_type, icon, title_full, integration, integration_type }: TargetRow) => ({
  icon: icon ?? getEntityTypeConfig(entity_type).icon,
  label: title_full,
  entity_type,
  integration,
  integration_type,
})

/** Parses an ID from the parameters of a list. */
export const parseIdParam = (field: string, text: string): string => {
  const id = parseId(text)
  if (!id) throw invalid({ [field]: ['must be a UUID.'] })
  return id
}

/** The target is the resource itself or one of its columns. */
export const belongsToResourceSql = (alias: string, id: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.target`)} in (select c.id from resources c where c.id = ${id}::uuid or (c.parent = ${id}::uuid and c.entity_type = 'column'))`

export const listMonitorRows = (ctx: Context, query: MonitorQuery, page: PageRequest) => {
  const { status, monitor, target, resource_id, integration_id, metric_type, severity, is_enabled, name } = query
  const conditions = [
    visibleTo(ctx.actor),
    ...(status ? [sql`m.status = ${status}`] : []),
    ...(monitor ? [sql`m.id = ${parseIdParam('monitor', monitor)}`] : []),
    ...(target ? [sql`m.target = ${parseIdParam('target', target)}`] : []),
    ...(resource_id ? [belongsToResourceSql('m', parseIdParam('resource_id', resource_id))] : []),
    ...(integration_id ? [sql`r.integration = ${parseIdParam('integration_id', integration_id)}`] : []),
    ...(metric_type ? [sql`m.metric_type = ${metric_type}`] : []),
    ...(severity ? [sql`m.severity = ${severity}`] : []),
    ...(is_enabled === undefined ? [] : [is_enabled ? sql`m.is_enabled` : sql`not m.is_enabled`]),
    ...(name ? [sql`strpos(lower(m.name), lower(${name})) > 0`] : []),
  ]
  return readPage<MonitorWithTarget>(ctx, page, {
    select: sql`m.*, ${TARGET_JSON_SQL}`,
    from: sql`monitors m ${joinTargetSql('m')}`,
    countFrom: sql`monitors m join resources r on r.id = m.target`,
    where: sql.join(conditions, sql` and `),
    order: [desc('timestamp', 'm.created_at'), desc('id', 'm.id')],
  })
}

export const findMonitorRows = async (ctx: Context, ids: readonly string[]): Promise<Map<string, MonitorWithTarget>> => {
  const { rows } = await sql<MonitorWithTarget>`
    select m.*, ${TARGET_JSON_SQL} from monitors m ${joinTargetSql('m')} where m.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

export const getMonitorRow = async (ctx: Context, id: string): Promise<MonitorWithTarget> => {
  const row = (await findMonitorRows(ctx, [id])).get(id)
  if (!row) throw notFound('monitor', id)
  return row
}

/** Locks in the order of the IDs, so that two writers cannot deadlock. */
export const lockMonitors = async (ctx: Context, ids: readonly string[]): Promise<Map<string, MonitorWithTarget>> => {
  await sql`select from monitors m where m.id = any(${ids}::uuid[]) order by m.id for no key update`.execute(ctx.db)
  return findMonitorRows(ctx, ids)
}

export const lockMonitor = async (ctx: Context, id: string): Promise<MonitorWithTarget> => {
  const row = (await lockMonitors(ctx, [id])).get(id)
  if (!row) throw notFound('monitor', id)
  return row
}

export const findTarget = async (ctx: Context, id: string): Promise<TargetRow | undefined> => {
  const { rows } = await sql<{ of: TargetRow }>`
    select ${TARGET_JSON_SQL} from resources r left join integrations i on i.id = r.integration where r.id = ${id} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db)
  return rows[0]?.of
}

export interface ColumnRow {
  readonly title: string
  readonly native_type: string | null
  /** Its name in the source, if it came from a sync. */
  readonly key: string | null
  /** Declared NOT NULL by the source. */
  readonly always: boolean
  readonly is_pk: boolean
}

/** Whether the column is declared NOT NULL, according to its source or the API client that created it. */
export const isColumnNotNullSql = (alias: string): RawBuilder<boolean> => sql`
  coalesce(coalesce(${sql.ref(`${alias}.display_metadata`)} -> 'nullable', ${sql.ref(`${alias}.details`)} -> 'nullable') = 'false'::jsonb, false)`

/** The columns of a table the caller can see. */
export const findTargetColumns = async (ctx: Context, table: string): Promise<ColumnRow[]> => {
  const { rows } = await sql<ColumnRow>`
    select c.title, c.native_type, o.key, ${isColumnNotNullSql('c')} as always, coalesce(c.details -> 'is_pk' = 'true'::jsonb, false) as is_pk
    from resources c left join resource_origins o on o.resource_id = c.id and o.integration = c.integration and o.gone_at is null
    where c.parent = ${table} and c.entity_type = 'column' and ${visibleTo(ctx.actor, 'c')}
    order by case when jsonb_typeof(c.details -> 'sort_order') = 'number' then (c.details ->> 'sort_order')::numeric end, c.created_at, c.id
  `.execute(ctx.db)
  return rows
}

/** How the source partitions a table: the key as it writes it, and the names of columns that it marks. Empty if it is not partitioned. */
export const findPartitionKey = async (ctx: Context, table: string): Promise<string> => {
  const { rows } = await sql<{ key: string }>`
    select concat_ws(' ', r.display_metadata ->> 'partition_key', r.display_metadata ->> 'partitioned_by', (
      select string_agg(c.title, ' ') from resources c where c.parent = r.id and c.entity_type = 'column' and ${visibleTo(ctx.actor, 'c')}
        and 'true'::jsonb in (c.display_metadata -> 'partitioning', c.display_metadata -> 'in_partition_key')
    )) as key
    from resources r where r.id = ${table} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db)
  return rows[0]?.key ?? ''
}

const toJsonbSql = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
const toColumns = (row: MonitorRow) => ({
  key: row.key,
  name: row.name,
  metric_config: toJsonbSql(row.metric_config),
  schedule: toJsonbSql(row.schedule),
  frequency: row.frequency,
  is_enabled: row.is_enabled,
  condition_auto_sensitivity: row.condition_auto_sensitivity,
  condition_manual_min: row.condition_manual_min,
  condition_manual_max: row.condition_manual_max,
  severity: row.severity,
  notify_slack_channel: row.notify_slack_channel,
  statement_by: row.statement_by,
  next_run_at: row.next_run_at === null ? null : new Date(row.next_run_at),
})

export const insertMonitorRow = (ctx: Context, row: MonitorRow) =>
  ctx.db
    .insertInto('monitors')
    .values({
      id: row.id,
      target: row.target,
      metric_type: row.metric_type,
      status: row.status,
      created_by: ctx.actor.user_id,
      ...toColumns(row),
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .execute()

/** `updated_at` always increases, so that two writes in the same millisecond have different ETags. */
export const updateMonitorRow = (ctx: Context, row: MonitorRow) =>
  ctx.db
    .updateTable('monitors')
    .set({ ...toColumns(row), updated_at: nextUpdatedAtSql(ctx.now) })
    .where('id', '=', row.id)
    .execute()

export const deleteMonitorRow = (ctx: Context, id: string) => ctx.db.deleteFrom('monitors').where('id', '=', id).execute()

export const findMonitorByKey = async (ctx: Context, key: string): Promise<string | undefined> =>
  (await ctx.db.selectFrom('monitors').select('id').where('key', '=', key).executeTakeFirst())?.id
