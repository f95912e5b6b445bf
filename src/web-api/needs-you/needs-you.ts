import { sql } from 'kysely'
import { findBriefs } from '../../catalog/listing/brief.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { NEED_KINDS, type NeedHide, type NeedItem, type NeedKind, type NeedsYou, type NeedsYouQuery } from './schema.ts'
import { type Owner, ownedIdsSql, sectionSql } from './section-sql.ts'

/** What waits for the caller, in sections, and how they hide entries. */

interface EntryRow {
  readonly id: string
  readonly resource_id: string | null
  readonly since: string
  readonly text: string | null
  readonly count: number
}

const DEFAULT_LIMIT = 10
const MAX_TEXT_LENGTH = 300
const MAX_LISTED = 20_000 // resources a person owns that are listed one by one; who owns more finds enough entries soon

export const getNeedsYou = async (ctx: Context, { limit = DEFAULT_LIMIT, kind }: NeedsYouQuery): Promise<NeedsYou> => {
  const owner = await getOwner(ctx)
  if (!owner) return { total: 0, sections: [] }
  const read = await Promise.all(
    NEED_KINDS.filter((each) => kind === undefined || each === kind).map(async (each) => ({
      kind: each,
      rows: await readSection(ctx, owner, each, limit),
    })),
  )
  const ids = read.flatMap(({ rows }) => rows.flatMap(({ resource_id }) => resource_id ?? []))
  const briefs = new Map((await findBriefs(ctx, [...new Set(ids)])).map((brief) => [brief.id, brief]))
  const sections = read.flatMap(({ kind, rows }) => {
    const count = rows[0]?.count ?? 0
    const items = rows.map(({ id, resource_id, since, text }): NeedItem => {
      const resource = (resource_id && briefs.get(resource_id)) || null
      return {
        ...{ id, kind, since, resource },
        text: text === null ? null : [...text.slice(0, 2 * MAX_TEXT_LENGTH)].slice(0, MAX_TEXT_LENGTH).join(''),
        integration: kind === 'syncs' ? id : null,
      }
    })
    return count === 0 ? [] : [{ kind, count, items }]
  })
  return { total: sections.reduce((sum, { count }) => sum + count, 0), sections }
}

const getOwner = async ({ db, actor, limits }: Context): Promise<Owner | undefined> => {
  const { user_id } = actor
  if (!user_id) return undefined
  const { rows } = await sql<{ group_id: string }>`
    select m.group_id from group_members m where m.user_id = ${user_id}::uuid`.execute(db, limits)
  const groups = rows.map(({ group_id }) => group_id)
  const { rows: owned } = await sql<{ resource_id: string }>`
    select o.resource_id from ${ownedIdsSql({ user_id, groups })} o limit ${sql.lit(MAX_LISTED + 1)}`.execute(db, limits)
  return { user_id, groups, ...(owned.length <= MAX_LISTED && { owned: owned.map(({ resource_id }) => resource_id) }) }
}

const readSection = async (ctx: Context, owner: Owner, kind: NeedKind, limit: number): Promise<readonly EntryRow[]> => {
  const query = sectionSql(ctx, owner, kind, limit)
  return query ? (await sql<EntryRow>`${query}`.execute(ctx.db, ctx.limits)).rows : []
}

const MAX_HIDDEN = 10_000 // per person

/** Hides an entry from the caller's own list, for good or until a time. */
export const hideNeed = (ctx: Context, { kind, id, until }: NeedHide): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { user_id } = ctx.actor
    if (!user_id) throw notFound('user', '')
    if (until && new Date(until) <= ctx.now) throw invalid({ until: [translatable('must be in the future.')] })
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from needs_you_hidden h where h.user_id = ${user_id}::uuid`.execute(ctx.db)
    if (rows[0]!.count >= MAX_HIDDEN)
      await sql`
        delete from needs_you_hidden h where (h.user_id, h.kind, h.item_id) in (
          select o.user_id, o.kind, o.item_id from needs_you_hidden o where o.user_id = ${user_id}::uuid order by o.created_at limit 1000)
      `.execute(ctx.db)
    await sql`
      insert into needs_you_hidden (user_id, kind, item_id, until, created_at)
      values (${user_id}::uuid, ${kind}, ${parseId(id)!}::uuid, ${until ?? null}::timestamptz, ${ctx.now}::timestamptz)
      on conflict (user_id, kind, item_id) do update set until = excluded.until, created_at = excluded.created_at
    `.execute(ctx.db)
  })

/** Shows a hidden entry again. */
export const unhideNeed = async ({ db, actor }: Context, { kind, id }: Pick<NeedHide, 'kind' | 'id'>): Promise<void> => {
  await sql`
    delete from needs_you_hidden h where h.user_id = ${actor.user_id}::uuid and h.kind = ${kind} and h.item_id = ${parseId(id)!}::uuid
  `.execute(db)
}

/** Runs once an hour: entries that are shown again need no row. */
export const deleteExpiredHidden = async ({ db, now }: Context): Promise<void> => {
  await sql`delete from needs_you_hidden h where h.until < ${now}::timestamptz`.execute(db)
}
