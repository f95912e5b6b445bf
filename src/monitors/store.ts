import { type RawBuilder, type Selectable, sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { MonitorsTable } from '../db/tables/monitors.ts'
import { invalid, notFound } from '../errors.ts'
import { readId } from '../id.ts'
import { desc } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import { kindOf } from '../resources/kinds.ts'
import type { MonitorQuery } from './schema.ts'

/** SQL of monitors. A monitor is visible to everyone who can see its target, and hidden while its target is in the trash. */
export type MonitorRow = Selectable<MonitorsTable>

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
}

export interface SeenMonitor extends MonitorRow {
  readonly of: TargetRow
}

export const TARGET = sql`json_build_object('id', r.id, 'entity_type', r.entity_type, 'title', r.title, 'title_full', r.title_full, 'icon', r.icon,
  'native_type', r.native_type, 'parent', r.parent, 'integration', r.integration, 'integration_type', i.type) as of`
/** Joins the target (`r`) of the row with this alias, and its integration (`i`). */
export const withTarget = (alias: string) =>
  sql`join resources r on r.id = ${sql.ref(`${alias}.target`)} left join integrations i on i.id = r.integration`

export const briefOf = ({ entity_type, icon, title_full, integration, integration_type }: TargetRow) => ({
  icon: icon ?? kindOf(entity_type).icon,
  label: title_full,
  entity_type,
  integration,
  integration_type,
})

/** Parses an ID from the parameters of a list. */
export const idIn = (field: string, text: string): string => {
  const id = readId(text)
  if (!id) throw invalid({ [field]: ['must be a UUID.'] })
  return id
}

/** The target is the resource itself or one of its columns. */
export const ofResource = (alias: string, id: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.target`)} in (select c.id from resources c where c.id = ${id}::uuid or (c.parent = ${id}::uuid and c.entity_type = 'column'))`

export const listRows = (ctx: Context, query: MonitorQuery, page: PageRequest) => {
  const { status, monitor, target, resource_id, integration_id, metric_type, is_enabled, name } = query
  const conditions = [
    visibleTo(ctx.actor),
    ...(status ? [sql`m.status = ${status}`] : []),
    ...(monitor ? [sql`m.id = ${idIn('monitor', monitor)}`] : []),
    ...(target ? [sql`m.target = ${idIn('target', target)}`] : []),
    ...(resource_id ? [ofResource('m', idIn('resource_id', resource_id))] : []),
    ...(integration_id ? [sql`r.integration = ${idIn('integration_id', integration_id)}`] : []),
    ...(metric_type ? [sql`m.metric_type = ${metric_type}`] : []),
    ...(is_enabled === undefined ? [] : [is_enabled ? sql`m.is_enabled` : sql`not m.is_enabled`]),
    ...(name ? [sql`strpos(lower(m.name), lower(${name})) > 0`] : []),
  ]
  return readPage<SeenMonitor>(ctx, page, {
    select: sql`m.*, ${TARGET}`,
    from: sql`monitors m ${withTarget('m')}`,
    counted: sql`monitors m join resources r on r.id = m.target`,
    where: sql.join(conditions, sql` and `),
    order: [desc('timestamp', 'm.created_at'), desc('id', 'm.id')],
  })
}

export const findMonitors = async (ctx: Context, ids: readonly string[]): Promise<Map<string, SeenMonitor>> => {
  const { rows } = await sql<SeenMonitor>`
    select m.*, ${TARGET} from monitors m ${withTarget('m')} where m.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

export const getMonitor = async (ctx: Context, id: string): Promise<SeenMonitor> => {
  const row = (await findMonitors(ctx, [id])).get(id)
  if (!row) throw notFound('monitor', id)
  return row
}

/** Locks in the order of the IDs, so that two writers cannot deadlock. */
export const lockMonitors = async (ctx: Context, ids: readonly string[]): Promise<Map<string, SeenMonitor>> => {
  await sql`select from monitors m where m.id = any(${ids}::uuid[]) order by m.id for no key update`.execute(ctx.db)
  return findMonitors(ctx, ids)
}

export const lockMonitor = async (ctx: Context, id: string): Promise<SeenMonitor> => {
  const row = (await lockMonitors(ctx, [id])).get(id)
  if (!row) throw notFound('monitor', id)
  return row
}

export const findTarget = async (ctx: Context, id: string): Promise<TargetRow | undefined> => {
  const { rows } = await sql<{ of: TargetRow }>`
    select ${TARGET} from resources r left join integrations i on i.id = r.integration where r.id = ${id} and ${visibleTo(ctx.actor)}
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
}

/** Whether the column is declared NOT NULL, according to its source or the API client that created it. */
export const isAlways = (alias: string): RawBuilder<boolean> => sql`
  coalesce(coalesce(${sql.ref(`${alias}.display_metadata`)} -> 'nullable', ${sql.ref(`${alias}.details`)} -> 'nullable') = 'false'::jsonb, false)`

/** The columns of a table the caller can see. */
export const findColumns = async (ctx: Context, table: string): Promise<ColumnRow[]> => {
  const { rows } = await sql<ColumnRow>`
    select c.title, c.native_type, o.key, ${isAlways('c')} as always
    from resources c left join resource_origins o on o.resource_id = c.id and o.integration = c.integration and o.gone_at is null
    where c.parent = ${table} and c.entity_type = 'column' and ${visibleTo(ctx.actor, 'c')}
    order by case when jsonb_typeof(c.details -> 'sort_order') = 'number' then (c.details ->> 'sort_order')::numeric end, c.created_at, c.id
  `.execute(ctx.db)
  return rows
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
const written = (row: MonitorRow) => ({
  key: row.key,
  name: row.name,
  metric_config: json(row.metric_config),
  schedule: json(row.schedule),
  frequency: row.frequency,
  is_enabled: row.is_enabled,
  condition_auto_sensitivity: row.condition_auto_sensitivity,
  condition_manual_min: row.condition_manual_min,
  condition_manual_max: row.condition_manual_max,
  notify_slack_channel: row.notify_slack_channel,
  statement_by: row.statement_by,
  next_run_at: row.next_run_at === null ? null : new Date(row.next_run_at),
})

export const insertMonitor = (ctx: Context, row: MonitorRow) =>
  ctx.db
    .insertInto('monitors')
    .values({
      id: row.id,
      target: row.target,
      metric_type: row.metric_type,
      status: row.status,
      created_by: ctx.actor.user_id,
      ...written(row),
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .execute()

/** `updated_at` always increases, so that two writes in the same millisecond have different ETags. */
export const updateMonitor = (ctx: Context, row: MonitorRow) =>
  ctx.db
    .updateTable('monitors')
    .set({ ...written(row), updated_at: sql<Date>`greatest(${ctx.now}::timestamptz, updated_at + interval '1 millisecond')` })
    .where('id', '=', row.id)
    .execute()

export const deleteMonitor = (ctx: Context, id: string) => ctx.db.deleteFrom('monitors').where('id', '=', id).execute()

export const findByKey = async (ctx: Context, key: string): Promise<string | undefined> =>
  (await ctx.db.selectFrom('monitors').select('id').where('key', '=', key).executeTakeFirst())?.id
