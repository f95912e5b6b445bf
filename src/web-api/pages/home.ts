import { type RawBuilder, sql } from 'kysely'
import { findBriefs, findBriefsByQuery, type ResourceBrief } from '../../catalog/listing/brief.ts'
import { listInbox } from '../../notifications/inbox/inbox.ts'
import { describeIncident } from '../../observability/incidents/summary.ts'
import type { Context } from '../../platform/context/context.ts'
import { parsePageRequest } from '../../platform/lists/page.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { findNames } from './names.ts'
import type { Home } from './schema.ts'

/** The home page of the web app: a short list per section for this user. */
export const getHome = async (ctx: Context, limit: number, publicUrl?: string): Promise<Home> => {
  const [{ results: changes }, incidents, bookmarks, drafts, questions, most_used, recent] = await Promise.all([
    listInbox(ctx, {}, parsePageRequest({ page_size: limit }, ''), publicUrl),
    findHomeIncidents(ctx, limit),
    findBriefsByQuery(ctx, bookmarksSql(ctx)),
    findBriefsByQuery(ctx, draftsSql(ctx, limit)),
    findBriefsByQuery(ctx, questionsSql(ctx, limit)),
    findMostUsedBriefs(ctx, limit),
    findRecentlyViewed(ctx, limit),
  ])
  const shown = [...bookmarks, ...drafts, ...questions, ...most_used, ...recent, ...incidents.map(({ target }) => target)]
  const names = await findNames(
    ctx,
    shown.flatMap(({ owners, tags, integration }) => [...owners, ...tags, integration]),
  )
  return { changes, incidents, bookmarks, drafts, questions, most_used, recent, names }
}

const MAX_BOOKMARKS = 50 // the page collapses them

/** Bookmarks of the user, by title. */
const bookmarksSql = ({ actor }: Context): RawBuilder<unknown> => sql`
  select r.id, row_number() over (order by lower(r.title), r.id) as n from resource_refs f join resources r on r.id = f.resource_id
  where f.target = ${actor.user_id} and f.field = 'bookmarked_by' and not r.archived and ${visibleTo(actor)} order by n limit ${MAX_BOOKMARKS}`

/** Unpublished documents that the user created or owns, last updated first. */
const draftsSql = ({ actor }: Context, limit: number): RawBuilder<unknown> => sql`
  select r.id, row_number() over (order by r.updated_at desc, r.id) as n from resources r
  where r.entity_type = 'document' and not r.published and not r.archived and ${visibleTo(actor)} and r.id in (
    select f.resource_id from resource_refs f where f.target = ${actor.user_id} and f.field = 'owners'
    union
    select a.resource_id from (
      select resource_id from activities where performer_id = ${actor.user_id} and version = 1 and resource_type = 'document'
      order by logged_at desc limit 500
    ) a
  ) order by n limit ${limit}`

/** Open questions assigned to the user, owned or subscribed. Authors are subscribed to their questions. */
const questionsSql = ({ actor }: Context, limit: number): RawBuilder<unknown> => sql`
  select r.id, row_number() over (order by r.updated_at desc, r.id) as n from resources r
  where r.entity_type = 'question' and r.question_status = 'open' and not r.archived and ${visibleTo(actor)} and (
    r.question_assigned_to = ${actor.user_id}
    or r.id in (select f.resource_id from resource_refs f where f.target = ${actor.user_id} and f.field in ('subscribers', 'owners'))
  ) order by n limit ${limit}`

/** Entity types for "most used": neither columns nor containers. */
const MOST_USED_ENTITY_TYPES = ['table', 'dashboard', 'document', 'glossary', 'chart', 'report']

/** Uses the index per entity type, then takes the most used of all. */
const findMostUsedBriefs = (ctx: Context, limit: number): Promise<ResourceBrief[]> =>
  findBriefsByQuery(
    ctx,
    sql`
      select u.id, row_number() over (order by u.external_usage desc, u.id) as n from unnest(${MOST_USED_ENTITY_TYPES}::text[]) t (entity_type)
      cross join lateral (
        select r.id, r.external_usage from resources r
        where r.entity_type = t.entity_type and r.external_usage > 0 and not r.archived and ${visibleTo(ctx.actor)}
        order by r.external_usage desc, r.id limit ${limit}
      ) u order by n limit ${limit}`,
  )

const findRecentlyViewed = async (ctx: Context, limit: number): Promise<Home['recent']> => {
  const { rows } = await sql<{ id: string; viewed_at: string }>`
    select v.resource_id as id, max(v.last_at) as viewed_at from resource_views v join resources r on r.id = v.resource_id
    where v.user_id = ${ctx.actor.user_id} and ${visibleTo(ctx.actor)} group by 1 order by 2 desc, 1 limit ${limit}
  `.execute(ctx.db, ctx.limits)
  const at = new Map(rows.map(({ id, viewed_at }) => [id, viewed_at]))
  return (await findBriefs(ctx, [...at.keys()])).map((brief) => ({ ...brief, viewed_at: at.get(brief.id)! }))
}

type OpenIncidentRow = Omit<Home['incidents'][number], 'target' | 'summary_translatable'> & {
  readonly target: string
  readonly lower_threshold: number | null
  readonly upper_threshold: number | null
  readonly runs_outside: number
  readonly metric_type: string
  readonly monitor_name: string
}

const findHomeIncidents = async (ctx: Context, limit: number): Promise<Home['incidents']> => {
  if (!can(ctx.actor, 'monitors.read')) return []
  const { rows } = await sql<OpenIncidentRow>`
    select i.id, i.name, i.status, i.summary, i.value, i.lower_threshold, i.upper_threshold, i.runs_outside, i.first_seen_at, i.last_seen_at,
      i.monitor, i.target, m.metric_type, m.name as monitor_name
    from monitor_incidents i join monitors m on m.id = i.monitor join resources r on r.id = i.target
    where i.status <> 'resolved' and (i.snoozed_until is null or i.snoozed_until <= ${ctx.now}::timestamptz) and ${visibleTo(ctx.actor)}
    order by exists (
      select from resource_refs f where f.target = ${ctx.actor.user_id} and f.field in ('owners', 'subscribers') and f.resource_id in (r.id, r.parent)
    ) desc, i.created_at desc, i.id limit ${limit}
  `.execute(ctx.db, ctx.limits)
  const targets = new Map((await findBriefs(ctx, [...new Set(rows.map(({ target }) => target))])).map((brief) => [brief.id, brief]))
  return rows.flatMap(({ lower_threshold: lower, upper_threshold: upper, runs_outside, metric_type, monitor_name: name, ...row }) => {
    const target = targets.get(row.target)
    if (!target) return []
    const facts = { ...row, metric_type, name, target: target.title_full, lower, upper, runs_outside }
    return [{ ...row, summary_translatable: describeIncident(facts), target }]
  })
}
