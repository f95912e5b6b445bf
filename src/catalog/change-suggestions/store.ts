import { type RawBuilder, sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { type Actor, can, visibleTo } from '../../platform/permissions/permissions.ts'
import type {
  ChangeSuggestion,
  ChangeSuggestionCreate,
  ChangeSuggestionEdit,
  ChangeSuggestionQuery,
  SuggestionAuthor,
  SuggestionGround,
} from './schema.ts'

const selectSql = (actor: Actor) => sql`s.id, s.created_at, s.updated_at, s.resource_id, r.title as resource_title,
  r.title_full as resource_title_full, s.field, s.value, s.detail, s.reason, s.status, s.created_by,
  case when u.id is null then null else ${userNameSql(actor, 'u')} end as created_by_name, s.by, s.grounds, s.decided_by, s.decided_at`
const FROM_SQL = sql`change_suggestions s left join resources r on r.id = s.resource_id left join users u on u.id = s.created_by`

/** People who can edit see all suggestions for what they see and what it is based on; others only their own. */
const readableSql = (actor: Actor): RawBuilder<boolean> => {
  const seen = sql<boolean>`((s.resource_id is null or (r.id is not null and ${visibleTo(actor)})) and (s.based_on = '{}' or
    cardinality(s.based_on) = (select count(*) from resources g where g.id = any(s.based_on) and ${visibleTo(actor, 'g')})))`
  return can(actor, 'catalog.write') ? seen : sql<boolean>`(${seen} and s.created_by = ${actor.user_id}::uuid)`
}

export const listSuggestionRows = (ctx: Context, { status, by, resource_id }: ChangeSuggestionQuery, page: PageRequest) => {
  const conditions = [readableSql(ctx.actor)]
  if (status) conditions.push(sql`s.status = ${status}`)
  if (by) conditions.push(sql`s.by = ${by}`)
  if (resource_id !== undefined) {
    const id = parseId(resource_id)
    if (!id) throw invalid({ resource_id: ['must be a UUID.'] })
    conditions.push(
      sql`(s.resource_id = ${id} or s.resource_id in (select c.id from resources c where c.parent = ${id} and c.entity_type = 'column'))`,
    )
  }
  return readPage<ChangeSuggestion>(ctx, page, {
    select: selectSql(ctx.actor),
    from: FROM_SQL,
    where: sql`${sql.join(conditions, sql` and `)}`,
    order: [desc('timestamp', 's.created_at'), desc('id', 's.id')],
  })
}

export const findSuggestionRow = async (ctx: Context, id: string, lock = false): Promise<ChangeSuggestion | undefined> => {
  const { rows } = await sql<ChangeSuggestion>`
    select ${selectSql(ctx.actor)} from ${FROM_SQL} where s.id = ${id} and ${readableSql(ctx.actor)} ${lock ? sql`for no key update of s` : sql``}
  `.execute(ctx.db)
  return rows[0]
}

/** The resources whose texts it may repeat. */
export const findBasedOnIds = async ({ db }: Context, id: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ based_on: string[] }>`select s.based_on from change_suggestions s where s.id = ${id}`.execute(db)
  return rows[0]?.based_on ?? []
}

/** The same suggestion of the same user that is still open. */
export const findSameSuggestion = async (
  ctx: Context,
  { resource_id, field, value }: ChangeSuggestionCreate,
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select s.id from change_suggestions s where s.resource_id is not distinct from ${resource_id ?? null}::uuid and s.field = ${field}
      and s.value = ${value} and s.created_by is not distinct from ${ctx.actor.user_id}::uuid and s.status = 'open' and s.by <> 'ai' limit 1
  `.execute(ctx.db)
  return rows[0]?.id
}

export const countOpenSuggestions = async ({ db, actor }: Context): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from change_suggestions s where s.created_by is not distinct from ${actor.user_id}::uuid and s.status = 'open' and s.by <> 'ai'
  `.execute(db)
  return rows[0]!.count
}

export const insertSuggestion = ({ db, actor, now }: Context, id: string, suggestion: ChangeSuggestionCreate, by: SuggestionAuthor) =>
  db
    .insertInto('change_suggestions')
    .values({
      id,
      resource_id: suggestion.resource_id ?? null,
      field: suggestion.field,
      value: suggestion.value,
      detail: suggestion.detail ?? null,
      reason: suggestion.reason ?? null,
      status: 'open',
      created_by: actor.user_id,
      by,
      created_at: now,
      updated_at: now,
    })
    .execute()

/** What a suggestion of our own is based on, and which resources its texts name. */
export const updateGrounds = (
  { db }: Context,
  id: string,
  { grounds, based_on }: { readonly grounds: readonly SuggestionGround[]; readonly based_on: readonly string[] },
) =>
  db
    .updateTable('change_suggestions')
    .set({ grounds: JSON.stringify(grounds), based_on: [...based_on] })
    .where('id', '=', id)
    .execute()

export const updateDecision = ({ db, actor, now }: Context, id: string, status: 'accepted' | 'rejected') =>
  db
    .updateTable('change_suggestions')
    .set({ status, decided_by: actor.user_id, decided_at: now, updated_at: nextUpdatedAtSql(now) })
    .where('id', '=', id)
    .execute()

export const updateSuggestion = ({ db, now }: Context, id: string, edit: ChangeSuggestionEdit) =>
  db
    .updateTable('change_suggestions')
    .set({ ...edit, updated_at: nextUpdatedAtSql(now) })
    .where('id', '=', id)
    .execute()

/** The ID of the active user with this ID or e-mail address. */
export const findUserId = async ({ db }: Context, text: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where u.disabled_at is null and (u.id = ${parseId(text) ?? null}::uuid or lower(u.email) = lower(${text}))
  `.execute(db)
  return rows[0]?.id
}
