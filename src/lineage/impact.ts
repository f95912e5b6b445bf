import { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { readId } from '../id.ts'
import type { PageRequest } from '../lists/page.ts'
import { pageInMemory } from '../lists/read-page.ts'
import { findEffects } from './effects.ts'
import type { Affected, ImpactQuery, ImpactSummary, NodeBrief, Owner } from './graph-schema.ts'
import { findColumnsBelow, findNeighbours, type Level, type Place } from './links.ts'
import { Aliases, describeNodes, hiddenNode } from './nodes.ts'
import { ownersOf } from './owners.ts'
import { beginAt, getPlace, wantedOf } from './start.ts'
import { wants } from './survey.ts'
import { type Step, trail, type Walking, walk } from './walk.ts'

/** Everything downstream, with the path to it. */
export interface Reach {
  readonly level: Level
  readonly steps: ReadonlyMap<string, Step>
  /** The affected resources, nearest first. */
  readonly affected: readonly Step[]
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
  const affected = [...steps.values()].filter(({ place, distance }) => distance > 0 && place.visible && counts(place))
  affected.sort((a, b) => compare(placeOf(a), placeOf(b)))
  return { level, steps, affected, truncated: cut }
}

const nextAt =
  (ctx: Context, level: Level): Walking['next'] =>
  (nodes) =>
    level === 'column' ? findEffects(ctx, nodes) : findNeighbours(ctx, nodes, { level, way: 'down' })

type PlaceInOrder = readonly [distance: number, title: string, id: string]

/** The sort key. Titles are cut because they are part of the cursor. */
const placeOf = ({ distance, place }: Step): PlaceInOrder => [distance, place.title_full.slice(0, 1000).toWellFormed(), place.id]

const compare = ([near, title, id]: PlaceInOrder, [far, other, another]: PlaceInOrder): number =>
  near - far || order(title, other) || order(id, another)

const order = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

const ORDER = [
  { name: 'distance', type: 'number' },
  { name: 'title_full', type: 'text' },
  { name: 'id', type: 'id' },
] as const

export const readImpact = async (ctx: Context, query: ImpactQuery, page: PageRequest) => {
  const found = await impactOf(ctx, query)
  const { results: affected, ...head } = pageInMemory(page, {
    rows: found.affected,
    order: ORDER,
    positionOf: (step) => placeOf(step).map(String),
    passed: ([distance, title, id]) => {
      const at: PlaceInOrder = [Number(distance), String(title), String(id)]
      const next = found.affected.findIndex((step) => compare(placeOf(step), at) > 0)
      return next < 0 ? found.affected.length : next
    },
  })
  const [results, summary] = await Promise.all([describeAffected(ctx, found, affected, new Aliases()), summarise(ctx, found)])
  return { ...head, results, level: found.level, truncated: found.truncated, summary }
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

/** One of the shortest paths; resources the caller may not see become hidden nodes. */
const pathTo = (ids: readonly string[], nodes: ReadonlyMap<string, NodeBrief>, aliases: Aliases): NodeBrief[] =>
  ids.map((id) => nodes.get(id) ?? hiddenNode(aliases.of(id)))

export const describeAffected = async (
  ctx: Context,
  { steps }: Reach,
  affected: readonly Step[],
  aliases: Aliases,
): Promise<Affected[]> => {
  const trails = affected.map(({ place }) => trail(steps, place.id))
  const [nodes, owners] = await Promise.all([
    describeNodes(ctx, [...new Set(trails.flat())]),
    ownersOf(
      ctx,
      affected.map(({ place }) => place),
    ),
  ])
  return affected.flatMap(({ place, distance }, i) => {
    const node = nodes.get(place.id)
    if (!node) return [] // deleted since the traversal
    const certain = trails[i]!.every((each) => !steps.get(each)!.link?.whole)
    return [{ ...node, distance, certain, owners: owners[i] ?? [], path: pathTo(trails[i]!, nodes, aliases) }]
  })
}

const MOST_OWNERS = 100
const DASHBOARDS = ['dashboard', 'chart', 'report']

const summarise = async (ctx: Context, { affected }: Reach): Promise<ImpactSummary> => {
  const owners = await ownersOf(
    ctx,
    affected.map(({ place }) => place),
  )
  const by_entity_type = new Counts()
  const by_distance = new Counts()
  for (const { place, distance } of affected) {
    by_entity_type.add(place.entity_type)
    by_distance.add(distance)
  }
  return {
    total: affected.length,
    by_entity_type: Object.fromEntries(by_entity_type),
    by_distance: Object.fromEntries(by_distance),
    by_owner: countOwners(owners).slice(0, MOST_OWNERS),
    unowned: owners.filter((list) => !list).length,
    dashboards: DASHBOARDS.reduce((sum, type) => sum + (by_entity_type.get(type) ?? 0), 0),
  }
}

/** How many resources each owner has, most first. */
export const countOwners = (owners: readonly (readonly Owner[] | undefined)[]): (Owner & { count: number })[] => {
  const counts = new Map<string, Owner & { count: number }>()
  for (const list of owners)
    for (const each of list ?? []) {
      const known = counts.get(each.id)
      if (known) known.count += 1
      else counts.set(each.id, { ...each, count: 1 })
    }
  return [...counts.values()].sort((a, b) => b.count - a.count || order(a.id, b.id))
}

class Counts extends Map<string | number, number> {
  add(key: string | number): void {
    this.set(key, (this.get(key) ?? 0) + 1)
  }
}

const CHUNK = 1_000
const HEAD = ['id', 'title_full', 'entity_type', 'distance', 'certain', 'owners', 'path']

/** The impact as CSV, with all rows. */
export const exportImpact = async (ctx: Context, query: ImpactQuery): Promise<Readable> => {
  const found = await impactOf(ctx, query)
  return Readable.from(linesOf(ctx, found))
}

async function* linesOf(ctx: Context, found: Reach): AsyncGenerator<string> {
  yield lineOf(HEAD)
  const aliases = new Aliases()
  for (let at = 0; at < found.affected.length; at += CHUNK) {
    const rows = await describeAffected(ctx, found, found.affected.slice(at, at + CHUNK), aliases)
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
  // A CSV file has no other place for this.
  if (found.truncated) yield lineOf(['', `Truncated: only the first ${MOST_REACHED.toLocaleString('en')} resources are listed.`])
}

const lineOf = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Spreadsheets execute cells that start like a formula; a leading apostrophe makes them text, as in every export. */
const cellOf = (text: string): string => {
  const guarded = /^[=+\-@\t\r\n＝＋－＠']/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
