import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { type ColumnMapping, mapColumns, requireSqlColumn } from '../query-log/columns.ts'
import { findUpload, lockQueryLog, saveUpload } from '../query-log/query-log-rows.ts'
import { openLogFile } from '../query-log/read-rows.ts'
import { saveLogRows } from '../query-log/save-rows.ts'
import type { UploadReport } from '../query-log/schema.ts'
import { recordSender } from '../sync/sender-access.ts'
import { getIntegrationRow } from './integration-rows.ts'
import { queueSync } from './sync.ts'

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
    const saved = await saveLogRows(ctx, id, file.rows(), mapping, { dryRun: dry_run })
    const report = { columns: [...file.columns], mapping: mapping as Record<string, string>, ...saved, repeated: false }
    if (dry_run) return { ...report, job: null }
    await recordSender(ctx, id, { replaces: false })
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
