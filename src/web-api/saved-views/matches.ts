import { type RawBuilder, sql } from 'kysely'
import { buildMatchCondition } from '../../catalog/listing/list.ts'
import { parseCatalogRequest } from '../../catalog/listing/query.ts'
import { parseSearchTerm } from '../../catalog/search-index/search-term.ts'
import { findUserActors } from '../../platform/authentication/actors.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { parsePageRequest } from '../../platform/lists/page.ts'
import { toViewSearch } from './view-filter.ts'

/** Saved views that notify their owner about new matches. */
const MAX_WATCHED_MATCHES = 10_000
const MAX_NOTIFIED = 20 // of one check; the others are only recorded as seen
const CHECK_EVERY_MS = 15 * 60_000
const MAX_CHECKS = 200 // of one round

interface WatchedView {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly query: string
  readonly shared: boolean
}

/** The resources that the view shows to the actor of the context, under the alias `r`. */
const matchSql = async (ctx: Context, query: string): Promise<RawBuilder<unknown>> => {
  const { search_term, spelling, filter } = toViewSearch(query)
  const request = await parseCatalogRequest(ctx, { search_term, spelling, filter }, parsePageRequest({}, ''))
  const term =
    request.search_term === undefined ? undefined : await parseSearchTerm(ctx, request.search_term, { spelling: request.spelling })
  return sql`select r.id from resources r where ${buildMatchCondition(ctx, request.filter, term)('r')} limit ${MAX_WATCHED_MATCHES + 1}`
}

/** Records what a view matches now, so that only later matches are new. Fails if these are too many, or the view cannot be read. */
export const recordMatches = async (ctx: Context, id: string, query: string): Promise<void> => {
  const matches = await matchSql(ctx, query)
  await sql`delete from saved_view_matches where view_id = ${id}`.execute(ctx.db)
  const { numAffectedRows = 0n } = await sql`
    insert into saved_view_matches (view_id, resource_id) select ${id}::uuid, m.id from (${matches}) m`.execute(ctx.db)
  if (numAffectedRows > MAX_WATCHED_MATCHES)
    throw invalid({
      notify: [
        translatable('Views with more than {max} results cannot notify you. Narrow this one with a filter.', {
          max: MAX_WATCHED_MATCHES.toLocaleString('en'),
        }),
      ],
    })
}

/** Checks the views whose turn it is. Each sees what its owner may see at this moment. */
export const checkDueViews = async (ctx: Context, onError: (error: unknown, what: string) => void): Promise<void> => {
  const { rows } = await sql<WatchedView>`
    select v.id, v.user_id, v.name, v.query, v.shared from saved_views v
    where v.notify and (v.checked_at is null or v.checked_at <= ${new Date(ctx.now.getTime() - CHECK_EVERY_MS)}::timestamptz)
    order by v.checked_at nulls first limit ${MAX_CHECKS}`.execute(ctx.db)
  const actors = await findUserActors(ctx.db, [...new Set(rows.map(({ user_id }) => user_id))])
  for (const view of rows) {
    const actor = actors.get(view.user_id)
    try {
      if (actor) await checkView(ctx, view, await matchSql({ ...ctx, actor }, view.query))
    } catch (error) {
      // E.g. a filter by a custom property that was deleted. The view shows its owner why.
      if (!(error instanceof ApiError)) onError(error, `saved view ${view.id}`)
    }
    await sql`update saved_views set checked_at = ${ctx.now}::timestamptz where id = ${view.id}`.execute(ctx.db)
  }
}

interface Match {
  readonly id: string
  readonly entity_type: string
  readonly title: string
  readonly icon: string | null
  readonly integration: string | null
}

/**
 * Recorded as done by the system: people are not notified about what they do themselves. A view that has grown beyond the limit waits until it is narrowed:
 * which of its matches are read is not always the same.
 */
const checkView = async (ctx: Context, view: WatchedView, matches: RawBuilder<unknown>): Promise<void> => {
  await inTransaction(ctx, async (ctx) => {
    // An edit since the views were read has recorded the matches of another query.
    const { rows: same } = await sql`
      select from saved_views v where v.id = ${view.id} and v.notify and v.query = ${view.query} for no key update`.execute(ctx.db)
    if (same.length === 0) return
    // What no longer matches is new when it matches again.
    const { rows } = await sql<Match>`
      with found as materialized (${matches}),
      matched as materialized (select f.id from found f where (select count(*) from found) <= ${MAX_WATCHED_MATCHES}),
      gone as (
        delete from saved_view_matches s where s.view_id = ${view.id} and (select count(*) from found) <= ${MAX_WATCHED_MATCHES} and not exists (select from matched m where m.id = s.resource_id)
      ), added as (
        insert into saved_view_matches (view_id, resource_id) select ${view.id}::uuid, m.id from matched m
        on conflict do nothing returning resource_id
      )
      select r.id, r.entity_type, r.title, r.icon, r.integration from added a join resources r on r.id = a.resource_id
      order by r.updated_at desc, r.id limit ${MAX_NOTIFIED}`.execute(ctx.db)
    for (const { id, entity_type, title, icon, integration } of rows)
      await recordEvent(ctx, {
        kind: 'view_matched',
        resource: { id, type: entity_type, title, icon, integration_id: integration },
        recipients: [view.user_id],
        // The log of a resource is read by others, too.
        payload: { view: view.id, name: view.shared ? view.name : null },
      })
  })
}
