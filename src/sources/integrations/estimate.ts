import { escapeIdentifier } from 'pg'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { SourceRows } from '../connectors/shared/connector.ts'
import type { ConnectedSource } from './with-source-connection.ts'

/**
 * How many rows a query would scan, checked before it runs. The row count of the table in the catalog is the upper bound; where that is too high
 * or unknown, the query plan of the source decides, which scans no rows. If neither is known, the query runs and is cancelled on timeout.
 */
interface PlanReader {
  readonly explain: (select: string) => string
  readonly read: (plan: SourceRows, knownRows: number | null) => PlanEstimate | undefined
}

/** `more`: a further statement returns the rest of the rows. `partly`: the rest is unknown. */
interface PlanEstimate {
  readonly rows: number
  readonly more?: string
  readonly partly?: boolean
}

const PLANS: Readonly<Record<string, PlanReader>> = {
  postgres: {
    explain: (select) => `explain (verbose, format json) ${select}`,
    read: ({ rows }) => {
      const read = [...findScans((JSON.parse(String(rows[0]![0])) as [{ Plan: Node }])[0].Plan, 1)]
      const whole = read.filter(({ whole }) => whole !== undefined)
      const values = whole.map(({ rows, whole }) => `('${whole!.replaceAll("'", "''")}', ${rows.toFixed(0)})`)
      return {
        rows: sum(read.filter(({ whole }) => whole === undefined).map(({ rows }) => rows)),
        // A plan estimates how many rows pass a condition, not how many are scanned for it.
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
      // In a join, each table is read once for every row of the tables before it.
      return {
        rows: sum(
          [...Map.groupBy(rows, (row) => row[id]).values()].map((some) => sumJoinedRows(some.map((row) => Number(row[count] ?? 1)))),
        ),
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
      // For each scanned table; "NaN" where it has no statistics.
      const estimates = tables.map(({ estimate }) => Number(estimate?.outputRowCount))
      const finite = estimates.filter(Number.isFinite)
      if (tables.length > 0 && finite.length === 0) return undefined
      return { rows: sum(finite), partly: finite.length < tables.length }
    },
  },
  snowflake: {
    explain: (select) => `explain using json ${select}`,
    // It reports partitions: their share is about the share of the rows.
    read: ({ rows }, knownRows) => {
      const { GlobalStats: stats } = JSON.parse(String(rows[0]![0])) as {
        GlobalStats?: { partitionsTotal?: number; partitionsAssigned?: number }
      }
      if (knownRows === null || !stats?.partitionsTotal) return undefined
      return { rows: knownRows * Math.min(1, (stats.partitionsAssigned ?? stats.partitionsTotal) / stats.partitionsTotal) }
    },
  },
}

/** A node of a Postgres plan. */
interface Node {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly Schema?: string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Node[]
}

/** The tables a plan reads, how many rows of each, and the names of those it scans completely. */
function* findScans(node: Node, times: number): Generator<{ readonly rows: number; readonly whole?: string }> {
  const { 'Node Type': type, 'Plan Rows': rows, 'Relation Name': name, Schema: schema, Plans: below = [] } = node
  if (name !== undefined && schema !== undefined && type === 'Seq Scan')
    yield { rows, whole: `${escapeIdentifier(schema)}.${escapeIdentifier(name)}` }
  else if (name !== undefined) yield { rows: rows * times }
  for (const [i, each] of below.entries()) {
    // The newest row is found at the end of an index.
    if (type === 'Limit' && each['Node Type'].startsWith('Index')) yield { rows: rows * times }
    else yield* findScans(each, type === 'Nested Loop' && i === 1 ? times * below[0]!['Plan Rows'] : times)
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const sumJoinedRows = (rows: readonly number[]): number =>
  rows.reduce(({ all, each }, n) => ({ all: all + each * n, each: each * n }), { all: 0, each: 1 }).all

/** Dialects that answer a row count from metadata, without scanning. */
const FREE_COUNT_DIALECTS = new Set(['clickhouse', 'snowflake', 'databricks', 'bigquery'])
const PLAN_MS = 10_000

export interface TableSize {
  /** The row count in the catalog; null if unknown. */
  readonly rows: number | null
  /** The query only counts rows. */
  readonly counts?: boolean
}

/** Rejects a query that would scan more rows than the integration allows. */
export const assertWithinRowLimit = async (
  source: ConnectedSource,
  select: string,
  { rows: knownRows, counts }: TableSize,
): Promise<void> => {
  const limit = source.max_scanned_rows
  if (
    limit === Number.POSITIVE_INFINITY ||
    (knownRows !== null && knownRows <= limit) ||
    (counts && FREE_COUNT_DIALECTS.has(source.dialect))
  )
    return
  const rows = (await estimateRows(source, select, knownRows)) ?? knownRows ?? 0
  if (rows > limit)
    throw conflict(
      translatable(
        'This query would scan about {rows} rows; the limit of this source is {limit}. Add a filter, measure a sample with custom SQL, or raise max_million_rows of the integration.',
        { rows: formatRowCount(rows), limit: formatRowCount(limit) },
      ),
    )
}

/** A plan that is missing or cannot be parsed is ignored: if the query is wrong, running it reports the error. */
const estimateRows = async (source: ConnectedSource, select: string, knownRows: number | null): Promise<number | undefined> => {
  const plan = PLANS[source.dialect]
  if (!plan) return undefined
  try {
    const run = (sql: string) => source.query(sql, { timeout_ms: PLAN_MS, max_rows: 1000 })
    const read = plan.read(await run(plan.explain(select)), knownRows)
    if (!read) return undefined
    const counted = read.rows + (read.more === undefined ? 0 : Number((await run(read.more)).rows[0]?.[0] ?? 0))
    const rows = read.partly ? Math.max(counted, knownRows ?? 0) : counted
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

export const formatRowCount = (rows: number): string => {
  const [size, unit] = UNITS.find(([size]) => rows >= size) ?? [1, '']
  return `${(rows / size).toLocaleString('en', { maximumSignificantDigits: unit === '' ? undefined : 3 })}${unit}`
}
