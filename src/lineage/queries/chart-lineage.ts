import type { Context } from '../../platform/context/context.ts'
import { ApiError, notFound } from '../../platform/core/errors.ts'
import { saveAllDerivedEdges } from '../edges/derived.ts'
import type { FromQuery, QueryLineage } from '../edges/schema.ts'
import { findCharts, type TableRow } from './catalog.ts'
import { assignTarget, deriveLineage, getDialect, openQuery, type ParsedLineage, readFirst, toScope } from './from-query.ts'
import type { ParseResult } from './parse-sql.ts'
import { toQueryLineage } from './query-lineage.ts'
import { resolveQueryTables } from './resolve-partitions.ts'
import type { ResolvedNames } from './resolve-tables.ts'

/**
 * Lineage of charts from their SQL. A BI tool has tens of thousands of them, which read the same tables: names are looked up and edges are written for
 * many charts at once.
 */

export interface ChartQuery {
  readonly id: string
  readonly query: FromQuery
}

/** What a chart reads, or why its SQL cannot be read. */
export type ChartOutcome = { readonly lineage: QueryLineage } | { readonly error: ApiError }

interface ReadChart {
  readonly chart: TableRow
  readonly query: FromQuery
  readonly first: ParseResult
}

/** It replaces what was derived for these charts before. The outcomes are in the order of the charts. */
export const saveChartLineage = async (ctx: Context, charts: readonly ChartQuery[]): Promise<ChartOutcome[]> => {
  const outcomes = new Map<string, ChartOutcome>()
  const rows = await findCharts(
    ctx,
    charts.map(({ id }) => id),
  )
  const read: ReadChart[] = []
  /** One chart that cannot be read does not fail the others. */
  const attempt = async (id: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcomes.set(id, { error })
    }
  }
  for (const { id, query } of charts)
    await attempt(id, async () => {
      const chart = rows.get(id)
      if (!chart) throw notFound('chart', id)
      using reader = openQuery(ctx, query)
      read.push({ chart, query, first: await readFirst(reader) })
    })
  const parsed: (ParsedLineage & { readonly id: string })[] = []
  for (const same of Map.groupBy(read, toScopeKey).values()) {
    const names = await resolveNames(ctx, same)
    for (const each of same) {
      const { id } = each.chart
      await attempt(id, async () => {
        const lineage = await parseWithColumns(ctx, each, names)
        parsed.push({ id, ...lineage })
        outcomes.set(id, { lineage: toQueryLineage(lineage.query) })
      })
    }
  }
  await saveAllDerivedEdges(
    ctx,
    parsed.map(({ id, derived }) => ({ lineage: derived, replace: [id] })),
  )
  return charts.map(({ id }) => outcomes.get(id)!)
}

/** In one scope the same name is the same table. */
const toScopeKey = ({ query, chart }: ReadChart): string => JSON.stringify([getDialect(query), toScope(query, chart)])

const resolveNames = async (ctx: Context, charts: readonly ReadChart[]): Promise<ResolvedNames> => {
  const [{ query, chart }] = charts as [ReadChart]
  const names = charts.flatMap(({ first }) => first.requestedTables)
  const statements = charts.flatMap(({ first }) => first.analysis.statements)
  const binding = await resolveQueryTables(ctx, names, statements, getDialect(query), toScope(query, chart))
  await binding.loadColumns(ctx)
  return binding
}

const parseWithColumns = async (ctx: Context, { chart, query, first }: ReadChart, names: ResolvedNames): Promise<ParsedLineage> => {
  const binding = names.pick(first.requestedTables)
  assignTarget(binding, first.analysis.statements, chart)
  const columns = binding.knownColumns
  if (columns.size === 0) return deriveLineage({ sql: query.sql, analysis: first.analysis, binding, targetTable: chart })
  using reader = openQuery(ctx, query)
  const { analysis } = await reader.read(columns)
  return deriveLineage({ sql: query.sql, analysis, binding, targetTable: chart })
}
