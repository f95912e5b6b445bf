import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { createClock } from '../../platform/jobs/clock.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler, ReportProgress } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { Cell } from '../../sources/connectors/shared/connector.ts'
import type { DialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { type ConnectedSource, withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { detectTablePii } from '../pii/detect-table-pii.ts'
import { getSourceTable, type SourceTable } from '../source-tables/source-table.ts'
import {
  type ColumnSummary,
  histogramSql,
  type ProfiledColumn,
  SUMMARY_WIDTH,
  summarySql,
  TOP_VALUES,
  topSql,
} from '../source-tables/statements.ts'
import { toBinnedColumn, toHistogram, toTopValues } from './histograms.ts'
import { saveProfileHistory } from './history.ts'
import { type ProfileRow, saveProfiles } from './profile-rows.ts'
import type { ProfileRequest } from './schema.ts'

export const PROFILE_JOB = 'profile_table'
const PARALLEL_PROFILES = 2 // profiles that run at the same time
const FULL_SCAN_TIMEOUT_MS = 1_800_000
const TIMEOUT_MS = 120_000
const SAMPLE_ROWS = 10_000
const BATCH_COLUMNS = 25
const MIN_APPROXIMATE_ROWS = 1_000_000 // rows: above this, counting distinct values exactly takes too much memory

interface ProfilePayload extends Required<ProfileRequest> {
  readonly resource_id: string
  readonly job: string
}

/** Queues a profile of a table or of one of its columns. */
export const queueProfile = async (
  ctx: Context,
  id: string,
  { whole = false, sample_rows = SAMPLE_ROWS }: ProfileRequest,
): Promise<Job> => {
  requirePermission(ctx.actor, 'catalog.write')
  const { table, only } = await getSourceTable(ctx, id)
  const column = table.columns.find((each) => each.id === only)
  const payload: ProfilePayload = { resource_id: id, job: newId(), whole, sample_rows }
  return createJob(ctx, {
    id: payload.job,
    kind: PROFILE_JOB,
    title: `Profile ${table.title}${column ? `.${column.title}` : ''}`,
    payload,
    queue: `profile ${Number.parseInt(table.id.slice(-4), 16) % PARALLEL_PROFILES}`,
  })
}

export const runProfileJob: JobHandler = (ctx, payload, report) => profileTable(ctx, payload as ProfilePayload, report)

export const profileTable = async (
  ctx: Context,
  { resource_id, job, whole, sample_rows }: ProfilePayload,
  report: ReportProgress,
): Promise<void> => {
  const { table, only } = await getSourceTable(ctx, resource_id)
  const target = only ? { ...table, columns: table.columns.filter(({ id }) => id === only) } : table
  const now = createClock(ctx)
  const signal = AbortSignal.timeout(whole ? FULL_SCAN_TIMEOUT_MS : TIMEOUT_MS * 10)
  await withSourceConnection(ctx, table.integration, signal, async (source) => {
    const suggested = await detectTablePii(ctx, source, target)
    const columns = target.columns.map((column) => ({ ...column, withheld: getWithheldReason(column, suggested) }))
    const read = whole
      ? { from: source.dialectSql.table(table.path), sampled: 'all' as const }
      : buildSample(source.dialectSql, table, sample_rows)
    await readColumns(ctx, source, table, columns, { ...read, timeout_ms: whole ? FULL_SCAN_TIMEOUT_MS : TIMEOUT_MS, job, now }, report)
  })
}

const getWithheldReason = (
  { id, pii }: { id: string; pii: boolean },
  suggested: ReadonlyMap<string, string>,
): ProfiledColumn['withheld'] => (pii || suggested.get(id) === 'accepted' ? 'pii' : suggested.has(id) ? 'suspected' : null)

/** If the source is known to have no more rows than requested, the sample is the whole table. */
const buildSample = (dialectSql: DialectSql, { path, row_count, native_type }: SourceTable, rows: number) => {
  const { from, random } = dialectSql.sample(path, { rows, of: row_count, kind: native_type })
  return { from, sampled: random ? ('random' as const) : ('first' as const), rows }
}

interface ProfileSource {
  readonly from: string
  readonly sampled: ProfileRow['sampled']
  readonly rows?: number
  readonly timeout_ms: number
  readonly job: string
  readonly now: () => Date
}

const readColumns = async (
  ctx: Context,
  source: ConnectedSource,
  table: SourceTable,
  columns: readonly ProfiledColumn[],
  read: ProfileSource,
  report: ReportProgress,
): Promise<void> => {
  let rows_read = 0
  for (let at = 0; at < columns.length; at += BATCH_COLUMNS) {
    const some = columns.slice(at, at + BATCH_COLUMNS)
    const rows = await profileColumns(source, table, some, read)
    await inTransaction(ctx, async (ctx) => {
      await saveProfiles(ctx.db, rows)
      await saveProfileHistory(ctx.db, table, rows)
    })
    rows_read = rows[0]?.rows_read ?? 0
    await report((95 * (at + some.length)) / columns.length)
  }
  await report(99, `Profiled ${columns.length} columns of ${table.title} with ${rows_read.toLocaleString('en')} rows.`)
}

/** Three queries for all of these columns: summary, histogram bins, top values. */
const profileColumns = async (
  { query, dialectSql }: ConnectedSource,
  table: SourceTable,
  columns: readonly ProfiledColumn[],
  { from, sampled, rows: requestedRows, timeout_ms, job, now }: ProfileSource,
): Promise<ProfileRow[]> => {
  const queryOne = async (sql: string) => (await query(sql, { timeout_ms, max_rows: 1 })).rows[0] ?? []
  const approximate = sampled === 'all' && dialectSql.approximates && (table.row_count ?? MIN_APPROXIMATE_ROWS) >= MIN_APPROXIMATE_ROWS
  const summary = await queryOne(summarySql(dialectSql, columns, from, approximate))
  const rows_read = toCount(summary[0])
  const summaries = columns.map((column, i) => toColumnSummary(column, summary.slice(1 + i * SUMMARY_WIDTH, 1 + (i + 1) * SUMMARY_WIDTH)))
  const binned = summaries.flatMap((each) => toBinnedColumn(dialectSql, each) ?? [])
  const bins = binned.length === 0 ? [] : await queryOne(histogramSql(dialectSql, binned, from))
  const listedColumns = summaries.filter(
    ({ withheld, distinct, set }) =>
      !withheld && distinct !== null && distinct > 0 && (distinct <= MAX_LISTED_DISTINCT || distinct < set * 0.9),
  )
  const topRows =
    listedColumns.length === 0
      ? []
      : (await query(topSql(dialectSql, listedColumns, from), { timeout_ms, max_rows: listedColumns.length * 20 })).rows
  const histograms = toHistogram(binned, bins)
  const top_values = toTopValues(listedColumns, topRows)
  return summaries.map(({ id, withheld, set, distinct, min, max, mean }) => {
    // A list that is not full contains all distinct values.
    const listed = top_values.get(id)?.length
    const exact = listed !== undefined && listed < TOP_VALUES ? listed : undefined
    return {
      resource_id: id,
      table_id: table.id,
      profiled_at: now().toISOString(),
      job,
      // Fewer rows than requested means that all were read.
      sampled: requestedRows !== undefined && sampled === 'first' && rows_read < requestedRows ? 'all' : sampled,
      rows_read,
      nulls: Math.max(0, rows_read - set),
      distinct_values: exact ?? distinct,
      distinct_approximate: approximate && distinct !== null && exact === undefined,
      withheld,
      min,
      max,
      mean,
      histogram: histograms.get(id) ?? null,
      top_values: top_values.get(id) ?? null,
      ...{ source: null, reported_by: null, quantiles: null },
    }
  })
}

const MAX_LISTED_DISTINCT = 20 // up to this many distinct values are listed even if each occurs only once

const toColumnSummary = (column: ProfiledColumn, [set, distinct, min, max, mean]: readonly Cell[]): ColumnSummary => ({
  ...column,
  set: toCount(set),
  distinct: distinct === null || distinct === undefined ? null : toCount(distinct),
  min: textOrNull(min),
  max: textOrNull(max),
  mean: mean === null || mean === undefined || !Number.isFinite(Number(mean)) ? null : Number(mean),
})

const toCount = (cell: Cell | undefined): number => Math.max(0, Math.round(Number(cell ?? 0))) || 0
const textOrNull = (cell: Cell | undefined): string | null => (cell === null || cell === undefined ? null : String(cell))
