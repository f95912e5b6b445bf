import type { Context } from '../context.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { type Import, importFile } from './import.ts'
import { forTransfer } from './transfer-context.ts'

/** An import that goes on by itself: the file is read, the rest is work for the queue. */
export const IMPORT_JOB = 'import'
const PATIENCE_MS = 600_000

export const createImportJob = (ctx: Context, payload: Import): Promise<Job> =>
  createJob(ctx, { kind: IMPORT_JOB, title: payload.dry_run ? 'Try an import' : 'Import', payload })

/** Run again after a crash it does no harm: the lines are gone exactly when they are imported. */
export const workImport: JobWork = async (ctx, payload, report) => {
  const wanted = { ...(payload as Import), patienceMs: PATIENCE_MS }
  const result = await importFile(forTransfer(ctx), wanted, { step: (done) => report((95 * done) / wanted.lines) })
  await report(99, JSON.stringify(result))
}
