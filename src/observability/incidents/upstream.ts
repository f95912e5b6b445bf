import { sql } from 'kysely'
import { findLinks } from '../../lineage/edges/links.ts'
import { findOwners } from '../../lineage/graph/owners.ts'
import { traverse } from '../../lineage/graph/traverse.ts'
import type { Context } from '../../platform/context/context.ts'
import type { TargetRow } from '../monitor-model/monitor-rows.ts'
import type { Downstream } from './incident-schema.ts'

const getTableId = ({ id, entity_type, parent }: TargetRow): string => (entity_type === 'column' && parent ? parent : id)

const MAX_UPSTREAM_DEPTH = 10
const MAX_UPSTREAM = 300

/** The nearest open upstream incident, which may be the cause of this one. */
export const findUpstreamIncident = async (ctx: Context, of: TargetRow): Promise<string | null> => {
  const table = getTableId(of)
  const { steps } = await traverse(ctx, {
    from: [table],
    depth: MAX_UPSTREAM_DEPTH,
    limit: MAX_UPSTREAM,
    counts: () => true,
    next: (nodes) => findLinks(ctx, nodes, { level: 'table', direction: 'up' }),
  })
  const above = [...steps].filter(([, { distance }]) => distance > 0).toSorted(([, a], [, b]) => a.distance - b.distance)
  if (above.length === 0) return null
  const { rows } = await sql<{ id: string }>`
    select n.id from unnest(${above.map(([id]) => id)}::uuid[]) with ordinality a(id, n)
    join lateral (
      select n.id from monitor_incidents n where n.status <> 'resolved'
        and (n.target = a.id or n.target in (select c.id from resources c where c.parent = a.id and c.entity_type = 'column'))
      order by n.first_seen_at, n.id limit 1
    ) n on true
    order by a.n limit 1
  `.execute(ctx.db)
  return rows[0]?.id ?? null
}

const MAX_DOWNSTREAM_DEPTH = 20
const MAX_DOWNSTREAM = 1000
const MAX_OWNERS = 20
const DASHBOARDS = ['dashboard', 'report'] // not their charts

/** The downstream resources the caller can see, with their owners. */
export const findDownstreamImpact = async (ctx: Context, of: TargetRow): Promise<Downstream> => {
  const { steps, truncated: cut } = await traverse(ctx, {
    from: [getTableId(of)],
    depth: MAX_DOWNSTREAM_DEPTH,
    limit: MAX_DOWNSTREAM,
    counts: () => true,
    next: (nodes) => findLinks(ctx, nodes, { level: 'table', direction: 'down' }),
  })
  const nodes = [...steps.values()].filter(({ distance, node }) => distance > 0 && node.visible).map(({ node }) => node)
  const owned = new Map<string, Downstream['owners'][number]>()
  const owners = await findOwners(
    ctx,
    nodes.map(({ id }) => id),
  )
  for (const list of owners.values())
    for (const { id, type, name } of list) owned.set(id, { id, type, name, count: (owned.get(id)?.count ?? 0) + 1 })
  const sorted = [...owned.values()].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)).slice(0, MAX_OWNERS)
  const dashboards = nodes.filter(({ entity_type }) => DASHBOARDS.includes(entity_type)).length
  return { total: nodes.length, dashboards, owners: sorted, truncated: cut, summary: formatImpact(nodes.length, dashboards, sorted, cut) }
}

const formatCount = (n: number, noun: string) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
const formatImpact = (total: number, dashboards: number, owners: Downstream['owners'], cut: boolean): string => {
  if (total === 0) return 'No downstream resources depend on it.'
  const named = owners.flatMap(({ name }) => (name ? [name] : [])).slice(0, 3)
  const whose =
    owners.length === 0
      ? ''
      : named.length === 0
        ? ` Affected owners: ${owners.length}.`
        : ` Affected owners: ${named.join(', ')}${owners.length > named.length ? ` and ${owners.length - named.length} more` : ''}.`
  return `${cut ? 'More than ' : ''}${formatCount(total, 'downstream resource')}${total === 1 ? ' depends' : ' depend'} on it${dashboards > 0 ? `, including ${formatCount(dashboards, 'dashboard')}` : ''}.${whose}`
}
