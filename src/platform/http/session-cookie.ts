import type { FastifyReply, FastifyRequest } from 'fastify'
import { permissionDenied } from '../core/errors.ts'

/** The session cookie and its protection against use by other sites. */
export interface CookieOptions {
  /** https only: the `__Host-` prefix then also keeps other hosts from setting it. */
  readonly secure: boolean
  readonly publicUrl?: string
}

export const getCookieOptions = (publicUrl: string | undefined): CookieOptions => ({
  secure: publicUrl?.startsWith('https:') ?? false,
  publicUrl,
})

const getCookieName = ({ secure }: CookieOptions, name: string): string => (secure ? `__Host-${name}` : name)
const SESSION_COOKIE = 'tablinum_session'

export const parseCookie = (cookies: CookieOptions, header: string | undefined, name = SESSION_COOKIE): string | undefined => {
  const start = `${getCookieName(cookies, name)}=`
  const found = header?.split(';').find((each) => each.trimStart().startsWith(start))
  const value = found?.trimStart().slice(start.length).trim()
  return value || undefined
}

/** `max_age` 0 deletes the cookie. `Lax`: of requests from other sites, only followed links carry it. */
export const setCookie = (cookies: CookieOptions, reply: FastifyReply, value: string, max_age: number, name = SESSION_COOKIE): void => {
  const parts = [`${getCookieName(cookies, name)}=${value}`, 'Path=/', `Max-Age=${max_age}`, 'HttpOnly', 'SameSite=Lax']
  reply.header('Set-Cookie', [...parts, ...(cookies.secure ? ['Secure'] : [])].join('; '))
  reply.header('Cache-Control', 'no-store')
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends the cookie even if another site triggered the request. Requests that change something must therefore carry a header that
 * another site cannot send without CORS permission, which is never granted.
 */
export const requireCsrfHeader = (cookies: CookieOptions, request: FastifyRequest): void => {
  if (SAFE_METHODS.has(request.method)) return
  if (request.headers['x-requested-with'] === undefined)
    throw permissionDenied('Requests with a session cookie must send the header X-Requested-With: tablinum.')
  requireSameOrigin(cookies, request)
}

/** Rejects requests that a browser sends for another site. Clients that are not browsers send neither header. */
export const requireSameOrigin = ({ publicUrl }: CookieOptions, { headers, protocol, host }: FastifyRequest): void => {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const ownOrigins = [`${protocol}://${host}`, ...(publicUrl ? [new URL(publicUrl).origin] : [])]
  // Behind a proxy that terminates TLS the origin is https, but the request is http: only the host matters then.
  const isOwn = origin === undefined || ownOrigins.includes(origin) || ownOrigins.includes(origin.replace(/^https:/, 'http:'))
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw permissionDenied('Cross-site requests are not allowed.')
}
