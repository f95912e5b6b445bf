const MAX_PAUSE_MS = 24 * 3_600_000

/** The pause in milliseconds that a server requested with `Retry-After`: seconds or a date. */
export const parseRetryAfter = (header: string | undefined): number | undefined => {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return ms > 0 ? Math.min(ms, MAX_PAUSE_MS) : undefined
}
