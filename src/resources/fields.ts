import { type RawBuilder, sql } from 'kysely'

/**
 * The fields of the record a list can be filtered and sorted by, and how each is read from a row.
 * `required` fields are never null: their order needs no word on nulls, and so matches the plain indexes.
 */
export type FieldType = 'text' | 'id' | 'number' | 'boolean' | 'timestamp' | 'ids' | 'texts'

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly required: boolean
  /** Its value as SQL, in a row under this alias. */
  readonly value: (alias: string) => RawBuilder<unknown>
}

const column = (name: string, type: FieldType, required = false): Field => ({
  name,
  type,
  required,
  value: (alias) => sql`${sql.ref(`${alias}.${name}`)}`,
})
const many = (type: FieldType, names: string, required = false): Field[] => names.split(' ').map((name) => column(name, type, required))

const FIELDS: readonly Field[] = [
  ...many('id', 'id', true),
  ...many('id', 'parent integration base_entity_id multiplayer_last_modified_by question_answered_by question_assigned_to'),
  ...many('text', 'entity_type title title_full title_cased', true),
  ...many('text', 'native_type icon description definition url databuilder_id cluster database schema question_status question_priority'),
  ...many('boolean', 'published archived pii verified stale forced_unstale_by_user', true),
  ...many('number', 'definition_version version children_count external_usage internal_usage', true),
  ...many('number', 'row_count byte_size'),
  {
    name: 'total_usage',
    type: 'number',
    required: true,
    value: (alias) => sql`(${sql.ref(`${alias}.external_usage`)} + ${sql.ref(`${alias}.internal_usage`)})`,
  },
  ...many('timestamp', 'created_at updated_at', true),
  ...many('timestamp', 'archived_at stale_at external_updated_at multiplayer_last_modified'),
  ...many('ids', 'owners owners_groups collections tags teams subscribers bookmarked_by internal_users'),
  ...many('texts', 'external_users sources'),
]

const ALIASES: Record<string, string> = { type: 'entity_type', integration_id: 'integration', parent_id: 'parent' }
const BY_NAME = new Map(FIELDS.map((field) => [field.name, field]))

export const findField = (name: string): Field | undefined => BY_NAME.get(ALIASES[name] ?? name)
export const fieldNames = (): string[] => [...BY_NAME.keys(), ...Object.keys(ALIASES)].sort()
export const isScalar = ({ type }: Field): boolean => type !== 'ids' && type !== 'texts'
