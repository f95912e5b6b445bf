import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { findLinks } from '../lineage/links.ts'
import { findOwners } from '../lineage/owners.ts'
import { walk } from '../lineage/walk.ts'
import type { Downstream } from './incident-schema.ts'
import type { TargetRow } from './store.ts'

const tableOf = ({ id, entity_type, parent }: TargetRow): string => (entity_type === 'column' && parent ? parent : id)

const FURTHEST_UP = 10
const MOST_UP = 300

/** The nearest open upstream incident, which may be the cause of this one. */
export const findUpstreamIncident = async (ctx: Context, of: TargetRow): Promise<string | null> => {
  const table = tableOf(of)
  const { steps } = await walk(ctx, {
    from: [table],
    depth: FURTHEST_UP,
    limit: MOST_UP,
    counts: () => true,
    next: (nodes) => findLinks(ctx, nodes, { level: 'table', way: 'up' }),
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

const FURTHEST_DOWN = 20
const MOST_DOWN = 1000
const MOST_OWNERS = 20
const DASHBOARDS = ['dashboard', 'chart', 'report']

/** The downstream resources the caller can see, with their owners. */
export const downstreamOf = async (ctx: Context, of: TargetRow): Promise<Downstream> => {
  const { steps, cut } = await walk(ctx, {
    from: [tableOf(of)],
    depth: FURTHEST_DOWN,
    limit: MOST_DOWN,
    counts: () => true,
    next: (nodes) => findLinks(ctx, nodes, { level: 'table', way: 'down' }),
  })
  const places = [...steps.values()].filter(({ distance, place }) => distance > 0 && place.visible).map(({ place }) => place)
  const owned = new Map<string, Downstream['owners'][number]>()
  const owners = await findOwners(
    ctx,
    places.map(({ id }) => id),
  )
  for (const list of owners.values())
    for (const { id, type, name } of list) owned.set(id, { id, type, name, count: (owned.get(id)?.count ?? 0) + 1 })
  const sorted = [...owned.values()].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)).slice(0, MOST_OWNERS)
  const dashboards = places.filter(({ entity_type }) => DASHBOARDS.includes(entity_type)).length
  return { total: places.length, dashboards, owners: sorted, truncated: cut, summary: inWords(places.length, dashboards, sorted, cut) }
}

const some = (n: number, noun: string) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
const inWords = (total: number, dashboards: number, owners: Downstream['owners'], cut: boolean): string => {
  if (total === 0) return 'No downstream resources depend on it.'
  const named = owners.flatMap(({ name }) => (name ? [name] : [])).slice(0, 3)
  const whose =
    owners.length === 0
      ? ''
      : named.length === 0
        ? ` Affected owners: ${owners.length}.`
        : ` Affected owners: ${named.join(', ')}${owners.length > named.length ? ` and ${owners.length - named.length} more` : ''}.`
  return `${cut ? 'More than ' : ''}${some(total, 'downstream resource')}${total === 1 ? ' depends' : ' depend'} on it${dashboards > 0 ? `, including ${some(dashboards, 'dashboard')}` : ''}.${whose}`
}
