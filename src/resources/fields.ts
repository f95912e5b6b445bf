import { sql } from 'kysely'
import { columns, type Field, fieldsOf } from '../lists/field.ts'

/** The fields of the record a list of resources can be filtered and sorted by. */
const FIELDS: readonly Field[] = [
  ...columns('id', 'id', true),
  ...columns('id', 'parent integration base_entity_id multiplayer_last_modified_by question_answered_by question_assigned_to'),
  ...columns('text', 'entity_type title title_full title_cased', true),
  ...columns(
    'text',
    'native_type icon description definition url databuilder_id cluster database schema question_status question_priority',
  ),
  ...columns('boolean', 'published archived pii verified stale forced_unstale_by_user', true),
  ...columns('number', 'definition_version version children_count external_usage internal_usage', true),
  ...columns('number', 'row_count byte_size'),
  {
    name: 'total_usage',
    type: 'number',
    required: true,
    value: (alias) => sql`(${sql.ref(`${alias}.external_usage`)} + ${sql.ref(`${alias}.internal_usage`)})`,
  },
  ...columns('timestamp', 'created_at updated_at', true),
  ...columns('timestamp', 'archived_at stale_at external_updated_at multiplayer_last_modified'),
  ...columns('ids', 'owners owners_groups collections tags teams subscribers bookmarked_by internal_users'),
  ...columns('texts', 'external_users sources'),
]

export const RESOURCE_FIELDS = fieldsOf(FIELDS, { type: 'entity_type', integration_id: 'integration', parent_id: 'parent' })
export const findField = RESOURCE_FIELDS.find
