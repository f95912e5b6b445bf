import type { Context } from '../context.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { type Import, importFile } from './import.ts'
import { forTransfer } from './transfer-context.ts'

/** A background import: the file is already staged, the queue does the rest. */
export const IMPORT_JOB = 'import'
const PATIENCE_MS = 600_000

export const createImportJob = (ctx: Context, payload: Import): Promise<Job> =>
  createJob(ctx, { kind: IMPORT_JOB, title: payload.dry_run ? 'Import (dry run)' : 'Import', payload })

/** Safe to repeat after a crash: the staged lines are deleted in the same transaction that imports them. */
export const workImport: JobWork = async (ctx, payload, report) => {
  const wanted = { ...(payload as Import), patienceMs: PATIENCE_MS }
  const result = await importFile(forTransfer(ctx), wanted, { step: (done) => report((95 * done) / wanted.lines) })
  await report(99, JSON.stringify(result))
}
