import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import { type Direction, findLinks, findNodeInfo, type GraphLevel, type Link } from '../edges/links.ts'
import { toEvidence } from './build-graph.ts'
import type { Evidence, NodeBrief, PathQuery, Paths } from './graph-schema.ts'
import { HiddenNodeNames, toGraphNodes, toHiddenNode } from './nodes.ts'
import { findParentTable, getStartNode } from './start-nodes.ts'

const MAX_VISITED_NODES = 200_000 // nodes a search visits before it stops

/** The shortest paths from one resource to another, with the evidence for each edge. */
export const findPaths = async (ctx: Context, query: PathQuery): Promise<Paths> => {
  const [one, other] = [await getStartNode(ctx, query.from, 'from'), await getStartNode(ctx, query.to, 'to')]
  const level = query.level ?? (one.entity_type === 'column' && other.entity_type === 'column' ? 'column' : 'table')
  const [from, to] = level === 'table' ? [(await findParentTable(ctx, one)).id, (await findParentTable(ctx, other)).id] : [one.id, other.id]
  const { limit = 10 } = query
  // A path through visible nodes is preferred, so that hidden nodes do not influence the result.
  const seen = await searchBothSides(ctx, from, to, level, seesEverything(ctx.actor) ? 'everything' : 'visible')
  const meeting = seen.nodes.length > 0 || seesEverything(ctx.actor) ? seen : await searchBothSides(ctx, from, to, level, 'everything')
  const paths = meeting.nodes.flatMap((id) => joinPaths(meeting, id, limit + 1)).slice(0, limit + 1)
  const shown = paths.slice(0, limit)
  const ids = [...new Set(shown.flat())]
  const nodes = await toGraphNodes(ctx, ids)
  const hiddenNames = new HiddenNodeNames()
  const briefs = new Map<string, NodeBrief>(ids.map((id) => [id, nodes.get(id) ?? toHiddenNode(hiddenNames.getName(id))]))
  return {
    from: one.id,
    to: other.id,
    level,
    length: paths[0] ? paths[0].length - 1 : null,
    paths: shown.map((path) => path.map((id) => briefs.get(id)!.id)),
    nodes: [...briefs.values()],
    edges: await toPathEdges(ctx, shown, briefs, level),
    truncated: paths.length > limit || meeting.stoppedAtLimit,
  }
}

interface SearchSide {
  readonly direction: Direction
  /** The neighbours each node was found through, one step nearer to the start. */
  readonly nearer: Map<string, string[]>
  frontier: string[]
}

interface SearchResult {
  readonly nodes: readonly string[]
  readonly start: SearchSide
  readonly end: SearchSide
  readonly stoppedAtLimit: boolean
}

/** Bidirectional search, always expanding the smaller frontier: two small searches visit far fewer nodes than one large one. */
const searchBothSides = async (
  ctx: Context,
  from: string,
  to: string,
  level: GraphLevel,
  through: 'everything' | 'visible',
): Promise<SearchResult> => {
  const side = (direction: Direction, id: string): SearchSide => ({ direction, nearer: new Map([[id, []]]), frontier: [id] })
  const [start, end] = [side('down', from), side('up', to)]
  if (from === to) return { nodes: [from], start, end, stoppedAtLimit: false }
  while (start.frontier.length > 0 && end.frontier.length > 0) {
    const [next, facing] = start.frontier.length <= end.frontier.length ? [start, end] : [end, start]
    const fresh = new Map<string, string[]>()
    for (const { node, other } of await findLinks(ctx, next.frontier, { level, direction: next.direction, filters: true }))
      if (!next.nearer.has(other)) fresh.set(other, [...(fresh.get(other) ?? []), node])
    if (through === 'visible') {
      const nodeInfos = await findNodeInfo(ctx, [...fresh.keys()])
      for (const id of fresh.keys()) if (!nodeInfos.get(id)?.visible) fresh.delete(id)
    }
    for (const [id, nodes] of fresh) next.nearer.set(id, nodes)
    next.frontier = [...fresh.keys()]
    const nodes = next.frontier.filter((id) => facing.nearer.has(id))
    const givenUp = start.nearer.size + end.nearer.size > MAX_VISITED_NODES
    if (nodes.length > 0 || givenUp) return { nodes, start, end, stoppedAtLimit: nodes.length === 0 }
  }
  return { nodes: [], start, end, stoppedAtLimit: false }
}

/** The paths through a node where both searches met. */
const joinPaths = ({ start, end }: SearchResult, id: string, limit: number): string[][] => {
  const back = (side: SearchSide, at: string): string[][] => {
    const nearer = side.nearer.get(at)!
    if (nearer.length === 0) return [[at]]
    const paths: string[][] = []
    for (const each of nearer) {
      if (paths.length >= limit) break
      for (const path of back(side, each)) paths.push([...path, at])
    }
    return paths.slice(0, limit)
  }
  const rests = back(end, id).map((path) => path.toReversed().slice(1))
  return back(start, id)
    .flatMap((path) => rests.map((rest) => [...path, ...rest]))
    .slice(0, limit)
}

const toPathEdges = async (
  ctx: Context,
  paths: readonly string[][],
  briefs: ReadonlyMap<string, NodeBrief>,
  level: GraphLevel,
): Promise<Paths['edges']> => {
  const pairs = new Map<string, readonly [string, string]>()
  for (const path of paths)
    path.slice(1).forEach((to, i) => {
      pairs.set(`${path[i]} ${to}`, [path[i]!, to])
    })
  if (pairs.size === 0) return []
  const links = new Map<string, Link>()
  for (const link of await findLinks(ctx, [...new Set([...pairs.values()].map(([from]) => from))], {
    level,
    direction: 'down',
    filters: true,
  }))
    links.set(`${link.node} ${link.other}`, link)
  const named = [...pairs.values()].filter((pair) => pair.every((id) => !briefs.get(id)!.hidden))
  const evidence = await findEvidence(ctx, named, level)
  return [...pairs].flatMap(([key, [from, to]]) => {
    const link = links.get(key)
    const hidden = briefs.get(from)!.hidden || briefs.get(to)!.hidden
    return link
      ? [{ from: briefs.get(from)!.id, to: briefs.get(to)!.id, ...toEvidence(link, hidden), evidence: evidence.get(key) ?? [] }]
      : []
  })
}

const MAX_EVIDENCE = 20

interface EvidenceRow extends Evidence {
  readonly node: string
  readonly other: string
}

/** The SQL is shown only to callers who see everything it reads and writes, because its text names all of it. */
const findEvidence = async (
  ctx: Context,
  pairs: readonly (readonly [string, string])[],
  level: GraphLevel,
): Promise<Map<string, Evidence[]>> => {
  if (pairs.length === 0) return new Map()
  const itself = (id: RawBuilder<unknown>) => sql`select ${id} as id`
  const below = (id: RawBuilder<unknown>) =>
    level === 'column'
      ? itself(id)
      : sql`${itself(id)} union all select c.id from resources c where c.parent = ${id} and c.entity_type = 'column'`
  const { rows } = await sql<EvidenceRow>`
    select p.node, p.other, x.query is null as is_manual, x.kind, x.created_at, q.dialect, q.engine_version,
      (select r.id from resources r where s.whole and r.id = (q.statements -> 0 ->> 'job')::uuid and ${visibleTo(ctx.actor)}) as job,
      case when u.entity_type = 'column' and ${visibleTo(ctx.actor, 'u')} then u.title end as from_column,
      case when d.entity_type = 'column' and ${visibleTo(ctx.actor, 'd')} then d.title end as to_column,
      case when s.whole then q.sql end as sql, case when s.whole then x.span_start end as start, case when s.whole then x.span_end end as "end"
    from unnest(${pairs.map(([from]) => from)}::uuid[], ${pairs.map(([, to]) => to)}::uuid[]) p(node, other)
    cross join lateral (
      select e.* from (${below(sql`p.node`)}) a join lineage_edges e on e.upstream = a.id
      where e.downstream in (${below(sql`p.other`)}) order by e.query is not null, e.kind <> 'table', e.id limit ${MAX_EVIDENCE}
    ) x
    join resources u on u.id = x.upstream join resources d on d.id = x.downstream left join lineage_queries q on q.id = x.query
    left join lateral (
      select not exists (
        select from lineage_edges o join resources r on r.id in (o.upstream, o.downstream) where o.query = x.query and not ${visibleTo(ctx.actor)}
      ) as whole
    ) s on x.query is not null
  `.execute(ctx.db, ctx.limits)
  return Map.groupBy(
    rows.map(({ node, other, ...evidence }) => ({ key: `${node} ${other}`, evidence })),
    ({ key }) => key,
  )
    .entries()
    .reduce(
      (all, [key, group]) =>
        all.set(
          key,
          group.map(({ evidence }) => evidence),
        ),
      new Map<string, Evidence[]>(),
    )
}
