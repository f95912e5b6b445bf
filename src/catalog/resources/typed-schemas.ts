import { type TObject, type TSchema, Type } from 'typebox'
import { PageSchema } from '../../platform/lists/page.ts'
import { Resource, ResourceCreate, ResourceEdit } from '../records/schema.ts'
import { typeFieldInputSchemas, typeFieldOutputSchemas } from '../records/type-fields.ts'

/** Schemas of the typed endpoints: the common fields of a resource and the type-specific ones. */

/** `event_property` → `EventProperty` */
const toSchemaTitle = (entity_type: string): string => entity_type.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

const RECORD_SCHEMAS = new Map<string, TObject>()

/** The record of an entity type. Types without specific fields use the common schema. */
export const typedRecordSchema = (entity_type: string): TObject => {
  const own = typeFieldOutputSchemas(entity_type)
  if (Object.keys(own).length === 0) return Resource
  const record = RECORD_SCHEMAS.get(entity_type) ?? Type.Object({ ...Resource.properties, ...own }, { title: toSchemaTitle(entity_type) })
  RECORD_SCHEMAS.set(entity_type, record)
  return record
}

export const typedPageSchema = (entity_type: string) => {
  const record = typedRecordSchema(entity_type)
  return PageSchema(record, record === Resource ? 'ResourcePage' : `${toSchemaTitle(entity_type)}Page`)
}

/** The body that creates one. `more` overrides fields for this endpoint; `without` is a field that can only be set by an edit. */
export const typedCreateSchema = (entity_type: string, example: object, more: Record<string, TSchema> = {}, without?: string): TObject => {
  const { [without ?? '']: _, ...own } = typeFieldInputSchemas(entity_type)
  return Type.Object(
    { ...ResourceCreate.properties, ...own, ...more },
    { title: `${toSchemaTitle(entity_type)}Create`, examples: [example] },
  )
}

export const typedEditSchema = (entity_type: string, example?: object): TObject => {
  const own = typeFieldInputSchemas(entity_type)
  if (Object.keys(own).length === 0) return ResourceEdit
  const examples = [example ?? { description: 'A better description.' }]
  return Type.Object({ ...ResourceEdit.properties, ...own }, { title: `${toSchemaTitle(entity_type)}Edit`, examples })
}
