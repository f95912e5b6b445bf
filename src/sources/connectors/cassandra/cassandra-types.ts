import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

/** The fields of user-defined types, by the name of the type. */
export type UserTypes = ReadonlyMap<string, readonly { readonly name: string; readonly type: string }[]>

/** The fields inside a type as CQL writes it: `list<frozen<address>>` has those of `address`. Of a map, those of its values. Pure. */
export const readTypeFields = (type: string, types: UserTypes, depth = 0): SchemaField[] => {
  if (depth > MAX_FIELD_DEPTH) return []
  const [, outer, inner] = /^(\w+)<(.*)>$/s.exec(type.trim()) ?? []
  if (outer !== undefined && inner !== undefined) {
    const parts = splitParameters(inner)
    return outer === 'tuple' ? [] : readTypeFields(parts.at(-1)!, types, depth + 1)
  }
  return (types.get(type.trim().replace(/^"(.*)"$/s, '$1')) ?? []).map((field) => {
    const children = readTypeFields(field.type, types, depth + 1)
    return { ...field, ...(children.length > 0 ? { children } : {}) }
  })
}

/** At the commas that are in no other brackets. */
const splitParameters = (text: string): string[] => {
  const parts: string[] = ['']
  let depth = 0
  for (const each of text) {
    if (each === '<') depth += 1
    if (each === '>') depth -= 1
    if (each === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += each
  }
  return parts
}
