import { sql } from 'kysely'
import type { TestApp } from '../support/test-app.ts'
import type { Row } from './report.ts'

/** How often a receiver failed. */
export interface Failures {
  rejected: number
  /** Accepted or not, the sender cannot know. */
  lost: number
}

export const countOpen = async (app: TestApp): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from deliveries where status in ('pending', 'sending'))::int
      + (select count(*) from notification_windows where due_at is not null)::int as n`.execute(app.db)
  return rows[0]!.n
}

export const countDeliveries = async (app: TestApp): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from deliveries`.execute(app.db)).rows[0]!.n

interface Delivery {
  readonly id: string
  readonly status: string
}

export const readLedger = async (app: TestApp, channel: 'email' | 'webhook'): Promise<readonly Delivery[]> => {
  const of = channel === 'webhook' ? sql`webhook_id is not null` : sql`webhook_id is null`
  return (await sql<Delivery>`select id, status from deliveries where ${of}`.execute(app.db)).rows
}

type Arrived = ReadonlyMap<string, readonly unknown[]>

/** Every message is in the ledger, sent, and arrived under its ID; nothing else arrived. */
export const compareWithLedger = (what: string, expected: number, ledger: readonly Delivery[], arrived: Arrived): string[] => {
  const ids = new Set(ledger.map(({ id }) => id))
  return [
    ...(ledger.length === expected ? [] : [`${what}: ${ledger.length} deliveries instead of ${expected}`]),
    ...ledger.flatMap(({ id, status }) => (status === 'sent' ? [] : [`${what} ${id}: ${status}`])),
    ...ledger.flatMap(({ id }) => (arrived.has(id) ? [] : [`${what} ${id} was lost`])),
    ...[...arrived.keys()].flatMap((id) => (ids.has(id) ? [] : [`${what} ${id} is not in the ledger`])),
  ]
}

const countRepeated = (arrived: Arrived): number => [...arrived.values()].reduce((sum, each) => sum + each.length - 1, 0)

/** A message arrives again only if its sender was killed, or its confirmation was lost. */
export const findUnexplained = (what: string, arrived: Arrived, most: number): string[] => {
  return countRepeated(arrived) > most ? [`${what}: ${countRepeated(arrived)} repetitions, at most ${most} are explained`] : []
}

export const findWrongInboxes = async (app: TestApp, people: number): Promise<string[]> => {
  const { rows } = await sql<{ n: number; least: number; most: number }>`
    select count(*)::int as n, min(changes_count) as least, max(changes_count) as most from notifications`.execute(app.db)
  const { n, least, most } = rows[0]!
  return n === people && least === 1 && most === 1 ? [] : [`inboxes: ${n} of ${people}, with ${least} to ${most} changes`]
}

export const toRow = (
  what: string,
  expected: number,
  ledger: readonly Delivery[],
  arrived: Arrived,
  failures: Failures,
  kills: number,
): Row => ({
  to: what,
  expected,
  sent: ledger.filter(({ status }) => status === 'sent').length,
  'arrived, by ID': arrived.size,
  lost: ledger.filter(({ id }) => !arrived.has(id)).length,
  'arrived again under the same ID': countRepeated(arrived),
  'failures of the receiver': failures.rejected + failures.lost,
  kills,
})
