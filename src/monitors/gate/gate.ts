import { sql } from 'kysely'
import { can, mustBeAble, visibleTo } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { findLinks, type Place } from '../../lineage/links.ts'
import { getPlace, tableOf } from '../../lineage/start.ts'
import { walk } from '../../lineage/walk.ts'
import { findByPaths } from '../paths.ts'
import { CHECKS, type Check, type Gate, type GateQuery } from './schema.ts'
import { reasonsOf, type Watched } from './verdict.ts'

const DEPTH = 50
const MOST_UPSTREAM = 1000
const MOST_REASONS = 100

/** Decides whether a pipeline should use a resource, from its monitors and, if requested, those upstream. */
export const readGate = async (ctx: Context, query: GateQuery): Promise<Gate> => {
  mustBeAble(ctx.actor, 'monitors.read')
  const checks = checksOf(query.checks)
  const place = await placeOf(ctx, query)
  const { distances, truncated } = await around(ctx, place, query.upstream ?? false)
  const watched = await findWatched(ctx, place, distances)
  const seen = watched.filter(({ visible }) => visible)
  const measured = watched.some(({ last_measured_at }) => last_measured_at !== null)
  const reasons = reasonsOf(watched, { checks, ignore_acknowledged: query.ignore_acknowledged ?? false, now: ctx.now })
  return {
    status: reasons.length > 0 ? 'fail' : measured ? 'pass' : 'unknown',
    resource_id: place.id,
    resource: place.title_full,
    reasons: reasons.slice(0, MOST_REASONS),
    reasons_count: reasons.length,
    monitors_checked: seen.length,
    resources_checked: new Set(seen.map(({ resource_id }) => resource_id)).size,
    truncated,
    checked_at: ctx.now.toISOString(),
    summary: summaryOf(place.title_full, reasons.length, seen.length, measured),
  }
}

const summaryOf = (title: string, reasons: number, monitors: number, measured: boolean): string => {
  if (reasons > 0) return `${title} should not be used: ${reasons} ${reasons === 1 ? 'check' : 'checks'} failed.`
  if (measured) return `All checks of ${title} passed.`
  return monitors > 0 ? `Unknown: the monitors of ${title} have no measurements yet.` : `Unknown: ${title} has no monitors.`
}

const checksOf = (text: string | undefined): readonly Check[] => {
  if (text === undefined) return CHECKS
  const asked = text.split(',').map((each) => each.trim())
  const wrong = asked.find((each) => !CHECKS.some((check) => check === each))
  if (wrong !== undefined) throw invalid({ checks: [`"${wrong}" is not a valid check. Valid checks: ${CHECKS.join(', ')}.`] })
  return CHECKS.filter((check) => asked.includes(check))
}

const placeOf = async (ctx: Context, { resource_id, path }: GateQuery): Promise<Place> => {
  if ((resource_id === undefined) === (path === undefined)) throw invalid({ resource_id: ['Provide either resource_id or path.'] })
  if (resource_id !== undefined) return getPlace(ctx, resource_id)
  const found = (await findByPaths(ctx, [path!])).get(path!) ?? []
  const [first, second] = found
  if (!first) throw invalid({ path: ['Table or column not found.'] })
  if (second) throw invalid({ path: [`${found.length} resources have this path. Use resource_id instead.`] })
  return getPlace(ctx, first.id)
}

/** The resource and everything upstream by distance. Resources the caller cannot see are included. */
const around = async (ctx: Context, place: Place, upstream: boolean) => {
  if (!upstream) return { distances: new Map([[place.id, 0]]), truncated: false }
  const from = (await tableOf(ctx, place)).id
  const { steps, cut } = await walk(ctx, {
    from: [from],
    depth: DEPTH,
    limit: MOST_UPSTREAM,
    counts: () => true,
    next: (nodes) => findLinks(ctx, nodes, { level: 'table', way: 'up' }),
  })
  return { distances: new Map([[place.id, 0], ...[...steps].map(([id, { distance }]) => [id, distance] as const)]), truncated: cut }
}

/** The monitors of these resources and of their columns. */
const findWatched = async (ctx: Context, place: Place, distances: ReadonlyMap<string, number>): Promise<Watched[]> => {
  const { rows } = await sql<Omit<Watched, 'distance'> & { place: string }>`
    select m.id as monitor, m.name, r.id as resource_id, r.title_full as resource, ${visibleTo(ctx.actor)} as visible, m.place, m.frequency,
      m.metric_type = 'pushed' as pushed, m.status, m.created_at, m.last_measured_at, m.last_error_at, ${can(ctx.actor, 'monitors.config') ? sql`m.last_error_message` : sql`null`} as last_error_message,
      n.id as incident, n.status as incident_status, n.summary, n.first_seen_at
    from (
      select m.*, p.id as place from unnest(${[...distances.keys()]}::uuid[]) p(id) join monitors m on m.target = p.id
      union all
      select m.*, p.id as place from unnest(${[...distances.keys()].filter((id) => id !== place.id || place.entity_type !== 'column')}::uuid[]) p(id)
        cross join lateral (select c.id from resources c where c.parent = p.id and c.entity_type = 'column' offset 0) c
        join monitors m on m.target = c.id
    ) m
      join resources r on r.id = m.target
      left join monitor_incidents n on n.monitor = m.id and n.status <> 'resolved'
    where m.is_enabled
  `.execute(ctx.db, ctx.limits)
  // A column's monitors are also found through its table; the shorter distance counts.
  const nearest = new Map<string, Watched>()
  for (const { place, ...row } of rows) {
    const distance = distances.get(place)!
    const before = nearest.get(row.monitor)
    if (!before || distance < before.distance) nearest.set(row.monitor, { ...row, distance })
  }
  return [...nearest.values()]
}
