/** URL state of the lineage page. It holds everything that decides what is shown, so that a link shows the same graph. */
export interface LineageSearch {
  /** Depth in each direction; default 1. */
  readonly depth?: string
  readonly dir?: 'up' | 'down'
  readonly level?: 'column'
  /** Expanded boxes, comma-separated: `<id>.u` upstream, `.d` downstream, `.c` some columns, `.a` all columns. */
  readonly x?: string
  /** The selected box, or a link as `<from>~<to>`. */
  readonly sel?: string
  /** The traced column. */
  readonly col?: string
  readonly group?: 'schema'
  /** Jobs are shown between the tables. */
  readonly jobs?: '1'
  /** Schemas that stay expanded when grouping by schema. */
  readonly open?: string
  readonly view?: 'list' | 'what-if'
  readonly find?: string
  /** Maximum number of resources per response, if raised above the default. */
  readonly limit?: string
  /** Simulated change of the what-if view; default: drop columns. */
  readonly change?: 'rename' | 'sql' | 'gone' | 'dbt'
  /** Columns of the simulated change, comma-separated. */
  readonly cols?: string
  /** The new name of the column. */
  readonly to?: string
  readonly sql?: string
  readonly dialect?: string
}

/** URL state of the page for lineage from SQL. */
export interface SqlSearch {
  readonly sql?: string
  readonly dialect?: string
  readonly integration?: string
  /** The target table. */
  readonly table?: string
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const oneOf = <T extends string>(value: unknown, ...of: readonly T[]): T | undefined => of.find((each) => each === value)
const toNumberText = (value: unknown, min: number, max: number): string | undefined => {
  const n = Number(toText(value))
  return Number.isInteger(n) && n >= min && n <= max ? String(n) : undefined
}

const MAX_DEPTH = 50
export const MAX_LIMIT = 5000

export const parseLineageSearch = (search: Record<string, unknown>): LineageSearch => ({
  depth: toNumberText(search.depth, 1, MAX_DEPTH),
  dir: oneOf(search.dir, 'up', 'down'),
  level: oneOf(search.level, 'column'),
  x: toText(search.x),
  sel: toText(search.sel),
  col: toText(search.col),
  group: oneOf(search.group, 'schema'),
  jobs: oneOf(search.jobs, '1'),
  open: toText(search.open),
  view: oneOf(search.view, 'list', 'what-if'),
  find: toText(search.find),
  limit: toNumberText(search.limit, 1, MAX_LIMIT),
  change: oneOf(search.change, 'rename', 'sql', 'gone', 'dbt'),
  cols: toText(search.cols),
  to: toText(search.to),
  sql: toText(search.sql),
  dialect: toText(search.dialect),
})

export const parseSqlSearch = (search: Record<string, unknown>): SqlSearch => ({
  sql: toText(search.sql),
  dialect: toText(search.dialect),
  integration: toText(search.integration),
  table: toText(search.table),
})

/** What an expansion shows: neighbors on one side, or columns. */
export type Expansion = 'u' | 'd' | 'c' | 'a'
export interface ExpandedBox {
  readonly id: string
  readonly step: Expansion
}

export const parseExpanded = ({ x }: LineageSearch): readonly ExpandedBox[] =>
  (x ?? '').split(',').flatMap((entry): ExpandedBox[] => {
    const [id, step] = [entry.slice(0, -2), oneOf(entry.slice(-1), 'u', 'd', 'c', 'a')]
    return id !== '' && step && entry.at(-2) === '.' ? [{ id, step }] : []
  })

const formatExpanded = (opened: readonly ExpandedBox[]): string | undefined =>
  opened.map(({ id, step }) => `${id}.${step}`).join(',') || undefined

/** The URL state with a box expanded or collapsed. */
export const withExpansion = (address: LineageSearch, id: string, step: Expansion, on: boolean): LineageSearch => {
  const others = parseExpanded(address).filter((each) => each.id !== id || each.step !== step)
  return { ...address, x: formatExpanded(on ? [...others, { id, step }] : others) }
}

/** Decodes a value, or returns it unchanged: URLs may be typed by hand or truncated. */
const decode = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

export const parseList = (value: string | undefined): readonly string[] => (value ? value.split(',').map(decode) : [])
export const formatList = (values: readonly string[]): string | undefined =>
  values.map((value) => encodeURIComponent(value)).join(',') || undefined
