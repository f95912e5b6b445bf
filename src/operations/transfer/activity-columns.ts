import { type RawBuilder, sql } from 'kysely'
import { payloadAsChangesSql } from '../../platform/history/events.ts'
import { fullChangesSql } from '../../platform/history/texts.ts'
import type { ColumnKind, ExportColumn } from './column.ts'

/** Columns of an activity in an export: the data that the sentences in lists are built from. */
const ACTIVITY_COLUMN_KINDS = {
  id: 'id',
  logged_at: 'timestamp',
  activity_type: 'text',
  performer_id: 'id',
  performer_type: 'text',
  performer_email: 'text',
  resource_id: 'id',
  resource_type: 'text',
  resource_title: 'text',
  integration_id: 'id',
  related_resource_ids: 'ids',
  related_resource_type: 'text',
  parent_id: 'id',
  version: 'number',
  changes: 'json',
} as const satisfies Record<string, ColumnKind>

export const ACTIVITY_COLUMNS: readonly string[] = Object.keys(ACTIVITY_COLUMN_KINDS)

const CHANGES_SQL = sql`case when a.payload is null then ${fullChangesSql('a')} else coalesce(a.changes, '[]') || ${payloadAsChangesSql('a')} end`

export const activityColumns = (names: readonly string[]): ExportColumn[] => {
  const kinds: Record<string, ColumnKind> = ACTIVITY_COLUMN_KINDS
  const values: Record<string, RawBuilder<unknown>> = { performer_email: sql`u.email`, changes: CHANGES_SQL }
  return names.map((name) => ({ name, kind: kinds[name]!, value: values[name] ?? sql`${sql.ref(`a.${name}`)}` }))
}
