import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context/context.ts'
import type { Translatable } from '../core/translatable.ts'
import { type Activity, type Change, INTEGRATION_FIELD, insertActivities } from './record.ts'

/**
 * Domain events: what a monitor, a sync or a person caused, as far as it is not an edit of fields. They are activities with a payload, in the
 * same log as edits; see docs/decisions/0021-domain-events.md. Payloads are stored for years, so fields are added and never change their meaning.
 */
export interface EventPayloads {
  monitor_created: MonitorPayload
  monitor_updated: MonitorPayload
  monitor_deleted: MonitorPayload
  incident_opened: IncidentPayload
  incident_reopened: IncidentPayload
  incident_resolved: IncidentPayload & {
    readonly resolved_at: string
    readonly reason: 'in_range' | 'by_hand' | 'marked_normal'
    /** The value that was in range again. */
    readonly last_value?: number
  }
  incident_acknowledged: IncidentPayload
  incident_severity_changed: IncidentPayload & { readonly from: string }
  incident_commented: IncidentPayload & { readonly comment: string }
  incident_assigned: IncidentPayload & { readonly assignee: string | null; readonly assignee_name: string | null }
  incident_snoozed: IncidentPayload
  incident_unsnoozed: IncidentPayload
  /** The time of the snooze has come; it is alerted like an opening. */
  incident_snooze_ended: IncidentPayload
  incident_marked_normal: IncidentPayload
  incident_marked_incident: IncidentPayload
  question_asked: { readonly about: string | null; readonly base_entity_id: string | null; readonly text: string | null }
  question_assigned: { readonly assignee: string; readonly assignee_name: string }
  question_replied: { readonly reply: string; readonly text: string | null }
  question_reply_accepted: { readonly accepted_reply: string; readonly author: string | null; readonly author_name: string | null }
  /** `comment` and `text` are of the comment with the mention, if it is in one. */
  person_mentioned: { readonly names: string; readonly comment?: string; readonly text?: string | null }
  comment_added: CommentPayload & { readonly text: string | null }
  comment_resolved: CommentPayload
  comment_reopened: CommentPayload
  comment_reacted: CommentPayload & { readonly reaction: string }
  comment_reaction_removed: CommentPayload & { readonly reaction: string }
  schema_changed: {
    readonly columns_added: readonly string[]
    readonly columns_removed: readonly string[]
    readonly columns_retyped: readonly { readonly name: string; readonly from: string | null; readonly to: string | null }[]
    readonly columns_renamed: readonly { readonly from: string; readonly to: string }[]
    readonly columns_reordered?: readonly string[]
    readonly columns_nullability?: readonly { readonly name: string; readonly nullable: boolean }[]
    /** Total number of changed columns; the lists may be shorter. */
    readonly columns: number
    /** Its entry in the schema history. */
    readonly schema_change?: string
    /** What depends on removed, renamed and retyped columns, also resources that a reader of the event may not see. */
    readonly breaks?: readonly { readonly id: string; readonly entity_type: string; readonly title: string; readonly table_id: string }[]
  }
  change_suggested: {
    readonly suggestion: string
    readonly field: 'description' | 'tag' | 'owner' | 'term'
    readonly value: string | null
    readonly reason: string | null
  }
  assistant_answered: {
    readonly status: string
    readonly model: string
    readonly input_tokens: number
    readonly output_tokens: number
    /** Null without prices. */
    readonly cost: number | null
    /** The tools that were called. */
    readonly tools: readonly string[]
  }
  drafts_created: {
    readonly drafts: number
    readonly tables: number
    readonly model: string | null
    readonly input_tokens: number
    readonly output_tokens: number
  }
  attachment_uploaded: AttachmentPayload
  attachment_deleted: AttachmentPayload
  /** A new match of a saved view. The name only if the view is shared. */
  view_matched: { readonly view: string; readonly name: string | null }
  pii_viewed: { readonly columns: readonly string[] }
  /** A query of a user in a source: its text without literal values, and the tables it read. */
  data_queried: { readonly sql: string; readonly tables: readonly string[] }
  /** A file was imported, and can be undone as a whole. */
  import_completed: {
    readonly import: string
    readonly lines: number
    readonly created: number
    readonly updated: number
    readonly lineage_created: number
  }
  import_undone: {
    readonly import: string
    readonly resources_restored: number
    readonly resources_deleted: number
    readonly lineage_deleted: number
    readonly changes_kept: number
  }
  public_link_created: { readonly link: string; readonly expires_at: string }
  public_link_revoked: { readonly link: string }
  /** Of scheduled backups. */
  backup_created: { readonly backup: string; readonly rows: number; readonly bytes: number }
  backup_failed: { readonly backup: string; readonly error: string }
  backup_removed: { readonly backup: string }
  backup_downloaded: { readonly backup: string; readonly rows: number }
  session_started: { readonly method: string }
  sign_in_failed: { readonly address: string; readonly tries: number }
  /** The parameters of the export. */
  [kind: `${string}_exported`]: Readonly<Record<string, unknown>>
}

interface CommentPayload {
  readonly comment: string
  /** The first comment of the thread. */
  readonly thread: string
}

export interface AttachmentPayload {
  readonly attachment: string
  readonly name: string
  readonly media_type: string
  readonly byte_size: number
}

/** The name by which a reader knows the monitor, if it is not among the changes. */
export interface MonitorPayload {
  readonly monitor?: string
}

/** Everything a notification needs, so that followers do not have to query monitors. */
export interface IncidentPayload {
  readonly incident: string
  readonly monitor: string
  readonly name: string
  readonly metric_type: string
  readonly frequency: number
  readonly severity: string
  readonly value: number | null
  readonly lower_threshold: number | null
  readonly upper_threshold: number | null
  readonly summary: string
  readonly summary_translatable?: Translatable
  readonly first_seen_at: string
  readonly notify_slack_channel: string | null
  /** An incident that was open upstream when this one was opened. */
  readonly upstream_incident: string | null
  /** Only while it is snoozed: no one is notified of the event. */
  readonly snoozed_until?: string
}

export type EventKind = keyof EventPayloads

/** The resource an event is about. */
export interface EventResource {
  readonly id?: string
  readonly type: string
  readonly title?: string | null
  readonly icon?: string | null
  readonly integration_id?: string | null
}

interface EventContext extends Pick<Activity, 'recipients'> {
  readonly resource: EventResource
  readonly related?: { readonly type: string; readonly ids: readonly string[] }
  /** Fields of a related record that changed. */
  readonly changes?: readonly Change[]
}

/** Its performer and time are those of the context. */
export type DomainEvent = { [K in EventKind]: EventContext & { readonly kind: K; readonly payload: EventPayloads[K] } }[EventKind]

/** Must be called in the transaction of what caused the events, so that all is committed or nothing is. */
export const recordEvents = (ctx: Context, events: readonly DomainEvent[]): Promise<void> =>
  insertActivities(
    ctx,
    events.map(({ kind, resource, related, recipients, changes, payload }) => ({
      activity_type: kind,
      resource_id: resource.id,
      resource_type: resource.type,
      resource_title: resource.title,
      resource_icon: resource.icon,
      integration_id: resource.integration_id,
      ...(related ? { related_resource_ids: related.ids, related_resource_type: related.type } : {}),
      recipients,
      changes,
      payload,
    })),
  )

export const recordEvent = (ctx: Context, event: DomainEvent): Promise<void> => recordEvents(ctx, [event])

/** A stored payload. */
export type Payload = Readonly<Record<string, unknown>>

/**
 * The values of a payload in the form of changes, as webhooks and exports return them. The name of a monitor is a value before and after;
 * all others are new.
 */
export const payloadAsChanges = (activity_type: string, payload: Payload | null): Change[] =>
  Object.entries(payload ?? {})
    .filter(([field]) => !HIDDEN_FIELDS.includes(field))
    .map(([field, to]) => ({ field, from: isMonitorEvent(activity_type) ? to : null, to }))

/** The same text as `summary`. */
const TEMPLATE_FIELD = 'summary_translatable'
const HIDDEN_FIELDS = [TEMPLATE_FIELD, INTEGRATION_FIELD]

const isMonitorEvent = (activity_type: string): boolean => activity_type.startsWith('monitor_')

/** The same as SQL. */
export const payloadAsChangesSql = (alias: string): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('field', p.key, 'from', case when ${sql.ref(`${alias}.activity_type`)} like 'monitor\\_%' then p.value end, 'to', p.value)), '[]')
  from jsonb_each(${sql.ref(`${alias}.payload`)}) p where p.key <> all(${sql.lit(`{${HIDDEN_FIELDS}}`)}::text[]))`
