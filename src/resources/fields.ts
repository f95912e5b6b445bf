import { sql } from 'kysely'
import { type Actor, seesEverything } from '../access/permissions.ts'
import { columns, type Field, type Fields, fieldsOf } from '../lists/field.ts'
import { KINDS } from './kinds.ts'
import { refersTo } from './refs.ts'
import { visibleChildren } from './store.ts'

/** Stored in `details`, where a source may have written a value of another type. Such a value counts as not set. */
const numberInDetails = (name: string): Field => ({
  name,
  type: 'number',
  required: false,
  value: (alias) => {
    const value = sql`${sql.ref(`${alias}.details`)} -> ${sql.lit(name)}`
    return sql`(case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end)`
  },
})
const flagInDetails = (name: string): Field => ({
  name,
  type: 'boolean',
  required: true,
  value: (alias) => sql`coalesce(${sql.ref(`${alias}.details`)} -> ${sql.lit(name)} = 'true'::jsonb, false)`,
})

const iconOfKind = (alias: string) =>
  sql`(case ${sql.ref(`${alias}.entity_type`)} ${sql.join(
    [...KINDS.values()].map(({ entity_type, icon }) => sql`when ${sql.lit(entity_type)} then ${sql.lit(icon)}`),
    sql` `,
  )} end)`

/** The fields that resource lists can be filtered and sorted by. */
const FIELDS: readonly Field[] = [
  ...columns('id', 'id', true),
  ...columns('id', 'parent integration base_entity_id multiplayer_last_modified_by question_answered_by question_assigned_to'),
  ...columns('text', 'entity_type title title_full title_cased', true),
  ...columns('text', 'native_type description definition url databuilder_id cluster database schema question_status question_priority'),
  {
    name: 'icon',
    type: 'text',
    required: true,
    // As in the record: falls back to the icon of the entity type.
    value: (alias) => sql`coalesce(${sql.ref(`${alias}.icon`)}, ${iconOfKind(alias)})`,
  },
  // There is exactly one workspace.
  { name: 'workspace_id', type: 'id', required: true, value: () => sql`(select w.id from workspaces w)` },
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
  ...columns('ids', 'owners owners_groups collections tags teams subscribers bookmarked_by').map((field) => ({
    ...field,
    // Only current rows have references. For the previous state of a row, the array column is compared.
    has: (alias: string, ids: readonly unknown[]) => (alias === 'r' ? refersTo(field.name, ids as string[]) : undefined),
  })),
  ...columns('ids', 'internal_users'),
  ...columns('texts', 'external_users sources'),
  ...['sort_order', 'freq'].map(numberInDetails),
  ...['is_pk', 'hidden'].map(flagInDetails),
]

export const RESOURCE_FIELDS = fieldsOf(FIELDS, { type: 'entity_type', integration_id: 'integration', parent_id: 'parent' })
export const findField = RESOURCE_FIELDS.find

/** The fields as seen by this actor: `children_count` only counts visible children, also in filters and sorts. */
export const fieldsFor = (actor: Actor): Fields => {
  if (seesEverything(actor)) return RESOURCE_FIELDS
  const children: Field = { ...findField('children_count')!, value: (alias) => visibleChildren(actor, alias), from_others: true }
  return { ...RESOURCE_FIELDS, find: (name) => (name === 'children_count' ? children : findField(name)) }
}
