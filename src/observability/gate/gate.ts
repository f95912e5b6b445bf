import { sql } from 'kysely'
import { findDeprecations } from '../../catalog/listing/deprecations.ts'
import { findLinks, type NodeInfo } from '../../lineage/edges/links.ts'
import { findParentTable, getStartNode } from '../../lineage/graph/start-nodes.ts'
import { traverse } from '../../lineage/graph/traverse.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { can, requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { findResourcesByPath } from '../monitor-model/paths.ts'
import { CHECKS, type Check, type Gate, type GateQuery } from './schema.ts'
import { findGateReasons, type MonitorState } from './verdict.ts'

const MAX_DEPTH = 50
const MAX_UPSTREAM = 1000
const MAX_REASONS = 100

/** Decides whether a pipeline should use a resource, from its monitors and, if requested, those upstream. */
export const evaluateGate = async (ctx: Context, query: GateQuery): Promise<Gate> => {
  requirePermission(ctx.actor, 'monitors.read')
  const checks = parseChecks(query.checks)
  const target = await getGateTarget(ctx, query)
  const { distances, truncated } = await findUpstreamDistances(ctx, target, query.upstream ?? false)
  const [states, warnings] = await Promise.all([findMonitorStates(ctx, target, distances), findDeprecations(ctx, [...distances.keys()])])
  const measured = states.some(({ last_measured_at }) => last_measured_at !== null)
  const reasons = findGateReasons(states, { checks, ignore_acknowledged: query.ignore_acknowledged ?? false, now: ctx.now })
  return {
    status: reasons.length > 0 ? 'fail' : measured ? 'pass' : 'unknown',
    resource_id: target.id,
    resource: target.title_full,
    reasons: reasons.slice(0, MAX_REASONS),
    reasons_count: reasons.length,
    warnings: warnings.slice(0, MAX_REASONS),
    monitors_checked: states.length,
    resources_checked: new Set(states.map(({ resource_id }) => resource_id)).size,
    truncated,
    checked_at: ctx.now.toISOString(),
    summary: describeGate(target.title_full, reasons.length, states.length, measured),
  }
}

const describeGate = (title: string, reasons: number, monitors: number, measured: boolean): string => {
  if (reasons > 0) return `${title} should not be used: ${reasons} ${reasons === 1 ? 'check' : 'checks'} failed.`
  if (measured) return `All checks of ${title} passed.`
  return monitors > 0 ? `Unknown: the monitors of ${title} have no measurements yet.` : `Unknown: ${title} has no monitors.`
}

const parseChecks = (text: string | undefined): readonly Check[] => {
  if (text === undefined) return CHECKS
  const requested = text.split(',').map((each) => each.trim())
  const wrong = requested.find((each) => !CHECKS.some((check) => check === each))
  if (wrong !== undefined) throw invalid({ checks: [`"${wrong}" is not a valid check. Valid checks: ${CHECKS.join(', ')}.`] })
  return CHECKS.filter((check) => requested.includes(check))
}

const getGateTarget = async (ctx: Context, { resource_id, path }: GateQuery): Promise<NodeInfo> => {
  if ((resource_id === undefined) === (path === undefined)) throw invalid({ resource_id: ['Provide either resource_id or path.'] })
  if (resource_id !== undefined) return getStartNode(ctx, resource_id)
  const found = (await findResourcesByPath(ctx, [path!])).get(path!) ?? []
  const [first, second] = found
  if (!first) throw invalid({ path: ['Table or column not found.'] })
  if (second) throw invalid({ path: [`${found.length} resources have this path. Use resource_id instead.`] })
  return getStartNode(ctx, first.id)
}

/** The resource and everything upstream by distance, as far as it is connected through resources the caller can see. */
const findUpstreamDistances = async (ctx: Context, target: NodeInfo, upstream: boolean) => {
  if (!upstream) return { distances: new Map([[target.id, 0]]), truncated: false }
  const from = (await findParentTable(ctx, target)).id
  const { steps, truncated: cut } = await traverse(ctx, {
    from: [from],
    depth: MAX_DEPTH,
    limit: MAX_UPSTREAM,
    counts: () => true,
    next: (nodes) => findLinks(ctx, nodes, { level: 'table', direction: 'up' }),
    visible_only: true,
  })
  return { distances: new Map([[target.id, 0], ...[...steps].map(([id, { distance }]) => [id, distance] as const)]), truncated: cut }
}

/** The monitors of these resources and of their columns. */
const findMonitorStates = async (ctx: Context, target: NodeInfo, distances: ReadonlyMap<string, number>): Promise<MonitorState[]> => {
  const { rows } = await sql<Omit<MonitorState, 'distance'> & { place: string }>`
    select m.id as monitor, m.name, r.id as resource_id, r.title_full as resource, m.place, m.frequency,
      m.metric_type = 'pushed' as pushed, m.status, m.created_at, m.last_measured_at, m.last_error_at, ${can(ctx.actor, 'monitors.config') ? sql`m.last_error_message` : sql`null`} as last_error_message,
      n.id as incident, n.status as incident_status, n.summary, n.first_seen_at,
      m.metric_type, n.value, n.lower_threshold as lower, n.upper_threshold as upper, n.runs_outside
    from (
      select m.*, p.id as place from unnest(${[...distances.keys()]}::uuid[]) p(id) join monitors m on m.target = p.id
      union all
      select m.*, p.id as place from unnest(${[...distances.keys()].filter((id) => id !== target.id || target.entity_type !== 'column')}::uuid[]) p(id)
        cross join lateral (select c.id from resources c where c.parent = p.id and c.entity_type = 'column' offset 0) c
        join monitors m on m.target = c.id
    ) m
      join resources r on r.id = m.target
      left join monitor_incidents n on n.monitor = m.id and n.status <> 'resolved'
    where m.is_enabled and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  // A column's monitors are also found through its table; the shorter distance counts.
  const nearest = new Map<string, MonitorState>()
  for (const { place, ...row } of rows) {
    const distance = distances.get(place)!
    const before = nearest.get(row.monitor)
    if (!before || distance < before.distance) nearest.set(row.monitor, { ...row, distance })
  }
  return [...nearest.values()]
}
