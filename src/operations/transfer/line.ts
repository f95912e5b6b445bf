import type { ValidateFunction } from 'ajv'
import { type TSchema, Type } from 'typebox'
import { ENTITY_TYPES } from '../../catalog/entity-types/entity-types.ts'
import { BulkUpdate, Resource } from '../../catalog/records/schema.ts'
import { typeFieldInputSchemas, typeFieldNames } from '../../catalog/records/type-fields.ts'
import { REPORTED_FIELDS } from '../../catalog/resources/reported-fields.ts'
import type { FieldErrors } from '../../platform/core/errors.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { MAX_INTEGER } from '../../platform/core/integer.ts'
import { SchemaCompiler } from '../../platform/core/schema-compiler.ts'
import { IdInput, MAX_IDS, Nullable } from '../../platform/core/schema-types.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'
import { formatText } from '../../platform/core/translatable.ts'
import { describeViolation } from '../../platform/http/errors.ts'
import { isPropertyColumn, toPropertyText } from './property-columns.ts'
import { NAMED_FIELDS } from './resolve-names.ts'
import { RESOURCE_COLUMNS } from './resource-columns.ts'

/** Validates the lines of an import. */
const MAX_KEY_LENGTH = 600 // longer keys may not fit into an index entry
const Key = Type.String({ minLength: 1, maxLength: MAX_KEY_LENGTH })
const Count = (maximum: number) => Type.Integer({ minimum: 0, maximum })
const MAX_COUNT = Number.MAX_SAFE_INTEGER
const Texts = Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 1000 })

/** Names are resolved afterwards (resolve-names.ts). */
const IdsOrNames = Type.Array(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }), { maxItems: MAX_IDS })

const { integration: _, ...writableFields } = BulkUpdate.items.properties.data.properties
const optional = (type: TSchema) => Type.Optional(Nullable(type))

const ResourceLine = Type.Object({
  ...writableFields,
  ...Object.fromEntries(NAMED_FIELDS.map((name) => [name, optional(IdsOrNames)])),
  title: optional(writableFields.title),
  entity_type: optional(writableFields.entity_type),
  id: optional(IdInput),
  databuilder_id: optional(Key),
  parent_databuilder_id: optional(Key),
  external_usage: optional(Count(MAX_INTEGER)),
  external_updated_at: optional(Type.String({ maxLength: 40 })),
  external_users: optional(Texts),
  row_count: optional(Count(MAX_COUNT)),
  byte_size: optional(Count(MAX_COUNT)),
  sources: optional(Texts),
})
const LineageLine = Type.Object({ from_identifier: Key, to_identifier: Key })

const compiler = new SchemaCompiler({ allErrors: true })
const typeFieldSchemas = new Map(ENTITY_TYPES.map((type) => [type as string, Type.Object(typeFieldInputSchemas(type))]))

const READ_FIELDS: readonly string[] = Object.keys(ResourceLine.properties)
const TYPE_FIELD_NAMES = new Set(ENTITY_TYPES.flatMap(typeFieldNames))
const KNOWN_FIELDS = new Set([
  ...READ_FIELDS,
  ...TYPE_FIELD_NAMES,
  ...Object.keys(LineageLine.properties),
  // Read-only fields of an export are ignored without a warning.
  ...Object.keys(Resource.properties),
  ...RESOURCE_COLUMNS,
])
export const isKnownField = (name: string): boolean => KNOWN_FIELDS.has(name) || isPropertyColumn(name)

/** A line as stored in `import_lines`. For a lineage line, `id` and `parent_id` are its two ends if they are valid IDs. */
export interface StagedLine {
  readonly line: number
  readonly new_id: string | null
  readonly key: string | null
  readonly id: string | null
  readonly parent_key: string | null
  readonly parent_id: string | null
  readonly from_key: string | null
  readonly to_key: string | null
  readonly data: LineData | null
}

export interface LineData {
  readonly fields: Record<string, unknown>
  readonly own: Record<string, unknown>
  readonly reported: Record<string, unknown>
  /** The text of each `property:` column while the file is read, then the normal form of each value by property ID. '' means no value. */
  readonly properties?: Readonly<Record<string, string>>
}

type LineFields = Readonly<Record<string, unknown>>
export type CheckedLine = { readonly staged: StagedLine } | { readonly errors: FieldErrors }

export const checkLine = (line: number, fields: LineFields): CheckedLine => {
  const unstorable = Object.entries(fields).find(([name, value]) => !isStorable(name) || !isStorable(value))
  if (unstorable)
    return { errors: { [isStorable(unstorable[0]) ? unstorable[0] : 'line']: ['contains a NUL character or an unpaired surrogate.'] } }
  return isSet(fields.from_identifier) || isSet(fields.to_identifier) ? checkLineageLine(line, fields) : checkResourceLine(line, fields)
}

const checkLineageLine = (line: number, fields: LineFields): CheckedLine => {
  const check = compiler.compile(LineageLine)
  if (!check(fields)) return { errors: toFieldErrors(check.errors) }
  const { from_identifier, to_identifier } = fields as { from_identifier: string; to_identifier: string }
  if (from_identifier === to_identifier) return { errors: { to_identifier: ['A lineage edge must connect two different resources.'] } }
  const [id, parent_id] = [parseId(from_identifier) ?? null, parseId(to_identifier) ?? null]
  return { staged: { ...EMPTY_LINE, line, from_key: from_identifier, to_key: to_identifier, id, parent_id } }
}

const checkResourceLine = (line: number, fields: LineFields): CheckedLine => {
  const checkFields = compiler.compile(ResourceLine)
  if (!checkFields(fields)) return { errors: toFieldErrors(checkFields.errors) }
  const { id, databuilder_id, parent, parent_databuilder_id } = fields as Record<string, string | null | undefined>
  if (!isSet(databuilder_id) && !isSet(id)) return { errors: { databuilder_id: ['is required unless the line has an id.'] } }
  const own = pick(fields, (name) => TYPE_FIELD_NAMES.has(name))
  const typeFields = typeFieldSchemas.get(fields.entity_type as string)
  const check = typeFields && compiler.compile(typeFields)
  if (check && !check(own)) return { errors: toFieldErrors(check.errors) }
  if (!check && Object.values(own).some(isSet))
    return { errors: { entity_type: [`is required if the line contains ${Object.keys(own).join(', ')}.`] } }
  const at = isSet(fields.external_updated_at) ? parseTimestamp(fields.external_updated_at as string) : null
  if (at === undefined) return { errors: { external_updated_at: ['must be an ISO 8601 timestamp.'] } }
  const properties = readPropertyTexts(fields)
  if ('errors' in properties) return properties
  const rest = pick(fields, (name, value) => WRITABLE_FIELDS.has(name) && (value !== null || !REQUIRED_FIELDS.has(name)))
  const parents = parent !== undefined || parent_databuilder_id !== undefined
  return {
    staged: {
      ...EMPTY_LINE,
      line,
      new_id: newId(),
      key: databuilder_id ?? parseId(id!)!,
      id: id ? parseId(id)! : null,
      parent_key: parent_databuilder_id ?? null,
      parent_id: parent && !parent_databuilder_id ? parseId(parent)! : null,
      data: { fields: parents ? { ...rest, parent: null } : rest, own, reported: toReported(fields, at), ...properties },
    },
  }
}

const readPropertyTexts = (fields: LineFields): Pick<LineData, 'properties'> | { errors: FieldErrors } => {
  const columns = Object.entries(fields).filter(([name, value]) => isPropertyColumn(name) && value !== undefined)
  if (columns.length === 0) return {}
  const texts = columns.map(([name, value]) => [name, toPropertyText(value)] as const)
  const wrong = texts.find(([, text]) => text === undefined)
  if (wrong) return { errors: { [wrong[0]]: ['must be a string, a number, a boolean, a list of strings or null.'] } }
  return { properties: Object.fromEntries(texts as readonly (readonly [string, string])[]) }
}

/** Absent fields stay absent; null becomes the cleared value. */
const toReported = (fields: LineFields, external_updated_at: string | null): Record<string, unknown> => {
  const reported: Record<string, unknown> = {}
  for (const name of REPORTED_FIELDS) {
    const value = fields[name]
    if (value === undefined || (name === 'databuilder_id' && value === null)) continue
    if (name === 'external_updated_at') reported[name] = external_updated_at
    else if (name === 'external_usage') reported[name] = value ?? 0
    else reported[name] = Array.isArray(value) && value.length === 0 ? null : value
  }
  return reported
}

const EMPTY_LINE = { new_id: null, key: null, id: null, parent_key: null, parent_id: null, from_key: null, to_key: null, data: null }
const REQUIRED_FIELDS = new Set(['title', 'entity_type'])
const WRITABLE_FIELDS = new Set(Object.keys(writableFields).filter((name) => name !== 'parent'))

const pick = (fields: LineFields, isPicked: (name: string, value: unknown) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== undefined && isPicked(name, value)))

const isSet = (value: unknown): boolean => value !== undefined && value !== null

/** Deeper values are rejected by the schema. */
const isStorable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isStorableText) : isStorableText(value)
const isStorableText = (value: unknown): boolean => typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())

const toFieldErrors = (problems: ValidateFunction['errors']): FieldErrors => {
  const errors: FieldErrors = {}
  for (const { keyword, instancePath, params, message = 'is not valid' } of problems ?? []) {
    const path = instancePath.slice(1).replace(/\/(\d+)/g, '[$1]')
    const field = (params as { missingProperty?: string }).missingProperty ?? (path === '' ? 'line' : path)
    errors[field] = [...(errors[field] ?? []), formatText(describeViolation(keyword, params, message))]
  }
  return errors
}
