import type { ResourceChange, ResourceCreate } from '../../catalog/records/schema.ts'
import { isInCycle } from '../../catalog/records/tree.ts'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import { prepareResources, writeResources } from '../../catalog/resources/create.ts'
import { editResources } from '../../catalog/resources/edit.ts'
import { diffReport, type ReportedFields, reportResources } from '../../catalog/resources/reported-fields.ts'
import { addManualEdges } from '../../lineage/edges/edges.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Change } from '../../platform/history/record.ts'
import { insertReportedValues, type ReportedChange } from '../imports/import-rows.ts'
import { toDesiredFields } from './compare.ts'
import { PLAN_END, PLAN_START, type PlannedLine, readNextEdges, readNextLines } from './import-line-rows.ts'
import { type ImportProperties, writeImportValues } from './import-values.ts'
import { LineErrors } from './stage.ts'

const BATCH_LINES = 4000
const MAX_CONCURRENT_BATCHES = 2 // one being written by Postgres and one queued behind it
const EDGES_PER_BATCH = 1000

export type ProgressCallback = (done: number) => Promise<void>

/**
 * Writes the plan level by level in batches, through the same service functions as other edits. Postgres writes one batch while Node builds
 * the rows of the next; queries needed for that run before the batch is sent, since their results would otherwise wait behind it. New
 * resources come first, then existing tables and columns, both top down, then other existing resources bottom up: edited rows stay locked
 * until the end, and rows at the top are those that other transactions would wait for.
 */
export const applyPlan = async (
  ctx: Context,
  { import_id, integration, properties }: { import_id: string; integration: string; properties: ImportProperties },
  step: ProgressCallback,
): Promise<void> => {
  const writing = new Pipeline(MAX_CONCURRENT_BATCHES)
  let prepared: Batch | undefined
  let preparing: Promise<Batch> | undefined
  let done = 0
  const write = async ({ lines, rows }: Batch) => {
    await writing.add(() => withLineNumbers(lines, () => writeBatch(ctx, import_id, lines, rows, properties)))
    done += lines.length
    await step(done)
  }
  try {
    for await (const lines of readPlan(ctx, import_id)) {
      // A level must be complete before its children are written.
      if (prepared && getGroup(prepared.lines) !== getGroup(lines)) {
        await write(prepared)
        await writing.end()
        prepared = undefined
      }
      preparing = withLineNumbers(lines, () => prepareBatch(ctx, integration, lines))
      preparing.catch(() => {}) // thrown below
      if (prepared) await write(prepared)
      prepared = await preparing
    }
    if (prepared) await write(prepared)
  } finally {
    await preparing?.catch(() => {})
    await writing.end()
  }
}

const getGroup = ([first]: readonly PlannedLine[]): string => `${first!.known} ${first!.publishes} ${first!.level}`

/** Lines of one level, either all new or all existing, and the rows of new ones. */
interface Batch {
  readonly lines: readonly PlannedLine[]
  readonly rows: Awaited<ReturnType<typeof prepareResources>>
}

async function* readPlan(ctx: Context, import_id: string): AsyncGenerator<PlannedLine[]> {
  yield* readBatches(ctx, (after = PLAN_START) => readNextLines(ctx.db, import_id, after, 'new', BATCH_LINES))
  yield* readBatches(ctx, (after = PLAN_START) => readNextLines(ctx.db, import_id, after, 'publishing', BATCH_LINES))
  yield* readBatches(ctx, (after = PLAN_END) => readNextLines(ctx.db, import_id, after, 'others', BATCH_LINES, true))
}

async function* readBatches(
  ctx: Context,
  next: (after?: { level: number; line: number }) => Promise<PlannedLine[]>,
): AsyncGenerator<PlannedLine[]> {
  let reading = next()
  try {
    for (;;) {
      ctx.limits.signal?.throwIfAborted()
      const all = await reading
      if (all.length === 0) return
      const lines = all.filter(({ level }) => level === all[0]!.level)
      reading = next(lines.at(-1)!)
      reading.catch(() => {}) // thrown when it is awaited
      yield lines
    }
  } finally {
    await reading.catch(() => {})
  }
}

const prepareBatch = async (ctx: Context, integration: string, lines: readonly PlannedLine[]): Promise<Batch> => {
  if (lines[0]!.known) return { lines, rows: [] }
  const creates = lines.map((line) => toCreate(line, integration))
  return { lines, rows: await prepareResources(ctx, creates) }
}

const writeBatch = async (
  ctx: Context,
  import_id: string,
  lines: readonly PlannedLine[],
  rows: Batch['rows'],
  properties: ImportProperties,
): Promise<void> => {
  await (lines[0]!.known ? editExisting(ctx, import_id, lines) : writeResources(ctx, rows))
  await writeImportValues(ctx, properties, lines)
}

/** Without a key of its own, the ID of the line is used, so that the same file finds the resource again. */
const toCreate = (
  { id, key, placed, parent, data: { fields, own, reported } }: PlannedLine,
  integration: string,
): Parameters<typeof prepareResources>[1][number] => ({
  ...(fields as ResourceCreate),
  ...(placed ? { parent } : {}),
  ...(reported as ReportedFields),
  own,
  id,
  databuilder_id: key,
  integration,
})

const editExisting = async (ctx: Context, import_id: string, lines: readonly PlannedLine[]): Promise<void> => {
  const rows = await findVisibleRows(
    ctx,
    lines.map(({ id }) => id),
  )
  const edits: { id: string; data: ResourceChange; own: Record<string, unknown> }[] = []
  const reports: { id: string; reported: ReportedFields }[] = []
  const reportedChanges: ReportedChange[] = []
  for (const line of lines) {
    const desired = toDesiredFields(line)
    const row = rows.get(line.id)
    const { edited, reported } = row ? diffReport(ctx, row, desired) : { edited: [], reported: [] }
    const only = (fields: object, changed: typeof edited) =>
      Object.fromEntries(changed.flatMap(({ field }) => (field in fields ? [[field, (fields as Record<string, unknown>)[field]]] : [])))
    if (!row || edited.length > 0) edits.push({ id: line.id, data: only(desired.data, edited), own: only(desired.own, edited) })
    if (reported.length === 0) continue
    reports.push({ id: line.id, reported: only(desired.reported, reported) })
    reportedChanges.push({ id: line.id, before: collectValues(reported, 'from'), after: collectValues(reported, 'to') })
  }
  if (edits.length > 0) {
    try {
      await editResources(ctx, edits)
    } catch (error) {
      throw (await findCycleErrors(ctx, lines, edits)) ?? error
    }
  }
  await reportResources(ctx, reports)
  if (reportedChanges.length > 0) await insertReportedValues(ctx.db, import_id, lines[0]!.line, reportedChanges)
}

const collectValues = (changes: readonly Change[], side: 'from' | 'to') =>
  Object.fromEntries(changes.map((change) => [change.field, change[side]]))

/** The file may not contain all ancestors, so a cycle may only be detected when a line is written. */
const findCycleErrors = async (
  ctx: Context,
  lines: readonly PlannedLine[],
  edits: readonly { id: string; data: ResourceChange }[],
): Promise<ApiError | undefined> => {
  const errors = new LineErrors()
  for (const { id, data } of edits)
    if (data.parent && (await isInCycle(ctx.db, id).catch(() => false)))
      errors.add(lines.find((line) => line.id === id)!.line, { parent: ['A resource cannot be its own ancestor.'] })
  return errors.error
}

/** Writes the lineage lines. Returns how many edges were new. */
export const applyEdges = async (ctx: Context): Promise<{ created: number; unchanged: number }> => {
  let [created, unchanged, after] = [0, 0, 0]
  for (;;) {
    const edges = await readNextEdges(ctx.db, after, EDGES_PER_BATCH)
    if (edges.length === 0) return { created, unchanged }
    after = edges.at(-1)!.line
    const added = await addManualEdges(ctx, edges, { from: 'from_identifier', to: 'to_identifier' })
    const fresh = new Set(added.flatMap(({ id, created }) => (created ? [id] : []))).size
    created += fresh
    unchanged += edges.length - fresh
  }
}

/** Adds the line numbers of the batch to an error that concerns many rows. */
const withLineNumbers = async <T>(lines: readonly PlannedLine[], work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || Object.keys(error.errors ?? {}).some((name) => name.startsWith('line '))) throw error
    const [first, last] = [Math.min(...lines.map(({ line }) => line)), Math.max(...lines.map(({ line }) => line))]
    const where = first === last ? `line ${first}` : `lines ${first} to ${last}`
    throw new ApiError(error.code, `${where}: ${error.message} Nothing was imported.`, { [where]: [error.message] })
  }
}

/** Runs a few tasks concurrently. The first error is thrown after all have ended, so that nothing is left running. */
class Pipeline {
  readonly #limit: number
  readonly #running: Promise<void>[] = []
  #error?: { error: unknown }

  constructor(limit: number) {
    this.#limit = limit
  }

  async add(work: () => Promise<void>): Promise<void> {
    if (this.#running.length >= this.#limit) await this.#running.shift()
    if (this.#error) return this.end()
    this.#running.push(
      work().catch((error) => {
        this.#error ??= { error }
      }),
    )
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.splice(0))
    if (this.#error) throw this.#error.error
  }
}
