import { isObject } from '../../platform/core/json-value.ts'
import type { Aspect } from './change.ts'
import type { ColumnNames } from './column-names.ts'
import { type Entities, type Entity, getAspect, isRemoved, toStrings, toText } from './entities.ts'
import { hasColumns } from './entity-kinds.ts'
import { getUnreadOfField } from './unread-fields.ts'
import { parseFieldPath, parseFieldUrn } from './urn.ts'

/** A field of the schema of a dataset. Pure. */
export interface Field {
  readonly path: readonly string[]
  readonly path_text: string
  readonly native_type?: string
  readonly description?: string
  /** If people wrote another one. */
  readonly description_in_source?: string
  readonly nullable?: boolean
  readonly is_key: boolean
  readonly is_partitioning?: true
  readonly label?: string
  /** Undefined: the schema is not known. */
  readonly position?: number
  readonly aspects: ReadonlyMap<string, Aspect>
  /** What is not read of it, by the aspect that says it. */
  readonly unread: ReadonlyMap<string, Aspect>
}

/** The fields of the schema, with what people wrote about them in DataHub. Without a schema, the fields that they wrote about. */
export const readFields = (entity: Entity, names: ColumnNames): Field[] => {
  const { fields, primaryKeys } = getAspect(entity, 'schemaMetadata')
  const edits = readEdits(entity, names)
  if (!Array.isArray(fields)) return edits.flatMap((edit) => readField({ fieldPath: edit.fieldPath }, edit, undefined))
  const byText = new Map(edits.map((edit) => [edit.fieldPath, edit]))
  const byPath = new Map(edits.map((edit) => [edit.path.join('\0'), edit]))
  const keys = new Set(toStrings(primaryKeys))
  return fields.filter(isObject).flatMap((field, position) => {
    const path = toText(field.fieldPath)
    const edit = path ? (byText.get(path) ?? byPath.get(parseFieldPath(path).join('\0'))) : undefined
    return readField(field, edit ?? {}, position, keys)
  })
}

const readField = (
  field: Record<string, Aspect>,
  edit: Record<string, Aspect>,
  position: number | undefined,
  keys: ReadonlySet<string> = new Set(),
  source = 'schemaMetadata',
): Field[] => {
  const path_text = toText(field.fieldPath)
  const path = path_text ? parseFieldPath(path_text) : []
  if (!path_text || path.length === 0) return []
  const { path: _, ...edited } = edit
  return [
    {
      ...{ path, path_text, native_type: toText(field.nativeDataType) ?? readGeneralType(field.type) },
      ...(position === undefined ? {} : { position }),
      description: toText(edit.description) ?? toText(field.description),
      description_in_source: toText(edit.description) ? toText(field.description) : undefined,
      nullable: typeof field.nullable === 'boolean' ? field.nullable : undefined,
      is_key: field.isPartOfKey === true || keys.has(path_text),
      label: toText(field.label),
      ...(field.isPartitioningKey === true ? { is_partitioning: true as const } : {}),
      aspects: mergeReferences(pickReferences(field), pickReferences(edit)),
      unread: new Map([[source, getUnreadOfField(field)] as const, ['editableSchemaMetadata', getUnreadOfField(edited)] as const]),
    },
  ]
}

/** `number` of `{"type": {"com.linkedin.schema.NumberType": {}}}`, for sources that do not tell their own type. */
const readGeneralType = (type: unknown): string | undefined => {
  const [name = ''] = isObject(type) && isObject(type.type) ? Object.keys(type.type) : []
  const general = /\.(\w+)Type$/.exec(name)?.[1]?.toLowerCase()
  return general === 'null' ? undefined : general
}

/** What people wrote about a field. */
interface FieldEdit extends Record<string, Aspect> {
  readonly fieldPath: string
  readonly path: readonly string[]
  readonly globalTags: Record<string, Aspect>
  readonly glossaryTerms: Record<string, Aspect>
}

export const readEdits = (entity: Entity, names: ColumnNames): FieldEdit[] => {
  const { editableSchemaFieldInfo } = getAspect(entity, 'editableSchemaMetadata')
  if (!Array.isArray(editableSchemaFieldInfo)) return []
  return editableSchemaFieldInfo.filter(isObject).flatMap((info) => {
    const fieldPath = toText(info.fieldPath)
    if (!fieldPath) return []
    const globalTags = isObject(info.globalTags) ? info.globalTags : {}
    const glossaryTerms = isObject(info.glossaryTerms) ? info.glossaryTerms : {}
    return { ...info, fieldPath, path: names.resolve(entity.urn, parseFieldPath(fieldPath)), globalTags, glossaryTerms }
  })
}

/** The fields that charts and dashboards use or compute, as far as they describe them, by the entity that has them. */
export const findUsedFields = (entities: Entities, names: ColumnNames): Map<string, Field[]> => {
  const found = new Map<string, Map<string, Field>>()
  for (const entity of entities.values()) {
    const { fields } = isRemoved(entity) ? {} : getAspect(entity, 'inputFields')
    for (const [i, each] of Array.isArray(fields) ? fields.filter(isObject).entries() : []) {
      const column = typeof each.schemaFieldUrn === 'string' ? parseFieldUrn(each.schemaFieldUrn) : undefined
      if (!column || !hasColumns(column.dataset) || column.path.length === 0) continue
      const isOwn = column.dataset === entity.urn
      if (!isOwn && !isObject(each.schemaField)) continue
      const ofDataset = found.get(column.dataset) ?? new Map<string, Field>()
      found.set(column.dataset, ofDataset)
      const named = names.resolve(column.dataset, column.path)
      const path = named.join('\0')
      const described = isObject(each.schemaField) ? each.schemaField : {}
      const [field] = readField({ ...described, fieldPath: named.join('.') }, {}, isOwn ? i : undefined, undefined, 'inputFields')
      const before = ofDataset.get(path)
      const aspects = mergeReferences(before?.aspects ?? new Map(), field?.aspects ?? new Map())
      if (field) ofDataset.set(path, { ...field, ...before, path: named, nullable: undefined, is_key: false, aspects })
    }
  }
  return new Map([...found].map(([dataset, fields]) => [dataset, [...fields.values()]]))
}

const REFERENCE_LISTS = [
  ['globalTags', 'tags'],
  ['glossaryTerms', 'terms'],
] as const

const pickReferences = (field: Record<string, Aspect>): Map<string, Aspect> =>
  new Map(REFERENCE_LISTS.flatMap(([name]) => (isObject(field[name]) ? [[name, field[name]] as const] : [])))

/** The aspects of a field from two places: tags and terms of both, otherwise those of the second. */
export const mergeReferences = (one: ReadonlyMap<string, Aspect>, other: ReadonlyMap<string, Aspect>): Map<string, Aspect> => {
  const merged = new Map([...one, ...other])
  for (const [name, list] of REFERENCE_LISTS) {
    const [first, second] = [one, other].map((aspects) => {
      const value = aspects.get(name)
      return isObject(value) && Array.isArray(value[list]) ? value[list] : []
    })
    if (first!.length > 0 && second!.length > 0) merged.set(name, { [list]: uniqueMembers([...first!, ...second!]) })
    else if (first!.length > 0) merged.set(name, one.get(name))
  }
  return merged
}

const uniqueMembers = (members: readonly Aspect[]): Aspect[] => [
  ...new Map(members.map((each) => [isObject(each) ? (each.tag ?? each.urn) : each, each])).values(),
]

/** A column that events describe as an entity of its own. */
export interface ColumnEntity {
  readonly path: readonly string[]
  readonly entity: Entity
}

export const findColumnEntities = (entities: Entities, names: ColumnNames): Map<string, ColumnEntity[]> => {
  const found = new Map<string, ColumnEntity[]>()
  for (const entity of entities.values()) {
    const column = entity.type === 'schemaField' && !isRemoved(entity) ? parseFieldUrn(entity.urn) : undefined
    if (!column || !hasColumns(column.dataset) || column.path.length === 0) continue
    const others = found.get(column.dataset)
    const path = names.resolve(column.dataset, column.path)
    if (others) others.push({ path, entity })
    else found.set(column.dataset, [{ path, entity }])
  }
  return found
}

/** What people and programs wrote about an entity or a field, beside its description. */
export const readDocumentations = (entity: Entity | undefined): string[] => {
  const { documentations } = getAspect(entity, 'documentation')
  return Array.isArray(documentations) ? documentations.filter(isObject).flatMap(({ documentation }) => toText(documentation) ?? []) : []
}
