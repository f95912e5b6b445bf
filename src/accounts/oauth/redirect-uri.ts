/** Where an authorization code may be sent. Pure. */

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
/** Schemes that a browser runs or reads itself instead of handing them to an application. */
const BROWSER_SCHEMES = new Set([
  'javascript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
])

export const findRedirectProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (!url) return `${text} is not a URL.`
  if (url.hash || text.includes('#')) return `${text} must not contain a fragment.`
  if (url.username || url.password) return `${text} must not contain a user name or password.`
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    return `${text} must use https, or http on this computer (127.0.0.1 or localhost).`
  if (BROWSER_SCHEMES.has(url.protocol)) return `${text} must use https or the scheme of an application.`
  return undefined
}

/** Compared literally, except for the port on this computer: native applications listen on whichever is free (RFC 8252, section 7.3). */
export const isRegisteredRedirect = (registered: readonly string[], redirect_uri: string): boolean =>
  registered.includes(redirect_uri) || registered.some((each) => isSameLoopback(each, redirect_uri))

const isSameLoopback = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)]
  if (a?.protocol !== 'http:' || b?.protocol !== 'http:' || !LOOPBACK.test(a.hostname)) return false
  return a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search && findRedirectProblem(other) === undefined
}
