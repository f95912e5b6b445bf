import { sql } from 'kysely'
import { columnFields, defineFields, type ListField, type ListFields } from '../../platform/lists/field.ts'
import { type Actor, seesEverything } from '../../platform/permissions/permissions.ts'
import { ENTITY_TYPE_CONFIGS } from '../entity-types/entity-types.ts'
import { healthField } from './health.ts'
import { refersToSql } from './refs.ts'
import { childrenCountSql } from './resource-rows.ts'

/** Stored in `details`, where a source may have written a value of another type. Such a value counts as not set. */
const detailsNumberField = (name: string): ListField => {
  const value = (alias: string) => {
    const value = sql`${sql.ref(`${alias}.details`)} -> ${sql.lit(name)}`
    return sql`(case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end)`
  }
  // A source may have written a fraction, or more digits than an integer has.
  return { name, type: 'number', required: false, value, sorted_as: { type: 'decimal', value } }
}
const detailsFlagField = (name: string): ListField => ({
  name,
  type: 'boolean',
  required: true,
  value: (alias) => sql`coalesce(${sql.ref(`${alias}.details`)} -> ${sql.lit(name)} = 'true'::jsonb, false)`,
})

const defaultIconSql = (alias: string) =>
  sql`(case ${sql.ref(`${alias}.entity_type`)} ${sql.join(
    [...ENTITY_TYPE_CONFIGS.values()].map(({ entity_type, icon }) => sql`when ${sql.lit(entity_type)} then ${sql.lit(icon)}`),
    sql` `,
  )} end)`

/** The fields that resource lists can be filtered and sorted by. */
const FIELDS: readonly ListField[] = [
  ...columnFields('id', 'id', true),
  ...columnFields('id', 'parent integration base_entity_id multiplayer_last_modified_by question_answered_by question_assigned_to'),
  ...columnFields('text', 'entity_type title title_full title_cased', true),
  ...columnFields(
    'text',
    'native_type description definition url databuilder_id cluster database schema question_status question_priority',
  ),
  {
    name: 'icon',
    type: 'text',
    required: true,
    // As in the record: falls back to the icon of the entity type.
    value: (alias) => sql`coalesce(${sql.ref(`${alias}.icon`)}, ${defaultIconSql(alias)})`,
  },
  // There is exactly one workspace.
  { name: 'workspace_id', type: 'id', required: true, value: () => sql`(select w.id from workspaces w)` },
  ...columnFields('boolean', 'published archived pii verified stale forced_unstale_by_user', true),
  ...columnFields('number', 'definition_version version children_count external_usage internal_usage', true),
  ...columnFields('number', 'row_count byte_size'),
  {
    name: 'total_usage',
    type: 'number',
    required: true,
    value: (alias) => sql`(${sql.ref(`${alias}.external_usage`)} + ${sql.ref(`${alias}.internal_usage`)})`,
  },
  ...columnFields('timestamp', 'created_at updated_at', true),
  ...columnFields('timestamp', 'archived_at stale_at external_updated_at multiplayer_last_modified'),
  {
    // Compared and sorted by its date.
    name: 'deprecation',
    type: 'timestamp',
    required: false,
    value: (alias) => sql`(${sql.ref(`${alias}.deprecation`)} ->> 'since')::timestamptz`,
    isSet: (alias) => sql`${sql.ref(`${alias}.deprecation`)} is not null`,
  },
  ...columnFields('ids', 'owners owners_groups collections tags terms teams subscribers bookmarked_by').map((field) => ({
    ...field,
    // Only current rows have references. For the previous state of a row, the array column is compared.
    has: (alias: string, ids: readonly unknown[]) => (alias === 'r' ? refersToSql(field.name, ids as string[]) : undefined),
  })),
  ...columnFields('ids', 'internal_users'),
  ...columnFields('texts', 'external_users sources'),
  ...['sort_order', 'freq'].map(detailsNumberField),
  ...['is_pk', 'hidden', 'is_template'].map(detailsFlagField),
]

const RESOURCE_FIELDS = defineFields(FIELDS, { type: 'entity_type', integration_id: 'integration', parent_id: 'parent' })
export const findField = RESOURCE_FIELDS.find

/** The fields as seen by this actor: health and children depend on what the actor can see, also in filters and sorts. */
export const getFieldsFor = (actor: Actor): ListFields => {
  // Built only when it is used: its SQL would take longer than the rest of a short filter.
  const find = (name: string): ListField | undefined => {
    if (name === 'health') return healthField(actor)
    const field = findField(name)
    return field && name === 'children_count' && !seesEverything(actor)
      ? { ...field, value: (alias) => childrenCountSql(actor, alias), from_others: true }
      : field
  }
  return { names: () => [...RESOURCE_FIELDS.names(), 'health'].sort(), find }
}
