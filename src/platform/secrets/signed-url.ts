import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context/context.ts'
import type { Key } from './seal.ts'

/** Signed, expiring chart URLs that need no token, for e-mail clients and Slack. */
const VALIDITY_MS = 30 * 24 * 3_600_000
const HOUR_MS = 3_600_000

export const signChartUrl = async (ctx: Context, publicUrl: string, monitor_id: string): Promise<string> => {
  const [key] = await ctx.runtime.keyring.keys()
  // Rounded to the hour, so that repeated requests can be served from a cache.
  const exp = Math.ceil((ctx.now.getTime() + VALIDITY_MS) / HOUR_MS) * (HOUR_MS / 1000)
  return `${publicUrl}/api/v1/monitor/chart/${monitor_id}.png?exp=${exp}&sig=${computeSignature(key!, monitor_id, exp)}`
}

export const isValidChartSignature = async (ctx: Context, monitor_id: string, exp: number, sig: string): Promise<boolean> => {
  if (exp * 1000 < ctx.now.getTime()) return false
  const provided = Buffer.from(sig)
  return (await ctx.runtime.keyring.keys()).some((key) => {
    const expected = Buffer.from(computeSignature(key, monitor_id, exp))
    return expected.length === provided.length && timingSafeEqual(expected, provided)
  })
}

/** Uses a separate key, derived from the one that encrypts secrets. */
const computeSignature = ({ bytes }: Key, monitor_id: string, exp: number): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', bytes, '', 'tablinum chart links', 32)))
    .update(`${monitor_id} ${exp}`)
    .digest('base64url')
