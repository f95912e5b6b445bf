import { conflict } from '../errors.ts'
import type { Rows } from './connectors/connector.ts'
import type { OpenSource } from './open.ts'

/**
 * How many rows a query would read, before it is asked: at most those the catalog knows its table to have, and where they are too many or
 * nobody knows, what the source's own plan says, for which it reads none. What nobody can say is asked; it is given up in time.
 */
interface Plan {
  readonly explain: (select: string) => string
  readonly read: (plan: Rows, known: number | null) => Reading | undefined
}

/** So many rows; `more`, where another statement has to be asked for the rest of them; `partly`, where nobody can say the rest. */
interface Reading {
  readonly rows: number
  readonly more?: string
  readonly partly?: boolean
}

const PLANS: Readonly<Record<string, Plan>> = {
  postgres: {
    explain: (select) => `explain (verbose, format json) ${select}`,
    read: ({ rows }) => {
      const read = [...readBy((JSON.parse(String(rows[0]![0])) as [{ Plan: Node }])[0].Plan, 1)]
      const whole = read.filter(({ whole }) => whole !== undefined)
      const values = whole.map(({ rows, whole }) => `('${whole!.replaceAll("'", "''")}', ${rows.toFixed(0)})`)
      return {
        rows: sum(read.filter(({ whole }) => whole === undefined).map(({ rows }) => rows)),
        // A plan says how many rows of a table pass a condition, not how many are read for it.
        ...(values.length > 0 && {
          more: `select sum(greatest(c.reltuples, w.planned)) from (values ${values.join(', ')}) w(name, planned) left join pg_catalog.pg_class c on c.oid = to_regclass(w.name)`,
        }),
      }
    },
  },
  mysql: {
    explain: (select) => `explain ${select}`,
    read: ({ columns, rows }) => {
      const at = (name: string) => columns.findIndex((column) => column.name.toLowerCase() === name)
      const [id, count] = [at('id'), at('rows')]
      if (count < 0) return undefined
      // Of tables that are joined, each is read once for every row of those before it.
      return {
        rows: sum([...Map.groupBy(rows, (row) => row[id]).values()].map((some) => joined(some.map((row) => Number(row[count] ?? 1))))),
      }
    },
  },
  clickhouse: {
    explain: (select) => `explain estimate ${select}`,
    read: ({ columns, rows }) => {
      const count = columns.findIndex(({ name }) => name === 'rows')
      return rows.length === 0 || count < 0 ? undefined : { rows: sum(rows.map((row) => Number(row[count]))) }
    },
  },
  trino: {
    explain: (select) => `explain (type io, format json) ${select}`,
    read: ({ rows }) => {
      const { inputTableColumnInfos: tables = [] } = JSON.parse(String(rows[0]![0])) as {
        inputTableColumnInfos?: { estimate?: { outputRowCount?: number | string } }[]
      }
      // Of each table that is scanned; "NaN" where it has no statistics.
      const estimates = tables.map(({ estimate }) => Number(estimate?.outputRowCount))
      const said = estimates.filter(Number.isFinite)
      if (tables.length > 0 && said.length === 0) return undefined
      return { rows: sum(said), partly: said.length < tables.length }
    },
  },
  snowflake: {
    explain: (select) => `explain using json ${select}`,
    // It counts partitions: about as large a part of the rows.
    read: ({ rows }, known) => {
      const { GlobalStats: stats } = JSON.parse(String(rows[0]![0])) as {
        GlobalStats?: { partitionsTotal?: number; partitionsAssigned?: number }
      }
      if (known === null || !stats?.partitionsTotal) return undefined
      return { rows: known * Math.min(1, (stats.partitionsAssigned ?? stats.partitionsTotal) / stats.partitionsTotal) }
    },
  },
}

/** A node of a plan of Postgres. */
interface Node {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly Schema?: string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Node[]
}

/** The tables it reads, how many rows of each, and the names of those it reads from one end to the other. */
function* readBy(node: Node, times: number): Generator<{ readonly rows: number; readonly whole?: string }> {
  const { 'Node Type': type, 'Plan Rows': rows, 'Relation Name': name, Schema: schema, Plans: below = [] } = node
  if (name !== undefined && schema !== undefined && type === 'Seq Scan') yield { rows, whole: `${quoted(schema)}.${quoted(name)}` }
  else if (name !== undefined) yield { rows: rows * times }
  for (const [i, each] of below.entries()) {
    // The newest row is found at the end of an index.
    if (type === 'Limit' && each['Node Type'].startsWith('Index')) yield { rows: rows * times }
    else yield* readBy(each, type === 'Nested Loop' && i === 1 ? times * below[0]!['Plan Rows'] : times)
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const joined = (rows: readonly number[]): number =>
  rows.reduce(({ all, each }, n) => ({ all: all + each * n, each: each * n }), { all: 0, each: 1 }).all

/** They know how many rows a table has, and do not count them. */
const COUNTS_FREE = new Set(['clickhouse', 'snowflake', 'databricks', 'bigquery'])
const PLAN_MS = 10_000

export interface Known {
  /** What the catalog knows of the table; null where it does not. */
  readonly rows: number | null
  /** Nothing is asked but how many rows there are. */
  readonly counts?: boolean
}

/** Refuses what would read more rows than the source's owner allows. */
export const mustBeAffordable = async (source: OpenSource, select: string, { rows: known, counts }: Known): Promise<void> => {
  const most = source.reads_at_most
  if (most === Number.POSITIVE_INFINITY || (known !== null && known <= most) || (counts && COUNTS_FREE.has(source.dialect))) return
  const rows = (await planned(source, select, known)) ?? known ?? 0
  if (rows > most)
    throw conflict(
      `It would read about ${inWords(rows)} rows; the limit of this source is ${inWords(most)}. Narrow it, measure a sample of them with custom SQL, or raise max_million_rows of the integration.`,
    )
}

/** A plan that cannot be had or read says nothing: what is wrong with the query, the query itself will tell. */
const planned = async (source: OpenSource, select: string, known: number | null): Promise<number | undefined> => {
  const plan = PLANS[source.dialect]
  if (!plan) return undefined
  try {
    const ask = (sql: string) => source.ask(sql, { timeout_ms: PLAN_MS, max_rows: 1000 })
    const read = plan.read(await ask(plan.explain(select)), known)
    if (!read) return undefined
    const counted = read.rows + (read.more === undefined ? 0 : Number((await ask(read.more)).rows[0]?.[0] ?? 0))
    const rows = read.partly ? Math.max(counted, known ?? 0) : counted
    return Number.isFinite(rows) ? rows : undefined
  } catch {
    return undefined
  }
}

const UNITS = [
  [1e12, ' trillion'],
  [1e9, ' billion'],
  [1e6, ' million'],
] as const

export const inWords = (rows: number): string => {
  const [size, unit] = UNITS.find(([size]) => rows >= size) ?? [1, '']
  return `${(rows / size).toLocaleString('en', { maximumSignificantDigits: unit === '' ? undefined : 3 })}${unit}`
}
