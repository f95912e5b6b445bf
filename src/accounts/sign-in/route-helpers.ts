import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { type CookieOptions, parseCookie, setCookie } from '../../platform/http/session-cookie.ts'
import type { ServerConfig } from '../../platform/server-settings/services.ts'
import type { CreatedSession, RequestOrigin } from './create-session.ts'
import { DEVICE_COOKIE, DEVICE_COOKIE_S } from './devices.ts'

/** Options shared by the sign-in routes. */
export interface SignInRouteOptions {
  /** System context, for callers who are not authenticated yet. */
  readonly ctx: () => Context
  readonly cookies: CookieOptions
  readonly config: ServerConfig & Partial<Pick<Config, 'sessions'>>
}

const DEFAULT_LIFETIME = { days: 30, idle_days: 7 }

export const getRequestOrigin = (request: FastifyRequest, { config, cookies }: SignInRouteOptions): RequestOrigin => ({
  address: request.ip,
  user_agent: request.headers['user-agent'],
  lifetime: config.sessions ?? DEFAULT_LIFETIME,
  device: parseCookie(cookies, request.headers.cookie, DEVICE_COOKIE),
})

/** The base URL of the request. The caller controls the Host header, so it must never be used in what is sent to others. */
export const getRequestBaseUrl = (request: FastifyRequest, { config }: SignInRouteOptions): string =>
  config.publicUrl ?? `${request.protocol}://${request.host}`

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/** The base URL for links sent to users, if known: PUBLIC_URL, or the loopback address of the request. */
export const findPublicBaseUrl = (request: FastifyRequest, options: SignInRouteOptions): string | undefined =>
  options.config.publicUrl !== undefined || LOOPBACK.test(request.host) ? getRequestBaseUrl(request, options) : undefined

/** The cookie has the maximum lifetime of the session. */
export const setSessionCookie = (
  { cookies }: SignInRouteOptions,
  reply: FastifyReply,
  { session, secret, device }: CreatedSession,
): void => {
  setCookie(cookies, reply, secret, (Date.parse(session.expires_at) - Date.parse(session.created_at)) / 1000)
  if (device !== undefined) setCookie(cookies, reply, device, DEVICE_COOKIE_S, DEVICE_COOKIE)
}
