import { Ajv, type ValidateFunction } from 'ajv'
import { type TSchema, Type } from 'typebox'
import type { FieldErrors } from '../errors.ts'
import { newId, readId } from '../id.ts'
import { ENTITY_TYPES } from '../resources/kinds.ts'
import { ownNames, ownWritten } from '../resources/own-fields.ts'
import { REPORTED_FIELDS } from '../resources/report.ts'
import { BulkUpdate, Resource } from '../resources/schema.ts'
import { readTimestamp } from '../timestamp.ts'
import { IdIn, Nullable } from '../wire.ts'
import { RESOURCE_COLUMNS } from './resource-columns.ts'

/** Validates the lines of an import. */
const LONGEST_KEY = 600 // longer keys may not fit into an index entry
const Key = Type.String({ minLength: 1, maxLength: LONGEST_KEY })
const Count = (maximum: number) => Type.Integer({ minimum: 0, maximum })
const MOST = Number.MAX_SAFE_INTEGER
const Texts = Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 1000 })

const { integration: _, ...written } = BulkUpdate.items.properties.data.properties
const optional = (type: TSchema) => Type.Optional(Nullable(type))

const ResourceLine = Type.Object({
  ...written,
  title: optional(written.title),
  entity_type: optional(written.entity_type),
  id: optional(IdIn),
  databuilder_id: optional(Key),
  parent_databuilder_id: optional(Key),
  external_usage: optional(Count(2_147_483_647)),
  external_updated_at: optional(Type.String({ maxLength: 40 })),
  external_users: optional(Texts),
  row_count: optional(Count(MOST)),
  byte_size: optional(Count(MOST)),
  sources: optional(Texts),
})
const LineageLine = Type.Object({ from_identifier: Key, to_identifier: Key })

const ajv = new Ajv({ strict: false, allErrors: true })
const checkResource = ajv.compile(ResourceLine)
const checkLineage = ajv.compile(LineageLine)
const ownChecks = new Map<string, ValidateFunction>()
const checkOwn = (type: string): ValidateFunction => {
  const check = ownChecks.get(type) ?? ajv.compile(Type.Object(ownWritten(type)))
  ownChecks.set(type, check)
  return check
}

const READ_FIELDS: readonly string[] = Object.keys(ResourceLine.properties)
const OWN_FIELDS = new Set(ENTITY_TYPES.flatMap(ownNames))
const KNOWN_FIELDS = new Set([
  ...READ_FIELDS,
  ...OWN_FIELDS,
  ...Object.keys(LineageLine.properties),
  // Read-only fields of an export are ignored without a warning.
  ...Object.keys(Resource.properties),
  ...RESOURCE_COLUMNS,
])
export const isKnownField = (name: string): boolean => KNOWN_FIELDS.has(name)

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
}

type Fields = Readonly<Record<string, unknown>>
export type Checked = { readonly staged: StagedLine } | { readonly errors: FieldErrors }

export const checkLine = (line: number, fields: Fields): Checked => {
  const unstorable = Object.entries(fields).find(([name, value]) => !storable(name) || !storable(value))
  if (unstorable)
    return { errors: { [storable(unstorable[0]) ? unstorable[0] : 'line']: ['contains a NUL character or an unpaired surrogate.'] } }
  return isSet(fields.from_identifier) || isSet(fields.to_identifier) ? checkedLineage(line, fields) : checkedResource(line, fields)
}

const checkedLineage = (line: number, fields: Fields): Checked => {
  if (!checkLineage(fields)) return { errors: errorsOf(checkLineage.errors) }
  const { from_identifier, to_identifier } = fields as { from_identifier: string; to_identifier: string }
  if (from_identifier === to_identifier) return { errors: { to_identifier: ['A lineage edge must connect two different resources.'] } }
  const [id, parent_id] = [readId(from_identifier) ?? null, readId(to_identifier) ?? null]
  return { staged: { ...BLANK, line, from_key: from_identifier, to_key: to_identifier, id, parent_id } }
}

const checkedResource = (line: number, fields: Fields): Checked => {
  if (!checkResource(fields)) return { errors: errorsOf(checkResource.errors) }
  const { id, databuilder_id, parent, parent_databuilder_id } = fields as Record<string, string | null | undefined>
  if (!isSet(databuilder_id) && !isSet(id)) return { errors: { databuilder_id: ['is required unless the line has an id.'] } }
  const own = pick(fields, (name) => OWN_FIELDS.has(name))
  const check = ENTITY_TYPES.find((type) => type === fields.entity_type) && checkOwn(fields.entity_type as string)
  if (check && !check(own)) return { errors: errorsOf(check.errors) }
  if (!check && Object.values(own).some(isSet))
    return { errors: { entity_type: [`is required if the line contains ${Object.keys(own).join(', ')}.`] } }
  const at = isSet(fields.external_updated_at) ? readTimestamp(fields.external_updated_at as string) : null
  if (at === undefined) return { errors: { external_updated_at: ['must be an ISO 8601 timestamp.'] } }
  const rest = pick(fields, (name, value) => WRITTEN.has(name) && (value !== null || !UNCLEARABLE.has(name)))
  const parents = parent !== undefined || parent_databuilder_id !== undefined
  return {
    staged: {
      ...BLANK,
      line,
      new_id: newId(),
      key: databuilder_id ?? readId(id!)!,
      id: id ? readId(id)! : null,
      parent_key: parent_databuilder_id ?? null,
      parent_id: parent && !parent_databuilder_id ? readId(parent)! : null,
      data: { fields: parents ? { ...rest, parent: null } : rest, own, reported: readReported(fields, at) },
    },
  }
}

/** Absent fields stay absent; null becomes the cleared value. */
const readReported = (fields: Fields, external_updated_at: string | null): Record<string, unknown> => {
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

const BLANK = { new_id: null, key: null, id: null, parent_key: null, parent_id: null, from_key: null, to_key: null, data: null }
const UNCLEARABLE = new Set(['title', 'entity_type'])
const WRITTEN = new Set(Object.keys(written).filter((name) => name !== 'parent'))

const pick = (fields: Fields, wanted: (name: string, value: unknown) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== undefined && wanted(name, value)))

const isSet = (value: unknown): boolean => value !== undefined && value !== null

const storable = (value: unknown): boolean => (Array.isArray(value) ? value.every(isStorableText) : isStorableText(value))
const isStorableText = (value: unknown): boolean => typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())

const errorsOf = (problems: typeof checkResource.errors): FieldErrors => {
  const errors: FieldErrors = {}
  for (const { instancePath, params, message = 'is not valid' } of problems ?? []) {
    const path = instancePath.slice(1).replace(/\/(\d+)/g, '[$1]')
    const field = (params as { missingProperty?: string }).missingProperty ?? (path === '' ? 'line' : path)
    const { allowedValues } = params as { allowedValues?: unknown[] }
    errors[field] = [
      ...(errors[field] ?? []),
      allowedValues ? `${message}: ${allowedValues.filter((each) => each !== null).join(', ')}` : message,
    ]
  }
  return errors
}
