import { type Selectable, sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { MonitorIncidentsTable } from '../db/tables/monitors.ts'
import { notFound } from '../errors.ts'
import { newId } from '../id.ts'
import { desc } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import type { ActionType, IncidentQuery } from './incident-schema.ts'
import { idIn, ofResource, TARGET, type TargetRow, withTarget } from './store.ts'

export type IncidentRow = Selectable<MonitorIncidentsTable>

export interface ActionRow {
  readonly type: ActionType
  readonly user_id: string | null
  readonly user_name: string
  readonly comment: string | null
  readonly people: number | null
  readonly channel: string | null
  readonly created_at: string
}

export interface SeenIncident extends IncidentRow {
  readonly of: TargetRow
  readonly monitor_name: string
  readonly still_outside: boolean
}

const SEEN = sql`n.*, m.name as monitor_name, n.status = 'resolved' and m.status = 'incident' and m.last_incident = n.id as still_outside, ${TARGET}`
const FROM = sql`monitor_incidents n join monitors m on m.id = n.monitor ${withTarget('n')}`

export const listIncidentRows = (ctx: Context, query: IncidentQuery, page: PageRequest) => {
  const { status, monitor, target, resource_id, assignee } = query
  const conditions = [
    visibleTo(ctx.actor),
    ...(status === 'open' ? [sql`n.status <> 'resolved'`] : status ? [sql`n.status = ${status}`] : []),
    ...(monitor ? [sql`n.monitor = ${idIn('monitor', monitor)}`] : []),
    ...(target ? [sql`n.target = ${idIn('target', target)}`] : []),
    ...(resource_id ? [ofResource('n', idIn('resource_id', resource_id))] : []),
    ...(assignee ? [sql`n.assignee = ${idIn('assignee', assignee)}`] : []),
  ]
  return readPage<SeenIncident>(ctx, page, {
    select: SEEN,
    from: FROM,
    counted: sql`monitor_incidents n join resources r on r.id = n.target`,
    where: sql.join(conditions, sql` and `),
    order: [desc('timestamp', 'n.created_at'), desc('id', 'n.id')],
  })
}

export const getIncident = async (ctx: Context, id: string): Promise<SeenIncident> => {
  const { rows } = await sql<SeenIncident>`select ${SEEN} from ${FROM} where n.id = ${id} and ${visibleTo(ctx.actor)}`.execute(ctx.db)
  if (!rows[0]) throw notFound('incident', id)
  return rows[0]
}

/** The open incidents of these monitors, by monitor. The caller has locked the monitors. */
export const findOpen = async (ctx: Context, monitors: readonly string[]): Promise<Map<string, IncidentRow>> => {
  const { rows } = await sql<IncidentRow>`
    select n.* from monitor_incidents n where n.monitor = any(${monitors}::uuid[]) and n.status <> 'resolved'
  `.execute(ctx.db)
  return new Map(rows.map((row) => [row.monitor, row]))
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

export interface NewAction {
  readonly incident: string
  readonly type: ActionType
  readonly user_id: string | null
  readonly comment?: string | null
  readonly at: Date
}

export const addActions = async (ctx: Context, actions: readonly NewAction[]): Promise<void> => {
  if (actions.length === 0) return
  const rows = actions.map(({ at, ...action }) => ({ id: newId(), ...action, created_at: at }))
  await sql`
    insert into incident_actions (id, incident, type, user_id, comment, created_at)
    select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(id uuid, incident uuid, type text, user_id uuid, comment text, created_at timestamptz)
  `.execute(ctx.db)
}

/** Timeline entries by incident, oldest first. */
export const findActions = async (ctx: Context, incidents: readonly string[]): Promise<Map<string, ActionRow[]>> => {
  const { rows } = await sql<ActionRow & { incident: string }>`
    select a.incident, a.type, a.user_id, a.comment, a.people, a.channel, a.created_at,
      case when a.user_id is null then 'Tablinum' else coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), u.email, '') end as user_name
    from incident_actions a left join users u on u.id = a.user_id where a.incident = any(${incidents}::uuid[]) order by a.created_at, a.id
  `.execute(ctx.db, ctx.limits)
  return Map.groupBy(rows, ({ incident }) => incident)
}
