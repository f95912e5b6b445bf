import { sql } from 'kysely'
import { openTo, viewOf } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/connect.ts'
import { invalid } from '../errors.ts'
import { recordActivities } from '../history/record.ts'

/** Everyone who pushes metadata is an integration: an unknown ID is registered when it is first used. */
export const registerIntegrations = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  const held = heldIn(ctx)
  const wanted = [...new Set(ids)].filter((id) => !held.has(id))
  if (wanted.length === 0) return
  // The resource's foreign key takes this lock anyway: taken here, an integration that is being deleted is found missing and registered again.
  const { rows: known } = await sql<{ id: string }>`
    select i.id from integrations i where i.id = any(${wanted}::uuid[]) order by i.id for key share
  `.execute(ctx.db)
  const there = new Set(known.map(({ id }) => id))
  for (const id of there) held.add(id)
  const unknown = wanted.filter((id) => !there.has(id))
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
export const mustBeOpen = async (ctx: Context, ids: readonly (string | null | undefined)[]): Promise<void> => {
  const named = [...new Set(ids)].filter((id) => typeof id === 'string')
  if (named.length === 0 || viewOf(ctx.actor).foreign_teams.length === 0) return
  const { rows } = await sql`
    select from integrations i where i.id = any(${named}::uuid[]) and not ${openTo(ctx.actor, 'i')} limit 1
  `.execute(ctx.db)
  if (rows.length > 0) throw invalid({ integration: ['cannot be used.'] })
}

/** Integrations this transaction has found and locked, so that batches of the same import do not query them again. */
const held = new WeakMap<Db, Set<string>>()
const heldIn = ({ db, in_transaction }: Context): Set<string> => {
  const known = (in_transaction && held.get(db)) || new Set()
  if (in_transaction) held.set(db, known)
  return known
}
