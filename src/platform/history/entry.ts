import { type RawBuilder, type Selectable, sql } from 'kysely'
import { formatText, type Translatable, translatable } from '../core/translatable.ts'
import type { ActivitiesTable } from '../db/tables/catalog.ts'
import { type Actor, integrationsVisibleTo, type PerformerType } from '../permissions/permissions.ts'
import { describeActivity, toEventBlocks } from './describe-activity.ts'
import type { Payload } from './events.ts'
import { INTEGRATION_FIELD } from './record.ts'
import type { LogEntry, VersionHistory } from './schema.ts'
import { PRIVATE_FIELD, type StoredChange } from './texts.ts'

/** A row of `activities` with the current name of its performer. */
export interface EntryRow
  extends Omit<Selectable<ActivitiesTable>, 'xid' | 'changes' | 'payload' | 'snapshot' | 'performer_type' | 'recipients' | 'traceparent'> {
  readonly performer_type: PerformerType
  readonly changes: readonly StoredChange[] | null
  /** Of a domain event. */
  readonly payload: Payload | null
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  /** The integration that acted, if it is known and the reader may see it. */
  readonly integration_name: string | null
}

/**
 * What a sync or an event of a source has changed refers to it, and belongs to the integration when the record of the sync was deleted. Schema changes are
 * announced by the integration of their table. Lineage refers to its other end; the integration that wrote it is in its payload, and not known of lineage that
 * earlier releases wrote: it may be of resources of another integration.
 */
const performingIntegrationSql = sql`coalesce(
  case a.related_resource_type
    when 'integration' then a.related_resource_ids[1]
    when 'sync' then coalesce((select s.integration from integration_syncs s where s.id = a.related_resource_ids[1]), a.integration_id) end,
  (a.payload ->> ${sql.lit(INTEGRATION_FIELD)})::uuid,
  case when a.activity_type = 'schema_changed' then a.integration_id end)`

/** The columns of an entry; `a` is the activity and `u` its performer. Without a reader, integrations of closed teams are named too. */
export const entryColumns = (changes: RawBuilder<unknown>, reader: Actor | undefined): RawBuilder<unknown> => sql`
  a.id, a.parent_id, a.activity_type, a.performer_id, a.performer_type, a.resource_id, a.resource_type, a.resource_title, a.resource_icon,
  a.integration_id, a.related_resource_ids, a.related_resource_type, a.version, ${changes} as changes, a.payload, a.logged_at,
  u.email, u.first_name, u.last_name,
  case when a.performer_type = 'INTEGRATION' then (
    select i.name from integrations i where i.id = ${performingIntegrationSql} and ${reader ? integrationsVisibleTo(reader) : sql`true`}
  ) end as integration_name`

const LONG_BYTES = 2000
const SHORT_TEXT_LENGTH = 500
const shortenSideSql = (side: 'from' | 'to') => sql`
  case when jsonb_typeof(c.change -> ${sql.lit(side)}) = 'string' and length(c.change ->> ${sql.lit(side)}) > ${sql.lit(SHORT_TEXT_LENGTH)}
    then jsonb_build_object(${sql.lit(side)}::text, left(c.change ->> ${sql.lit(side)}, ${sql.lit(SHORT_TEXT_LENGTH)}), 'shortened', true) else '{}' end`

/** Versions from before `history_texts` hold whole documents in `changes`; the sentence of an entry needs only their beginning. */
export const SHORT_CHANGES_SQL = sql`
  case when pg_column_size(a.changes) < ${sql.lit(LONG_BYTES)} then a.changes else (
    select jsonb_agg(c.change || ${shortenSideSql('from')} || ${shortenSideSql('to')} order by c.n) from jsonb_array_elements(a.changes) with ordinality as c(change, n)
  ) end`

const MAX_CHANGES_BYTES = 4_000_000 // bytes as they are stored

/** Full changes up to a total size per page, shortened ones after that. */
export const limitedChangesSql = (order: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when sum(pg_column_size(a.changes)) over (order by ${order}) <= ${sql.lit(MAX_CHANGES_BYTES)} then a.changes else ${SHORT_CHANGES_SQL} end`

export const toLogEntry = (row: EntryRow): LogEntry => ({
  id: row.id,
  parent_id: row.parent_id,
  activity_type: row.activity_type,
  performer_id: row.performer_id,
  performer_type: row.performer_type,
  performer_metadata: toPerformer(row),
  resource_id: row.resource_id,
  resource_type: row.resource_type,
  resource_metadata: {
    id: row.resource_id,
    title: row.resource_title,
    name: row.resource_title,
    icon: row.resource_icon,
    type: row.resource_type,
    integration_id: row.integration_id,
  },
  related_resource_ids: row.related_resource_ids ?? [],
  related_resource_type: row.related_resource_type,
  event_blocks: toEventBlocks(describeEntry(row)),
  translatable: describeEntry(row),
  logged_at: row.logged_at,
  created_at: row.logged_at,
  updated_at: row.logged_at,
  is_legacy: false,
  version_history_id: row.version === null ? null : row.id,
  secoda_entity_type: row.resource_type,
})

/** `addresses`: include e-mail addresses of performers, for callers with people.read. */
export const toVersionHistory = (
  stored: EntryRow & { resource_id: string; version: number },
  includeAddresses: boolean,
): VersionHistory => {
  const row = includeAddresses ? stored : hideAddress(stored)
  return {
    id: row.id,
    resource_id: row.resource_id,
    version: row.version,
    activity_type: row.activity_type,
    parent_id: row.parent_id,
    created_at: row.logged_at,
    performer_id: row.performer_id,
    performer_type: row.performer_type,
    performer_metadata: toPerformer(row),
    changes: (row.changes ?? []).filter(isPublicChange),
    event_blocks: toEventBlocks(describeEntry(row)),
    translatable: describeEntry(row),
  }
}

/** A deletion stores who had bookmarked the resource, so that a restore brings the bookmarks back. They are never returned by the API. */
export const isPublicChange = ({ field }: { readonly field: string }): boolean => field !== PRIVATE_FIELD

export const isVersion = <T extends EntryRow>(row: T): row is T & { resource_id: string; version: number } => row.version !== null

const UNKNOWN_PERFORMERS: Record<PerformerType, string | Translatable> = {
  USER: translatable('Unknown user'),
  API: translatable('Unknown user'),
  SYSTEM: 'Tablinum',
  INTEGRATION: translatable('An integration'),
}

/** Without a name, the performer is shown as the part of the address before the @. */
const hideAddress = <T extends EntryRow>(row: T): T => ({
  ...row,
  email: null,
  first_name: row.first_name || row.last_name ? row.first_name : (row.email?.split('@')[0] ?? null),
})

const getPerformerName = ({ performer_type, email, first_name, last_name, integration_name }: EntryRow): string | Translatable =>
  [first_name, last_name].filter(Boolean).join(' ') || email || integration_name || UNKNOWN_PERFORMERS[performer_type]

const toPerformer = (row: EntryRow) => {
  const { performer_id: id, email, first_name, last_name } = row
  return { id, email, first_name, last_name, name: formatText(getPerformerName(row)) }
}

const describeEntry = (row: EntryRow) =>
  describeActivity({
    activity_type: row.activity_type,
    performer: getPerformerName(row),
    resource_type: row.resource_type,
    resource_title: row.resource_title,
    caused: row.parent_id !== null,
    changes: row.changes ?? [],
    payload: row.payload,
  })
