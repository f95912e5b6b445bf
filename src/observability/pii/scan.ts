import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { createClock } from '../../platform/jobs/clock.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler, ReportProgress } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission, SYSTEM } from '../../platform/permissions/permissions.ts'
import { getIntegrationName } from '../../sources/integrations/read.ts'
import { withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { getSourceTableById } from '../source-tables/source-table.ts'
import { detectTablePii } from './detect-table-pii.ts'
import {
  findDueScans,
  isDueForRetrySql,
  markScanFailed,
  markScanned,
  markScanQueued,
  markTableFailed,
  markTableScanned,
} from './scan-state.ts'

export const SCAN_JOB = 'scan_pii'
const SCAN_MS = 3 * 3_600_000
const BATCH_SIZE = 100
const MAX_REPORTED = 20
const MAX_INITIAL_FAILURES = 3

interface ScanPayload {
  readonly integration_id: string
  /** Only tables with columns created after this. */
  readonly since?: string
}

interface StartedScan extends ScanPayload {
  readonly started: string
}

/** Queues a PII scan of all tables of an integration. */
export const queuePiiScan = (ctx: Context, integration_id: string): Promise<Job> => queueScan(ctx, { integration_id })

const queueScan = (ctx: Context, payload: ScanPayload): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'integrations.manage')
    const { integration_id } = payload
    const name = await getIntegrationName(ctx, integration_id)
    const job = await createJob(ctx, { kind: SCAN_JOB, title: `Scan ${name} for PII`, payload, queue: 'scan pii' })
    await markScanQueued(ctx, integration_id, job.id)
    return job
  })

/** A scan that fails is queued again later, as are single tables that could not be read. */
export const runPiiScanJob: JobHandler = async (ctx, payload, report) => {
  const scan = { ...(payload as ScanPayload), started: ctx.now.toISOString() }
  const now = createClock(ctx)
  try {
    await scanTables(ctx, scan, now, report)
    await markScanned(ctx, scan.integration_id, ctx.now)
  } catch (error) {
    await markScanFailed(ctx, scan.integration_id, now())
    throw error
  }
}

/** Scans table by table: one that cannot be read is reported, and the scan continues. */
const scanTables = async (ctx: Context, scan: StartedScan, now: () => Date, report: ReportProgress): Promise<void> => {
  const { integration_id } = scan
  const signal = AbortSignal.timeout(SCAN_MS)
  const { total, fresh } = await countTables(ctx, scan)
  let [done, failed, freshFailed, open] = [0, 0, 0, 0]
  for (let after = ''; ; ) {
    const tables = await nextTables(ctx, scan, after)
    if (tables.length === 0) break
    for (const { id, retried } of tables) {
      try {
        const table = await getSourceTableById(ctx, id)
        open += await withSourceConnection(ctx, integration_id, signal, async (source) => {
          const suggested = await detectTablePii(ctx, source, table)
          return [...suggested.values()].filter((status) => status === 'open').length
        })
        await markTableScanned(ctx, id)
      } catch (error) {
        failed += 1
        if (!retried) freshFailed += 1
        // None of the first tables, or none at all, could be read: the source is not available. Tables that failed before do not count.
        const isUnavailable = !retried && failed > done && (freshFailed >= MAX_INITIAL_FAILURES || freshFailed === fresh)
        if (!(error instanceof ApiError) || isUnavailable) throw error
        await markTableFailed(ctx, integration_id, id, error.message, now())
        if (failed <= MAX_REPORTED) await report((98 * done) / total, error.message)
      }
      done += 1
    }
    await report((98 * done) / total)
    after = tables.at(-1)!.key
  }
  await report(99, `Scanned ${done - failed} of ${done} tables: ${open} columns have pending suggestions.`)
}

const scannedTablesSql = ({ integration_id, since, started }: StartedScan) => sql`
  from resource_origins o join resources r on r.id = o.resource_id
  where o.integration = ${integration_id} and o.gone_at is null and r.integration = ${integration_id} and r.entity_type = 'table' and not r.stale
    and ${
      since === undefined
        ? sql`true`
        : sql`(exists (select from resources c where c.parent = r.id and c.entity_type = 'column' and c.created_at > ${since}::timestamptz)
            or ${isDueForRetrySql(sql`r.id`, started)})`
    }`

const countTables = async ({ db }: Context, scan: StartedScan): Promise<{ total: number; fresh: number }> => {
  const { rows } = await sql<{ total: number; fresh: number }>`
    select greatest(count(*), 1) as total, count(*) filter (where not ${isDueForRetrySql(sql`r.id`, scan.started)}) as fresh ${scannedTablesSql(scan)}
  `.execute(db)
  return rows[0]!
}

interface TableToScan {
  readonly id: string
  readonly key: string
  /** It could not be read last time. */
  readonly retried: boolean
}

/** In key order, which has an index. */
const nextTables = async ({ db }: Context, scan: StartedScan, after: string): Promise<TableToScan[]> => {
  const { rows } = await sql<TableToScan>`
    select r.id, o.key, ${isDueForRetrySql(sql`r.id`, scan.started)} as retried
    ${scannedTablesSql(scan)} and o.key > ${after} order by o.key limit ${sql.lit(BATCH_SIZE)}
  `.execute(db)
  return rows
}

/** Runs periodically: queues scans of integrations that were synced since their last scan, if their rule says so. The first scan covers all tables. */
export const queueDueScans = async (ctx: Context, onError: (error: unknown, what: string) => void): Promise<void> => {
  for (const { integration_id, since } of await findDueScans(ctx)) {
    const queued = queueScan({ ...ctx, actor: SYSTEM }, { integration_id, ...(since === null ? {} : { since }) })
    await queued.catch((error) => onError(error, `scan of integration ${integration_id}`))
  }
}
