import type { FastifyReply, FastifyRequest } from 'fastify'
import { denied } from '../errors.ts'

/** The cookie that carries a session, and what keeps other sites from using it. */
export interface Cookies {
  /** Over https only: then the browser also keeps every other host from setting it. */
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

/** With `max_age` 0 the browser forgets it. `Lax`: it comes along when somebody follows a link to us, and with nothing else from outside. */
export const setCookie = (cookies: Cookies, reply: FastifyReply, value: string, max_age: number, name = SESSION): void => {
  const parts = [`${nameOf(cookies, name)}=${value}`, 'Path=/', `Max-Age=${max_age}`, 'HttpOnly', 'SameSite=Lax']
  reply.header('Set-Cookie', [...parts, ...(cookies.secure ? ['Secure'] : [])].join('; '))
  reply.header('Cache-Control', 'no-store')
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends the cookie whoever made it ask. What changes something must therefore carry a header that another site cannot send
 * without our leave, which is never given.
 */
export const mustBeMeant = (cookies: Cookies, request: FastifyRequest): void => {
  if (SAFE.has(request.method)) return
  if (request.headers['x-requested-with'] === undefined) throw denied('With a session, send the header X-Requested-With: tablinum.')
  mustBeFromHere(cookies, request)
}

/** What a browser says about where a request comes from must be this site. Callers that are no browsers say nothing. */
export const mustBeFromHere = ({ publicUrl }: Cookies, { headers, protocol, host }: FastifyRequest): void => {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const ours = [`${protocol}://${host}`, ...(publicUrl ? [new URL(publicUrl).origin] : [])]
  // A proxy that ends TLS makes https of our http: the host is what counts then.
  const known = origin === undefined || ours.includes(origin) || ours.includes(origin.replace(/^https:/, 'http:'))
  if (known && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw denied('This request was made by another site.')
}
