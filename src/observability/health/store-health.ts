import { sql } from 'kysely'
import { computedSeveritySql, ownSeveritySql, recentSchemaChangeSql, SCHEMA_CHANGE_DAYS } from '../../catalog/records/health-conditions.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'

const BATCH_ROWS = 2_000 // computed in about a tenth of a second

/**
 * Stores the health of what has changed ([why](../../../docs/decisions/0046-stored-health.md)). Runs every few seconds in every worker, one at a time:
 * of two at once, the one that computed earlier could write later.
 */
export const storeChangedHealth = async (ctx: Context, stopping?: AbortSignal): Promise<void> => {
  if (!stopping?.aborted) await queueExpired(ctx)
  while (!stopping?.aborted && (await storeBatch(ctx)));
}

/** Changes of columns that are no longer recent. */
const queueExpired = ({ db }: Context): Promise<unknown> =>
  sql`select queue_health(array(select h.resource_id from resource_health h where h.valid_until <= now()))`.execute(db)

/** False if nothing is left, or another process is at work. */
const storeBatch = async (ctx: Context): Promise<boolean> => {
  const { rows } = await sql<{ waiting: boolean }>`select exists (select from changed_health) as waiting`.execute(ctx.db)
  if (!rows[0]!.waiting) return false
  return inTransaction({ ...ctx, actor: SYSTEM }, async (ctx) => {
    const { rows: locked } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('resource_health', 0)) as free`.execute(ctx.db)
    if (!locked[0]!.free) return false
    // After many monitors or paths were added, before the next analyze, each resource would read all of them.
    await sql`set local enable_seqscan = off`.execute(ctx.db)
    const { rows: changed } = await sql<{ resource_id: string }>`
      delete from changed_health where ctid = any(array(select ctid from changed_health limit ${sql.lit(BATCH_ROWS)})) returning resource_id
    `.execute(ctx.db)
    // A later statement than the deletion: it sees everything that the transactions of these rows have written.
    await storeHealth(
      ctx,
      changed.map(({ resource_id }) => resource_id),
    )
    return changed.length === BATCH_ROWS
  })
}

/** Writes only what is different. Deleted resources have none. */
const storeHealth = async ({ db, actor }: Context, ids: readonly string[]): Promise<void> => {
  await sql`
    with computed as materialized (
      select r.id, ${computedSeveritySql(actor, 'r')}::smallint as severity, ${ownSeveritySql('r')}::smallint as own_severity, (
        select max(e.logged_at) + make_interval(days => ${sql.lit(SCHEMA_CHANGE_DAYS)})
        from activities e where e.resource_id = r.id and ${recentSchemaChangeSql('e')}
      ) as valid_until
      from resources r where r.id = any(${ids}::uuid[])
    ), unknown as (
      delete from resource_health h using computed c where h.resource_id = c.id and c.severity = 3
    ), deleted as (
      delete from resource_health h where h.resource_id = any(${ids}::uuid[]) and not exists (select from resources r where r.id = h.resource_id)
    )
    insert into resource_health as h (resource_id, severity, own_severity, valid_until)
    select c.id, c.severity, c.own_severity, c.valid_until from computed c where c.severity < 3
    on conflict (resource_id) do update
      set severity = excluded.severity, own_severity = excluded.own_severity, valid_until = excluded.valid_until
      where (h.severity, h.own_severity, h.valid_until) is distinct from (excluded.severity, excluded.own_severity, excluded.valid_until)
  `.execute(db)
}
