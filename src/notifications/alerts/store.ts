import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inXidRangesSql, xidRangesBetween } from '../../platform/history/commits.ts'
import type { EventPayloads } from '../../platform/history/events.ts'
import type { LogStep } from '../outbox/follow-log.ts'
import type { AlertIncident } from './group.ts'

const GROUPING_DELAY = '30 seconds'

/**
 * Records incidents opened or resolved between two snapshots. Alerts of tables with upstream tables are delayed for 30 seconds, so that they
 * can be grouped with an upstream incident.
 */
export const recordAlerts = async (ctx: Context, { seen, target, since }: LogStep): Promise<void> => {
  await sql`
    insert into notification_alerts (activity_id, about, phase, resource_id, place, above, opened_at, due_at)
    select a.id, a.related_resource_ids[1], case a.activity_type when 'incident_resolved' then 'resolved' else 'opened' end, a.resource_id, p.place,
      (a.payload ->> 'upstream_incident')::uuid, a.logged_at,
      ${ctx.now}::timestamptz + case when a.activity_type = 'incident_opened' and exists (
        select from lineage_edges e where e.downstream between p.place and p.place and (e.query is null or e.kind = 'table')
      ) then ${GROUPING_DELAY}::interval else interval '0' end
    from ${inXidRangesSql(xidRangesBetween(seen, target))}
      join activities a on a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${seen}::text::pg_snapshot)
      left join resources r on r.id = a.resource_id
      left join resources t on r.entity_type = 'column' and t.id = r.parent
      cross join lateral (select coalesce(case when t.entity_type = 'column' then t.parent else t.id end, a.resource_id) as place) p
    where a.activity_type in ('incident_opened', 'incident_reopened', 'incident_resolved') and a.logged_at >= ${since}::timestamptz
      and a.resource_id is not null and a.related_resource_ids[1] is not null
    on conflict do nothing
  `.execute(ctx.db)
}

export interface AlertRow extends AlertIncident {
  readonly activity_id: string
  readonly phase: 'opened' | 'resolved'
  readonly reopened: boolean
  readonly resource_id: string
  readonly resource_type: string
  readonly resource_title: string
  readonly performer_id: string | null
  readonly performer_name: string | null
  readonly logged_at: string
  /** What the event of the incident says; a resolved incident also has the reason. */
  readonly payload: Partial<EventPayloads['incident_resolved']>
}

const ROW = sql`
  n.activity_id, n.about, n.phase, a.activity_type = 'incident_reopened' as reopened, n.resource_id, n.place, n.above, n.opened_at, n.thread, coalesce(a.resource_type, 'resource') as resource_type,
  coalesce(r.title, a.resource_title, '') as resource_title, a.performer_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as performer_name,
  a.logged_at, coalesce(a.payload, '{}') as payload`
const FROM = sql`
  notification_alerts n join activities a on a.id = n.activity_id left join resources r on r.id = n.resource_id
  left join users u on u.id = a.performer_id`

/** Due alerts. A resolved alert is sent only after the opened alert of the same incident. */
export const findDueAlerts = async (ctx: Context, limit: number): Promise<AlertRow[]> => {
  const { rows } = await sql<AlertRow>`
    select ${ROW} from ${FROM}
    where n.told_at is null and n.due_at <= ${ctx.now}::timestamptz and not (n.phase = 'resolved' and exists (
      select from notification_alerts o where o.about = n.about and o.phase = 'opened' and o.told_at is null))
    order by n.due_at, n.opened_at, n.activity_id limit ${limit}
  `.execute(ctx.db)
  return rows
}

/** Unsent alerts of opened incidents, due or not, longest due first. */
export const findUnsentAlerts = async (ctx: Context, limit: number): Promise<AlertRow[]> => {
  const { rows } = await sql<AlertRow>`
    select ${ROW} from ${FROM} where n.told_at is null and n.phase = 'opened' order by n.due_at, n.opened_at, n.activity_id limit ${limit}
  `.execute(ctx.db)
  return rows
}

const GROUP_WINDOW = '24 hours'

/** Alerts of open incidents of these tables, sent or not. */
export const findOpenAlerts = async (ctx: Context, tables: readonly string[], incidents: readonly string[]): Promise<AlertRow[]> => {
  if (tables.length === 0 && incidents.length === 0) return []
  const { rows } = await sql<AlertRow>`
    select ${ROW} from ${FROM}
    where n.phase = 'opened' and n.opened_at > ${ctx.now}::timestamptz - ${GROUP_WINDOW}::interval
      and (n.place = any(${tables}::uuid[]) or n.about = any(${incidents}::uuid[]))
      and not exists (select from notification_alerts o where o.about = n.about and o.phase = 'resolved' and o.opened_at >= n.opened_at)
  `.execute(ctx.db)
  return rows
}

/** The groups in which these alerts were sent. */
export const findAlertGroups = async (ctx: Context, about: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ about: string; thread: string }>`
    select n.about, n.thread from notification_alerts n where n.about = any(${about}::uuid[]) and n.phase = 'opened' and n.thread is not null
  `.execute(ctx.db)
  return new Map(rows.map(({ about, thread }) => [about, thread]))
}

interface SentAlert {
  readonly activity_id: string
  readonly thread: string
  readonly about: string
  readonly phase: AlertRow['phase']
  /** Number of users notified, and the Slack channel. */
  readonly people: number
  readonly channel: string | null
}

/** Marks alerts as sent and records the number of recipients in the timelines of their incidents. */
export const markAlertsSent = async (ctx: Context, sent: readonly SentAlert[]): Promise<void> => {
  await sql`
    update notification_alerts n set told_at = ${ctx.now}::timestamptz, thread = t.thread
    from unnest(${sent.map(({ activity_id }) => activity_id)}::uuid[], ${sent.map(({ thread }) => thread)}::uuid[]) as t(activity_id, thread)
    where n.activity_id = t.activity_id
  `.execute(ctx.db)
  await sql`
    update incident_actions a set people = t.people, channel = t.channel
    from json_to_recordset(${JSON.stringify(sent)}::text::json) as t(about uuid, phase text, people int, channel text)
    where a.incident = t.about and a.type = case t.phase when 'opened' then 'notification_initial' else 'notification_resolved' end and a.people is null
  `.execute(ctx.db)
}

/** Owners, subscribers and visibility of a resource. */
export interface ResourceAudience {
  readonly id: string
  readonly users: string[] | null
  readonly groups: string[] | null
  readonly subscribers: string[] | null
  readonly published: boolean
  readonly teams: string[] | null
}

export const findAudiences = async (db: Db, ids: readonly string[]): Promise<Map<string, ResourceAudience>> => {
  const { rows } = await sql<ResourceAudience>`
    select r.id, r.owners as users, r.owners_groups as groups, r.subscribers, r.published, r.teams from resources r where r.id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
