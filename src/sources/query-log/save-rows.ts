import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { ColumnMapping } from './columns.ts'
import { countStatements, saveExecutions } from './query-log-rows.ts'
import type { ReadRow } from './read-rows.ts'
import type { UploadReport } from './schema.ts'
import { type Execution, readExecution } from './statements.ts'

const BATCH_SIZE = 2_000
const SAMPLE_ROWS = 5
const MAX_ROWS = 5_000_000
const MAX_STATEMENTS = 50_000
const MAX_REASONS = 100

export type SavedRows = Omit<UploadReport, 'job' | 'columns' | 'mapping' | 'repeated'>

/** Saves the executions of a log, in the caller's transaction. */
export const saveLogRows = async (
  ctx: Context,
  id: string,
  rows: AsyncIterable<ReadRow> | Iterable<ReadRow>,
  mapping: ColumnMapping,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<SavedRows> => {
  const skipped = new Map<string, { reason: string; rows: number; first_line: number }>()
  const skip = (reason: string, first_line: number, rows = 1) => {
    const known = skipped.get(reason)
    if (known) known.rows += rows
    else if (skipped.size < MAX_REASONS) skipped.set(reason, { reason, rows, first_line })
  }
  const total = { rows: 0, statements: 0, executions: 0 }
  const sample: Record<string, string>[] = []
  let first_at: string | null = null
  let last_at: string | null = null
  let allowed = MAX_STATEMENTS - (await countStatements(ctx.db, id))
  const seen = new Set<string>()
  let batch: Execution[] = []
  const flush = async () => {
    if (batch.length === 0) return
    const saved = await saveExecutions(ctx.db, id, batch, Math.max(0, allowed))
    allowed -= saved.statements
    total.statements += saved.statements
    total.executions += saved.executions + batch.filter(({ at }) => at === null).length
    if (saved.left_out > 0) skip(`more than ${MAX_STATEMENTS.toLocaleString('en')} different statements`, total.rows, saved.left_out)
    batch = []
  }
  for await (const each of rows) {
    total.rows += 1
    if (total.rows % BATCH_SIZE === 0) ctx.limits.signal?.throwIfAborted()
    if (total.rows > MAX_ROWS) throw invalid({ file: [`has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it.`] })
    const execution = 'error' in each ? { skipped: each.error } : readExecution(each.row, mapping)
    if ('skipped' in execution) {
      skip(execution.skipped, each.line)
      continue
    }
    const { at } = execution
    if (at !== null && (first_at === null || at < first_at)) first_at = at
    if (at !== null && (last_at === null || at > last_at)) last_at = at
    if (sample.length < SAMPLE_ROWS) sample.push(toSample(execution))
    if (dryRun) {
      if (seen.size < MAX_STATEMENTS) seen.add(execution.hash.toString('base64'))
      total.executions += 1
    } else batch.push(execution)
    if (batch.length >= BATCH_SIZE) await flush()
  }
  await flush()
  return { ...total, statements: dryRun ? seen.size : total.statements, first_at, last_at, skipped: [...skipped.values()], sample }
}

const toSample = ({ sql, database, schema, at, user, duration_ms }: Execution): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ sql: sql.slice(0, 500), user, time: at, duration: duration_ms, database, schema }).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, String(value)]],
    ),
  )
