import { type RawBuilder, sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import { type DeprecationWarning, findDeprecations } from '../../catalog/listing/deprecations.ts'
import { type HealthStatus, statusSql } from '../../catalog/records/health.ts'
import {
  computedSeveritySql,
  deprecatedUpstreamSql,
  nearestDeprecatedSql,
  outOfRangeMonitorsSql,
} from '../../catalog/records/health-conditions.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { describeIncident } from '../incidents/summary.ts'
import type { HealthReason, ResourceHealth } from './schema.ts'
import { describeSchemaChange, type RecentSchemaChange, recentSchemaChangesSql } from './schema-change-text.ts'

const MAX_INCIDENTS = 20

const describe = (text: Translatable) => ({ text: formatText(text), text_translatable: text })

interface HealthRow {
  readonly title_full: string
  readonly status: HealthStatus
  readonly stale: boolean
  readonly stale_at: string | null
  readonly schema_changed_at: string | null
  readonly schema_change: RecentSchemaChange['payload']
  readonly hidden_columns: RecentSchemaChange['hidden']
}

/** The health of a resource with its reasons, all cut to what the caller can see. The status is computed, like the reasons. */
export const getHealth = async (ctx: Context, id: string): Promise<ResourceHealth> => {
  const { rows } = await sql<HealthRow>`
    select r.title_full, ${statusSql(computedSeveritySql(ctx.actor, 'r'))} as status, r.stale, r.stale_at,
      s.since as schema_changed_at, s.payload as schema_change, s.hidden as hidden_columns
    from resources r left join ${recentSchemaChangesSql(ctx.actor, sql`array[${id}::uuid]`)} s on s.resource_id = r.id where r.id = ${id} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  const [row] = rows
  if (!row) throw notFound('resource', id)
  const [own, upstream, outside, deprecations, deprecatedUpstream] = await Promise.all([
    findIncidentReasons(ctx, sql`n.table_id = ${id} or n.target = ${id}`, false),
    findIncidentReasons(ctx, sql`n.table_id in (${visibleUpstreamSql(ctx, id)})`, true),
    findOutOfRangeReasons(ctx, id),
    findDeprecations(ctx, [id]),
    findDeprecatedUpstream(ctx, id),
  ])
  const about = { resource_id: id, resource: row.title_full, ...NO_INCIDENT }
  return {
    status: row.status,
    reasons: [
      ...own,
      ...upstream,
      ...outside,
      ...deprecations.map(({ text, text_translatable, since, replacement_id }) => ({
        ...about,
        kind: 'deprecated' as const,
        text,
        text_translatable,
        since,
        replacement_id,
      })),
      ...deprecatedUpstream.map((each) => ({ ...NO_INCIDENT, ...each, kind: 'upstream_deprecated' as const })),
      ...(row.stale
        ? [
            {
              ...about,
              kind: 'stale' as const,
              ...describe(translatable('Missing from its source since the last sync.')),
              since: row.stale_at,
            },
          ]
        : []),
      ...(row.schema_changed_at
        ? [
            {
              ...about,
              kind: 'schema_change' as const,
              ...describe(describeSchemaChange({ payload: row.schema_change, hidden: row.hidden_columns })),
              since: row.schema_changed_at,
            },
          ]
        : []),
    ],
  }
}

const MAX_DEPRECATED_UPSTREAM = 20

/** What it reads directly comes first; on a longer path, the nearest deprecated resource. */
const findDeprecatedUpstream = async (ctx: Context, id: string): Promise<DeprecationWarning[]> => {
  const { rows } = await sql<{ id: string }>`
    select f.id from (
      select u.id, 1 as distance from ${deprecatedUpstreamSql(ctx.actor, sql`${id}::uuid`)}
      union all select a.id, 2 from ${nearestDeprecatedSql(ctx.actor, sql`${id}::uuid`)}
    ) f group by f.id order by min(f.distance), f.id limit ${MAX_DEPRECATED_UPSTREAM}
  `.execute(ctx.db, ctx.limits)
  return findDeprecations(
    ctx,
    rows.map((row) => row.id),
  )
}

const NO_INCIDENT = { incident: null, incident_status: null, assignee: null, replacement_id: null }

/** Everything upstream on a path from an open incident, through resources that the caller can see. */
const visibleUpstreamSql = ({ actor }: Context, id: string): RawBuilder<unknown> => sql`
  with recursive above as (
    select ${id}::uuid as id
    union
    select p.upstream_id from above a join incident_paths p on p.resource_id = a.id join resources u on u.id = p.upstream_id and ${visibleTo(actor, 'u')}
  )
  select a.id from above a where a.id <> ${id}::uuid`

interface IncidentReasonRow {
  readonly id: string
  readonly status: NonNullable<HealthReason['incident_status']>
  readonly summary: string
  readonly value: number
  readonly lower: number | null
  readonly upper: number | null
  readonly runs_outside: number
  readonly metric_type: string
  readonly monitor_name: string
  readonly first_seen_at: string
  readonly resource_id: string
  readonly resource: string
  readonly is_test: boolean
  readonly assignee: string | null
  readonly assignee_name: string | null
}

const findIncidentReasons = async (ctx: Context, condition: RawBuilder<unknown>, upstream: boolean): Promise<HealthReason[]> => {
  const { rows } = await sql<IncidentReasonRow>`
    select n.id, n.status, n.summary, n.value, n.lower_threshold as lower, n.upper_threshold as upper, n.runs_outside, m.metric_type,
      m.name as monitor_name, n.first_seen_at, r.id as resource_id, r.title_full as resource, u.id as assignee, ${userNameSql(ctx.actor, 'u')} as assignee_name,
      coalesce(m.key ~ '^(dbt|openlineage):', false) as is_test
    from monitor_incidents n join monitors m on m.id = n.monitor join resources r on r.id = n.target
      left join lateral (
        select a.user_id from incident_actions a where a.incident = n.id and a.type = 'acknowledged' order by a.created_at desc limit 1
      ) a on n.assignee is null and n.status = 'acknowledged'
      left join users u on u.id = coalesce(n.assignee, a.user_id)
    where n.status <> 'resolved' and (${condition}) and ${visibleTo(ctx.actor)}
    order by n.first_seen_at, n.id limit ${MAX_INCIDENTS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(
    ({ id, status, summary, first_seen_at, resource_id, resource, is_test, assignee, assignee_name, monitor_name, ...facts }) => ({
      kind: upstream ? 'upstream_incident' : is_test ? 'failed_test' : 'incident',
      text: summary,
      text_translatable: describeIncident({ ...facts, name: monitor_name, target: resource, first_seen_at }),
      resource_id,
      resource,
      since: first_seen_at,
      incident: id,
      incident_status: status,
      assignee: assignee === null ? null : { id: assignee, name: assignee_name! },
      replacement_id: null,
    }),
  )
}

interface OutOfRangeRow {
  readonly monitor: string
  readonly incident: string
  readonly resolved_at: string
  readonly resource_id: string
  readonly resource: string
}

/** Incidents that were resolved although the last value of their monitor is still out of range. */
const findOutOfRangeReasons = async (ctx: Context, id: string): Promise<HealthReason[]> => {
  const { rows } = await sql<OutOfRangeRow>`
    select m.name as monitor, n.id as incident, n.resolved_at, c.id as resource_id, c.title_full as resource
    from (select n.name, n.last_incident, n.target, n.table_id from ${outOfRangeMonitorsSql(ctx.actor)}) m
      join resources c on c.id = m.target join monitor_incidents n on n.id = m.last_incident and n.status = 'resolved'
    where m.table_id = ${id} or m.target = ${id}
    order by n.resolved_at, n.id limit ${MAX_INCIDENTS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ monitor, incident, resolved_at, resource_id, resource }) => ({
    kind: 'out_of_range',
    ...describe(translatable('The incident was resolved, but the last value of {monitor} is still out of range.', { monitor })),
    resource_id,
    resource,
    since: resolved_at,
    incident,
    incident_status: 'resolved',
    assignee: null,
    replacement_id: null,
  }))
}
