import { sql } from 'kysely'
import { outOfRangeMonitorsSql } from '../../catalog/records/health-conditions.ts'
import { queriesWithCodeSql } from '../../lineage/code/code.ts'
import type { Context } from '../../platform/context/context.ts'
import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { describeSchemaChange, type RecentSchemaChange, recentSchemaChangesSql } from '../health/schema-change-text.ts'
import { describeIncident } from '../incidents/summary.ts'
import type { Cause } from './schema.ts'

/** What is wrong with a resource or changed lately. */
export type Signal = Pick<Cause, 'kind' | 'text' | 'text_translatable' | 'since' | 'incident' | 'job'> & {
  /** The node of the graph: of a column, its table. */
  readonly node: string
}

const MAX_SIGNALS = 200 // of each kind

const describe = (text: Translatable) => ({ text: formatText(text), text_translatable: text, incident: null, job: null })

/** All signals of these resources and their columns, as far as the caller can see them. */
export const findSignals = async (ctx: Context, nodes: readonly string[]): Promise<Signal[]> =>
  (
    await Promise.all([
      findIncidents(ctx, nodes),
      findOutOfRange(ctx, nodes),
      findStale(ctx, nodes),
      findSchemaChanges(ctx, nodes),
      findSqlChanges(ctx, nodes),
      findFailedRuns(ctx, nodes),
    ])
  ).flat()

interface IncidentRow {
  readonly node: string
  readonly id: string
  readonly summary: string
  readonly value: number
  readonly lower: number | null
  readonly upper: number | null
  readonly runs_outside: number
  readonly metric_type: string
  readonly monitor_name: string
  readonly first_seen_at: string
  readonly target: string
  readonly is_test: boolean
}

const findIncidents = async (ctx: Context, nodes: readonly string[]): Promise<Signal[]> => {
  const { rows } = await sql<IncidentRow>`
    select coalesce(n.table_id, n.target) as node, n.id, n.summary, n.value, n.lower_threshold as lower, n.upper_threshold as upper, n.runs_outside,
      m.metric_type, m.name as monitor_name, n.first_seen_at, r.title_full as target, coalesce(m.key ~ '^(dbt|openlineage):', false) as is_test
    from monitor_incidents n join monitors m on m.id = n.monitor join resources r on r.id = n.target
    where n.status <> 'resolved' and n.table_id = any(${nodes}::uuid[]) and ${visibleTo(ctx.actor)}
    order by n.first_seen_at desc, n.id limit ${MAX_SIGNALS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ node, id, summary, is_test, monitor_name, ...facts }) => ({
    node,
    kind: is_test ? 'failed_test' : facts.metric_type === 'freshness' ? 'late' : 'incident',
    text: summary,
    text_translatable: describeIncident({ ...facts, name: monitor_name }),
    since: facts.first_seen_at,
    incident: id,
    job: null,
  }))
}

const findOutOfRange = async (ctx: Context, nodes: readonly string[]): Promise<Signal[]> => {
  const { rows } = await sql<{ node: string; monitor: string; incident: string; since: string }>`
    select m.table_id as node, m.name as monitor, n.id as incident, n.resolved_at as since
    from (select n.name, n.last_incident, n.table_id from ${outOfRangeMonitorsSql(ctx.actor)} and n.table_id = any(${nodes}::uuid[])) m
      join monitor_incidents n on n.id = m.last_incident and n.status = 'resolved'
    order by n.resolved_at desc, n.id limit ${MAX_SIGNALS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ node, monitor, incident, since }) => ({
    ...describe(translatable('The incident was resolved, but the last value of {monitor} is still out of range.', { monitor })),
    ...{ node, kind: 'out_of_range', since, incident },
  }))
}

const findStale = async (ctx: Context, nodes: readonly string[]): Promise<Signal[]> => {
  const { rows } = await sql<{ node: string; since: string }>`
    select r.id as node, coalesce(r.stale_at, r.updated_at) as since from resources r
    where r.id = any(${nodes}::uuid[]) and r.stale and ${visibleTo(ctx.actor)} order by 2 desc, 1 limit ${MAX_SIGNALS}
  `.execute(ctx.db, ctx.limits)
  return rows.map((row) => ({ ...describe(translatable('Missing from its source since the last sync.')), ...row, kind: 'stale' }))
}

const findSchemaChanges = async (ctx: Context, nodes: readonly string[]): Promise<Signal[]> => {
  const { rows } = await sql<{ node: string; since: string } & RecentSchemaChange>`
    select s.resource_id as node, s.since, s.payload, s.hidden from ${recentSchemaChangesSql(ctx.actor, sql`${nodes}::uuid[]`)} s
    order by s.since desc, s.resource_id limit ${MAX_SIGNALS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ payload, hidden, ...row }) => ({
    ...describe(describeSchemaChange({ payload, hidden })),
    ...row,
    kind: 'schema_change',
  }))
}

const SQL_CHANGE_DAYS = 7

/** A query that fills it is new, although the resource is older. The hour tells that from the sync that created both. */
const findSqlChanges = async (ctx: Context, nodes: readonly string[]): Promise<Signal[]> => {
  const { rows } = await sql<{ node: string; since: string }>`
    select r.id as node, max(q.created_at) as since
    from resources r join lineage_edges e on e.downstream = r.id and e.query is not null and e.kind = 'table'
      join lineage_queries q on q.id = e.query join resources u on u.id = e.upstream
    where r.id = any(${nodes}::uuid[]) and ${queriesWithCodeSql('q')} and q.created_at > now() - make_interval(days => ${sql.lit(SQL_CHANGE_DAYS)})
      and q.created_at > r.created_at + interval '1 hour' and ${visibleTo(ctx.actor)} and ${visibleTo(ctx.actor, 'u')}
    group by 1 order by 2 desc, 1 limit ${MAX_SIGNALS}
  `.execute(ctx.db, ctx.limits)
  return rows.map((row) => ({
    ...describe(translatable('The SQL that fills it changed in the last 7 days.')),
    ...row,
    kind: 'sql_change',
  }))
}

/** Jobs whose last run failed: those in the graph, and those that write one of the resources according to the evidence of their edges. */
const findFailedRuns = async (ctx: Context, nodes: readonly string[]): Promise<Signal[]> => {
  const { rows } = await sql<{ node: string; job: string; title: string; since: string }>`
    with failed as materialized (
      select r.id, r.title, 'job ' || g.title || ' ' || r.title as evidence, (r.display_metadata -> 'last_run' ->> 'ended_at')::timestamptz as since
      from resources r join resources g on g.id = r.parent
      where r.entity_type = 'job' and r.display_metadata -> 'last_run' ->> 'state' = 'FAILED' and ${visibleTo(ctx.actor)}
    ), written as materialized (
      select distinct e.downstream as node, q.sql as evidence, (q.statements -> 0 ->> 'job')::uuid as job
      from lineage_edges e join lineage_queries q on q.id = e.query
      where e.downstream = any(${nodes}::uuid[]) and e.kind = 'table' and q.statements -> 0 ->> 'kind' = 'job'
    )
    select f.id as node, f.id as job, f.title, f.since from failed f where f.id = any(${nodes}::uuid[]) and f.since is not null
    union
    select w.node, f.id, f.title, f.since from written w join failed f on f.id = w.job where f.since is not null
    union
    select w.node, f.id, f.title, f.since from written w join failed f on f.evidence = w.evidence where f.since is not null
    order by since desc, node limit ${MAX_SIGNALS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ node, job, title, since }) => ({
    ...describe(translatable('The last run of {job} failed.', { job: title })),
    ...{ node, kind: 'failed_run', since, job },
  }))
}
