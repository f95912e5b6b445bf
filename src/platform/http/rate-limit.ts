import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'
import type { Db } from '../db/connect.ts'
import type { AppBackend } from './backend.ts'

/**
 * Limits requests per token and minute across all instances. Each instance counts its own requests and, once a second, adds them to the
 * shared window and reads the totals; a write per request would cost more than most requests.
 */
const SHARE_INTERVAL_MS = 1000
const MINUTE = 60_000

export interface RateLimitOptions {
  readonly backend: AppBackend
  readonly limit: number
}

export const addRateLimit = (app: FastifyInstance, { backend, limit }: RateLimitOptions): void => {
  if (limit === 0) return
  const windows = new Map<string, RateWindow>()

  app.addHook('onRequest', async (request, reply) => {
    const token = request.ctx?.actor.token_id ?? request.ctx?.actor.session_id
    if (!token) return
    const now = backend.now().getTime()
    const minute = Math.floor(now / MINUTE)
    const current = windows.get(token)
    const window = current?.minute === minute ? current : { minute, own: 0, unshared: 0, others: 0 }
    windows.set(token, window)
    window.own += 1
    window.unshared += 1
    const served = window.own + window.others
    reply.header('RateLimit-Limit', limit).header('RateLimit-Remaining', Math.max(0, limit - served))
    if (served <= limit) return
    const wait = Math.ceil(((minute + 1) * MINUTE - now) / 1000)
    reply.header('Retry-After', Math.max(1, wait))
    throw new ApiError(
      'rate_limited',
      translatable('Rate limit exceeded: {limit} requests per minute and token. Try again in {wait} s.', { limit, wait }),
    )
  })

  const timer = setInterval(
    () =>
      shareWindows(backend.runtime.databases.request.db, windows, Math.floor(backend.now().getTime() / MINUTE)).catch((error) =>
        app.log.debug({ err: error }, 'Failed to share rate limit windows'),
      ),
    SHARE_INTERVAL_MS,
  )
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

interface RateWindow {
  minute: number
  own: number
  unshared: number
  others: number
}

const shareWindows = async (db: Db, windows: Map<string, RateWindow>, minute: number): Promise<void> => {
  for (const [token, window] of windows) if (window.minute < minute) windows.delete(token)
  const changed = [...windows].filter(([, { unshared }]) => unshared > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  if (changed.length === 0) return
  const sent = changed.map(([, { unshared }]) => unshared)
  const { rows } = await sql<{ token_id: string; requests: number }>`
    insert into rate_windows (token_id, minute, requests)
    select token_id, ${minute}, n from unnest(${changed.map(([token]) => token)}::uuid[], ${sent}::bigint[]) as news(token_id, n)
    on conflict (token_id, minute) do update set requests = rate_windows.requests + excluded.requests
    returning token_id, requests
  `.execute(db)
  const totals = new Map(rows.map(({ token_id, requests }) => [token_id, requests]))
  changed.forEach(([token, window], i) => {
    window.unshared -= sent[i]!
    window.others = Math.max(0, (totals.get(token) ?? 0) - (window.own - window.unshared))
  })
}
