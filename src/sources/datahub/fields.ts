import { type Aspect, isObject } from './change.ts'
import { type Entity, getAspect, toStrings, toText } from './entities.ts'
import { parseFieldPath } from './urn.ts'

/** A field of the schema of a dataset. Pure. */
export interface Field {
  readonly path: readonly string[]
  readonly path_text: string
  readonly native_type?: string
  readonly description?: string
  readonly nullable?: boolean
  readonly is_key: boolean
  readonly is_partitioning?: true
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
      ...(field.isPartitioningKey === true ? { is_partitioning: true as const } : {}),
      aspects: new Map(
        ['globalTags', 'glossaryTerms'].flatMap((name) => {
          const value = edit?.[name] ?? field[name]
          return isObject(value) ? [[name, value] as const] : []
        }),
      ),
    }
  })
}

export const getDocumentation = (field: Entity | undefined): unknown => {
  const { documentations } = getAspect(field, 'documentation')
  return Array.isArray(documentations) ? documentations.find(isObject)?.documentation : undefined
}
