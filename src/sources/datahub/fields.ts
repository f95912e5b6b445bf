import { type Aspect, isObject } from './change.ts'
import { type Entities, type Entity, getAspect, isRemoved, toStrings, toText } from './entities.ts'
import { parseFieldPath, parseFieldUrn } from './urn.ts'

/** A field of the schema of a dataset. Pure. */
export interface Field {
  readonly path: readonly string[]
  readonly path_text: string
  readonly native_type?: string
  readonly description?: string
  readonly nullable?: boolean
  readonly is_key: boolean
  readonly is_partitioning?: true
  readonly label?: string
  readonly position: number
  readonly aspects: ReadonlyMap<string, Aspect>
}

/** The fields of the schema, with what people wrote about them in DataHub. */
export const readFields = (entity: Entity): Field[] => {
  const { fields, primaryKeys } = getAspect(entity, 'schemaMetadata')
  if (!Array.isArray(fields)) return []
  const { editableSchemaFieldInfo } = getAspect(entity, 'editableSchemaMetadata')
  const edited = new Map(
    (Array.isArray(editableSchemaFieldInfo) ? editableSchemaFieldInfo.filter(isObject) : []).map((info) => [info.fieldPath, info]),
  )
  const keys = new Set(toStrings(primaryKeys))
  return fields.filter(isObject).flatMap((field, position) => {
    const path_text = toText(field.fieldPath)
    const path = path_text ? parseFieldPath(path_text) : []
    if (!path_text || path.length === 0) return []
    const edit = edited.get(path_text)
    return {
      ...{ path, path_text, position, native_type: toText(field.nativeDataType) },
      description: toText(edit?.description) ?? toText(field.description),
      nullable: typeof field.nullable === 'boolean' ? field.nullable : undefined,
      is_key: field.isPartOfKey === true || keys.has(path_text),
      label: toText(field.label),
      ...(field.isPartitioningKey === true ? { is_partitioning: true as const } : {}),
      aspects: mergeReferences(pickReferences(field), pickReferences(edit ?? {})),
    }
  })
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
    const members = [one, other].flatMap((aspects) => {
      const value = aspects.get(name)
      return isObject(value) && Array.isArray(value[list]) ? value[list] : []
    })
    if (members.length > 0) merged.set(name, { [list]: members })
  }
  return merged
}

/** A column that events describe as an entity of its own. */
export interface ColumnEntity {
  readonly path: readonly string[]
  readonly entity: Entity
}

export const findColumnEntities = (entities: Entities): Map<string, ColumnEntity[]> => {
  const found = new Map<string, ColumnEntity[]>()
  for (const entity of entities.values()) {
    const column = entity.type === 'schemaField' && !isRemoved(entity) ? parseFieldUrn(entity.urn) : undefined
    if (!column?.dataset.startsWith('urn:li:dataset:') || column.path.length === 0) continue
    const others = found.get(column.dataset)
    if (others) others.push({ path: column.path, entity })
    else found.set(column.dataset, [{ path: column.path, entity }])
  }
  return found
}

/** The fields about which people wrote something in DataHub. */
export const findEditedPaths = (entity: Entity): string[][] => {
  const { editableSchemaFieldInfo } = getAspect(entity, 'editableSchemaMetadata')
  if (!Array.isArray(editableSchemaFieldInfo)) return []
  return editableSchemaFieldInfo.filter(isObject).flatMap(({ fieldPath }) => {
    const path = toText(fieldPath)
    return path ? [parseFieldPath(path)] : []
  })
}

export const getDocumentation = (field: Entity | undefined): unknown => {
  const { documentations } = getAspect(field, 'documentation')
  return Array.isArray(documentations) ? documentations.find(isObject)?.documentation : undefined
}
