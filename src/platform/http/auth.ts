import type { FastifyInstance, FastifyRequest } from 'fastify'
import { trackSessionUse } from '../authentication/session-callers.ts'
import { trackTokenUse } from '../authentication/token-use.ts'
import type { Context } from '../context/context.ts'
import { ApiError } from '../core/errors.ts'
import { type Actor, type Permission, requirePermission } from '../permissions/permissions.ts'
import type { AppBackend } from './backend.ts'
import { RequestLimits } from './deadline.ts'
import { type CookieOptions, parseCookie, requireCsrfHeader } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission the caller needs, or 'public'. The server does not start with a route that has none. */
    permission?: Permission | 'public'
    /** The address of this route as OAuth clients know it. Tokens that were issued for it are valid here, and nowhere else. */
    oauth_resource?: (request: FastifyRequest) => string
    /** A query that does not depend on the caller, sent together with the lookup of the caller. */
    prefetch?: (context: Pick<Context, 'runtime'>, params: Record<string, string>) => Promise<unknown> | undefined
  }
  interface FastifyInstance {
    /** Looks the caller up again; undefined once the token is revoked or the session has ended. For long-lived responses. */
    findCaller: (request: FastifyRequest) => Promise<Actor | undefined>
  }
  interface FastifyRequest {
    ctx: Context
    prefetch: Promise<unknown> | undefined
  }
}

export interface AuthOptions {
  readonly backend: AppBackend
  readonly timeoutMs: number
  readonly cookies: CookieOptions
}

/** Authenticates every request, checks its permission and creates its context. Access is denied by default. */
export const addAuth = (app: FastifyInstance, { backend, timeoutMs, cookies }: AuthOptions): void => {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.permission) throw new Error(`${method} ${url} declares no permission. Add config.permission to the route.`)
  })
  app.decorate('findCaller', (request: FastifyRequest) => findCaller(backend, getCredentials(cookies, request)))
  app.decorateRequest('ctx')
  app.decorateRequest('prefetch')
  app.addHook('onRequest', async (request, reply) => {
    const { permission, prefetch } = request.routeOptions.config
    if (permission === 'public') return
    const { runtime, workspace_id, now } = backend
    const credentials = getCredentials(cookies, request)
    if (credentials.token && !runtime.caches.tokenCallers.has(credentials.token))
      runtime.invalidTokenLimiter.assertBelowLimit(request.ip, now())
    request.prefetch = prefetch?.({ runtime }, request.params as Record<string, string>)
    request.prefetch?.catch(() => {}) // reported to the handler that awaits it
    const actor = await findCaller(backend, credentials)
    if (!actor && credentials.token) runtime.invalidTokenLimiter.countInvalid(request.ip, now())
    if (!actor) throw new ApiError('unauthenticated', credentials.session ? SESSION_EXPIRED : INVALID_TOKEN)
    if (actor.audience && actor.audience !== request.routeOptions.config.oauth_resource?.(request))
      throw new ApiError('unauthenticated', `This token is only valid for ${actor.audience}.`)
    request.ctx = {
      db: runtime.databases.request.db,
      runtime,
      workspace_id,
      actor,
      now: now(),
      limits: new RequestLimits(reply, timeoutMs),
      if_match: request.headers['if-match'],
    }
    if (credentials.session) trackSessionUse(request.ctx)
    else trackTokenUse(request.ctx)
    // Unknown paths come here too: authenticated callers get 404, all others 401.
    if (permission) requirePermission(actor, permission)
  })
}

const SESSION_EXPIRED = 'Your session has expired. Sign in again.'
const INVALID_TOKEN = 'Invalid token: it does not exist, has expired or was revoked.'

/** A token or, without one, a session cookie. */
interface PresentedCredentials {
  readonly token: string
  readonly session?: string
}

const getCredentials = (cookies: CookieOptions, request: FastifyRequest): PresentedCredentials => {
  const { authorization, cookie } = request.headers
  const session = authorization === undefined && cookie !== undefined ? parseCookie(cookies, cookie) : undefined
  if (session === undefined) return { token: parseBearerToken(request) }
  requireCsrfHeader(cookies, request)
  return { token: '', session }
}

const findCaller = ({ runtime: { caches }, now }: AppBackend, { token, session }: PresentedCredentials): Promise<Actor | undefined> =>
  session ? caches.sessionCallers.find(session, now) : caches.tokenCallers.find(token, now)

const parseBearerToken = ({ headers: { authorization } }: FastifyRequest): string => {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  if (token) return token
  throw new ApiError(
    'unauthenticated',
    authorization
      ? 'Invalid Authorization header. Expected: Authorization: Bearer tbl_…'
      : 'Authentication required. Send a token: Authorization: Bearer tbl_…',
  )
}
