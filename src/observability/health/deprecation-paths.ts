import { sql } from 'kysely'
import { findStepsDownstream } from '../../lineage/graph/paths-downstream.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'

/**
 * `deprecation_paths`: the lineage downstream of every deprecated resource, as `incident_paths` is for incidents. What reads one directly is found
 * through its edges, so only what is further away waits for the next refresh.
 */
export const REFRESH_DEPRECATION_PATHS_TASK = 'deprecation_paths'

/** Runs every minute. Writes only what changed. */
export const refreshDeprecationPaths = (ctx: Context): Promise<void> =>
  inTransaction({ ...ctx, actor: SYSTEM }, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('deprecation_paths', 0))`.execute(ctx.db)
    const { rows } = await sql<{ id: string }>`select r.id from resources r where r.deprecation is not null`.execute(ctx.db)
    const steps = await findStepsDownstream(
      ctx,
      rows.map(({ id }) => id),
    )
    const newSteps = sql`unnest(${steps.map(({ to }) => to)}::uuid[], ${steps.map(({ from }) => from)}::uuid[], ${steps.map(({ depth }) => depth)}::int[])
      w (resource_id, upstream_id, depth)`
    await sql`
      delete from deprecation_paths p where not exists (
        select from ${newSteps} where w.resource_id = p.resource_id and w.upstream_id = p.upstream_id)
    `.execute(ctx.db)
    await sql`
      insert into deprecation_paths as p (resource_id, upstream_id, depth) select * from ${newSteps}
      on conflict (resource_id, upstream_id) do update set depth = excluded.depth where p.depth <> excluded.depth
    `.execute(ctx.db)
  })
