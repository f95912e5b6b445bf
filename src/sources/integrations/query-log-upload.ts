import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { type ColumnMapping, mapColumns, requireSqlColumn } from '../query-log/columns.ts'
import { countStatements, findUpload, lockQueryLog, saveExecutions, saveUpload } from '../query-log/query-log-rows.ts'
import { openLogFile } from '../query-log/read-rows.ts'
import type { UploadReport } from '../query-log/schema.ts'
import { type Execution, readExecution } from '../query-log/statements.ts'
import { getIntegrationRow } from './integration-rows.ts'
import { queueSync } from './sync.ts'

const BATCH_SIZE = 2_000
const SAMPLE_ROWS = 5
const MAX_ROWS = 5_000_000
const MAX_STATEMENTS = 50_000
const MAX_REASONS = 100

/** Checked before the file is received. */
export const requireQueryLog = async (ctx: Context, id: string): Promise<void> => {
  requirePermission(ctx.actor, 'catalog.write')
  const { type } = await getIntegrationRow(ctx, id)
  if (type !== 'query_log') throw invalid({ integration_id: [translatable('This integration is not a query log.')] })
}

/**
 * Saves the statements of a log and queues the sync that derives usage and lineage from them, in one transaction. A file that was uploaded
 * before changes nothing, and neither does an execution that another file has: the same statement at the same time by the same user.
 */
export const uploadQueryLog = async (
  ctx: Context,
  id: string,
  path: string,
  { dry_run = false, ...chosen }: ColumnMapping & { readonly dry_run?: boolean },
): Promise<UploadReport> => {
  await requireQueryLog(ctx, id)
  const file = await openLogFile(path)
  const mapping = mapColumns(file.columns, chosen)
  // A dry run without it shows the columns to choose from.
  if (dry_run && mapping.sql === undefined)
    return { ...NOTHING_READ, columns: [...file.columns], mapping: mapping as Record<string, string> }
  requireSqlColumn(file.columns, mapping)
  const digest = await computeDigest(path, mapping)
  // The transaction lasts as long as the file is read.
  const transfer = { ...ctx, db: ctx.runtime.databases.transfer.db }
  return inTransaction(transfer, async (ctx) => {
    await lockQueryLog(ctx.db, id)
    const before = await findUpload(ctx.db, id, digest)
    if (before) return { ...before, statements: 0, executions: 0, repeated: true, job: null }
    const report = await saveRows(ctx, id, file, mapping, dry_run)
    if (dry_run) return { ...report, job: null }
    await saveUpload(ctx, id, digest, report)
    return { ...report, job: await queueSync(ctx, id) }
  })
}

const NOTHING_READ: Omit<UploadReport, 'columns' | 'mapping'> = {
  ...{ rows: 0, statements: 0, executions: 0, first_at: null, last_at: null },
  ...{ skipped: [], sample: [], repeated: false, job: null },
}

const computeDigest = async (path: string, mapping: ColumnMapping): Promise<Buffer> => {
  const digest = createHash('sha256').update(JSON.stringify(mapping))
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer)
  return digest.digest()
}

const saveRows = async (
  ctx: Context,
  id: string,
  file: Awaited<ReturnType<typeof openLogFile>>,
  mapping: ColumnMapping,
  dryRun: boolean,
): Promise<Omit<UploadReport, 'job'>> => {
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
  for await (const each of file.rows()) {
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
  const statements = dryRun ? seen.size : total.statements
  return {
    ...{ columns: [...file.columns], mapping: mapping as Record<string, string>, ...total, statements, first_at, last_at },
    ...{ skipped: [...skipped.values()], sample, repeated: false },
  }
}

const toSample = ({ sql, database, schema, at, user, duration_ms }: Execution): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ sql: sql.slice(0, 500), user, time: at, duration: duration_ms, database, schema }).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, String(value)]],
    ),
  )
