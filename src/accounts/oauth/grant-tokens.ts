import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { findUserActor } from '../../platform/authentication/actors.ts'
import { hashToken, newToken, tokenHint } from '../../platform/authentication/token-hash.ts'
import { type Context, contextAs, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { ALL_TOKENS_SQL, getTokenRow, revokeTokens, toTokenActivity } from '../tokens/manage-tokens.ts'
import { OAuthError } from './oauth-error.ts'

/** Codes and refresh tokens become access tokens. A connection of a user with an application is one row of `tokens`. */

const ACCESS_SECONDS = 3_600
/** A connection that is not used for this long has to be allowed again. */
const CONNECTION_DAYS = 90
const DAY_MS = 24 * 3_600_000

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

export type TokenRequest = Readonly<Record<string, string | undefined>>

export const grantToken = async (ctx: Context, request: TokenRequest): Promise<TokenResponse> => {
  const result =
    request.grant_type === 'authorization_code'
      ? await exchangeCode(ctx, request)
      : request.grant_type === 'refresh_token'
        ? await refresh(ctx, request)
        : undefined
  if (result === undefined) throw new OAuthError('unsupported_grant_type', 'grant_type must be "authorization_code" or "refresh_token".')
  // Thrown after the transaction: what it revoked must stay revoked.
  if (result instanceof OAuthError) throw result
  return result
}

/** All refresh tokens of a connection begin with the same secret (the family). Tokens of earlier releases do not: for them, the last used one is stored. */
const REFRESH_TOKEN = /^tblr_([\w-]{22})[\w-]{43}$/
const newFamily = (): string => randomBytes(16).toString('base64url')
const findFamily = (refresh_token: string): string | undefined => REFRESH_TOKEN.exec(refresh_token)?.[1]

/** A new secret for the access and the next refresh, with the columns that store them. */
const createSecrets = (now: Date, family: string) => {
  const access_token = newToken()
  const refresh_token = `tblr_${family}${randomBytes(32).toString('base64url')}`
  return {
    columns: {
      refresh_family: hashToken(family),
      hint: tokenHint(access_token),
      hash: hashToken(access_token),
      access_expires_at: new Date(now.getTime() + ACCESS_SECONDS * 1000),
      refresh_hash: hashToken(refresh_token),
    },
    respond: (scope: string): TokenResponse => ({
      access_token,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token,
      scope: scope === 'write' ? 'read write' : 'read',
    }),
  }
}

const getExpiry = (now: Date, limit: string | Date | null): Date => {
  const expiry = new Date(now.getTime() + CONNECTION_DAYS * DAY_MS)
  return limit && new Date(limit) < expiry ? new Date(limit) : expiry
}

interface CodeRow {
  readonly user_id: string
  readonly client: string
  readonly client_name: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly scope: string
  readonly audience: string
  readonly created_by_token: string | null
  readonly token_id: string | null
  readonly parent_expires_at: string | null
  readonly parent_ended: boolean
}

const exchangeCode = (ctx: Context, request: TokenRequest): Promise<TokenResponse | OAuthError> =>
  inTransaction(ctx, async (ctx) => {
    const { code, client_id, redirect_uri, code_verifier = '', resource } = request
    if (!code || !client_id) return new OAuthError('invalid_request', 'code and client_id are required.')
    const { rows } = await sql<CodeRow>`
      select c.*, p.expires_at as parent_expires_at,
        coalesce(p.revoked_at is not null or p.expires_at <= ${ctx.now}::timestamptz, false) as parent_ended
      from oauth_codes c left join tokens p on p.id = c.created_by_token
      where c.hash = ${hashToken(code)} and c.expires_at > ${ctx.now}::timestamptz for update of c
    `.execute(ctx.db)
    const [row] = rows
    if (!row || row.parent_ended) return new OAuthError('invalid_grant', 'The code is unknown or has expired.')
    // Somebody else has the code too: neither keeps what it gave.
    if (row.token_id) {
      await revokeConnection(ctx, row.token_id)
      return new OAuthError('invalid_grant', 'The code has already been used.')
    }
    if (row.client !== client_id) return new OAuthError('invalid_grant', 'The code was issued to another client.')
    if (redirect_uri !== undefined && row.redirect_uri !== redirect_uri)
      return new OAuthError('invalid_grant', 'redirect_uri differs from that of the authorization request.')
    if (createHash('sha256').update(code_verifier).digest('base64url') !== row.code_challenge)
      return new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge.')
    if (resource !== undefined && resource !== row.audience) return new OAuthError('invalid_target', `resource must be ${row.audience}.`)
    const actor = await findUserActor(ctx.db, row.user_id)
    if (!actor) return new OAuthError('invalid_grant', 'The user can no longer sign in.')
    const secrets = createSecrets(ctx.now, newFamily())
    const id = newId()
    await ctx.db
      .insertInto('tokens')
      .values({
        id,
        name: row.client_name,
        ...secrets.columns,
        scope: row.scope,
        user_id: row.user_id,
        expires_at: getExpiry(ctx.now, row.parent_expires_at),
        created_by_token: row.created_by_token,
        client: row.client_name,
        client_id: row.client,
        audience: row.audience,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .execute()
    await ctx.db.updateTable('oauth_codes').set({ token_id: id }).where('hash', '=', hashToken(code)).execute()
    await recordActivity(contextAs(ctx, actor), toTokenActivity('token_created', {}, await getTokenRow(ctx, id, ALL_TOKENS_SQL)))
    return secrets.respond(row.scope)
  })

interface ConnectionRow {
  readonly id: string
  /** Null if an earlier release issued the token, until it is refreshed. */
  readonly client_id: string | null
  readonly scope: string
  readonly audience: string
  readonly current: boolean
  readonly parent_expires_at: string | null
}

/** Every refresh token is used once, by the client it was issued to. A second use means that it was stolen, so the connection ends. */
const refresh = (ctx: Context, { refresh_token, client_id, resource, scope }: TokenRequest): Promise<TokenResponse | OAuthError> =>
  inTransaction(ctx, async (ctx) => {
    if (!refresh_token) return new OAuthError('invalid_request', 'refresh_token is required.')
    const hash = hashToken(refresh_token)
    const family = findFamily(refresh_token)
    const { rows } = await sql<ConnectionRow>`
      select t.id, t.client_id, t.scope, t.audience, t.refresh_hash = ${hash} as current, p.expires_at as parent_expires_at
      from tokens t join users u on u.id = t.user_id left join tokens p on p.id = t.created_by_token
      where (t.refresh_hash = ${hash} or t.used_refresh_hash = ${hash} or t.refresh_family = ${family ? hashToken(family) : null}) and t.revoked_at is null and t.expires_at > ${ctx.now}::timestamptz
        and u.disabled_at is null
      for no key update of t
    `.execute(ctx.db)
    const [row] = rows
    if (!row) return new OAuthError('invalid_grant', 'The refresh token is unknown, has expired or was revoked.')
    if (!row.current) {
      await revokeConnection(ctx, row.id)
      return new OAuthError('invalid_grant', 'The refresh token has already been used. Connect again.')
    }
    if (row.client_id !== null && client_id === undefined) return new OAuthError('invalid_request', 'client_id is required.')
    if (row.client_id !== null && row.client_id !== client_id)
      return new OAuthError('invalid_grant', 'The refresh token was issued to another client.')
    if (resource !== undefined && resource !== row.audience) return new OAuthError('invalid_target', `resource must be ${row.audience}.`)
    if (scope?.split(' ').includes('write') && row.scope === 'read') return new OAuthError('invalid_scope', 'The user granted only "read".')
    const secrets = createSecrets(ctx.now, family ?? newFamily())
    await ctx.db
      .updateTable('tokens')
      .set({
        ...secrets.columns,
        client_id: row.client_id ?? client_id ?? null,
        used_refresh_hash: hash,
        expires_at: getExpiry(ctx.now, row.parent_expires_at),
        updated_at: nextUpdatedAtSql(ctx.now),
      })
      .where('id', '=', row.id)
      .execute()
    return secrets.respond(row.scope)
  })

/** Ends the connection of an access or refresh token (RFC 7009). Returns false for an unknown token, or one of another client: neither is an error. */
export const revokeByToken = (ctx: Context, { token = '', client_id }: TokenRequest): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const hash = hashToken(token)
    const family = findFamily(token)
    const { rows } = await sql<{ id: string }>`
      select t.id from tokens t where t.audience is not null
        and (t.hash = ${hash} or t.refresh_hash = ${hash} or t.used_refresh_hash = ${hash} or t.refresh_family = ${family ? hashToken(family) : null})
        and (t.client_id is null or ${client_id ?? null}::text is null or t.client_id = ${client_id ?? null})
    `.execute(ctx.db)
    if (rows[0]) await revokeConnection(ctx, rows[0].id)
    return rows[0] !== undefined
  })

const revokeConnection = async (ctx: Context, id: string): Promise<void> =>
  revokeTokens(contextAs(ctx, SYSTEM), [await getTokenRow(ctx, id, ALL_TOKENS_SQL, sql`for no key update`)])
