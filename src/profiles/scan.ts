import { sql } from 'kysely'
import { mustBeAble, SYSTEM } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { Refusal } from '../errors.ts'
import { withSource } from '../integrations/open.ts'
import { readName } from '../integrations/read.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { placeOfTable } from './place.ts'
import { lookForPii } from './suggest.ts'

export const SCAN_JOB = 'scan_pii'
const SCAN_MS = 3 * 3_600_000
const AT_ONCE = 100
const MOST_TOLD = 20
const HOPELESS = 3

interface Wanted {
  readonly integration_id: string
  /** Only tables with columns that came after this. */
  readonly since?: string
}

/** Looks for what may be personal in every table of an integration, in a background job. */
export const scanIntegration = (ctx: Context, integration_id: string): Promise<Job> => queueScan(ctx, { integration_id })

const queueScan = (ctx: Context, wanted: Wanted): Promise<Job> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'integrations.manage')
    const { integration_id } = wanted
    const name = await readName(ctx, integration_id)
    await sql`update pii_rules set scanned_at = ${ctx.now}::timestamptz where integration = ${integration_id}`.execute(ctx.db)
    return createJob(ctx, { kind: SCAN_JOB, title: `Look for PII in ${name}`, payload: wanted, queue: 'scan pii' })
  })

/** Table by table, each by itself: one that cannot be read is told of, and the others go on. */
export const workScan: JobWork = async (ctx, payload, report) => {
  const wanted = payload as Wanted
  const { integration_id } = wanted
  const signal = AbortSignal.timeout(SCAN_MS)
  const total = await countTables(ctx, wanted)
  let [done, failed, open] = [0, 0, 0]
  for (let after = ''; ; ) {
    const tables = await nextTables(ctx, wanted, after)
    if (tables.length === 0) break
    for (const { id } of tables) {
      try {
        const table = await placeOfTable(ctx, id)
        open += await withSource(ctx, integration_id, signal, async (source) => {
          const suspected = await lookForPii(ctx, source, table)
          return [...suspected.values()].filter((status) => status === 'open').length
        })
      } catch (error) {
        failed += 1
        // None of the first ones: the source cannot be asked at all.
        if (!(error instanceof Refusal) || (failed > done && failed >= HOPELESS)) throw error
        if (failed <= MOST_TOLD) await report((98 * done) / total, error.message)
      }
      done += 1
    }
    await report((98 * done) / total)
    after = tables.at(-1)!.key
  }
  await report(99, `Looked at ${done - failed} of ${done} tables: ${open} columns wait for somebody to decide.`)
}

const ofSource = ({ integration_id, since }: Wanted) => sql`
  from resource_origins o join resources r on r.id = o.resource_id
  where o.integration = ${integration_id} and o.gone_at is null and r.integration = ${integration_id} and r.entity_type = 'table' and not r.stale
    and ${
      since === undefined
        ? sql`true`
        : sql`exists (select from resources c where c.parent = r.id and c.entity_type = 'column' and c.created_at > ${since}::timestamptz)`
    }`

const countTables = async ({ db }: Context, wanted: Wanted): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n ${ofSource(wanted)}`.execute(db)
  return Math.max(1, rows[0]!.n)
}

/** In the order of their keys: by the index of what sources said. */
const nextTables = async ({ db }: Context, wanted: Wanted, after: string): Promise<{ id: string; key: string }[]> => {
  const { rows } = await sql<{ id: string; key: string }>`
    select r.id, o.key ${ofSource(wanted)} and o.key > ${after} order by o.key limit ${sql.lit(AT_ONCE)}
  `.execute(db)
  return rows
}

/** The clock: integrations that were synced since they were looked at, where the rule says so. All of their tables the first time. */
export const scanDue = async (ctx: Context): Promise<void> => {
  const { rows } = await sql<{ integration_id: string; since: string | null }>`
    select p.integration as integration_id, p.scanned_at as since from pii_rules p join integrations i on i.id = p.integration
    where p.scan_after_sync and i.last_sync_status = 'COMPLETED' and i.last_synced_at > coalesce(p.scanned_at, '-infinity') and i.removal_job is null
    order by i.last_synced_at limit 100
  `.execute(ctx.db)
  for (const { integration_id, since } of rows)
    await queueScan({ ...ctx, actor: SYSTEM }, { integration_id, ...(since === null ? {} : { since }) })
}
