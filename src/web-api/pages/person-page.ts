import { type RawBuilder, sql } from 'kysely'
import { ownsVisibleResourceSql, userNameSql } from '../../accounts/shared/names.ts'
import { findBriefs, type ResourceBrief } from '../../catalog/listing/brief.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { getInitials } from './names.ts'
import type { PersonPage } from './schema.ts'

const MAX_ENTRIES = 10
const MAX_READ = 500 // recent edits and answers that are looked through for resources the caller can see

/**
 * A person with what they did, cut to what the caller can see. Callers without `people.read` find themselves, owners of what they see and
 * authors of comments on it, without e-mail address and role.
 */
export const getPersonPage = async (ctx: Context, id: string): Promise<PersonPage> => {
  const person = await getPerson(ctx, id)
  const [member_of, edited, questions, answers] = await Promise.all([
    findMemberships(ctx, id),
    findEdited(ctx, id),
    findOpenQuestions(ctx, id),
    findAnswered(ctx, id),
  ])
  return { ...person, initials: getInitials(person.name), ...member_of, edited, questions, answers }
}

const getPerson = async (ctx: Context, id: string) => {
  const isOpen = can(ctx.actor, 'people.read') || ctx.actor.user_id === id
  const { rows } = await sql<Pick<PersonPage, 'id' | 'name' | 'email' | 'role' | 'disabled'>>`
    select u.id, ${userNameSql(ctx.actor, 'u')} as name, ${isOpen ? sql`u.email` : sql`null`} as email, ${isOpen ? sql`u.role` : sql`null`} as role,
      u.disabled_at is not null as disabled
    from users u where u.id = ${id} and u.deleted_at is null
      and ${isOpen ? sql`true` : sql`(${ownsVisibleResourceSql(ctx.actor, 'u', 'owners')} or ${hasVisibleCommentSql(ctx)})`}
  `.execute(ctx.db, ctx.limits)
  if (!rows[0]) throw notFound('user', id)
  return rows[0]
}

const hasVisibleCommentSql = ({ actor }: Context): RawBuilder<boolean> => sql<boolean>`exists (
  select from comments c join resources r on r.id = c.resource_id where c.created_by = u.id and c.text is not null and ${visibleTo(actor)})`

/** Teams and groups of the person: all with `people.read`, else those of the caller too. */
const findMemberships = async (ctx: Context, id: string): Promise<Pick<PersonPage, 'teams' | 'groups'>> => {
  const everyone = can(ctx.actor, 'people.read')
  const read = async (kind: 'team' | 'group') => {
    const members = sql.table(`${kind}_members`)
    const key = sql.ref(`m.${kind}_id`)
    const shared = everyone
      ? sql`true`
      : sql`exists (select from ${members} o where o.${sql.ref(`${kind}_id`)} = ${key} and o.user_id = ${ctx.actor.user_id}::uuid)`
    const { rows } = await sql<{ id: string; name: string }>`
      select g.id, g.name from ${members} m join ${sql.table(`${kind}s`)} g on g.id = ${key} where m.user_id = ${id} and ${shared} order by lower(g.name), g.id
    `.execute(ctx.db, ctx.limits)
    return rows
  }
  const [teams, groups] = await Promise.all([read('team'), read('group')])
  return { teams, groups }
}

/** Recently edited resources, the last edit first. */
const findEdited = async (ctx: Context, id: string): Promise<PersonPage['edited']> => {
  const { rows } = await sql<{ id: string; at: string }>`
    select r.id, max(a.logged_at) as at from (
      select a.resource_id, a.logged_at from activities a where a.performer_id = ${id} and a.version is not null
      order by a.logged_at desc limit ${sql.lit(MAX_READ)}
    ) a join resources r on r.id = a.resource_id
    where r.entity_type not in ('question', 'question_reply') and not r.archived and ${visibleTo(ctx.actor)} group by 1 order by 2 desc, 1 limit ${MAX_ENTRIES}
  `.execute(ctx.db, ctx.limits)
  const at = new Map(rows.map((row) => [row.id, row.at]))
  return (await findBriefs(ctx, [...at.keys()])).map((brief) => ({ ...brief, edited_at: at.get(brief.id)! }))
}

/** Questions and replies of the person, the newest first. */
const writtenSql = (id: string, type: 'question' | 'question_reply') => sql`
  (select a.resource_id, a.logged_at from activities a
   where a.performer_id = ${id} and a.version = 1 and a.resource_type in ('question', 'question_reply') and a.resource_type = ${type}
   order by a.logged_at desc limit ${sql.lit(MAX_READ)})`

const findInOrder = async (ctx: Context, query: RawBuilder<unknown>): Promise<ResourceBrief[]> => {
  const { rows } = await sql<{ id: string }>`${query} limit ${MAX_ENTRIES}`.execute(ctx.db, ctx.limits)
  return findBriefs(
    ctx,
    rows.map(({ id }) => id),
  )
}

/** Open questions that the person asked or is assigned to. */
const findOpenQuestions = (ctx: Context, id: string): Promise<ResourceBrief[]> =>
  findInOrder(
    ctx,
    sql`select r.id from resources r
      where r.entity_type = 'question' and r.question_status = 'open' and not r.archived and ${visibleTo(ctx.actor)}
        and (r.question_assigned_to = ${id} or r.id in (select w.resource_id from ${writtenSql(id, 'question')} w))
      order by r.created_at desc, r.id`,
  )

/** Questions that the person replied to. */
const findAnswered = (ctx: Context, id: string): Promise<ResourceBrief[]> =>
  findInOrder(
    ctx,
    sql`select r.id from ${writtenSql(id, 'question_reply')} w join resources a on a.id = w.resource_id join resources r on r.id = a.parent
      where r.entity_type = 'question' and ${visibleTo(ctx.actor, 'a')} and ${visibleTo(ctx.actor)}
      group by r.id order by max(w.logged_at) desc, r.id`,
  )
