import type { Graph } from './queries.ts'
import type { Link, Scene } from './scene.ts'

/** The highlighted path: everything upstream and downstream of the selection. */
export interface TracedPath {
  readonly boxes: ReadonlySet<string>
  readonly links: ReadonlySet<string>
  /** Columns on the path, by box. */
  readonly rows: ReadonlyMap<string, readonly { readonly id: string; readonly title: string }[]>
  /** Column-level links of the path, finer than the links shown. */
  readonly segments: readonly Pick<Link, 'from' | 'to' | 'from_row' | 'to_row'>[]
  /** Tables on the path that are not shown. */
  readonly missing: readonly string[]
}

type LinkEnd = 'from' | 'to'
const otherEnd = { from: 'to', to: 'from' } as const

/** Traverses both directions from some link ends; `key` tells whether an end is a box or a column. */
const traverseLinks = (links: readonly Link[], starts: readonly string[], key: (link: Link, end: LinkEnd) => string): Set<number> => {
  const found = new Set<number>()
  for (const end of ['from', 'to'] as const) {
    const leaving = new Map<string, number[]>()
    for (let i = 0; i < links.length; i++) {
      const name = key(links[i]!, end)
      const outgoing = leaving.get(name)
      if (outgoing) outgoing.push(i)
      else leaving.set(name, [i])
    }
    const seen = new Set(starts)
    const queue = [...starts]
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const i of leaving.get(at) ?? []) {
        found.add(i)
        const next = key(links[i]!, otherEnd[end])
        if (!seen.has(next)) {
          seen.add(next)
          queue.push(next)
        }
      }
  }
  return found
}

/** The path of a box. */
export const traceBox = ({ links }: Scene, id: string): TracedPath => {
  const boxes = new Set([id])
  const found = new Set<string>()
  for (const i of traverseLinks(links, [id], (link, end) => link[end])) {
    const { id, from, to } = links[i]!
    found.add(id)
    boxes.add(from).add(to)
  }
  return { boxes, links: found, rows: new Map(), segments: [], missing: [] }
}

const groupRowsByBox = (pairs: Iterable<readonly [box: string, id: string, title: string]>): TracedPath['rows'] => {
  const rows = new Map<string, Map<string, { id: string; title: string }>>()
  for (const [box, id, title] of pairs) {
    if (!rows.has(box)) rows.set(box, new Map())
    rows.get(box)!.set(id, { id, title })
  }
  return new Map([...rows].map(([box, of]) => [box, [...of.values()]]))
}

/** The path of a column at column level. */
export const traceColumn = ({ boxes, links }: Scene, id: string): TracedPath => {
  const found = [...traverseLinks(links, [id], (link, end) => (end === 'from' ? link.from_row : link.to_row) ?? link[end])].map(
    (i) => links[i]!,
  )
  const titles = new Map(boxes.flatMap(({ rows }) => rows.map((row) => [row.id, row.title])))
  const holder = boxes.find(({ rows }) => rows.some((row) => row.id === id))?.id
  const ends = found.flatMap(({ from, from_row, to, to_row }) => [
    [from, from_row ?? from, titles.get(from_row ?? '') ?? ''] as const,
    [to, to_row ?? to, titles.get(to_row ?? '') ?? ''] as const,
  ])
  return {
    boxes: new Set([...(holder ? [holder] : []), ...ends.map(([box]) => box)]),
    links: new Set(found.map(({ id }) => id)),
    rows: groupRowsByBox([...(holder ? [[holder, id, titles.get(id) ?? ''] as const] : []), ...ends]),
    segments: [],
    missing: [],
  }
}

/** The path of a column at table level: it comes from the server and may include tables that are not shown. */
export const traceColumnThroughTables = ({ links, indexById }: Scene, graph: Graph): TracedPath => {
  const columns = graph.nodes.filter(({ entity_type, group }) => entity_type === 'column' && group)
  const boxOf = new Map([...graph.nodes.map(({ id }) => [id, id] as const), ...columns.map(({ id, group }) => [id, group!.id] as const)])
  const boxes = new Set(boxOf.values())
  const segments = graph.edges.flatMap(({ from, to }) => {
    const ends = { from: boxOf.get(from)!, to: boxOf.get(to)!, from_row: from, to_row: to }
    return indexById.has(ends.from) && indexById.has(ends.to) && ends.from !== ends.to ? [ends] : []
  })
  const pairs = new Set(segments.map(({ from, to }) => `${from}~${to}`))
  return {
    boxes,
    links: new Set(links.filter(({ from, to }) => pairs.has(`${from}~${to}`)).map(({ id }) => id)),
    rows: groupRowsByBox(columns.map(({ id, title, group }) => [group!.id, id, title ?? ''])),
    segments,
    missing: [...boxes].filter((id) => !indexById.has(id)),
  }
}
