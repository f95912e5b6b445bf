import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { type Cookies, readCookie, setCookie } from '../http/session-cookie.ts'
import type { Asked, Begun } from './begin.ts'
import { DEVICE_COOKIE, DEVICE_COOKIE_S } from './devices.ts'

/** Options shared by the sign-in routes. */
export interface SessionDoors {
  /** System context, for callers who are not authenticated yet. */
  readonly ctx: () => Context
  readonly cookies: Cookies
  readonly config: Partial<Pick<Config, 'publicUrl' | 'smtpUrl' | 'smtpFrom' | 'oidc' | 'sessions'>>
}

const LASTS = { days: 30, idle_days: 7 }

export const askedBy = (request: FastifyRequest, { config, cookies }: SessionDoors): Asked => ({
  address: request.ip,
  user_agent: request.headers['user-agent'],
  lasts: config.sessions ?? LASTS,
  device: readCookie(cookies, request.headers.cookie, DEVICE_COOKIE),
})

/** The base URL of the request. The caller controls the Host header, so it must never be used in what is sent to others. */
export const callersBase = (request: FastifyRequest, { config }: SessionDoors): string =>
  config.publicUrl ?? `${request.protocol}://${request.host}`

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/** The base URL for links sent to users, if known: PUBLIC_URL, or the loopback address of the request. */
export const publicBase = (request: FastifyRequest, doors: SessionDoors): string | undefined =>
  doors.config.publicUrl !== undefined || LOOPBACK.test(request.host) ? callersBase(request, doors) : undefined

/** The cookie has the maximum lifetime of the session. */
export const giveCookie = ({ cookies }: SessionDoors, reply: FastifyReply, { session, secret, device }: Begun): void => {
  setCookie(cookies, reply, secret, (Date.parse(session.expires_at) - Date.parse(session.created_at)) / 1000)
  if (device !== undefined) setCookie(cookies, reply, device, DEVICE_COOKIE_S, DEVICE_COOKIE)
}
