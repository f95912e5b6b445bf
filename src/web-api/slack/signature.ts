import { createHmac, timingSafeEqual } from 'node:crypto'

const MAX_AGE_MS = 5 * 60_000 // Slack's recommendation against replayed requests

/** Whether Slack signed this request (`v0`) within the last minutes. Pure. */
export const isSignedBySlack = (
  secret: string,
  { body, timestamp, signature }: { readonly body: string; readonly timestamp: string; readonly signature: string },
  now: Date,
): boolean => {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() - Number(timestamp) * 1000) > MAX_AGE_MS) return false
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`)
  const presented = Buffer.from(signature)
  return presented.length === expected.length && timingSafeEqual(presented, expected)
}
