import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'
import type { MonitorIncidentsTable } from '../../platform/db/tables/monitors.ts'
import { desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { incidentInScopeSql, parseScope } from '../insights/scope.ts'
import { belongsToResourceSql, joinTargetSql, parseIdParam, TARGET_JSON_SQL, type TargetRow } from '../monitor-model/monitor-rows.ts'
import type { ActionType, IncidentQuery } from './incident-schema.ts'

export type IncidentRow = Omit<Selectable<MonitorIncidentsTable>, 'table_id'>

/** What changes when a resolved incident is reopened, besides its summary and the time of its notification. */
export const REOPENED = { status: 'active', resolved_at: null, acknowledged_at: null, runs_inside: 0 } as const
export const NOT_SNOOZED = { snoozed_until: null, snoozed_by: null } as const

/** Whether no one is notified of the incident at this time. */
export const isSnoozed = ({ snoozed_until }: Pick<IncidentRow, 'snoozed_until'>, now: Date): boolean =>
  snoozed_until !== null && Date.parse(snoozed_until) > now.getTime()

export interface IncidentActionRow {
  readonly type: ActionType
  readonly user_id: string | null
  readonly user_name: string
  readonly comment: string | null
  readonly people: number | null
  readonly channel: string | null
  readonly created_at: string
}

export interface IncidentWithMonitor extends IncidentRow {
  /** Left out of responses: the caller may see a column whose table is hidden. */
  readonly table_id?: string | null
  readonly of: TargetRow
  readonly monitor_name: string
  readonly metric_type: string
  readonly still_outside: boolean
}

const INCIDENT_COLUMNS = sql`n.*, m.name as monitor_name, m.metric_type, n.status = 'resolved' and m.status = 'incident' and m.last_incident = n.id as still_outside, ${TARGET_JSON_SQL}`
const FROM = sql`monitor_incidents n join monitors m on m.id = n.monitor ${joinTargetSql('n')}`

/** The conditions of a list about the incident (`n`) and its target (`r`). */
export const incidentConditionsSql = (ctx: Context, query: IncidentQuery): RawBuilder<unknown> => {
  const { status, severity, snoozed, monitor, target, resource_id, assignee, opened_since, resolved_since } = query
  const conditions = [
    visibleTo(ctx.actor),
    ...(status === 'open' ? [sql`n.status <> 'resolved'`] : status ? [sql`n.status = ${status}`] : []),
    ...(severity ? [sql`n.severity = ${severity}`] : []),
    ...(snoozed === true ? [sql`n.snoozed_until > ${ctx.now}::timestamptz`] : []),
    ...(snoozed === false ? [sql`(n.snoozed_until is null or n.snoozed_until <= ${ctx.now}::timestamptz)`] : []),
    ...(monitor ? [sql`n.monitor = ${parseIdParam('monitor', monitor)}`] : []),
    ...(target ? [sql`n.target = ${parseIdParam('target', target)}`] : []),
    ...(resource_id ? [belongsToResourceSql('n', parseIdParam('resource_id', resource_id))] : []),
    ...(assignee ? [sql`n.assignee = ${parseIdParam('assignee', assignee)}`] : []),
    ...(opened_since ? [sql`n.created_at >= ${parseTimeParam('opened_since', opened_since)}::timestamptz`] : []),
    ...(resolved_since ? [sql`n.resolved_at >= ${parseTimeParam('resolved_since', resolved_since)}::timestamptz`] : []),
    incidentInScopeSql(parseScope(query)),
  ]
  return sql.join(conditions, sql` and `)
}

export const listIncidentRows = (ctx: Context, query: IncidentQuery, page: PageRequest) =>
  readPage<IncidentWithMonitor>(ctx, page, {
    select: INCIDENT_COLUMNS,
    from: FROM,
    countFrom: sql`monitor_incidents n join resources r on r.id = n.target`,
    where: incidentConditionsSql(ctx, query),
    order: [desc('timestamp', 'n.created_at'), desc('id', 'n.id')],
  })

const parseTimeParam = (field: string, text: string): string => {
  const at = parseTimestamp(text)
  if (at === undefined) throw invalid({ [field]: ['must be an ISO 8601 timestamp.'] })
  return at
}

/** Those of these incidents that the caller can see. */
export const findIncidentRows = async (ctx: Context, ids: readonly string[]): Promise<Map<string, IncidentWithMonitor>> => {
  const { rows } = await sql<IncidentWithMonitor>`
    select ${INCIDENT_COLUMNS} from ${FROM} where n.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}`.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

export const getIncidentRow = async (ctx: Context, id: string): Promise<IncidentWithMonitor> => {
  const { rows } =
    await sql<IncidentWithMonitor>`select ${INCIDENT_COLUMNS} from ${FROM} where n.id = ${id} and ${visibleTo(ctx.actor)}`.execute(ctx.db)
  if (!rows[0]) throw notFound('incident', id)
  return rows[0]
}

/** The open incidents of these monitors, by monitor. The caller has locked the monitors. */
export const findOpenIncidents = async (ctx: Context, monitors: readonly string[]): Promise<Map<string, IncidentRow>> => {
  const { rows } = await sql<IncidentRow>`
    select n.* from monitor_incidents n where n.monitor = any(${monitors}::uuid[]) and n.status <> 'resolved'
  `.execute(ctx.db)
  return new Map(rows.map((row) => [row.monitor, row]))
}

/** The latest incident of the monitor, if it is resolved. If it was marked as expected, a later anomaly is another one. The caller has locked the monitor. */
export const findLastResolved = async (ctx: Context, monitor: string): Promise<IncidentRow | undefined> => {
  const { rows } = await sql<IncidentRow>`
    select n.* from (select n.* from monitor_incidents n where n.monitor = ${monitor} order by n.created_at desc, n.id limit 1) n
    where n.status = 'resolved' and not exists (select from incident_actions a where a.incident = n.id and a.type = 'marked_normal')
  `.execute(ctx.db)
  return rows[0]
}

const COLUMNS = {
  id: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  monitor: 'uuid',
  target: 'uuid',
  name: 'text',
  summary: 'text',
  status: 'text',
  value: 'float8',
  lower_threshold: 'float8',
  upper_threshold: 'float8',
  explanation: 'text',
  first_seen_at: 'timestamptz',
  last_seen_at: 'timestamptz',
  last_notified_at: 'timestamptz',
  acknowledged_at: 'timestamptz',
  resolved_at: 'timestamptz',
  assignee: 'uuid',
  runs_outside: 'int',
  runs_inside: 'int',
  upstream_incident: 'uuid',
  severity: 'text',
  snoozed_until: 'timestamptz',
  snoozed_by: 'uuid',
} as const satisfies Record<keyof IncidentRow, string>
const NAMES = Object.keys(COLUMNS) as (keyof IncidentRow)[]
const FIXED: readonly string[] = ['id', 'created_at', 'monitor', 'target', 'first_seen_at']

/** Inserts new incidents and updates existing ones in one statement. */
export const saveIncidents = async (ctx: Context, rows: readonly IncidentRow[]): Promise<void> => {
  if (rows.length === 0) return
  const list = sql.join(NAMES.map((name) => sql.ref(name)))
  const typed = sql.join(NAMES.map((name) => sql`${sql.ref(name)} ${sql.raw(COLUMNS[name])}`))
  const changed = sql.join(NAMES.filter((name) => !FIXED.includes(name)).map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))
  await sql`
    insert into monitor_incidents (${list}) select ${list} from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(${typed})
    on conflict (id) do update set ${changed}
  `.execute(ctx.db)
}

export interface NewIncidentAction {
  readonly incident: string
  readonly type: ActionType
  readonly user_id: string | null
  readonly comment?: string | null
  readonly at: Date
}

export const addIncidentActions = async (ctx: Context, actions: readonly NewIncidentAction[]): Promise<void> => {
  if (actions.length === 0) return
  const rows = actions.map(({ at, ...action }) => ({ id: newId(), ...action, created_at: at }))
  await sql`
    insert into incident_actions (id, incident, type, user_id, comment, created_at)
    select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(id uuid, incident uuid, type text, user_id uuid, comment text, created_at timestamptz)
  `.execute(ctx.db)
}

/** Timeline entries by incident, oldest first. */
export const findIncidentActions = async (ctx: Context, incidents: readonly string[]): Promise<Map<string, IncidentActionRow[]>> => {
  const { rows } = await sql<IncidentActionRow & { incident: string }>`
    select a.incident, a.type, a.user_id, a.comment, a.people, a.channel, a.created_at,
      case when a.user_id is null then 'Tablinum' else coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), u.email, '') end as user_name
    from incident_actions a left join users u on u.id = a.user_id where a.incident = any(${incidents}::uuid[]) order by a.created_at, a.id
  `.execute(ctx.db, ctx.limits)
  return Map.groupBy(rows, ({ incident }) => incident)
}
