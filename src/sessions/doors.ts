import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { type Cookies, readCookie, setCookie } from '../http/session-cookie.ts'
import type { Asked, Begun } from './begin.ts'
import { DEVICE_COOKIE, DEVICE_COOKIE_S } from './devices.ts'

/** What the doors to sign in have in common. */
export interface SessionDoors {
  /** For those who are not known yet. */
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

/** The address the caller reached this server by. Whoever asks chooses the Host header, so it is never part of what goes to others. */
export const callersBase = (request: FastifyRequest, { config }: SessionDoors): string =>
  config.publicUrl ?? `${request.protocol}://${request.host}`

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/** The address people reach this server by, where it is known: PUBLIC_URL, or on the machine itself whatever leads back to it. */
export const publicBase = (request: FastifyRequest, doors: SessionDoors): string | undefined =>
  doors.config.publicUrl !== undefined || LOOPBACK.test(request.host) ? callersBase(request, doors) : undefined

/** The cookie lives as long as the session can. */
export const giveCookie = ({ cookies }: SessionDoors, reply: FastifyReply, { session, secret, device }: Begun): void => {
  setCookie(cookies, reply, secret, (Date.parse(session.expires_at) - Date.parse(session.created_at)) / 1000)
  if (device !== undefined) setCookie(cookies, reply, device, DEVICE_COOKIE_S, DEVICE_COOKIE)
}
