import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Actor, mustBeAble, type Permission } from '../access/permissions.ts'
import { noteSessionUse } from '../access/sessions.ts'
import { noteTokenUse } from '../access/token-use.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { Limits } from './deadline.ts'
import { type Cookies, mustBeMeant, readCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission the caller needs, or 'public'. The server does not start with a route that has none. */
    permission?: Permission | 'public'
    /** A query that does not depend on the caller, sent together with the lookup of the caller. */
    ahead?: (house: Pick<Context, 'runtime'>, params: Record<string, string>) => Promise<unknown> | undefined
  }
  interface FastifyInstance {
    /** Looks the caller up again; undefined once the token is revoked or the session has ended. For long-lived responses. */
    findCaller: (request: FastifyRequest) => Promise<Actor | undefined>
  }
  interface FastifyRequest {
    ctx: Context
    ahead: Promise<unknown> | undefined
  }
}

export interface AuthOptions {
  readonly runtime: Runtime
  readonly workspace_id: string
  readonly now: () => Date
  readonly timeoutMs: number
  readonly cookies: Cookies
}

/** Authenticates every request, checks its permission and creates its context. Access is denied by default. */
export const addAuth = (app: FastifyInstance, { runtime, workspace_id, now, timeoutMs, cookies }: AuthOptions): void => {
  const { tokenGuesses } = runtime
  const { db } = runtime.databases.request
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.permission) throw new Error(`${method} ${url} declares no permission. Add config.permission to the route.`)
  })
  app.decorate('findCaller', (request: FastifyRequest) => findCaller(runtime, shownBy(cookies, request), now))
  app.decorateRequest('ctx')
  app.decorateRequest('ahead')
  app.addHook('onRequest', async (request, reply) => {
    const { permission, ahead } = request.routeOptions.config
    if (permission === 'public') return
    const shown = shownBy(cookies, request)
    request.ahead = ahead?.({ runtime }, request.params as Record<string, string>)
    request.ahead?.catch(() => {}) // reported to the handler that awaits it
    if (shown.token && !runtime.caches.tokenCallers.knows(shown.token)) tokenGuesses.mustBeFew(request.ip, now())
    const actor = await findCaller(runtime, shown, now)
    if (!actor && shown.token) tokenGuesses.note(request.ip, now())
    if (!actor) throw new Refusal('unauthenticated', shown.session ? SESSION_OVER : TOKEN_OVER)
    request.ctx = {
      db,
      runtime,
      workspace_id,
      actor,
      now: now(),
      limits: new Limits(reply, timeoutMs),
      if_match: request.headers['if-match'],
    }
    if (shown.session) noteSessionUse(request.ctx)
    else noteTokenUse(request.ctx)
    // Unknown paths come here too: authenticated callers get 404, all others 401.
    if (permission) mustBeAble(actor, permission)
  })
}

const SESSION_OVER = 'Your session has expired. Sign in again.'
const TOKEN_OVER = 'Invalid token: it does not exist, has expired or was revoked.'

/** A token or, without one, a session cookie. */
interface Shown {
  readonly token: string
  readonly session?: string
}

const shownBy = (cookies: Cookies, request: FastifyRequest): Shown => {
  const { authorization, cookie } = request.headers
  const session = authorization === undefined && cookie !== undefined ? readCookie(cookies, cookie) : undefined
  if (session === undefined) return { token: tokenOf(request) }
  mustBeMeant(cookies, request)
  return { token: '', session }
}

const findCaller = ({ caches }: Runtime, { token, session }: Shown, now: () => Date): Promise<Actor | undefined> =>
  session ? caches.sessionCallers.find(session, now) : caches.tokenCallers.find(token, now)

const tokenOf = ({ headers: { authorization } }: FastifyRequest): string => {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  if (token) return token
  throw new Refusal(
    'unauthenticated',
    authorization
      ? 'Invalid Authorization header. Expected: Authorization: Bearer tbl_…'
      : 'Authentication required. Send a token: Authorization: Bearer tbl_…',
  )
}
