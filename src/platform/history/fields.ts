import { sql } from 'kysely'
import { columnFields, defineFields, type ListField } from '../lists/field.ts'
import type { Sort } from '../lists/sort.ts'

/** The fields of an audit entry a list can be filtered and sorted by. */
const FIELDS: readonly ListField[] = [
  ...columnFields('id', 'id', true),
  ...columnFields('id', 'parent_id performer_id resource_id integration_id'),
  ...columnFields('text', 'activity_type performer_type', true),
  ...columnFields('text', 'resource_type resource_title related_resource_type'),
  ...columnFields('ids', 'related_resource_ids'),
  ...columnFields('number', 'version'),
  ...columnFields('timestamp', 'logged_at', true),
  {
    name: 'version_history_id',
    type: 'id',
    required: false,
    value: (alias) => sql`(case when ${sql.ref(`${alias}.version`)} is not null then ${sql.ref(`${alias}.id`)} end)`,
  },
  // An expression of the row: Postgres cannot sort by a constant.
  { name: 'is_legacy', type: 'boolean', required: true, value: (alias) => sql`(${sql.ref(`${alias}.id`)} is null)` },
]

export const LOG_FIELDS = defineFields(FIELDS, { created_at: 'logged_at', updated_at: 'logged_at', secoda_entity_type: 'resource_type' })

/** Newest first, in the direction the index on `logged_at, id` can be read in. */
export const NEWEST_FIRST_SORT: Sort = ['logged_at', 'id'].map((name) => ({ field: LOG_FIELDS.find(name)!, descending: true }))
