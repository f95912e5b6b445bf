import { type RawBuilder, sql } from 'kysely'
import { hashToken, newToken, tokenHint } from '../../platform/authentication/token-hash.ts'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { ApiError, invalid, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { type Activity, recordActivities, recordActivity } from '../../platform/history/record.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { type Actor, can, requirePermission, SCOPES, type Scope } from '../../platform/permissions/permissions.ts'
import type { NewToken, Token, TokenCreate, TokenEdit, TokenQuery } from '../shared/schema.ts'
import { andSql, containsSql } from '../shared/sql.ts'

/** Token fields in the audit log. The token itself, its hash and its hint are never recorded. */
const AUDITED_FIELDS = ['name', 'scope', 'user', 'expires_at', 'revoked_at']

export const createToken = (ctx: Context, { name, scope, expires_at, user }: TokenCreate): Promise<NewToken> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'tokens.own')
    const parent = await findParent(ctx)
    const token = newToken()
    const id = newId()
    await ctx.db
      .insertInto('tokens')
      .values({
        id,
        name: name.trim(),
        hint: tokenHint(token),
        hash: hashToken(token),
        scope: resolveScope(ctx.actor, scope),
        user_id: await getTokenUser(ctx, user),
        expires_at: limitExpiry(parent, parseExpiry(expires_at, ctx.now)),
        created_by_token: parent?.id,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .execute()
    const record = await getTokenRow(ctx, id, ALL_TOKENS_SQL)
    await recordActivity(ctx, toTokenActivity('token_created', {}, record))
    return { ...record, token }
  })

export interface Parent {
  readonly id: string
  readonly expires_at: string | null
}

/** The token of the request, or the one its session was started with. The share lock waits for a concurrent revocation. */
export const findParent = async ({ db, actor, now }: Context): Promise<Parent | undefined> => {
  if (!actor.token_id && !actor.session_id) return undefined
  const { rows } = await sql<Parent & { alive: boolean }>`
    select t.id, t.expires_at, t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now}::timestamptz) as alive from tokens t
    where t.id = coalesce(${actor.token_id}::uuid, (select s.token_id from sessions s where s.id = ${actor.session_id ?? null}::uuid))
    for share
  `.execute(db)
  const [parent] = rows
  if (parent && !parent.alive) throw new ApiError('unauthenticated', translatable('The token has expired or was revoked.'))
  return parent
}

/** A token never outlives the one it was created with; by default it expires with it. */
const limitExpiry = (parent: Parent | undefined, requested: Date | null): Date | null => {
  if (!parent?.expires_at) return requested
  const latest = new Date(parent.expires_at)
  if (requested && requested > latest)
    throw invalid({
      expires_at: [translatable('must not be after {time}, when the token of this request expires.', { time: latest.toISOString() })],
    })
  return requested ?? latest
}

export const resolveScope = ({ scope }: Actor, requested: Scope = scope): Scope => {
  if (SCOPES.indexOf(requested) <= SCOPES.indexOf(scope)) return requested
  throw permissionDenied(translatable('A token with scope "{scope}" cannot create a token with scope "{requested}".', { scope, requested }))
}

/** The user the token acts as. The share lock waits for a concurrent disabling of the user, which would otherwise miss this token. */
const getTokenUser = async (ctx: Context, user: string | undefined): Promise<string> => {
  const id = user ? parseId(user) : ctx.actor.user_id
  if (!id) throw invalid({ user: [translatable('is required.')] })
  if (id !== ctx.actor.user_id) requirePermission(ctx.actor, 'people.manage')
  const holder = await ctx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!holder) throw invalid({ user: [translatable('User {id} does not exist or is disabled.', { id })] })
  return holder.id
}

const parseExpiry = (text: string | null | undefined, now: Date): Date | null => {
  if (text === null || text === undefined) return null
  const at = new Date(text)
  if (!(at > now)) throw invalid({ expires_at: [translatable('must be a time in the future.')] }) // also rejects leap seconds, which are invalid dates
  return at
}

export const listTokens = (ctx: Context, { name, user, scope, active }: TokenQuery, page: PageRequest) => {
  const live = sql`(t.revoked_at is null and (t.expires_at is null or t.expires_at > ${ctx.now}::timestamptz))`
  return readPage<Token>(ctx, page, {
    select: RECORD,
    from: sql`tokens t`,
    where: andSql(
      visibleTokensSql(ctx.actor),
      containsSql(sql`t.name`, name),
      user ? sql`t.user_id = ${parseId(user)}` : undefined,
      scope ? sql`t.scope = ${scope}` : undefined,
      active === undefined ? undefined : sql`${live} = ${active}`,
    ),
    order: [desc('timestamp', 't.created_at'), asc('id', 't.id')],
  })
}

export const getToken = (ctx: Context, id: string): Promise<Token> => getTokenRow(ctx, id, visibleTokensSql(ctx.actor))

export const editToken = (ctx: Context, id: string, { name }: TokenEdit): Promise<Token> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockToken(ctx, id)
    const after = { ...before, name: name?.trim() ?? before.name }
    if (after.name === before.name) return before
    await ctx.db
      .updateTable('tokens')
      .set({ name: after.name, updated_at: nextUpdatedAtSql(ctx.now) })
      .where('id', '=', id)
      .execute()
    await recordActivity(ctx, toTokenActivity('token_updated', before, after))
    return getToken(ctx, id)
  })

/** Also revokes the tokens created with it: a stolen token may have been used to create more. */
export const revokeToken = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const token = await lockToken(ctx, id)
    if (token.revoked_at === null) await revokeTokens(ctx, [token, ...(await lockDescendantTokens(ctx, id))])
  })

/**
 * Locks the tokens created with this one, directly or indirectly. Repeated until nothing new is found: while it waits for a lock, a token
 * may be created that its snapshot does not contain.
 */
const lockDescendantTokens = async (ctx: Context, id: string): Promise<Token[]> => {
  const locked = new Map<string, Token>()
  for (;;) {
    const before = locked.size
    for (const token of await lockVisibleDescendants(ctx, id)) locked.set(token.id, token)
    if (locked.size === before) return [...locked.values()]
  }
}

const lockVisibleDescendants = async (ctx: Context, id: string): Promise<readonly Token[]> => {
  const { rows } = await sql<Token>`
    with recursive made(id) as (
      select t.id from tokens t where t.created_by_token = ${id}
      union select t.id from made join tokens t on t.created_by_token = made.id
    )
    select ${RECORD} from tokens t where t.id in (select made.id from made) and t.revoked_at is null order by t.id for no key update
  `.execute(ctx.db)
  return rows
}

/** The tokens of a disabled user are revoked, so they stay unusable when the user is enabled again. */
export const revokeUserTokens = async (
  ctx: Context,
  user_id: string,
  { parent_id, except }: { parent_id?: string; except?: string },
): Promise<void> => {
  const { rows } = await sql<Token>`
    select ${RECORD} from tokens t where t.user_id = ${user_id} and t.revoked_at is null and t.id is distinct from ${except ?? null}::uuid
    order by t.id for no key update
  `.execute(ctx.db)
  await revokeTokens(ctx, rows, parent_id)
}

export const revokeTokens = async (ctx: Context, tokens: readonly Token[], parent_id?: string): Promise<void> => {
  const active = tokens.filter(({ revoked_at }) => revoked_at === null)
  if (active.length === 0) return
  await ctx.db
    .updateTable('tokens')
    .set({ revoked_at: ctx.now, updated_at: nextUpdatedAtSql(ctx.now) })
    .where(
      'id',
      'in',
      active.map(({ id }) => id),
    )
    .execute()
  await recordActivities(
    ctx,
    active.map((token) => ({ parent_id, ...toTokenActivity('token_revoked', token, { ...token, revoked_at: ctx.now.toISOString() }) })),
  )
}

const RECORD = sql`
  t.id, t.created_at, t.updated_at, t.name, t.hint, t.scope, t.user_id as "user", t.client, t.expires_at, t.revoked_at, t.last_used_at`

/** Users see their own tokens; users with people.manage see all. */
const visibleTokensSql = (actor: Actor): RawBuilder<unknown> =>
  can(actor, 'people.manage') ? ALL_TOKENS_SQL : sql`t.user_id is not distinct from ${actor.user_id}::uuid`
export const ALL_TOKENS_SQL = sql`true`

export const getTokenRow = async (ctx: Context, id: string, visible: RawBuilder<unknown>, lock = sql``): Promise<Token> => {
  const { rows } = await sql<Token>`select ${RECORD} from tokens t where t.id = ${id} and ${visible} ${lock}`.execute(ctx.db)
  if (!rows[0]) throw notFound('token', id)
  return rows[0]
}

const lockToken = async (ctx: Context, id: string): Promise<Token> => {
  requirePermission(ctx.actor, 'tokens.own')
  const token = await getTokenRow(ctx, id, visibleTokensSql(ctx.actor), sql`for no key update`)
  requireIfMatch(ctx, computeEtag(token))
  return token
}

export const toTokenActivity = (activity_type: string, before: Partial<Token>, after: Token): Activity => ({
  activity_type,
  resource_id: after.id,
  resource_type: 'token',
  resource_title: after.name,
  related_resource_ids: [after.user],
  related_resource_type: 'user',
  changes: diffFields(before, after, AUDITED_FIELDS),
})
