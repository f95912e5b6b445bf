import type { Context } from '../../platform/context/context.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { type Import, importFile } from './import.ts'
import { transferContext } from './transfer-context.ts'

/** A background import: the file is already staged, the queue does the rest. */
export const IMPORT_JOB = 'import'
const JOB_MAX_WAIT_MS = 600_000

export const createImportJob = (ctx: Context, payload: Import): Promise<Job> =>
  createJob(ctx, { kind: IMPORT_JOB, title: payload.dry_run ? 'Import (dry run)' : 'Import', payload })

/** Safe to repeat after a crash: the staged lines are deleted in the same transaction that imports them. */
export const runImportJob: JobHandler = async (ctx, payload, report) => {
  const upload = { ...(payload as Import), maxWaitMs: JOB_MAX_WAIT_MS }
  const step = async (done: number) => {
    await report((95 * done) / upload.lines)
    await ctx.runtime.monitorPriority.giveWay()
  }
  const result = await importFile(transferContext(ctx), upload, { step })
  await report(99, JSON.stringify(result))
}
