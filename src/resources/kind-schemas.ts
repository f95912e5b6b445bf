import { type TObject, type TSchema, Type } from 'typebox'
import { PageOf } from '../lists/page.ts'
import { ownShown, ownWritten } from './own-fields.ts'
import { Resource, ResourceCreate, ResourceEdit } from './schema.ts'

/** Schemas of the typed endpoints: the common fields of a resource and the type-specific ones. */

/** `event_property` → `EventProperty` */
const nameOf = (entity_type: string): string => entity_type.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

const RECORDS = new Map<string, TObject>()

/** The record of an entity type. Types without specific fields use the common schema. */
export const recordOf = (entity_type: string): TObject => {
  const own = ownShown(entity_type)
  if (Object.keys(own).length === 0) return Resource
  const record = RECORDS.get(entity_type) ?? Type.Object({ ...Resource.properties, ...own }, { title: nameOf(entity_type) })
  RECORDS.set(entity_type, record)
  return record
}

export const pageOfKind = (entity_type: string) => {
  const record = recordOf(entity_type)
  return PageOf(record, record === Resource ? 'ResourcePage' : `${nameOf(entity_type)}Page`)
}

/** The body that creates one. `more` overrides fields for this endpoint; `without` is a field that can only be set by an edit. */
export const createOf = (entity_type: string, example: object, more: Record<string, TSchema> = {}, without?: string): TObject => {
  const { [without ?? '']: _, ...own } = ownWritten(entity_type)
  return Type.Object({ ...ResourceCreate.properties, ...own, ...more }, { title: `${nameOf(entity_type)}Create`, examples: [example] })
}

export const editOf = (entity_type: string, example?: object): TObject => {
  const own = ownWritten(entity_type)
  if (Object.keys(own).length === 0) return ResourceEdit
  const examples = [example ?? { description: 'A better description.' }]
  return Type.Object({ ...ResourceEdit.properties, ...own }, { title: `${nameOf(entity_type)}Edit`, examples })
}
