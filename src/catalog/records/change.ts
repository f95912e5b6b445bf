import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { MAX_IDS } from '../../platform/core/schema-types.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { diffFields } from '../../platform/history/diff.ts'
import type { Change } from '../../platform/history/record.ts'
import { getEntityTypeConfig } from '../entity-types/entity-types.ts'
import { dateDeprecation, parseDeprecation } from './deprecation.ts'
import type { ResourceRow } from './record.ts'
import type { ListChange, ResourceChange } from './schema.ts'
import { computeLocation, type ResourceLocation, toDisplayTitle } from './tree.ts'
import { flattenRow, TYPE_FIELD_COLUMNS, TYPE_FIELD_DETAILS } from './type-fields.ts'

/** Applies a change to a row. Pure and shared by create, edit, bulk edit and restore, so that they behave the same. */
const ID_LISTS = ['teams', 'owners', 'owners_groups', 'collections', 'tags', 'terms', 'subscribers'] as const
const IDS = ['parent', 'integration'] as const
const FLAGS = ['pii', 'verified', 'published', 'archived'] as const
const TEXTS = ['description', 'definition', 'native_type', 'icon', 'url'] as const

/** Common fields whose changes create a version. All other columns are type-specific, derived from these, or reported by the source. */
export const VERSIONED_FIELDS: readonly string[] = ['title', 'entity_type', ...TEXTS, ...IDS, ...FLAGS, 'deprecation', ...ID_LISTS]

const RECORDED_FIELDS: readonly string[] = [...VERSIONED_FIELDS, ...TYPE_FIELD_COLUMNS, ...TYPE_FIELD_DETAILS]

/** The changed fields that a version records, including type-specific ones. */
export const changesBetween = (before: ResourceRow, after: ResourceRow): Change[] =>
  diffFields(flattenRow(before), flattenRow(after), RECORDED_FIELDS)

const LOCATION_COLUMNS = ['title_full', 'cluster', 'database', 'schema']
/** Columns derived from a field. */
const DERIVED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  title: ['title_cased', ...LOCATION_COLUMNS],
  parent: LOCATION_COLUMNS,
  entity_type: LOCATION_COLUMNS,
  definition: ['definition_version', 'multiplayer_last_modified', 'multiplayer_last_modified_by'],
  archived: ['archived_at'],
  ...Object.fromEntries(TYPE_FIELD_DETAILS.map((name) => [name, ['details']])),
}

/** The columns that differ after these changes. */
export const listWrittenColumns = (changes: readonly Change[]): string[] => [
  ...['version', 'updated_at'],
  ...changes.flatMap(({ field }) => [field, ...(DERIVED_COLUMNS[field] ?? [])]),
]

/** The first version records every field that is set. */
export const initialChanges = (row: ResourceRow): Change[] =>
  diffFields({}, flattenRow(row), RECORDED_FIELDS).filter(({ to }) => to !== false)

/** All fields that a deletion preserves so that a restore can bring them back. */
export const PRESERVED_FIELDS: readonly string[] = [
  ...VERSIONED_FIELDS,
  ...['databuilder_id', 'base_entity_id', 'external_usage', 'external_users', 'external_updated_at', 'row_count', 'byte_size', 'sources'],
  ...['stale', 'stale_at', 'forced_unstale_by_user', 'bookmarked_by', 'display_metadata', 'details'],
  ...['question_status', 'question_priority', 'question_answered_by', 'question_assigned_to'],
]

/** Normalizes IDs and maps null to the cleared value. Absent fields stay absent. */
export const normalizeChange = (change: ResourceChange): Partial<ResourceRow> => {
  const normalized: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined || !VERSIONED_FIELDS.includes(field)) continue
    if (includes(ID_LISTS, field))
      normalized[field] = value === null || (value as string[]).length === 0 ? null : [...new Set((value as string[]).map(parseId))]
    else if (includes(IDS, field)) normalized[field] = value === null ? null : parseId(value as string)
    else if (includes(FLAGS, field)) normalized[field] = value ?? false
    else if (field === 'deprecation') normalized[field] = value && parseDeprecation(value as NonNullable<ResourceChange['deprecation']>)
    else if (value !== null || includes(TEXTS, field)) normalized[field] = value
    else throw invalid({ [field]: [translatable('This field cannot be cleared.')] })
  }
  return normalized as Partial<ResourceRow>
}

/** The lists after IDs were removed from and added to them, as a change. */
export const changeLists = (
  before: Partial<ResourceRow>,
  { add = {}, remove = {} }: { readonly add?: ListChange; readonly remove?: ListChange },
): Partial<ResourceRow> =>
  Object.fromEntries(
    ID_LISTS.flatMap((field) => {
      const [added, removed] = [add[field]?.map(parseId) ?? [], remove[field]?.map(parseId) ?? []]
      if (added.length === 0 && removed.length === 0) return []
      const after = [...new Set([...(before[field] ?? []).filter((id) => !removed.includes(id)), ...added])]
      if (after.length > MAX_IDS)
        throw invalid({ [`add.${field}`]: [`The list would have more than ${MAX_IDS.toLocaleString('en')} IDs.`] })
      return [[field, after.length === 0 ? null : after]]
    }),
  )

/** The row after the change, including derived columns. `parent` is its parent after the change. */
export const applyChange = (
  before: ResourceRow,
  change: Partial<ResourceRow>,
  parent: ResourceLocation | undefined,
  by: string | null,
  now: Date,
): ResourceRow => {
  const after = { ...before, ...change }
  const at = now.toISOString()
  if (after.icon === getEntityTypeConfig(after.entity_type).icon) after.icon = null // clients may send back the default icon of the entity type
  if (after.title !== before.title) after.title_cased = toDisplayTitle(after.title)
  if (after.title !== before.title || after.parent !== before.parent || after.entity_type !== before.entity_type)
    Object.assign(after, computeLocation(parent, after.entity_type, after.title))
  if (after.definition !== before.definition) {
    after.definition_version += 1
    after.multiplayer_last_modified = at
    after.multiplayer_last_modified_by = by
  }
  if (change.deprecation !== undefined) after.deprecation = dateDeprecation(change.deprecation, before.deprecation, at)
  if (after.archived !== before.archived) after.archived_at = after.archived ? at : null
  return after
}

/** A row with default values. */
export const emptyResourceRow = (id: string, entity_type: string, title: string, now: Date): ResourceRow => ({
  id,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
  version: 1,
  external_usage: 0,
  internal_usage: 0,
  children_count: 0,
  definition_version: 0,
  published: false,
  archived: false,
  pii: false,
  verified: false,
  stale: false,
  forced_unstale_by_user: false,
  parent: null,
  integration: null,
  entity_type: getEntityTypeConfig(entity_type).entity_type,
  native_type: null,
  icon: null,
  title,
  title_cased: toDisplayTitle(title),
  title_full: title,
  cluster: null,
  database: null,
  schema: null,
  description: null,
  definition: null,
  url: null,
  databuilder_id: null,
  archived_at: null,
  stale_at: null,
  external_updated_at: null,
  multiplayer_last_modified: null,
  multiplayer_last_modified_by: null,
  base_entity_id: null,
  row_count: null,
  byte_size: null,
  question_status: null,
  question_priority: null,
  question_answered_by: null,
  question_assigned_to: null,
  owners: null,
  owners_groups: null,
  collections: null,
  tags: null,
  terms: null,
  teams: null,
  subscribers: null,
  bookmarked_by: null,
  internal_users: null,
  external_users: null,
  sources: null,
  display_metadata: null,
  details: null,
  deprecation: null,
})

const includes = (names: readonly string[], name: string): boolean => names.includes(name)
