import type { ItemMessage } from '../../../../connector/src/protocol.ts'
import { childKey } from '../bi/item-parts.ts'

/** A field of a schema, with the fields inside it. */
export interface SchemaField {
  readonly name: string
  readonly type: string
  readonly nullable?: boolean | undefined
  readonly description?: string | undefined
  readonly primaryKey?: boolean
  readonly facts?: Readonly<Record<string, unknown>>
  readonly children?: readonly SchemaField[]
}

/** Schemas of other systems can refer to themselves: deeper fields are left out. */
export const MAX_FIELD_DEPTH = 15
const MAX_COLUMNS = 5_000
const MAX_TYPE = 500
const MAX_TITLE = 500

/** A table's columns; fields inside a field are columns below it. A name that comes twice is reported once. */
export const toColumnItems = (table: string, fields: readonly SchemaField[]): ItemMessage[] => {
  const items: ItemMessage[] = []
  const add = (parent: string, all: readonly SchemaField[], depth: number): void => {
    const seen = new Set<string>()
    for (const [i, field] of all.entries()) {
      if (items.length >= MAX_COLUMNS || field.name === '' || seen.has(field.name)) continue
      seen.add(field.name)
      const key = childKey(parent, field.name)
      items.push(toColumnItem(key, parent, field, i + 1))
      if (depth < MAX_FIELD_DEPTH) add(key, field.children ?? [], depth + 1)
    }
  }
  add(table, fields, 1)
  return items
}

const toColumnItem = (key: string, parent: string, field: SchemaField, position: number): ItemMessage => {
  const facts = { ...(field.nullable === undefined ? {} : { nullable: field.nullable }), ...field.facts }
  return {
    type: 'item',
    key,
    parent,
    entity_type: 'column',
    title: field.name.slice(0, MAX_TITLE),
    native_type: shorten(field.type),
    ...(field.description === undefined ? {} : { description: field.description.trim() || null }),
    position,
    primary_key: field.primaryKey ?? false,
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
  }
}

const shorten = (type: string): string => (type.length <= MAX_TYPE ? type || 'unknown' : `${type.slice(0, MAX_TYPE - 1)}…`)
