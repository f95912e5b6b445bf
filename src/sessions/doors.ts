import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { type Cookies, setCookie } from '../http/session-cookie.ts'
import type { Asked, Begun } from './begin.ts'

/** What the doors to sign in have in common. */
export interface SessionDoors {
  /** For those who are not known yet. */
  readonly ctx: () => Context
  readonly cookies: Cookies
  readonly config: Partial<Pick<Config, 'publicUrl' | 'smtpUrl' | 'smtpFrom' | 'oidc' | 'sessions'>>
}

const LASTS = { days: 30, idle_days: 7 }

export const askedBy = (request: FastifyRequest, { config }: SessionDoors): Asked => ({
  address: request.ip,
  user_agent: request.headers['user-agent'],
  lasts: config.sessions ?? LASTS,
})

/** The address people reach this server by. */
export const baseOf = (request: FastifyRequest, { config }: SessionDoors): string =>
  config.publicUrl ?? `${request.protocol}://${request.host}`

/** The cookie lives as long as the session can. */
export const giveCookie = ({ cookies }: SessionDoors, reply: FastifyReply, { session, secret }: Begun): void =>
  setCookie(cookies, reply, secret, (Date.parse(session.expires_at) - Date.parse(session.created_at)) / 1000)
