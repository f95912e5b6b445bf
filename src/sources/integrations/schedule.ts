import { createHash } from 'node:crypto'
import { nextCronTime } from '../../platform/queue/cron.ts'
import { CONNECTORS } from '../connectors/registry/all.ts'
import type { IntegrationRow } from './integration-rows.ts'
import type { Schedule } from './schema.ts'

/** When an integration syncs next. Pure. */
const MINUTE_MS = 60_000
const MAX_JITTER_MS = 5 * MINUTE_MS

/** Null without a schedule, a connector or credentials. */
export const computeNextSync = ({ id, type, schedule, connection, secret_fields }: IntegrationRow, now: Date): Date | null => {
  if (!schedule || !CONNECTORS.has(type) || !(connection || secret_fields)) return null
  const { interval_minutes, cron, timezone } = schedule as Schedule
  const next = interval_minutes ? new Date(now.getTime() + interval_minutes * MINUTE_MS) : nextCronTime(cron!, now, timezone)
  return next ? new Date(next.getTime() + computeJitter(id, next.getTime() - now.getTime())) : null
}

/** Spreads integrations with the same schedule over a few minutes; the offset of an integration is always the same. */
const computeJitter = (id: string, gapMs: number): number => {
  const share = createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32
  return Math.floor((share * Math.min(MAX_JITTER_MS, gapMs / 10)) / 1000) * 1000
}

const FIRST_RETRY_MS = 5 * MINUTE_MS
const MAX_RETRY_MS = 360 * MINUTE_MS

/** Retries a failing source soon at first, then with growing delays. */
export const computeNextRetry = (failures: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS))
