import { t } from '../../i18n/messages.ts'
import type { MergedGraph } from './merge.ts'
import type { GraphEdge, GraphNode } from './queries.ts'
import { HEADER_HEIGHT, ROW_HEIGHT, ROWS_END } from './shape.ts'

/** A row of a box: a column. */
export interface ColumnRow {
  readonly id: string
  readonly title: string
  readonly type?: string | null
}

export interface Box {
  readonly id: string
  readonly title: string
  /** Its parent: the schema of a table, the dashboard of a chart. */
  readonly path: string
  /** Null for hidden nodes. */
  readonly kind: string | null
  readonly start: boolean
  readonly verified: boolean
  readonly pii: boolean
  readonly stale: boolean
  readonly deprecated: boolean
  readonly archived: boolean
  readonly more_upstream: number
  readonly more_downstream: number
  readonly rows: readonly ColumnRow[]
  /** Its columns can be expanded and collapsed. */
  readonly openable: boolean
  /** Number of columns not shown. */
  readonly more_rows: number
  /** Number of grouped resources. */
  readonly members: number
  readonly height: number
  /** Where links attach, from its top: the header, or the middle of linked columns. */
  readonly port: number
}

export interface Link {
  readonly id: string
  readonly from: string
  readonly to: string
  /** The linked columns, for column links. */
  readonly from_row?: string
  readonly to_row?: string
  readonly manual: boolean
  /** Added manually and not derived from any query, view or dbt project. */
  readonly only_manual: boolean
  readonly indirect: boolean
  readonly kinds: readonly string[]
  readonly queries: number
}

/** Boxes and links of the graph, referenced by index. */
export interface Scene {
  readonly boxes: readonly Box[]
  readonly links: readonly Link[]
  readonly indexById: ReadonlyMap<string, number>
}

export interface SceneOptions {
  readonly merged: MergedGraph
  readonly start: string
  readonly level: 'table' | 'column'
  /** Columns of the expanded boxes; `all` shows every column. */
  readonly columns: ReadonlyMap<string, { readonly rows: readonly ColumnRow[]; readonly all: boolean }>
  /** Group boxes by schema, except these schemas. */
  readonly folded?: { readonly open: ReadonlySet<string>; readonly keep: string | undefined }
}

const MAX_COLLAPSED_ROWS = 10

export const getBoxHeight = (rows: number, more: number): number =>
  HEADER_HEIGHT + (rows > 0 ? (rows + (more > 0 ? 1 : 0)) * ROW_HEIGHT + ROWS_END : 0)

/** `shop.public.orders` is in `shop.public`. */
export const getParentPath = (title: string | null, full: string | null): string =>
  full && title && full.endsWith(title) ? full.slice(0, -title.length).replace(/[./]$/, '') : ''

type SceneDraft = Omit<Box, 'rows' | 'more_rows' | 'openable' | 'height' | 'port'> & { rows: ColumnRow[] }

const draftScene = (
  node: Pick<GraphNode, 'id' | 'title' | 'title_full' | 'entity_type'> & Partial<GraphNode>,
  start: string,
): SceneDraft => ({
  id: node.id,
  title: node.hidden ? t('No access') : (node.title ?? ''),
  path: getParentPath(node.title, node.title_full),
  kind: node.entity_type,
  start: node.id === start,
  verified: node.verified === true,
  pii: node.pii === true,
  stale: node.stale === true,
  deprecated: node.deprecated === true,
  archived: node.archived === true,
  more_upstream: node.more_upstream ?? 0,
  more_downstream: node.more_downstream ?? 0,
  rows: [],
  members: 0,
})

const toLink = (
  { is_manual, is_derived, indirect, kinds, queries }: GraphEdge,
  from: string,
  to: string,
  rows: Pick<Link, 'from_row' | 'to_row'>,
): Link => ({
  id: `${rows.from_row ?? from}~${rows.to_row ?? to}`,
  from,
  to,
  ...rows,
  manual: is_manual,
  only_manual: is_manual && !is_derived,
  indirect,
  kinds,
  queries,
})

/** Builds boxes and links from a graph, before layout. */
export const buildScene = ({ merged, start, level, columns, folded }: SceneOptions): Scene => {
  const sketches = new Map<string, SceneDraft>()
  const boxOf = new Map<string, string>()
  const joined = new Set(level === 'column' ? merged.edges.flatMap(({ from, to }) => [from, to]) : [])
  for (const node of merged.nodes.values()) {
    const inside = level === 'column' && node.entity_type === 'column' ? node.group : null
    boxOf.set(node.id, inside?.id ?? node.id)
    if (!inside) {
      const before = sketches.get(node.id)
      sketches.set(node.id, before ? { ...draftScene(node, start), rows: before.rows } : draftScene(node, start))
      continue
    }
    const box = sketches.get(inside.id) ?? sketches.set(inside.id, draftScene(inside, start)).get(inside.id)!
    if (joined.has(node.id)) box.rows.push({ id: node.id, title: node.title ?? '' })
    Object.assign(box, {
      more_upstream: box.more_upstream + node.more_upstream,
      more_downstream: box.more_downstream + node.more_downstream,
    })
  }
  const links = merged.edges.map((edge) => {
    const [from, to] = [boxOf.get(edge.from)!, boxOf.get(edge.to)!]
    return toLink(edge, from, to, {
      from_row: from === edge.from ? undefined : edge.from,
      to_row: to === edge.to ? undefined : edge.to,
    })
  })
  if (level === 'column') sortRows([...sketches.values()], links)
  const boxes = [...sketches.values()].map((box): Box => {
    const opened = columns.get(box.id)
    const rows = opened && level === 'table' ? opened.rows : box.rows
    const shown = opened?.all || rows.length <= MAX_COLLAPSED_ROWS + 2 ? rows : rows.slice(0, MAX_COLLAPSED_ROWS)
    const more_rows = rows.length - shown.length
    const height = getBoxHeight(shown.length, more_rows)
    return {
      ...box,
      rows: shown,
      more_rows,
      openable: level === 'table' && box.kind === 'table',
      height,
      port: level === 'column' ? height / 2 : HEADER_HEIGHT / 2,
    }
  })
  const scene = folded ? groupBySchema(boxes, links, folded) : { boxes, links }
  return { ...scene, indexById: new Map(scene.boxes.map(({ id }, i) => [id, i])) }
}

/** Orders columns to line up with linked columns where possible: the first box by name, the others after it. */
const sortRows = (boxes: readonly SceneDraft[], links: readonly Link[]): void => {
  const linked = new Map<string, string[]>()
  for (const { from_row, to_row } of links)
    if (from_row && to_row)
      for (const [a, b] of [
        [from_row, to_row],
        [to_row, from_row],
      ] as const) {
        const neighbours = linked.get(a)
        if (neighbours) neighbours.push(b)
        else linked.set(a, [b])
      }
  const indexById = new Map<string, number>()
  for (const { rows } of boxes) {
    const wanted = new Map(
      rows.map(({ id }) => {
        const neighbours = (linked.get(id) ?? []).flatMap((other) => indexById.get(other) ?? [])
        return [id, neighbours.length === 0 ? Number.MAX_VALUE : neighbours.reduce((sum, each) => sum + each, 0) / neighbours.length]
      }),
    )
    rows.sort((a, b) => wanted.get(a.id)! - wanted.get(b.id)! || (a.title < b.title ? -1 : 1))
    for (const [i, { id }] of rows.entries()) indexById.set(id, i)
  }
}

/** Box ID of a grouped schema. */
export const GROUP_PREFIX = 'in:'

const groupBySchema = (
  boxes: readonly Box[],
  links: readonly Link[],
  { open, keep }: NonNullable<SceneOptions['folded']>,
): Pick<Scene, 'boxes' | 'links'> => {
  const schemas = Map.groupBy(
    boxes.filter(({ id, path, kind, start }) => kind !== null && path !== '' && !start && id !== keep && !open.has(path)),
    ({ path }) => path,
  )
  const into = new Map([...schemas].flatMap(([path, of]) => (of.length > 1 ? of.map(({ id }) => [id, GROUP_PREFIX + path] as const) : [])))
  const folds = [...schemas].flatMap(([path, of]): Box[] =>
    of.length < 2
      ? []
      : [
          {
            ...of[0]!,
            id: GROUP_PREFIX + path,
            title: path,
            path: '',
            kind: 'schema',
            verified: false,
            pii: false,
            stale: false,
            deprecated: false,
            archived: false,
            more_upstream: 0,
            more_downstream: 0,
            rows: [],
            more_rows: 0,
            openable: false,
            members: of.length,
            height: getBoxHeight(0, 0),
            port: HEADER_HEIGHT / 2,
          },
        ],
  )
  const kept = new Map<string, Link>()
  for (const link of links) {
    const [from, to] = [into.get(link.from), into.get(link.to)]
    if (!from && !to) {
      kept.set(link.id, link)
      continue
    }
    const ends = { from: from ?? link.from, to: to ?? link.to }
    if (ends.from === ends.to) continue
    const id = `${(from ? undefined : link.from_row) ?? ends.from}~${(to ? undefined : link.to_row) ?? ends.to}`
    const same = kept.get(id)
    kept.set(id, {
      ...link,
      ...ends,
      id,
      from_row: from ? undefined : link.from_row,
      to_row: to ? undefined : link.to_row,
      manual: link.manual && (same?.manual ?? true),
      only_manual: link.only_manual && (same?.only_manual ?? true),
      queries: link.queries + (same?.queries ?? 0),
    })
  }
  return { boxes: [...boxes.filter(({ id }) => !into.has(id)), ...folds], links: [...kept.values()] }
}
