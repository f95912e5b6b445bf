import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { RejectedEvent } from './change.ts'
import { describeRejected, toStorableLine } from './losses.ts'

/** Events that could not be read or applied. They stay in the loss report for a week: nothing else says that they were sent. */

const DAYS = 7
const MAX_EVENTS = 10_000

/** Returns what is saved: one line for each event. */
export const saveRejected = async ({ db }: Context, integration: string, rejected: readonly RejectedEvent[]): Promise<string[]> => {
  const lines = new Map(rejected.slice(0, MAX_EVENTS).map((each) => [hashEvent(each.event), toStorableLine(describeRejected(each))]))
  if (lines.size === 0) return []
  await sql`delete from datahub_rejected_events where integration = ${integration} and received_at < now() - make_interval(days => ${DAYS})`.execute(
    db,
  )
  await sql`
    insert into datahub_rejected_events (integration, event_hash, line, received_at)
    select ${integration}::uuid, e.event_hash, e.line, now()
    from unnest(${[...lines.keys()]}::text[], ${[...lines.values()]}::text[]) e (event_hash, line)
    on conflict (integration, event_hash) do update set received_at = excluded.received_at
  `.execute(db)
  return [...lines.values()]
}

export const findRejected = async (db: Db, integration: string): Promise<string[]> => {
  const { rows } = await sql<{ line: string }>`
    select e.line from datahub_rejected_events e
    where e.integration = ${integration} and e.received_at >= now() - make_interval(days => ${DAYS})
    order by e.event_hash limit ${MAX_EVENTS}
  `.execute(db)
  return rows.map(({ line }) => line)
}

const hashEvent = (event: unknown): string => hash('sha256', JSON.stringify(event) ?? '', 'base64url')
