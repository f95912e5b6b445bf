import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import type { ColumnMetrics, ReportedMetrics, TableMetrics } from '../../sources/openlineage/metrics.ts'
import { detectPii, MIN_CONFIDENCE } from '../pii/detect-pii.ts'
import { findSuggestedColumns, savePiiSuggestions } from '../pii/pii-suggestion-rows.ts'
import { mergeProfileHistory, type ReportedPoint } from './history.ts'
import { type ProfileRow, saveReportedProfiles } from './profile-rows.ts'

/**
 * Saves what runs of pipelines counted as profiles. A newer profile stays, whoever computed it, so the order of events does not matter and the
 * same ones may be recorded again.
 */
export const recordReportedMetrics = (ctx: Context, { tables }: ReportedMetrics): Promise<void> =>
  inTransaction({ ...ctx, actor: SYSTEM }, async (ctx) => {
    const now = ctx.now.toISOString()
    const reported = tables.map((each) => ({ ...each, at: each.at < now ? each.at : now }))
    const existing = await findResources(
      ctx.db,
      reported.flatMap(({ table, run, columns }) => [table, ...(run ? [run] : []), ...columns.map(({ id }) => id)]),
    )
    const known = reported
      .filter(({ table }) => existing.has(table))
      .map((each) => ({ ...each, columns: each.columns.filter(({ id }) => existing.get(id)?.parent === each.table) }))
    const withheld = await findWithheld(ctx, known, existing)
    // The last one of each column, in the order of time.
    const profiles = new Map<string, ProfileRow>()
    for (const each of known.toSorted((a, b) => (a.at < b.at ? -1 : 1)))
      for (const column of each.columns)
        profiles.set(column.id, toProfile(each, column, existing.has(each.run ?? ''), withheld.get(column.id) ?? null))
    await saveReportedProfiles(ctx.db, [...profiles.values()])
    const points = known.flatMap((each) => toPoints(each, existing.has(each.run ?? '')))
    await mergeProfileHistory(ctx.db, [
      ...new Map(points.map((each) => [`${each.resource_id} ${each.profiled_at.slice(0, 10)}`, each])).values(),
    ])
  })

interface ReportedResource {
  readonly id: string
  readonly parent: string | null
  readonly title: string
  readonly integration: string | null
  readonly pii: boolean
}

const findResources = async (db: Db, ids: readonly string[]): Promise<Map<string, ReportedResource>> => {
  const { rows } = await sql<ReportedResource>`
    select r.id, r.parent, r.title, r.integration, r.pii or coalesce(t.pii, false) and not exists (
        select from resources m where m.parent = t.id and m.entity_type = 'column' and m.pii) as pii
    from resources r left join resources t on t.id = r.parent where r.id = any(${[...new Set(ids)]}::uuid[])
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Why values of columns are not stored. What looks like personal data is suggested as such, as in a profile that is computed here. */
const findWithheld = async (
  ctx: Context,
  tables: readonly TableMetrics[],
  resources: ReadonlyMap<string, ReportedResource>,
): Promise<Map<string, 'pii' | 'suspected'>> => {
  const columns = tables.flatMap(({ columns }) => columns)
  const detected = columns.flatMap(({ id, min, max }) => {
    const { title, integration, pii } = resources.get(id)!
    const detection =
      pii || !integration
        ? undefined
        : detectPii(
            title,
            [min, max].filter((value) => value !== undefined),
          )
    return detection && detection.confidence >= MIN_CONFIDENCE ? [{ resource_id: id, integration: integration!, ...detection }] : []
  })
  for (const [integration, found] of Map.groupBy(detected, (each) => each.integration)) {
    const distinct = [...new Map(found.map(({ integration: _, ...each }) => [each.resource_id, each])).values()]
    await savePiiSuggestions(ctx, integration, [], distinct)
  }
  const suggested = await findSuggestedColumns(
    ctx.db,
    columns.map(({ id }) => id),
  )
  return new Map(
    columns.flatMap(({ id }): [string, 'pii' | 'suspected'][] => {
      if (resources.get(id)!.pii || suggested.get(id) === 'accepted') return [[id, 'pii']]
      return suggested.has(id) ? [[id, 'suspected']] : []
    }),
  )
}

const countRows = ({ row_count }: TableMetrics, { rows, nulls }: ColumnMetrics): number => Math.max(row_count ?? rows ?? nulls, nulls)

const toProfile = (metrics: TableMetrics, column: ColumnMetrics, runExists: boolean, withheld: 'pii' | 'suspected' | null): ProfileRow => ({
  ...{ resource_id: column.id, table_id: metrics.table, profiled_at: metrics.at, job: null, source: 'openlineage' },
  ...{ reported_by: runExists ? metrics.run! : null, sampled: 'all', rows_read: countRows(metrics, column), nulls: column.nulls },
  ...{ distinct_values: column.distinct ?? null, distinct_approximate: false, withheld, histogram: null, top_values: null },
  ...(withheld
    ? { min: null, max: null, mean: null, quantiles: null }
    : { min: column.min ?? null, max: column.max ?? null, mean: column.mean ?? null, quantiles: column.quantiles ?? null }),
})

const toPoints = (metrics: TableMetrics, runExists: boolean): ReportedPoint[] => {
  const { table, at, run, row_count, rows_written, bytes_written, columns } = metrics
  const base = { table_id: table, profiled_at: at, reported_by: runExists ? run! : null }
  return [
    { ...base, resource_id: table, rows_read: row_count ?? 0, row_count, rows_written, bytes_written },
    ...columns.map((column) => ({
      ...{ ...base, resource_id: column.id, rows_read: countRows(metrics, column), nulls: column.nulls, distinct_values: column.distinct },
    })),
  ]
}
