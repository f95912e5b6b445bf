/** What the address of a lineage page says. Everything that decides what is drawn stands here, so that a drawing can be sent. */
export interface LineageAddress {
  /** Steps in each direction; 1 when nothing is said. */
  readonly depth?: string
  readonly dir?: 'up' | 'down'
  readonly level?: 'column'
  /** What was opened step by step, with commas between: `<id>.u` upstream, `.d` downstream, `.c` some columns, `.a` all columns. */
  readonly x?: string
  /** The chosen box, or a chosen link as `<from>~<to>`. */
  readonly sel?: string
  /** The traced column. */
  readonly col?: string
  readonly group?: 'schema'
  /** The schemas that stay open while the others are folded. */
  readonly open?: string
  readonly view?: 'list' | 'what-if'
  readonly find?: string
  /** Most resources of one answer, when somebody asked for more than usual. */
  readonly limit?: string
  /** What would change, while the view asks what breaks: columns are dropped when nothing is said. */
  readonly change?: 'rename' | 'sql' | 'gone' | 'dbt'
  /** The columns it is about, with commas between. */
  readonly cols?: string
  /** The new name of the column. */
  readonly to?: string
  readonly sql?: string
  readonly dialect?: string
}

/** What the address of lineage from SQL says. */
export interface SqlAddress {
  readonly sql?: string
  readonly dialect?: string
  readonly integration?: string
  /** The table that the result goes to. */
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

/** What a step opens: neighbours on one side, or columns. */
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

/** The same with this step taken, or taken back. */
export const withStep = (address: LineageAddress, id: string, step: Step, on: boolean): LineageAddress => {
  const others = openedIn(address).filter((each) => each.id !== id || each.step !== step)
  return { ...address, x: written(on ? [...others, { id, step }] : others) }
}

/** As it was written, or as it stands: an address is typed by people and cut by programs. */
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
