import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { computeNextRetry } from '../../sources/integrations/schedule.ts'

/** State of the PII scans of an integration: the last successful scan, tables that could not be read, and when to retry them. */

export const markScanQueued = async ({ db }: Context, integration: string, job: string): Promise<void> => {
  await sql`update pii_rules set scan_job = ${job} where integration = ${integration}`.execute(db)
}

/** Records the end of the scan that started at `began`. Failed tables that were due and not seen no longer exist in the source. */
export const markScanned = async ({ db }: Context, integration: string, started: Date): Promise<void> => {
  await sql`
    with gone as (delete from pii_failed_scans where integration = ${integration} and retry_at <= ${started}::timestamptz)
    update pii_rules set scanned_at = ${started}::timestamptz, scan_failures = 0, scan_retry_at = null where integration = ${integration}
  `.execute(db)
}

/** Nothing could be read: schedules a retry of the whole scan. */
export const markScanFailed = async ({ db }: Context, integration: string, now: Date): Promise<void> => {
  const { rows } = await sql<{ failures: number }>`
    update pii_rules set scan_failures = scan_failures + 1 where integration = ${integration} returning scan_failures as failures
  `.execute(db)
  if (rows[0])
    await sql`update pii_rules set scan_retry_at = ${computeNextRetry(rows[0].failures, now)}::timestamptz where integration = ${integration}`.execute(
      db,
    )
}

export const markTableScanned = async ({ db }: Context, table: string): Promise<void> => {
  await sql`delete from pii_failed_scans where resource_id = ${table}`.execute(db)
}

export const markTableFailed = async ({ db }: Context, integration: string, table: string, error: string, now: Date): Promise<void> => {
  const { rows } = await sql<{ failures: number }>`
    insert into pii_failed_scans (resource_id, integration, failures, retry_at, error)
    select r.id, ${integration}, 1, ${computeNextRetry(1, now)}::timestamptz, ${error} from resources r where r.id = ${table}
    on conflict (resource_id) do update set integration = excluded.integration, failures = pii_failed_scans.failures + 1, error = excluded.error
    returning failures
  `.execute(db)
  if (rows[0] && rows[0].failures > 1)
    await sql`update pii_failed_scans set retry_at = ${computeNextRetry(rows[0].failures, now)}::timestamptz where resource_id = ${table}`.execute(
      db,
    )
}

/** Whether a table (by the SQL of its ID) could not be read and is due for a retry. */
export const isDueForRetrySql = (id: RawBuilder<unknown>, now: string): RawBuilder<boolean> =>
  sql`exists (select from pii_failed_scans f where f.resource_id = ${id} and f.retry_at <= ${now}::timestamptz)`

const ABANDONED_AFTER_SQL = sql`interval '1 day'` // a job without progress for this long is abandoned

/** Integrations to scan: synced since the last scan, or with failed tables that are due. Not while a scan is running. */
export const findDueScans = async ({ db, now }: Context): Promise<{ integration_id: string; since: string | null }[]> => {
  const { rows } = await sql<{ integration_id: string; since: string | null }>`
    select p.integration as integration_id, p.scanned_at as since from pii_rules p join integrations i on i.id = p.integration
    where p.scan_after_sync and i.last_sync_status = 'COMPLETED' and i.removal_job is null and coalesce(p.scan_retry_at <= ${now}::timestamptz, true)
      and (i.last_synced_at > coalesce(p.scanned_at, '-infinity')
        or exists (select from pii_failed_scans f where f.integration = p.integration and f.retry_at <= ${now}::timestamptz))
      and not exists (
        select from background_jobs j where j.id = p.scan_job and j.completed is null and j.updated_at > ${now}::timestamptz - ${ABANDONED_AFTER_SQL})
    order by i.last_synced_at limit 100
  `.execute(db)
  return rows
}
