import { sql } from 'kysely'
import { findStepsDownstream, type PathStep } from '../../lineage/graph/paths-downstream.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { DomainEvent } from '../../platform/history/events.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { addTask } from '../../platform/queue/add-task.ts'

/**
 * `incident_paths`: the lineage downstream of every table with an open incident, so that a list does not traverse the graph for each of its
 * rows ([why](../../../docs/decisions/0023-health.md)).
 */
export const REFRESH_INCIDENT_PATHS_TASK = 'incident_paths'

/** Queued without a key: tasks with the same key would make transactions that open incidents wait for each other. */
export const queueIncidentPaths = async (ctx: Context, events: readonly DomainEvent[]): Promise<void> => {
  if (events.some(({ kind }) => CHANGES.includes(kind)))
    await addTask(ctx.db, REFRESH_INCIDENT_PATHS_TASK, {}, { queue: REFRESH_INCIDENT_PATHS_TASK, maxAttempts: 1 })
}
const CHANGES: readonly string[] = ['incident_opened', 'incident_reopened', 'incident_resolved']

/** Also runs every minute, because lineage changes too. */
export const refreshIncidentPaths = (ctx: Context): Promise<void> =>
  inTransaction({ ...ctx, actor: SYSTEM }, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('incident_paths', 0))`.execute(ctx.db)
    const paths = await findIncidentPaths(ctx)
    const newPaths = sql`unnest(${paths.map(({ to }) => to)}::uuid[], ${paths.map(({ from }) => from)}::uuid[]) w (resource_id, upstream_id)`
    await sql`
      delete from incident_paths p where not exists (
        select from ${newPaths} where w.resource_id = p.resource_id and w.upstream_id = p.upstream_id)
    `.execute(ctx.db)
    await sql`insert into incident_paths (resource_id, upstream_id) select * from ${newPaths} on conflict do nothing`.execute(ctx.db)
  })

const findIncidentPaths = async (ctx: Context): Promise<PathStep[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct n.table_id as id from monitor_incidents n join resources r on r.id = n.table_id where n.status <> 'resolved'
  `.execute(ctx.db)
  return findStepsDownstream(
    ctx,
    rows.map(({ id }) => id),
  )
}
