import { sql } from 'kysely'
import { mustBeAble, SYSTEM } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { Refusal } from '../errors.ts'
import { withSource } from '../integrations/open.ts'
import { readName } from '../integrations/read.ts'
import { clockFrom } from '../jobs/clock.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork, Report } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { placeOfTable } from './place.ts'
import { findScansDue, isToBeRetried, noteQueued, noteScanFailed, noteScanned, noteTableFailed, noteTableScanned } from './scan-state.ts'
import { lookForPii } from './suggest.ts'

export const SCAN_JOB = 'scan_pii'
const SCAN_MS = 3 * 3_600_000
const AT_ONCE = 100
const MOST_TOLD = 20
const HOPELESS = 3

interface Wanted {
  readonly integration_id: string
  /** Only tables with columns created after this. */
  readonly since?: string
}

interface Begun extends Wanted {
  readonly began: string
}

/** Queues a PII scan of all tables of an integration. */
export const scanIntegration = (ctx: Context, integration_id: string): Promise<Job> => queueScan(ctx, { integration_id })

const queueScan = (ctx: Context, wanted: Wanted): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'integrations.manage')
    const { integration_id } = wanted
    const name = await readName(ctx, integration_id)
    const job = await createJob(ctx, { kind: SCAN_JOB, title: `Scan ${name} for PII`, payload: wanted, queue: 'scan pii' })
    await noteQueued(ctx, integration_id, job.id)
    return job
  })

/** A scan that fails is queued again later, as are single tables that could not be read. */
export const workScan: JobWork = async (ctx, payload, report) => {
  const wanted = { ...(payload as Wanted), began: ctx.now.toISOString() }
  const now = clockFrom(ctx)
  try {
    await scanTables(ctx, wanted, now, report)
    await noteScanned(ctx, wanted.integration_id, ctx.now)
  } catch (error) {
    await noteScanFailed(ctx, wanted.integration_id, now())
    throw error
  }
}

/** Scans table by table: one that cannot be read is reported, and the scan continues. */
const scanTables = async (ctx: Context, wanted: Begun, now: () => Date, report: Report): Promise<void> => {
  const { integration_id } = wanted
  const signal = AbortSignal.timeout(SCAN_MS)
  const { total, fresh } = await countTables(ctx, wanted)
  let [done, failed, freshFailed, open] = [0, 0, 0, 0]
  for (let after = ''; ; ) {
    const tables = await nextTables(ctx, wanted, after)
    if (tables.length === 0) break
    for (const { id, retried } of tables) {
      try {
        const table = await placeOfTable(ctx, id)
        open += await withSource(ctx, integration_id, signal, async (source) => {
          const suspected = await lookForPii(ctx, source, table)
          return [...suspected.values()].filter((status) => status === 'open').length
        })
        await noteTableScanned(ctx, id)
      } catch (error) {
        failed += 1
        if (!retried) freshFailed += 1
        // None of the first tables, or none at all, could be read: the source is not available. Tables that failed before do not count.
        const hopeless = !retried && failed > done && (freshFailed >= HOPELESS || freshFailed === fresh)
        if (!(error instanceof Refusal) || hopeless) throw error
        await noteTableFailed(ctx, integration_id, id, error.message, now())
        if (failed <= MOST_TOLD) await report((98 * done) / total, error.message)
      }
      done += 1
    }
    await report((98 * done) / total)
    after = tables.at(-1)!.key
  }
  await report(99, `Scanned ${done - failed} of ${done} tables: ${open} columns have pending suggestions.`)
}

const ofSource = ({ integration_id, since, began }: Begun) => sql`
  from resource_origins o join resources r on r.id = o.resource_id
  where o.integration = ${integration_id} and o.gone_at is null and r.integration = ${integration_id} and r.entity_type = 'table' and not r.stale
    and ${
      since === undefined
        ? sql`true`
        : sql`(exists (select from resources c where c.parent = r.id and c.entity_type = 'column' and c.created_at > ${since}::timestamptz)
            or ${isToBeRetried(sql`r.id`, began)})`
    }`

const countTables = async ({ db }: Context, wanted: Begun): Promise<{ total: number; fresh: number }> => {
  const { rows } = await sql<{ total: number; fresh: number }>`
    select greatest(count(*), 1) as total, count(*) filter (where not ${isToBeRetried(sql`r.id`, wanted.began)}) as fresh ${ofSource(wanted)}
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
const nextTables = async ({ db }: Context, wanted: Begun, after: string): Promise<TableToScan[]> => {
  const { rows } = await sql<TableToScan>`
    select r.id, o.key, ${isToBeRetried(sql`r.id`, wanted.began)} as retried
    ${ofSource(wanted)} and o.key > ${after} order by o.key limit ${sql.lit(AT_ONCE)}
  `.execute(db)
  return rows
}

/** Runs periodically: queues scans of integrations that were synced since their last scan, if their rule says so. The first scan covers all tables. */
export const scanDue = async (ctx: Context): Promise<void> => {
  for (const { integration_id, since } of await findScansDue(ctx))
    await queueScan({ ...ctx, actor: SYSTEM }, { integration_id, ...(since === null ? {} : { since }) })
}
