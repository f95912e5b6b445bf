import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { Nullable, NullableString, OneOf } from '../../platform/core/schema-types.ts'
import type { AddressAllowlist } from '../../platform/outbound/address-policy.ts'
import { requirePermission, SCOPES } from '../../platform/permissions/permissions.ts'
import { findParent, resolveScope } from '../tokens/manage-tokens.ts'
import { getClient, type OAuthClient } from './clients.ts'
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts'
import { isRegisteredRedirect } from './redirect-uri.ts'

/** The part of OAuth in which a signed-in user decides whether an application may act for them. */

export const OAUTH_SCOPES = ['read', 'write'] as const
type OAuthScope = (typeof OAUTH_SCOPES)[number]

const param = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const parameters = {
  client_id: Type.String({ maxLength: 20_000 }),
  redirect_uri: Type.String({ maxLength: 2_000 }),
  response_type: param(100),
  code_challenge: param(200),
  code_challenge_method: param(20),
  scope: param(1_000),
  state: param(10_000),
  resource: param(2_000),
}
export const AuthorizationRequest = Type.Object(parameters)
export type AuthorizationRequest = Static<typeof AuthorizationRequest>

export const AuthorizationDecision = Type.Object(
  {
    ...parameters,
    approve: Type.Boolean(),
    granted_scope: Type.Optional(OneOf(OAUTH_SCOPES, 'What the user grants. Default: what the application asked for.')),
  },
  {
    title: 'AuthorizationDecision',
    examples: [
      {
        client_id: 'https://assistant.example.com/client.json',
        redirect_uri: 'https://assistant.example.com/callback',
        response_type: 'code',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        approve: true,
      },
    ],
  },
)
export type AuthorizationDecision = Static<typeof AuthorizationDecision>

export const Authorization = Type.Object(
  {
    client_name: Type.String({ description: 'As the application calls itself.' }),
    client_host: NullableString('The host that the application belongs to. Null if it registered itself: then its name is not verified.'),
    redirect_host: Type.String({ description: 'Where the user is sent with the authorization code.' }),
    scope: OneOf(OAUTH_SCOPES),
    redirect_to: Nullable(Type.String({ description: 'Set if the request is invalid: the address of the application with the error.' })),
  },
  { title: 'Authorization' },
)
export type Authorization = Static<typeof Authorization>

export interface AuthorizationSettings {
  /** The address of this server. */
  readonly issuer: string
  readonly resource: string
  readonly allowed: AddressAllowlist
}

/** What the consent page shows. */
export const describeAuthorization = async (
  ctx: Context,
  request: AuthorizationRequest,
  settings: AuthorizationSettings,
): Promise<Authorization> => {
  const client = await getTrustedClient(ctx, request, settings)
  const problem = findRequestProblem(request, settings)
  const url = new URL(request.redirect_uri)
  return {
    client_name: client.name,
    client_host: client.host,
    redirect_host: url.host || url.protocol,
    scope: parseScope(request.scope) ?? 'read',
    redirect_to: problem ? buildErrorRedirect(request, settings, ...problem) : null,
  }
}

const CODE_SECONDS = 300

/** Records the decision of the user and returns where to send the browser. */
export const decideAuthorization = async (
  ctx: Context,
  decision: AuthorizationDecision,
  settings: AuthorizationSettings,
): Promise<{ redirect_to: string }> => {
  requirePermission(ctx.actor, 'tokens.own')
  const client = await getTrustedClient(ctx, decision, settings)
  const problem = findRequestProblem(decision, settings)
  if (problem) return { redirect_to: buildErrorRedirect(decision, settings, ...problem) }
  if (!decision.approve)
    return { redirect_to: buildErrorRedirect(decision, settings, 'access_denied', 'The user did not allow the access.') }
  const scope = resolveScope(ctx.actor, decision.granted_scope ?? parseScope(decision.scope))
  const code = randomBytes(32).toString('base64url')
  await inTransaction(ctx, async (ctx) => {
    await sql`delete from oauth_codes where expires_at < ${ctx.now}::timestamptz`.execute(ctx.db)
    await ctx.db
      .insertInto('oauth_codes')
      .values({
        hash: hashToken(code),
        user_id: ctx.actor.user_id!,
        client: client.client_id,
        client_name: client.name,
        redirect_uri: decision.redirect_uri,
        code_challenge: decision.code_challenge!,
        scope: SCOPES.indexOf(scope) > SCOPES.indexOf('write') ? 'write' : scope,
        audience: settings.resource,
        created_by_token: (await findParent(ctx))?.id ?? null,
        created_at: ctx.now,
        expires_at: new Date(ctx.now.getTime() + CODE_SECONDS * 1000),
      })
      .execute()
  })
  return { redirect_to: buildRedirect(decision, settings, { code }) }
}

/** Nothing is sent to an address that the client has not stated: a wrong one is an error for the user, not a redirect. */
const getTrustedClient = async (
  ctx: Context,
  { client_id, redirect_uri }: AuthorizationRequest,
  { allowed }: AuthorizationSettings,
): Promise<OAuthClient> => {
  try {
    const client = await getClient(ctx, client_id, allowed)
    if (isRegisteredRedirect(client.redirect_uris, redirect_uri)) return client
  } catch (error) {
    if (error instanceof OAuthError) throw new ApiError('validation_failed', error.message)
    throw error
  }
  throw new ApiError('validation_failed', `redirect_uri: the application has not registered ${redirect_uri}.`)
}

const findRequestProblem = (
  { response_type, code_challenge, code_challenge_method, scope, resource }: AuthorizationRequest,
  settings: AuthorizationSettings,
): [OAuthErrorCode, string] | undefined => {
  if (response_type !== 'code') return ['unsupported_response_type', 'response_type must be "code".']
  if (!code_challenge || !/^[A-Za-z0-9_-]{43}$/.test(code_challenge) || code_challenge_method !== 'S256')
    return ['invalid_request', 'PKCE is required: code_challenge with code_challenge_method "S256".']
  if (parseScope(scope) === undefined) return ['invalid_scope', `scope must be one or both of ${OAUTH_SCOPES.join(' ')}.`]
  if (resource !== undefined && resource !== settings.resource) return ['invalid_target', `resource must be ${settings.resource}.`]
  return undefined
}

/** The widest of the scopes; unknown ones are an error. */
const parseScope = (text: string | undefined): OAuthScope | undefined => {
  const scopes = (text ?? '').split(' ').filter(Boolean)
  if (scopes.some((each) => !OAUTH_SCOPES.some((scope) => scope === each))) return undefined
  return scopes.includes('write') ? 'write' : 'read'
}

const buildErrorRedirect = (
  request: AuthorizationRequest,
  settings: AuthorizationSettings,
  error: OAuthErrorCode,
  error_description: string,
): string => buildRedirect(request, settings, { error, error_description })

/** `iss` tells a client of several servers which one answered (RFC 9207). */
const buildRedirect = (
  { redirect_uri, state }: AuthorizationRequest,
  { issuer }: AuthorizationSettings,
  answer: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }), iss: issuer }))
    url.searchParams.set(name, value)
  return url.href
}
