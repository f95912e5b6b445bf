import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inXidRangesSql, xidRangesBetween } from '../../platform/history/commits.ts'
import type { EventPayloads } from '../../platform/history/events.ts'
import type { LogStep } from '../outbox/follow-log.ts'
import type { RoutedChannel, RoutedPeople } from '../routing/route-alerts.ts'
import { pathTitleSql, tableIdSql } from './column-path.ts'
import type { AlertIncident } from './group-alerts.ts'

const GROUPING_DELAY = '30 seconds'

/**
 * Records incidents opened, acknowledged or resolved between two snapshots, and schema changes if a rule is about them. Alerts of tables with upstream tables are delayed for 30 seconds, so that they
 * can be grouped with an upstream incident.
 */
export const recordAlerts = async (ctx: Context, { seen, target, since }: LogStep): Promise<void> => {
  await sql`
    insert into notification_alerts (activity_id, subject_id, phase, resource_id, table_id, upstream_incident, opened_at, due_at)
    select a.id, case when a.activity_type = 'schema_changed' then a.id else a.related_resource_ids[1] end,
      case a.activity_type when 'incident_resolved' then 'resolved' when 'incident_acknowledged' then 'acknowledged'
        when 'schema_changed' then 'changed' else 'opened' end, a.resource_id, p.table_id,
      (a.payload ->> 'upstream_incident')::uuid, a.logged_at,
      ${ctx.now}::timestamptz + case when a.activity_type = 'incident_opened' and exists (
        select from lineage_edges e where e.downstream between p.table_id and p.table_id and (e.query is null or e.kind = 'table')
      ) then ${GROUPING_DELAY}::interval else interval '0' end
    from ${inXidRangesSql(xidRangesBetween(seen, target))}
      join activities a on a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${seen}::text::pg_snapshot)
      cross join lateral (select ${tableIdSql(sql`a.resource_id`)} as table_id) p
    where a.activity_type in ('incident_opened', 'incident_reopened', 'incident_acknowledged', 'incident_resolved', 'incident_snooze_ended', 'schema_changed')
      and a.logged_at >= ${since}::timestamptz and a.resource_id is not null
      and case when a.activity_type = 'schema_changed'
        then exists (select from notification_rules n where n.enabled and 'schema_changed' = any(n.events))
        else a.related_resource_ids[1] is not null end
    on conflict do nothing
  `.execute(ctx.db)
}

export interface AlertRow extends AlertIncident {
  readonly activity_id: string
  readonly phase: 'opened' | 'acknowledged' | 'resolved' | 'changed'
  readonly reopened: boolean
  /** Its snooze has ended. */
  readonly woken: boolean
  readonly resource_id: string
  readonly resource_type: string
  /** Of a column with its table and the columns it is nested in: `orders.address.street`. */
  readonly resource_title: string
  readonly performer_id: string | null
  readonly performer_name: string | null
  readonly logged_at: string
  /** What the event says; a resolved incident also has the reason. */
  readonly payload: Partial<EventPayloads['incident_resolved'] & EventPayloads['schema_changed']>
}

const ROW = sql`
  n.activity_id, n.subject_id, n.phase, a.activity_type = 'incident_reopened' as reopened, a.activity_type = 'incident_snooze_ended' as woken, n.resource_id, n.table_id, n.upstream_incident, n.opened_at, n.thread, coalesce(a.resource_type, 'resource') as resource_type,
  coalesce(${pathTitleSql}, a.resource_title, '') as resource_title, a.performer_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as performer_name,
  a.logged_at, coalesce(a.payload, '{}') as payload`
const FROM = sql`
  notification_alerts n join activities a on a.id = n.activity_id left join resources r on r.id = n.resource_id
  left join resources t on t.id = n.table_id
  left join users u on u.id = a.performer_id`

/**
 * Whether something of the same incident has to be sent before the alert `n` with the activity `a`: what follows an opening waits for it, and a return waits for
 * the end before it. Otherwise an incident that ends and returns before anything was sent would look resolved in a pager.
 */
const isBlockedSql = sql<boolean>`
  (n.phase <> 'changed' and a.activity_type <> 'incident_opened' and exists (
    select from notification_alerts o join activities b on b.id = o.activity_id
    where o.subject_id = n.subject_id and o.sent_at is null and (o.phase = 'opened') <> (n.phase = 'opened')
      and (b.activity_type = 'incident_opened' or (o.opened_at, o.activity_id) < (n.opened_at, n.activity_id))))`

/** Due alerts, those of an incident in the order of their events. */
export const findDueAlerts = async (ctx: Context, limit: number): Promise<AlertRow[]> => {
  const { rows } = await sql<AlertRow>`
    select ${ROW} from ${FROM}
    where n.sent_at is null and n.due_at <= ${ctx.now}::timestamptz and not ${isBlockedSql}
    order by n.due_at, n.opened_at, n.activity_id limit ${limit}
  `.execute(ctx.db)
  return rows
}

/** Unsent alerts of opened incidents, due or not, longest due first. */
export const findUnsentAlerts = async (ctx: Context, limit: number): Promise<AlertRow[]> => {
  const { rows } = await sql<AlertRow>`
    select ${ROW} from ${FROM} where n.sent_at is null and n.phase = 'opened' and not ${isBlockedSql} order by n.due_at, n.opened_at, n.activity_id limit ${limit}
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
      and (n.table_id = any(${tables}::uuid[]) or n.subject_id = any(${incidents}::uuid[]))
      and not exists (select from notification_alerts o where o.subject_id = n.subject_id and o.phase = 'resolved' and (o.opened_at, o.activity_id) > (n.opened_at, n.activity_id))
  `.execute(ctx.db)
  return rows
}

/** The groups in which these alerts were sent. */
export const findAlertGroups = async (ctx: Context, subjectIds: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ subject_id: string; thread: string }>`
    select n.subject_id, n.thread from notification_alerts n where n.subject_id = any(${subjectIds}::uuid[]) and n.phase = 'opened' and n.thread is not null
  `.execute(ctx.db)
  return new Map(rows.map(({ subject_id, thread }) => [subject_id, thread]))
}

interface SentAlert {
  readonly activity_id: string
  readonly thread: string
  readonly subject_id: string
  readonly phase: AlertRow['phase']
  /** Number of users notified, the Slack channel of the monitor, and the notification channels. */
  readonly people: number
  readonly channel: string | null
  readonly channel_ids: readonly string[]
  /** Where rules sent it. */
  readonly routed: readonly (RoutedChannel | RoutedPeople)[]
}

/** Marks alerts as sent and records who was notified in the timelines of their incidents. */
export const markAlertsSent = async (ctx: Context, sent: readonly SentAlert[]): Promise<void> => {
  await sql`
    update notification_alerts n set sent_at = ${ctx.now}::timestamptz, thread = t.thread, routed = nullif(t.routed, '[]')
    from json_to_recordset(${JSON.stringify(sent)}::text::json) as t(activity_id uuid, thread uuid, routed jsonb)
    where n.activity_id = t.activity_id
  `.execute(ctx.db)
  await sql`
    update incident_actions a set people = t.people, channel = nullif(concat_ws(', ', t.channel, (
      select string_agg(c.name, ', ' order by c.name) from notification_channels c where c.id = any(t.channel_ids))), '')
    from json_to_recordset(${JSON.stringify(sent)}::text::json) as t(subject_id uuid, phase text, people int, channel text, channel_ids uuid[])
    where a.incident = t.subject_id and a.type = case t.phase when 'opened' then 'notification_initial' when 'resolved' then 'notification_resolved' end
      and a.people is null
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
