import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { newId } from '../id.ts'
import type { Cell } from '../integrations/connectors/connector.ts'
import type { Words } from '../integrations/connectors/words.ts'
import { type OpenSource, withSource } from '../integrations/open.ts'
import { clockFrom } from '../jobs/clock.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork, Report } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { bounded, histogramOf, toppedOf } from './figures.ts'
import { type PlacedTable, placeOf } from './place.ts'
import type { ProfileRequest } from './schema.ts'
import { histogramSql, SUMMARY_WIDTH, type Summed, type SummedColumn, summarySql, TOP, topSql } from './statements.ts'
import { type ProfileRow, putProfiles } from './store.ts'
import { lookForPii } from './suggest.ts'

export const PROFILE_JOB = 'profile_table'
const QUEUES = 2 // profiles that run at the same time
const WHOLE_MS = 1_800_000
const TIMEOUT_MS = 120_000
const SAMPLE_ROWS = 10_000
const COLUMNS_AT_ONCE = 25
const MANY = 1_000_000 // rows: above this, counting distinct values exactly takes too much memory

interface Wanted extends Required<ProfileRequest> {
  readonly resource_id: string
  readonly job: string
}

/** Queues a profile of a table or of one of its columns. */
export const profileResource = async (
  ctx: Context,
  id: string,
  { whole = false, sample_rows = SAMPLE_ROWS }: ProfileRequest,
): Promise<Job> => {
  mustBeAble(ctx.actor, 'catalog.write')
  const { table, only } = await placeOf(ctx, id)
  const column = table.columns.find((each) => each.id === only)
  const payload: Wanted = { resource_id: id, job: newId(), whole, sample_rows }
  return createJob(ctx, {
    id: payload.job,
    kind: PROFILE_JOB,
    title: `Profile ${table.title}${column ? `.${column.title}` : ''}`,
    payload,
    queue: `profile ${Number.parseInt(table.id.slice(-4), 16) % QUEUES}`,
  })
}

export const workProfile: JobWork = async (ctx, payload, report) => {
  const { resource_id, job, whole, sample_rows } = payload as Wanted
  const { table, only } = await placeOf(ctx, resource_id)
  const wanted = only ? { ...table, columns: table.columns.filter(({ id }) => id === only) } : table
  const now = clockFrom(ctx)
  const signal = AbortSignal.timeout(whole ? WHOLE_MS : TIMEOUT_MS * 10)
  await withSource(ctx, table.integration, signal, async (source) => {
    const suspected = await lookForPii(ctx, source, wanted)
    const columns = wanted.columns.map((column) => ({ ...column, withheld: withheldOf(column, suspected) }))
    const read = whole ? { from: source.words.table(table.path), sampled: 'all' as const } : sampleOf(source.words, table, sample_rows)
    await readColumns(ctx, source, table, columns, { ...read, timeout_ms: whole ? WHOLE_MS : TIMEOUT_MS, job, now }, report)
  })
}

const withheldOf = ({ id, pii }: { id: string; pii: boolean }, suspected: ReadonlyMap<string, string>): SummedColumn['withheld'] =>
  pii || suspected.get(id) === 'accepted' ? 'pii' : suspected.has(id) ? 'suspected' : null

/** If the source is known to have no more rows than requested, the sample is the whole table. */
const sampleOf = (words: Words, { path, row_count, native_type }: PlacedTable, rows: number) => {
  const { from, random } = words.sample(path, { rows, of: row_count, kind: native_type })
  return { from, sampled: random ? ('random' as const) : ('first' as const), rows }
}

interface Read {
  readonly from: string
  readonly sampled: ProfileRow['sampled']
  readonly rows?: number
  readonly timeout_ms: number
  readonly job: string
  readonly now: () => Date
}

const readColumns = async (
  ctx: Context,
  source: OpenSource,
  table: PlacedTable,
  columns: readonly SummedColumn[],
  read: Read,
  report: Report,
): Promise<void> => {
  let rows_read = 0
  for (let at = 0; at < columns.length; at += COLUMNS_AT_ONCE) {
    const some = columns.slice(at, at + COLUMNS_AT_ONCE)
    const rows = await profileColumns(source, table, some, read)
    await inTransaction(ctx, (ctx) => putProfiles(ctx.db, rows))
    rows_read = rows[0]?.rows_read ?? 0
    await report((95 * (at + some.length)) / columns.length)
  }
  await report(99, `Profiled ${columns.length} columns of ${table.title} with ${rows_read.toLocaleString('en')} rows.`)
}

/** Three queries for all of these columns: summary, histogram bins, top values. */
const profileColumns = async (
  { ask, words }: OpenSource,
  table: PlacedTable,
  columns: readonly SummedColumn[],
  { from, sampled, rows: wanted, timeout_ms, job, now }: Read,
): Promise<ProfileRow[]> => {
  const one = async (sql: string) => (await ask(sql, { timeout_ms, max_rows: 1 })).rows[0] ?? []
  const approximate = sampled === 'all' && words.approximates && (table.row_count ?? MANY) >= MANY
  const summary = await one(summarySql(words, columns, from, approximate))
  const rows_read = count(summary[0])
  const summed = columns.map((column, i) => summedOf(column, summary.slice(1 + i * SUMMARY_WIDTH, 1 + (i + 1) * SUMMARY_WIDTH)))
  const binned = summed.flatMap((each) => bounded(words, each) ?? [])
  const bins = binned.length === 0 ? [] : await one(histogramSql(words, binned, from))
  const topped = summed.filter(
    ({ withheld, distinct, set }) => !withheld && distinct !== null && distinct > 0 && (distinct <= TELLING || distinct < set * 0.9),
  )
  const tops = topped.length === 0 ? [] : (await ask(topSql(words, topped, from), { timeout_ms, max_rows: topped.length * 20 })).rows
  const histograms = histogramOf(binned, bins)
  const top_values = toppedOf(topped, tops)
  return summed.map(({ id, withheld, set, distinct, min, max, mean }) => {
    // A list that is not full contains all distinct values.
    const listed = top_values.get(id)?.length
    const exact = listed !== undefined && listed < TOP ? listed : undefined
    return {
      resource_id: id,
      table_id: table.id,
      profiled_at: now().toISOString(),
      job,
      // Fewer rows than requested means that all were read.
      sampled: wanted !== undefined && sampled === 'first' && rows_read < wanted ? 'all' : sampled,
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
    }
  })
}

const TELLING = 20 // up to this many distinct values are listed even if each occurs only once

const summedOf = (column: SummedColumn, [set, distinct, min, max, mean]: readonly Cell[]): Summed => ({
  ...column,
  set: count(set),
  distinct: distinct === null || distinct === undefined ? null : count(distinct),
  min: textOrNull(min),
  max: textOrNull(max),
  mean: mean === null || mean === undefined || !Number.isFinite(Number(mean)) ? null : Number(mean),
})

const count = (cell: Cell | undefined): number => Math.max(0, Math.round(Number(cell ?? 0))) || 0
const textOrNull = (cell: Cell | undefined): string | null => (cell === null || cell === undefined ? null : String(cell))
