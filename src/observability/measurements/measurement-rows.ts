import { type Selectable, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { MonitorMeasurementsTable } from '../../platform/db/tables/monitors.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { MonitorRow } from '../monitor-model/monitor-rows.ts'

export type MeasurementRow = Selectable<MonitorMeasurementsTable>

export interface MeasurementWithIncident extends MeasurementRow {
  readonly incident_name: string | null
  readonly incident_status: string | null
}

const COLUMNS = sql`s.*, n.name as incident_name, n.status as incident_status`
const FROM = sql`monitor_measurements s left join monitor_incidents n on n.id = s.incident`
const isVisibleSql = (ctx: Context) =>
  sql`exists (select from monitors m join resources r on r.id = m.target where m.id = s.monitor and ${visibleTo(ctx.actor)})`

export const listMeasurementRows = (ctx: Context, { monitor, incident }: { monitor?: string; incident?: string }, page: PageRequest) =>
  readPage<MeasurementWithIncident>(ctx, page, {
    select: COLUMNS,
    from: FROM,
    countFrom: sql`monitor_measurements s`,
    where: sql`${monitor ? sql`s.monitor = ${monitor}` : sql`true`} and ${incident ? sql`s.incident = ${incident}` : sql`true`} and ${isVisibleSql(ctx)}`,
    order: [desc('timestamp', 's.measured_at'), asc('id', 's.id')],
  })

interface RecentRow {
  readonly monitor: string
  readonly measured_at: string
  readonly value: number
  readonly outside: boolean
}

/** The latest measurements of each monitor, oldest first. Measurements marked as expected do not count as outside. */
export const findRecent = async (ctx: Context, monitors: readonly string[], limit: number) => {
  const { rows } = await sql<RecentRow>`
    select w.monitor, s.measured_at, s.value, s.outside and s.marked is distinct from 'normal' as outside
    from unnest(${monitors}::uuid[]) w(monitor) cross join lateral (
      select * from monitor_measurements s where s.monitor = w.monitor order by s.measured_at desc limit ${limit}
    ) s order by w.monitor, s.measured_at
  `.execute(ctx.db, ctx.limits)
  const points = rows.map(({ monitor, measured_at, value, outside }) => ({ monitor, point: { created_at: measured_at, value, outside } }))
  return new Map([...Map.groupBy(points, ({ monitor }) => monitor)].map(([id, of]) => [id, of.map(({ point }) => point)]))
}

export const getMeasurementRow = async (ctx: Context, id: string): Promise<MeasurementWithIncident> => {
  const { rows } = await sql<MeasurementWithIncident>`select ${COLUMNS} from ${FROM} where s.id = ${id} and ${isVisibleSql(ctx)}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw notFound('measurement', id)
  return rows[0]
}

export const findMeasurementRows = async (ctx: Context, ids: readonly string[]): Promise<Map<string, MeasurementWithIncident>> => {
  const { rows } = await sql<MeasurementWithIncident>`select ${COLUMNS} from ${FROM} where s.id = any(${ids}::uuid[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Measurements that already exist, by monitor and time. */
export const findExistingTimes = async (
  ctx: Context,
  keys: readonly { readonly monitor: string; readonly at: Date }[],
): Promise<Map<string, MeasurementRow>> => {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<MeasurementRow>`
    select s.* from unnest(${keys.map(({ monitor }) => monitor)}::uuid[], ${keys.map(({ at }) => at.toISOString())}::timestamptz[]) w(monitor, at)
    join monitor_measurements s on s.monitor = w.monitor and s.measured_at = w.at
  `.execute(ctx.db)
  return new Map(rows.map((row) => [`${row.monitor} ${Date.parse(row.measured_at)}`, row]))
}

const json = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::text::json`

export const insertMeasurements = async (ctx: Context, rows: readonly MeasurementRow[]): Promise<void> => {
  if (rows.length === 0) return
  await sql`
    insert into monitor_measurements (id, monitor, measured_at, updated_at, value, row_count, lower_threshold, upper_threshold, explanation, outside, origin,
      marked, incident, thresholds_version)
    select * from json_to_recordset(${json(rows)}) as x(id uuid, monitor uuid, measured_at timestamptz, updated_at timestamptz, value float8, row_count int8,
      lower_threshold float8, upper_threshold float8, explanation text, outside boolean, origin text, marked text, incident uuid,
      thresholds_version int2)
    on conflict (monitor, measured_at) do nothing
  `.execute(ctx.db)
}

/** The state a result changes on its monitor. A run is not an edit, so `updated_at` stays. */
export type MonitorStateUpdate = Pick<
  MonitorRow,
  | 'id'
  | 'status'
  | 'last_attempted_at'
  | 'last_success_at'
  | 'last_error_at'
  | 'last_error_message'
  | 'last_measurement'
  | 'last_measurement_value'
  | 'last_measured_at'
  | 'last_incident'
  | 'model_generation'
>

export const updateMonitorStates = async (ctx: Context, updates: readonly MonitorStateUpdate[]): Promise<void> => {
  if (updates.length === 0) return
  await sql`
    update monitors m set status = x.status, last_attempted_at = x.last_attempted_at, last_success_at = x.last_success_at, last_error_at = x.last_error_at,
      last_error_message = x.last_error_message, last_measurement = x.last_measurement, last_measurement_value = x.last_measurement_value,
      last_measured_at = x.last_measured_at, last_incident = x.last_incident, model_generation = x.model_generation
    from json_to_recordset(${json(updates)}) as x(id uuid, status text, last_attempted_at timestamptz, last_success_at timestamptz, last_error_at timestamptz,
      last_error_message text, last_measurement uuid, last_measurement_value float8, last_measured_at timestamptz, last_incident uuid, model_generation int)
    where m.id = x.id
  `.execute(ctx.db)
}

/** Deletes runs and returns those that still existed. */
export const deleteRuns = async (ctx: Context, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`delete from monitor_runs where id = any(${ids}::uuid[]) returning id`.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}

/** Sets the feedback of one measurement or of an incident: of its values outside the limits, and for `incident` of all up to the last of these. */
export const setFeedback = async (
  ctx: Context,
  of: { measurement: string } | { incident: string },
  marked: string | null,
): Promise<void> => {
  const conditionSql =
    'measurement' in of
      ? sql`s.id = ${of.measurement}`
      : sql`s.incident = ${of.incident} and ${marked === 'incident' ? sql`s.measured_at <= (select n.last_seen_at from monitor_incidents n where n.id = s.incident)` : sql`s.outside`}`
  await sql`
    update monitor_measurements s set marked = ${marked}, updated_at = ${nextUpdatedAtSql(ctx.now, 's.updated_at')} where ${conditionSql}
  `.execute(ctx.db)
}

/** The history has changed: invalidates the cached models of all processes. */
export const resetHistory = async (ctx: Context, monitor: string): Promise<void> => {
  await sql`update monitors set model_generation = model_generation + 1 where id = ${monitor}`.execute(ctx.db)
}
