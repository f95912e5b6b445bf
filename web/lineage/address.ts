/** URL state of the lineage page. It holds everything that decides what is shown, so that a link shows the same graph. */
export interface LineageAddress {
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
export interface SqlAddress {
  readonly sql?: string
  readonly dialect?: string
  readonly integration?: string
  /** The target table. */
  readonly table?: string
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const one = <T extends string>(value: unknown, ...of: readonly T[]): T | undefined => of.find((each) => each === value)
const number = (value: unknown, least: number, most: number): string | undefined => {
  const n = Number(text(value))
  return Number.isInteger(n) && n >= least && n <= most ? String(n) : undefined
}

const DEEPEST = 50
export const MOST = 5000

export const lineageAddress = (said: Record<string, unknown>): LineageAddress => ({
  depth: number(said.depth, 1, DEEPEST),
  dir: one(said.dir, 'up', 'down'),
  level: one(said.level, 'column'),
  x: text(said.x),
  sel: text(said.sel),
  col: text(said.col),
  group: one(said.group, 'schema'),
  open: text(said.open),
  view: one(said.view, 'list', 'what-if'),
  find: text(said.find),
  limit: number(said.limit, 1, MOST),
  change: one(said.change, 'rename', 'sql', 'gone', 'dbt'),
  cols: text(said.cols),
  to: text(said.to),
  sql: text(said.sql),
  dialect: text(said.dialect),
})

export const sqlAddress = (said: Record<string, unknown>): SqlAddress => ({
  sql: text(said.sql),
  dialect: text(said.dialect),
  integration: text(said.integration),
  table: text(said.table),
})

/** What an expansion shows: neighbors on one side, or columns. */
export type Step = 'u' | 'd' | 'c' | 'a'
export interface Opened {
  readonly id: string
  readonly step: Step
}

export const openedIn = ({ x }: LineageAddress): readonly Opened[] =>
  (x ?? '').split(',').flatMap((entry): Opened[] => {
    const [id, step] = [entry.slice(0, -2), one(entry.slice(-1), 'u', 'd', 'c', 'a')]
    return id !== '' && step && entry.at(-2) === '.' ? [{ id, step }] : []
  })

const written = (opened: readonly Opened[]): string | undefined => opened.map(({ id, step }) => `${id}.${step}`).join(',') || undefined

/** The URL state with a box expanded or collapsed. */
export const withStep = (address: LineageAddress, id: string, step: Step, on: boolean): LineageAddress => {
  const others = openedIn(address).filter((each) => each.id !== id || each.step !== step)
  return { ...address, x: written(on ? [...others, { id, step }] : others) }
}

/** Decodes a value, or returns it unchanged: URLs may be typed by hand or truncated. */
const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

export const listed = (value: string | undefined): readonly string[] => (value ? value.split(',').map(decoded) : [])
export const toListed = (values: readonly string[]): string | undefined =>
  values.map((value) => encodeURIComponent(value)).join(',') || undefined
