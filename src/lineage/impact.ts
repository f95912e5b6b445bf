import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { readId } from '../id.ts'
import { type PageRequest, pageOf } from '../lists/page.ts'
import { findEffects } from './effects.ts'
import type { Affected, ImpactQuery, ImpactSummary, NodeBrief, Owner } from './graph-schema.ts'
import { findColumnsBelow, findLinks, type Level, type Place } from './links.ts'
import { Aliases, describeNodes, hiddenNode } from './nodes.ts'
import { findOwners } from './owners.ts'
import { beginAt, getPlace, wantedOf } from './start.ts'
import { wants } from './survey.ts'
import { type Step, trail, type Walking, walk } from './walk.ts'

/** Everything downstream, and how a change gets there. */
export interface Reach {
  readonly level: Level
  readonly steps: ReadonlyMap<string, Step>
  /** What is affected, the nearest first. */
  readonly ids: readonly string[]
  readonly truncated: boolean
}

const MOST_REACHED = 100_000

export const reach = async (
  ctx: Context,
  from: readonly string[],
  level: Level,
  {
    depth = Number.POSITIVE_INFINITY,
    counts = () => true,
    next = nextAt(ctx, level),
  }: Partial<Pick<Walking, 'depth' | 'counts' | 'next'>> = {},
): Promise<Reach> => {
  const { steps, cut } = await walk(ctx, {
    from,
    depth,
    limit: MOST_REACHED,
    counts,
    next,
  })
  const found = [...steps].filter(([, { place, distance }]) => distance > 0 && place.visible && counts(place))
  found.sort(([a, one], [b, two]) => one.distance - two.distance || order(one.place.title_full, two.place.title_full) || order(a, b))
  return { level, steps, ids: found.map(([id]) => id), truncated: cut }
}

const nextAt =
  (ctx: Context, level: Level): Walking['next'] =>
  (nodes) =>
    level === 'column' ? findEffects(ctx, nodes) : findLinks(ctx, nodes, { level, way: 'down' })

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const readImpact = async (ctx: Context, query: ImpactQuery, page: PageRequest) => {
  const found = await impactOf(ctx, query)
  const [results, summary] = await Promise.all([
    describeAffected(ctx, found, found.ids.slice(page.offset, page.offset + page.page_size), new Aliases()),
    summarise(ctx, found),
  ])
  return { ...pageOf(page, found.ids.length, results), level: found.level, truncated: found.truncated, summary }
}

const impactOf = async (ctx: Context, query: ImpactQuery): Promise<Reach> => {
  const wanted = wantedOf(query)
  const place = await getPlace(ctx, query.resource_id)
  const columns = query.column ? await findNamedColumns(ctx, place, query.column) : undefined
  const level = query.level ?? (columns || place.entity_type === 'column' ? 'column' : 'table')
  const from = columns && level === 'column' ? columns : await beginAt(ctx, place, level)
  return reach(ctx, from, level, { depth: query.depth, counts: (each) => wants(wanted, each) })
}

const findNamedColumns = async (ctx: Context, { id, title_full }: Place, text: string): Promise<string[]> => {
  const columns = await describeNodes(ctx, await findColumnsBelow(ctx, id))
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name) => {
      const same = (one: string) => [...columns.values()].find(({ title }) => title === one || title?.toLowerCase() === one.toLowerCase())
      const column = columns.get(readId(name) ?? '') ?? same(name)
      if (!column) throw invalid({ column: [`${title_full} has no column "${name.slice(0, 200)}".`] })
      return column.id
    })
}

/** One of the shortest ways to it; what must not be named on it is a hop. */
const pathTo = (ids: readonly string[], nodes: ReadonlyMap<string, NodeBrief>, aliases: Aliases): NodeBrief[] =>
  ids.map((id) => nodes.get(id) ?? hiddenNode(aliases.of(id)))

export const describeAffected = async (ctx: Context, { steps }: Reach, ids: readonly string[], aliases: Aliases): Promise<Affected[]> => {
  const trails = ids.map((id) => trail(steps, id))
  const [nodes, owners] = await Promise.all([describeNodes(ctx, [...new Set(trails.flat())]), findOwners(ctx, ids)])
  return ids.flatMap((id, i) => {
    const node = nodes.get(id)
    if (!node) return [] // deleted a moment ago
    const certain = trails[i]!.every((each) => !steps.get(each)!.link?.whole)
    return [{ ...node, distance: steps.get(id)!.distance, certain, owners: owners.get(id) ?? [], path: pathTo(trails[i]!, nodes, aliases) }]
  })
}

const MOST_OWNERS = 100
const DASHBOARDS = ['dashboard', 'chart', 'report']

const summarise = async (ctx: Context, { steps, ids }: Reach): Promise<ImpactSummary> => {
  const owners = await findOwners(ctx, ids)
  const count = (keys: readonly string[]) => Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]))
  const places = ids.map((id) => steps.get(id)!)
  const owned = new Map<string, Owner & { count: number }>()
  for (const list of owners.values()) for (const each of list) owned.set(each.id, { ...each, count: (owned.get(each.id)?.count ?? 0) + 1 })
  return {
    total: ids.length,
    by_entity_type: count(places.map(({ place }) => place.entity_type)),
    by_distance: count(places.map(({ distance }) => String(distance))),
    by_owner: [...owned.values()].sort((a, b) => b.count - a.count || order(a.id, b.id)).slice(0, MOST_OWNERS),
    unowned: ids.length - owners.size,
    dashboards: places.filter(({ place }) => DASHBOARDS.includes(place.entity_type)).length,
  }
}

const CHUNK = 1_000
const HEAD = ['id', 'title_full', 'entity_type', 'distance', 'certain', 'owners', 'path']

/** The same as a file, with all rows. */
export const exportImpact = async (ctx: Context, query: ImpactQuery): Promise<Readable> => {
  const found = await impactOf(ctx, query)
  return Readable.from(linesOf(ctx, found))
}

async function* linesOf(ctx: Context, found: Reach): AsyncGenerator<string> {
  yield lineOf(HEAD)
  const aliases = new Aliases()
  for (let at = 0; at < found.ids.length; at += CHUNK) {
    const rows = await describeAffected(ctx, found, found.ids.slice(at, at + CHUNK), aliases)
    yield rows
      .map(({ id, title_full, entity_type, distance, certain, owners, path }) =>
        lineOf([
          id,
          title_full!,
          entity_type!,
          String(distance),
          String(certain),
          owners.map(({ id, name, email }) => email ?? name ?? id).join('; '),
          path.map(({ id, title_full }) => title_full ?? id).join(' > '),
        ]),
      )
      .join('')
  }
  // A file has no other place to say so.
  if (found.truncated) yield lineOf(['', `There is more: these are the first ${MOST_REACHED.toLocaleString('en')}.`])
}

const lineOf = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Spreadsheets run what begins like a formula; with an apostrophe in front they take it for text, as in every export. */
const cellOf = (text: string): string => {
  const guarded = /^[=+\-@\t\r\n＝＋－＠']/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
