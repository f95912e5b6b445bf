import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { Db } from '../../platform/db/connect.ts'
import { recordActivities } from '../../platform/history/record.ts'
import { getVisibilityKey, integrationsVisibleTo } from '../../platform/permissions/permissions.ts'

/** Everyone who pushes metadata is an integration: an unknown ID is registered when it is first used. */
export const registerIntegrations = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  const registered = getRegisteredIds(ctx)
  const missing = [...new Set(ids)].filter((id) => !registered.has(id))
  if (missing.length === 0) return
  // The resource's foreign key takes this lock anyway: taken here, an integration that is being deleted is found missing and registered again.
  const { rows: found } = await sql<{ id: string }>`
    select i.id from integrations i where i.id = any(${missing}::uuid[]) order by i.id for key share
  `.execute(ctx.db)
  const existing = new Set(found.map(({ id }) => id))
  for (const id of existing) registered.add(id)
  const unknown = missing.filter((id) => !existing.has(id))
  if (unknown.length === 0) return
  const { rows: added } = await sql<{ id: string; name: string }>`
    insert into integrations (id, name, type, created_at, updated_at)
    select id, 'Custom ' || left(id::text, 8), 'custom', ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
    from unnest(${unknown}::uuid[]) as w(id)
    on conflict (id) do nothing
    returning id, name
  `.execute(ctx.db)
  await recordActivities(
    ctx,
    added.map(({ id, name }) => ({
      activity_type: 'integration_created',
      resource_id: id,
      resource_type: 'integration',
      resource_title: name,
      integration_id: id,
    })),
  )
}

/**
 * Callers cannot use an integration that a closed team hides from them. Unknown integrations are registered on first use, so the error reveals
 * that this one exists, but nothing else: every reason it cannot be used has the same message.
 */
export const requireIntegrationAccess = async (ctx: Context, ids: readonly (string | null | undefined)[]): Promise<void> => {
  const named = [...new Set(ids)].filter((id) => typeof id === 'string')
  if (named.length === 0 || getVisibilityKey(ctx.actor).foreign_teams.length === 0) return
  const { rows } = await sql`
    select from integrations i where i.id = any(${named}::uuid[]) and not ${integrationsVisibleTo(ctx.actor, 'i')} limit 1
  `.execute(ctx.db)
  if (rows.length > 0) throw invalid({ integration: ['You do not have access to this integration.'] })
}

/** The caller has found and locked it in this transaction. */
export const markRegistered = (ctx: Context, id: string): void => {
  getRegisteredIds(ctx).add(id)
}

/** Integrations this transaction has found and locked, so that batches of the same import do not query them again. */
const registeredIds = new WeakMap<Db, Set<string>>()
const getRegisteredIds = ({ db, in_transaction }: Context): Set<string> => {
  const existing = (in_transaction && registeredIds.get(db)) || new Set()
  if (in_transaction) registeredIds.set(db, existing)
  return existing
}
