import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Key } from '../../integrations/secrets.ts'

/** Signed, expiring chart URLs that need no token, for e-mail clients and Slack. */
const KEPT_MS = 30 * 24 * 3_600_000
const HOUR_MS = 3_600_000

export const chartAddress = async (ctx: Context, publicUrl: string, monitor_id: string): Promise<string> => {
  const [key] = await ctx.runtime.keyring.keys()
  // Rounded to the hour, so that repeated requests can be served from a cache.
  const exp = Math.ceil((ctx.now.getTime() + KEPT_MS) / HOUR_MS) * (HOUR_MS / 1000)
  return `${publicUrl}/api/v1/monitor/chart/${monitor_id}.png?exp=${exp}&sig=${signatureOf(key!, monitor_id, exp)}`
}

export const isSigned = async (ctx: Context, monitor_id: string, exp: number, sig: string): Promise<boolean> => {
  if (exp * 1000 < ctx.now.getTime()) return false
  const given = Buffer.from(sig)
  return (await ctx.runtime.keyring.keys()).some((key) => {
    const right = Buffer.from(signatureOf(key, monitor_id, exp))
    return right.length === given.length && timingSafeEqual(right, given)
  })
}

/** Uses a separate key, derived from the one that encrypts secrets. */
const signatureOf = ({ bytes }: Key, monitor_id: string, exp: number): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', bytes, '', 'tablinum chart links', 32)))
    .update(`${monitor_id} ${exp}`)
    .digest('base64url')
