import { type EntryRow, isPublicChange, toLogEntry } from '../../platform/history/entry.ts'
import { payloadAsChanges } from '../../platform/history/events.ts'
import type { Change } from '../../platform/history/record.ts'
import { type PublicChange, toPublicChange } from '../../platform/history/texts.ts'
import { findRelatedIncident } from '../outbox/common-incidents.ts'
import { joinSentence } from '../outbox/entry-text.ts'
import { buildIncidentUrl, buildResourceUrl } from '../outbox/page-urls.ts'

/** Builds the payload `{type, timestamp, data}` as specified by Standard Webhooks. Pure. */
export const buildPayload = (row: EntryRow, publicUrl?: string): string => {
  const { event_blocks, performer_id, performer_type, performer_metadata, resource_metadata, related_resource_ids, ...entry } =
    toLogEntry(row)
  const changes = [
    ...(row.changes ?? []).filter(isPublicChange).map((change) => toPublicChange(change, () => undefined)),
    ...payloadAsChanges(row.activity_type, row.payload).map(shortenChange),
  ]
  return JSON.stringify({
    type: row.activity_type,
    timestamp: row.logged_at,
    data: {
      activity_id: row.id,
      text: joinSentence(event_blocks),
      performer: { id: performer_id, type: performer_type, name: performer_metadata.name },
      resource: row.resource_id === null ? null : resource_metadata,
      related_resource_ids,
      related_resource_type: entry.related_resource_type,
      link: buildEntryUrl(row, publicUrl) ?? null,
      changes,
      // New values by field, e.g. summary, value and limits of an incident.
      fields: Object.fromEntries(changes.map(({ field, to }) => [field, to])),
    },
  })
}

const MAX_TEXT_LENGTH = 500

/** Long texts of edits are shortened when they are read. */
const shortenChange = (change: Change): PublicChange => {
  if (typeof change.to !== 'string' || change.to.length <= MAX_TEXT_LENGTH) return change
  return { ...change, to: [...change.to].slice(0, MAX_TEXT_LENGTH).join(''), shortened: true }
}

const buildEntryUrl = (row: EntryRow, publicUrl?: string) => {
  const { related_resource_type, resource_id, version } = row
  const incident = findRelatedIncident(row)
  if (incident) return buildIncidentUrl(publicUrl, incident)
  return resource_id && (version !== null || related_resource_type === 'monitor') ? buildResourceUrl(publicUrl, resource_id) : undefined
}

export const buildPing = (id: string, at: Date): string =>
  JSON.stringify({ type: 'ping', timestamp: at.toISOString(), data: { text: 'This is a test from Tablinum.', delivery_id: id } })
