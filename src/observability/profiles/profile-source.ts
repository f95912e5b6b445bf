import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import { profileTable } from './profile.ts'

export const PROFILE_SOURCE_JOB = 'profile_source'
const MAX_MS = 3 * 3_600_000
const BATCH_SIZE = 100
const MAX_REPORTED = 20
const MAX_INITIAL_FAILURES = 3

/** Profiles the tables of an integration one after the other, those that were profiled longest ago first. One that cannot be read is reported. */
export const runProfileSourceJob: JobHandler = async (ctx, payload, report) => {
  const { integration_id, sample_rows } = payload as { integration_id: string; sample_rows: number }
  const until = Date.now() + MAX_MS
  const tables = await findTables(ctx, integration_id)
  let [done, failed] = [0, 0]
  for (const id of tables) {
    if (Date.now() > until) break
    try {
      await profileTable(ctx, { resource_id: id, job: newId(), whole: false, sample_rows }, async () => {})
    } catch (error) {
      failed += 1
      // None of the first tables could be read: the source is not available.
      if (!(error instanceof ApiError) || (failed === done + 1 && failed >= Math.min(MAX_INITIAL_FAILURES, tables.length))) throw error
      if (failed <= MAX_REPORTED) await report((98 * done) / tables.length, error.message)
    }
    done += 1
    if (done % BATCH_SIZE === 0) await report((98 * done) / tables.length)
  }
  const left = tables.length - done
  await report(99, `Profiled ${done - failed} of ${tables.length} tables.${left > 0 ? ` ${left} are left for the next time.` : ''}`)
}

const MAX_TABLES = 10_000

const findTables = async ({ db }: Context, integration: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from resource_origins o join resources r on r.id = o.resource_id
    left join lateral (select max(h.day) as day from profile_history h where h.resource_id = r.id) h on true
    where o.integration = ${integration} and o.gone_at is null and r.integration = ${integration} and r.entity_type = 'table' and not r.stale
    order by h.day nulls first, r.external_usage desc, r.id limit ${MAX_TABLES}
  `.execute(db)
  return rows.map(({ id }) => id)
}
