import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import type { AddressAllowlist } from '../../platform/outbound/address-policy.ts'
import {
  Authorization,
  AuthorizationDecision,
  AuthorizationRequest,
  type AuthorizationSettings,
  decideAuthorization,
  describeAuthorization,
  OAUTH_SCOPES,
} from './authorize.ts'
import { registerClient } from './clients.ts'
import { grantToken, revokeByToken, type TokenRequest } from './grant-tokens.ts'
import { OAuthError } from './oauth-error.ts'

export interface OAuthRouteOptions {
  /** System context, for clients, which are not users. */
  readonly ctx: () => Context
  readonly config: Partial<Pick<Config, 'publicUrl'>>
  readonly allowed: AddressAllowlist
  /** The path that tokens are issued for. */
  readonly resourcePath: string
}

const HIDDEN = { config: { permission: 'public' }, schema: { hide: true } } as const
const tags = ['Signing in']
const RedirectTo = Type.String({ description: 'Returned only once: a replay with the same `Idempotency-Key` does not contain it.' })

const getIssuer = (request: FastifyRequest, { config }: Pick<OAuthRouteOptions, 'config'>): string =>
  config.publicUrl ?? `${request.protocol}://${request.host}`

/** The address that tokens are issued for: exactly the one that clients connect to. */
export const getResourceUrl = (request: FastifyRequest, options: Pick<OAuthRouteOptions, 'config' | 'resourcePath'>): string =>
  `${getIssuer(request, options)}${options.resourcePath}`

/** The authorization server (OAuth 2.1): applications connect by address alone, and users allow it in the web app. */
export const oauthRoutes =
  (options: OAuthRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.setErrorHandler((error, _, reply) => {
      if (!(error instanceof OAuthError)) throw error
      return reply.code(error.status).header('Cache-Control', 'no-store').send({ error: error.code, error_description: error.message })
    })
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 64_000 }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )

    const describeResource = (request: FastifyRequest) => ({
      resource: getResourceUrl(request, options),
      authorization_servers: [getIssuer(request, options)],
      scopes_supported: OAUTH_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Tablinum',
    })
    app.get(`/.well-known/oauth-protected-resource${options.resourcePath}`, HIDDEN, async (request) => describeResource(request))
    app.get('/.well-known/oauth-protected-resource', HIDDEN, async (request) => describeResource(request))
    app.get('/.well-known/oauth-authorization-server', HIDDEN, async (request) => {
      const issuer = getIssuer(request, options)
      return {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        scopes_supported: OAUTH_SCOPES,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      }
    })

    app.post('/oauth/register', HIDDEN, async (request, reply) => {
      const { client_id, name, redirect_uris } = await registerClient(options.ctx(), (request.body ?? {}) as Record<string, unknown>)
      return reply
        .code(201)
        .header('Cache-Control', 'no-store')
        .send({
          client_id,
          client_name: name,
          redirect_uris,
          client_id_issued_at: Math.floor(options.ctx().now.getTime() / 1000),
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        })
    })
    app.post('/oauth/token', HIDDEN, async (request, reply) => {
      const ctx = options.ctx()
      const { invalidTokenLimiter } = ctx.runtime
      invalidTokenLimiter.assertBelowLimit(request.ip, ctx.now)
      const response = await grantToken(ctx, toTokenRequest(request.body)).catch((error) => {
        if (error instanceof OAuthError && error.code === 'invalid_grant') invalidTokenLimiter.countInvalid(request.ip, ctx.now)
        throw error
      })
      return reply.header('Cache-Control', 'no-store').send(response)
    })
    app.post('/oauth/revoke', HIDDEN, async (request, reply) => {
      const ctx = options.ctx()
      const revocation = toTokenRequest(request.body)
      if (!revocation.token) throw new OAuthError('invalid_request', 'token is required.')
      ctx.runtime.invalidTokenLimiter.assertBelowLimit(request.ip, ctx.now)
      if (!(await revokeByToken(ctx, revocation))) ctx.runtime.invalidTokenLimiter.countInvalid(request.ip, ctx.now)
      return reply.code(200).send({})
    })
  }

/** Parameters of a form, or of JSON: then they may be anything. */
const toTokenRequest = (body: unknown): TokenRequest => {
  const parameters = Object.entries((body ?? {}) as object)
  const wrong = parameters.find(([, value]) => typeof value !== 'string')
  if (wrong) throw new OAuthError('invalid_request', `${wrong[0]} must be text.`)
  return Object.fromEntries(parameters)
}

/** What the consent page of the web app calls, with the session of the user. */
export const authorizationRoutes =
  (options: OAuthRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    const settings = (request: FastifyRequest): AuthorizationSettings => ({
      issuer: getIssuer(request, options),
      resource: getResourceUrl(request, options),
      allowed: options.allowed,
    })

    app.get(
      '/auth/authorization',
      {
        config: { permission: 'tokens.own' },
        schema: {
          summary: 'Describe the access an application asks for',
          tags,
          querystring: AuthorizationRequest,
          response: { 200: Authorization, ...errorResponses(400) },
        },
      },
      (request) => describeAuthorization(request.ctx, request.query, settings(request)),
    )

    app.post(
      '/auth/authorization',
      {
        config: { permission: 'tokens.own', idempotency: 'record', shown_once: ['redirect_to'] }, // a client may have to be looked up first
        schema: {
          summary: 'Allow or deny the access an application asks for',
          description: 'The response says where to send the browser. The application then exchanges the code for a token.',
          tags,
          body: AuthorizationDecision,
          response: { 200: Type.Object({ redirect_to: Type.Optional(RedirectTo) }), ...errorResponses(400, 403) },
        },
      },
      (request) => decideAuthorization(request.ctx, request.body, settings(request)),
    )
  }
