import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { permissionDenied } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Db } from '../../platform/db/connect.ts'
import { type Actor, getVisibilityKey, SYSTEM, visibleTo } from '../../platform/permissions/permissions.ts'

/**
 * Metadata that users send is written by the integration, which sees everything. These functions therefore check what the sender may see: a report
 * cannot change resources of the integration that are hidden from its sender, and the names in it never refer to hidden resources of others.
 */

const getHiddenTeams = (ctx: Context): readonly string[] => getVisibilityKey(ctx.actor).foreign_teams

const rejectReport = () =>
  permissionDenied(
    translatable(
      'This report concerns resources that you do not have access to. Send it with the token of an admin or of a member of their closed teams.',
    ),
  )

/** Rejects a report that would change one of these resources, if it is hidden from the sender. */
export const requireVisibleResources = async (
  sender: Context,
  integration: string,
  { ids, keys }: { readonly ids: readonly string[]; readonly keys: readonly string[] },
): Promise<void> => {
  if (getHiddenTeams(sender).length === 0) return
  const { rows } = await sql`
    select from resources r where not ${visibleTo(sender.actor)} and (r.id = any(${ids}::uuid[])
      or r.id in (select o.resource_id from resource_origins o where o.integration = ${integration} and o.key = any(${keys}::text[])))
    limit 1
  `.execute(sender.db)
  if (rows.length > 0) throw rejectReport()
}

/**
 * For reports that are stored until a sync processes them, together with all earlier ones. Rejects the report if a resource that the integration owns or
 * describes is hidden from the sender. Records the closed teams of others, whose resources the names in the report must not refer to. `replaces`: the
 * report replaces all earlier ones, and their closed teams.
 */
export const recordSender = async (ctx: Context, integration: string, { replaces }: { replaces: boolean }): Promise<void> => {
  const teams = getHiddenTeams(ctx)
  if (teams.length > 0) await requireNothingHidden(ctx, integration, teams)
  const recorded = replaces
    ? sql`nullif(${teams}::uuid[], '{}')`
    : sql`nullif(array(select unnest(i.hidden_teams) union select unnest(${teams}::uuid[])), '{}')`
  await sql`
    update integrations i set hidden_teams = ${recorded} where i.id = ${integration} and i.hidden_teams is distinct from ${recorded}
      and (${replaces} or not ${teams}::uuid[] <@ coalesce(i.hidden_teams, '{}'))
  `.execute(ctx.db)
}

const requireNothingHidden = async (ctx: Context, integration: string, teams: readonly string[]): Promise<void> => {
  const { rows } = await sql`
    with hidden as materialized (
      select r.id, r.integration from resource_refs f join resources r on r.id = f.resource_id
      where f.target = any(${teams}::uuid[]) and f.field = 'teams' and not ${visibleTo(ctx.actor)}
    )
    select from hidden h where h.integration = ${integration}
      or exists (select from resource_field_suggestions s where s.resource_id = h.id and s.integration = ${integration})
      or exists (select from source_queries q where q.target = h.id and q.integration = ${integration})
      or exists (select from query_reads q join resources r on r.id = q.query_id where q.resource_id = h.id and r.integration = ${integration})
      or exists (select from lineage_edges e join resources r on r.id = e.downstream where e.upstream = h.id and r.integration = ${integration})
      or exists (select from lineage_edges e join resources r on r.id = e.upstream where e.downstream = h.id and r.integration = ${integration})
    union all
    select from datahub_added_flows a, (select array_agg(h.id) as ids, array_agg(h.id::text) as names from hidden h) h
    where a.integration = ${integration} and (a.resource_id = any(h.ids) or a.flows -> 'inputs' ?| h.names or a.flows -> 'outputs' ?| h.names)
    limit 1
  `.execute(ctx.db)
  if (rows.length > 0) throw rejectReport()
}

/** The actor as whom names in the metadata of an integration are resolved; undefined if nothing is hidden from those who sent it. */
export const findSender = async (ctx: Context, hidden_teams: readonly string[] | null): Promise<Actor | undefined> => {
  if (hidden_teams === null) return undefined
  const { rows } = await sql<{ id: string }>`select id from teams where closed`.execute(ctx.db)
  const closed = rows.map(({ id }) => id)
  return {
    ...{ ...SYSTEM, role: 'editor' },
    foreign_teams: closed.filter((id) => hidden_teams.includes(id)),
    closed_teams: closed.filter((id) => !hidden_teams.includes(id)),
  }
}

/**
 * For each transaction of a sync: fails if metadata was sent since it began by somebody from whom more is hidden. The sync may have read it, and would resolve
 * its names with the eyes of those who had sent something before. The next attempt knows the sender.
 */
export const requireKnownSenders = async (db: Db, integration: string, hidden_teams: readonly string[] | null): Promise<void> => {
  const { rows } = await sql`
    select from integrations i where i.id = ${integration} and not i.hidden_teams <@ ${hidden_teams ?? []}::uuid[]
  `.execute(db)
  if (rows.length > 0) throw new Error('Metadata was sent during the sync by somebody who does not see everything. The sync starts again.')
}
