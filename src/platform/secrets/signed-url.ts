import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context/context.ts'
import type { Key } from './seal.ts'

/** Signed URLs that need no token: charts for e-mail clients and Slack, badges for wikis and BI tools. */
const VALIDITY_MS = 30 * 24 * 3_600_000
const HOUR_MS = 3_600_000

type Purpose = 'tablinum chart links' | 'tablinum badge links' | 'tablinum card links' | 'tablinum public files'

export const signChartUrl = async (ctx: Context, publicUrl: string, monitor_id: string): Promise<string> => {
  // Rounded to the hour, so that repeated requests can be served from a cache.
  const exp = Math.ceil((ctx.now.getTime() + VALIDITY_MS) / HOUR_MS) * (HOUR_MS / 1000)
  return `${publicUrl}/api/v1/monitor/chart/${monitor_id}.png?exp=${exp}&sig=${await sign(ctx, 'tablinum chart links', `${monitor_id} ${exp}`)}`
}

export const isValidChartSignature = async (ctx: Context, monitor_id: string, exp: number, sig: string): Promise<boolean> =>
  exp * 1000 >= ctx.now.getTime() && isSigned(ctx, 'tablinum chart links', `${monitor_id} ${exp}`, sig)

export const sign = async (ctx: Context, purpose: Purpose, text: string): Promise<string> => {
  const [key] = await ctx.runtime.keyring.keys()
  return computeSignature(key!, purpose, text)
}

export const isSigned = async (ctx: Context, purpose: Purpose, text: string, sig: string): Promise<boolean> => {
  const provided = Buffer.from(sig)
  return (await ctx.runtime.keyring.keys()).some((key) => {
    const expected = Buffer.from(computeSignature(key, purpose, text))
    return expected.length === provided.length && timingSafeEqual(expected, provided)
  })
}

/** Uses a separate key for each purpose, derived from the one that encrypts secrets. */
const computeSignature = ({ bytes }: Key, purpose: Purpose, text: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', bytes, '', purpose, 32)))
    .update(text)
    .digest('base64url')
