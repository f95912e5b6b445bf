import { type RawBuilder, sql } from 'kysely'
import { ENTITY_TYPES, getEntityTypeConfig } from '../../catalog/entity-types/entity-types.ts'
import type { PropertyRow } from '../../catalog/properties/property-rows.ts'
import type { ValueType } from '../../catalog/properties/value-types.ts'
import { childrenCountSql } from '../../catalog/records/resource-rows.ts'
import { type Actor, can, integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import type { ColumnKind, ExportColumn } from './column.ts'
import { toPropertyColumn } from './property-columns.ts'

/** Columns of a resource in a file. These are read by an import and are the default of an export. */
const IMPORT_COLUMNS = {
  id: 'id',
  databuilder_id: 'text',
  parent_databuilder_id: 'text',
  parent: 'id',
  integration: 'id',
  entity_type: 'text',
  native_type: 'text',
  title: 'text',
  title_full: 'text',
  description: 'text',
  definition: 'text',
  icon: 'text',
  url: 'text',
  published: 'boolean',
  verified: 'boolean',
  deprecation: 'json',
  pii: 'boolean',
  archived: 'boolean',
  owners: 'ids',
  owners_groups: 'ids',
  teams: 'ids',
  collections: 'ids',
  tags: 'ids',
  terms: 'ids',
  subscribers: 'ids',
  external_usage: 'number',
  external_updated_at: 'timestamp',
  external_users: 'texts',
  row_count: 'number',
  byte_size: 'number',
  sources: 'texts',
} as const satisfies Record<string, ColumnKind>

/** Type-specific fields stored in `details`. */
const TYPE_FIELD_KINDS = {
  type: 'text',
  sort_order: 'number',
  is_pk: 'boolean',
  hidden: 'boolean',
  is_template: 'boolean',
  freq: 'number',
  synonyms: 'texts',
} as const satisfies Record<string, ColumnKind>
/** A value of the wrong type, which a source may have written, counts as not set. */
const typeFieldSql = (name: string, kind: ColumnKind): RawBuilder<unknown> => {
  const value = sql`r.details -> ${sql.lit(name)}`
  if (kind === 'texts') return sql`case jsonb_typeof(${value}) when 'array' then array(select jsonb_array_elements_text(${value})) end`
  const type = sql.lit(kind === 'text' ? 'string' : kind)
  return sql`case jsonb_typeof(${value}) when ${type} then ${kind === 'text' ? sql`r.details ->> ${sql.lit(name)}` : value} end`
}

/** Further columns that can be selected with `fields`. */
const EXTRA_COLUMNS = {
  created_at: 'timestamp',
  updated_at: 'timestamp',
  version: 'number',
  title_cased: 'text',
  cluster: 'text',
  database: 'text',
  schema: 'text',
  definition_version: 'number',
  multiplayer_last_modified_by: 'id',
  multiplayer_last_modified: 'timestamp',
  total_usage: 'number',
  internal_usage: 'number',
  internal_users: 'ids',
  archived_at: 'timestamp',
  stale: 'boolean',
  stale_at: 'timestamp',
  forced_unstale_by_user: 'boolean',
  base_entity_id: 'id',
  children_count: 'number',
  bookmarked_by: 'ids',
  display_metadata: 'json',
  question_status: 'text',
  question_priority: 'text',
  question_answered_by: 'id',
  question_assigned_to: 'id',
  owner_names: 'text',
  tag_names: 'text',
  term_names: 'text',
  team_names: 'text',
  integration_name: 'text',
  ...TYPE_FIELD_KINDS,
} as const satisfies Record<string, ColumnKind>

export const DEFAULT_COLUMNS: readonly string[] = Object.keys(IMPORT_COLUMNS)
/** Custom property values by name, in one column. Export only: an import reads the columns `property:<name>`. */
export const PROPERTIES = 'properties'
export const RESOURCE_COLUMNS: readonly string[] = [...DEFAULT_COLUMNS, ...Object.keys(EXTRA_COLUMNS)]

export const COLUMN_KINDS: Readonly<Record<string, ColumnKind>> = { ...IMPORT_COLUMNS, ...EXTRA_COLUMNS }

/**
 * Names for the IDs, separated by commas. The visibility of names is the same as in `web-api/pages/names.ts`: owners are visible to everyone who can
 * see the resource.
 */
const namesSql = (actor: Actor): Record<string, RawBuilder<unknown>> => {
  const people = can(actor, 'people.read')
  const joined = (names: RawBuilder<unknown>) => sql`(select string_agg(x.name, ', ' order by x.name) from (${names}) x)`
  const named = (table: string, ids: string) => sql`select n.name from ${sql.table(table)} n where n.id = any(${sql.ref(`r.${ids}`)})`
  const users = sql`select coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as name from users u where u.id = any(r.owners)`
  const source = can(actor, 'integrations.read') ? sql`i.name` : sql`i.type`
  return {
    owner_names: joined(sql`${users} union all ${named('groups', 'owners_groups')}`),
    tag_names: joined(named('tags', 'tags')),
    term_names: joined(sql`select g.title as name from resources g where g.id = any(r.terms) and ${visibleTo(actor, 'g')}`),
    team_names: people ? joined(named('teams', 'teams')) : sql`null::text`,
    integration_name: sql`(select ${source} from integrations i where i.id = r.integration and ${integrationsVisibleTo(actor, 'i')})`,
  }
}

/** The columns as seen by this actor, for a row under the alias `r`. */
export const resourceColumns = (actor: Actor, names: readonly string[]): ExportColumn[] => {
  const values: Record<string, RawBuilder<unknown>> = {
    parent_databuilder_id: sql`p.databuilder_id`,
    icon: sql`coalesce(r.icon, ${defaultIconSql})`,
    bookmarked_by: sql`case when r.bookmarked_by @> array[${actor.user_id}]::uuid[] then array[${actor.user_id}]::uuid[] end`,
    total_usage: sql`r.internal_usage + r.external_usage`,
    children_count: childrenCountSql(actor, 'r'),
    display_metadata: sql`coalesce(r.display_metadata, '{}')`,
    [PROPERTIES]: sql`coalesce((
      select jsonb_object_agg(c.name, v.value) from property_values v join custom_properties c on c.id = v.property_id where v.resource_id = r.id), '{}')`,
    ...namesSql(actor),
    ...Object.fromEntries(Object.entries(TYPE_FIELD_KINDS).map(([name, kind]) => [name, typeFieldSql(name, kind)])),
  }
  return names.map((name) => ({
    name,
    kind: COLUMN_KINDS[name] ?? 'json',
    value: values[name] ?? sql`${sql.ref(`r.${name}`)}`,
    costly: name === PROPERTIES || name === 'children_count' || name.endsWith('_names'),
  }))
}

/** A column with the values of one custom property. */
export const propertyColumn = ({ id, name, value_type }: Pick<PropertyRow, 'id' | 'name' | 'value_type'>): ExportColumn => ({
  name: toPropertyColumn(name),
  kind: PROPERTY_KINDS[value_type] ?? 'text',
  value: sql`(select v.value from property_values v where v.resource_id = r.id and v.property_id = ${id}::uuid)`,
  costly: true,
})

/** Of other value types a value can start like a formula. Numbers can be too long for a JSON number. */
const PROPERTY_KINDS: Partial<Record<ValueType, ColumnKind>> = {
  number: 'decimal',
  boolean: 'id',
  date: 'id',
  user: 'id',
  resource: 'id',
  tag: 'id',
}

/** Keys are only unique within an integration, and the key of a hidden parent is not exported. */
export const parentKeySql = (actor: Actor): RawBuilder<unknown> => sql`
  left join lateral (
    select k.databuilder_id from resources k where k.id = r.parent and k.integration is not distinct from r.integration and ${visibleTo(actor, 'k')}
  ) p on true`

const defaultIconSql = sql.raw(
  `case r.entity_type ${ENTITY_TYPES.map((type) => `when '${type}' then '${getEntityTypeConfig(type).icon}'`).join(' ')} end`,
)
