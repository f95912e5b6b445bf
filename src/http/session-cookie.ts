import type { FastifyReply, FastifyRequest } from 'fastify'
import { denied } from '../errors.ts'

/** The session cookie and its protection against use by other sites. */
export interface Cookies {
  /** https only: the `__Host-` prefix then also keeps other hosts from setting it. */
  readonly secure: boolean
  readonly publicUrl?: string
}

export const cookiesOf = (publicUrl: string | undefined): Cookies => ({ secure: publicUrl?.startsWith('https:') ?? false, publicUrl })

const nameOf = ({ secure }: Cookies, name: string): string => (secure ? `__Host-${name}` : name)
const SESSION = 'tablinum_session'

export const readCookie = (cookies: Cookies, header: string | undefined, name = SESSION): string | undefined => {
  const start = `${nameOf(cookies, name)}=`
  const found = header?.split(';').find((each) => each.trimStart().startsWith(start))
  const value = found?.trimStart().slice(start.length).trim()
  return value || undefined
}

/** `max_age` 0 deletes the cookie. `Lax`: of requests from other sites, only followed links carry it. */
export const setCookie = (cookies: Cookies, reply: FastifyReply, value: string, max_age: number, name = SESSION): void => {
  const parts = [`${nameOf(cookies, name)}=${value}`, 'Path=/', `Max-Age=${max_age}`, 'HttpOnly', 'SameSite=Lax']
  reply.header('Set-Cookie', [...parts, ...(cookies.secure ? ['Secure'] : [])].join('; '))
  reply.header('Cache-Control', 'no-store')
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends the cookie even if another site triggered the request. Requests that change something must therefore carry a header that
 * another site cannot send without CORS permission, which is never granted.
 */
export const mustBeMeant = (cookies: Cookies, request: FastifyRequest): void => {
  if (SAFE.has(request.method)) return
  if (request.headers['x-requested-with'] === undefined)
    throw denied('Requests with a session cookie must send the header X-Requested-With: tablinum.')
  mustBeFromHere(cookies, request)
}

/** Rejects requests that a browser sends for another site. Clients that are not browsers send neither header. */
export const mustBeFromHere = ({ publicUrl }: Cookies, { headers, protocol, host }: FastifyRequest): void => {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const ours = [`${protocol}://${host}`, ...(publicUrl ? [new URL(publicUrl).origin] : [])]
  // Behind a proxy that terminates TLS the origin is https, but the request is http: only the host matters then.
  const known = origin === undefined || ours.includes(origin) || ours.includes(origin.replace(/^https:/, 'http:'))
  if (known && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw denied('Cross-site requests are not allowed.')
}
