import { sql } from 'kysely'

/** The event that is explained. */
export interface ExplainedEvent {
  readonly id: string
  readonly activity_type: string
  readonly performer_id: string | null
  readonly recipients: string[] | null
  readonly resource_id: string
  readonly payload: {
    readonly severity?: string
    readonly snoozed_until?: string
    readonly breaks?: readonly { readonly table_id: string }[]
  } | null
  readonly notified: boolean
  /** Its table. */
  readonly table_id: string
  readonly incident: string | null
  readonly owners: string[] | null
  readonly owners_groups: string[] | null
  readonly subscribers: string[] | null
  readonly published: boolean
  readonly teams: string[] | null
}

/** The deliveries (`d`) whose message contains the event. */
export const containsEventSql = (id: string) => sql`
  (d.alert @> ${JSON.stringify({ items: [{ activity: id }] })}::text::jsonb or d.resources @> ${JSON.stringify([{ activity_ids: [id] }])}::text::jsonb)`

export interface DeliveryFacts {
  readonly status: string
  readonly attempts: number
  readonly due_at: string
  readonly sent_at: string | null
  readonly held_until: string | null
  readonly error: string | null
}
export const DELIVERY_FACTS_SQL = sql`d.status, d.attempts, d.due_at, d.sent_at, d.held_until, d.error`
