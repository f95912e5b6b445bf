import { isObject } from '../../../../connector/src/protocol.ts'
import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

/** Named types by full name. */
export type AvroNames = Map<string, Record<string, unknown>>

/** The type at the root of an Avro schema, as one field without a name. Named types of other schemas are in `names`; its own are added. */
export const readAvroSchema = (text: string, names: AvroNames = new Map()): SchemaField => {
  const schema: unknown = JSON.parse(text)
  collectNames(schema, names, '', 0)
  return toField('', schema, names, '', [])
}

const MAX_NESTING = 50

const collectNames = (schema: unknown, names: AvroNames, namespace: string, depth: number): void => {
  if (depth > MAX_NESTING) return
  if (Array.isArray(schema)) for (const each of schema) collectNames(each, names, namespace, depth + 1)
  if (!isObject(schema)) return
  const inner = getNamespace(schema, namespace)
  if (typeof schema.name === 'string') names.set(getFullName(schema.name, inner), { ...schema, namespace: inner })
  if (Array.isArray(schema.fields))
    for (const field of schema.fields) if (isObject(field)) collectNames(field.type, names, inner, depth + 1)
  for (const part of ['items', 'values']) collectNames(schema[part], names, inner, depth + 1)
  if (typeof schema.type === 'object') collectNames(schema.type, names, namespace, depth + 1)
}

const getNamespace = (schema: Record<string, unknown>, outer: string): string => {
  if (typeof schema.name === 'string' && schema.name.includes('.')) return schema.name.slice(0, schema.name.lastIndexOf('.'))
  return typeof schema.namespace === 'string' ? schema.namespace : outer
}

const getFullName = (name: string, namespace: string): string => (name.includes('.') || namespace === '' ? name : `${namespace}.${name}`)

/** `inside` are the records it is in: one that contains itself ends there. */
const toField = (name: string, schema: unknown, names: AvroNames, namespace: string, inside: readonly string[]): SchemaField => {
  if (Array.isArray(schema)) return toUnion(name, schema, names, namespace, inside)
  if (typeof schema === 'string') {
    const known = names.get(getFullName(schema, namespace)) ?? names.get(schema)
    return known ? toField(name, known, names, namespace, inside) : { name, type: schema }
  }
  if (!isObject(schema)) return { name, type: 'unknown' }
  if (typeof schema.type === 'object') return toField(name, schema.type, names, namespace, inside)
  const description = getDoc(schema)
  const inner = getNamespace(schema, namespace)
  switch (schema.type) {
    case 'record':
    case 'error': {
      const full = getFullName(String(schema.name ?? ''), inner)
      const children = inside.includes(full) || inside.length >= MAX_FIELD_DEPTH ? [] : toFields(schema, names, inner, [...inside, full])
      return { name, type: `record ${full}`, children, ...description }
    }
    case 'array': {
      const items = toField('', schema.items, names, inner, inside)
      return { name, type: `array<${items.type}>`, ...(items.children ? { children: items.children } : {}) }
    }
    case 'map': {
      const values = toField('', schema.values, names, inner, inside)
      return { name, type: `map<${values.type}>`, ...(values.children ? { children: values.children } : {}) }
    }
    case 'enum':
      return { name, type: `enum ${schema.name}`, ...description, facts: { symbols: schema.symbols } }
    default: {
      const named = typeof schema.type === 'string' ? names.get(getFullName(schema.type, namespace)) : undefined
      return named ? toField(name, named, names, namespace, inside) : { name, type: toPrimitive(schema), ...description }
    }
  }
}

const toFields = (record: Record<string, unknown>, names: AvroNames, namespace: string, inside: readonly string[]): SchemaField[] =>
  (Array.isArray(record.fields) ? record.fields : []).filter(isObject).map((field) => {
    const found = toField(String(field.name), field.type, names, namespace, inside)
    const described = getDoc(field)
    return {
      ...found,
      nullable: found.nullable ?? false,
      ...described,
      ...('default' in field ? { facts: { ...found.facts, default: field.default } } : {}),
    }
  })

const toUnion = (name: string, types: readonly unknown[], names: AvroNames, namespace: string, inside: readonly string[]): SchemaField => {
  const others = types.filter((type) => type !== 'null').map((type) => toField(name, type, names, namespace, inside))
  const nullable = others.length < types.length
  if (others.length === 1) return { ...others[0]!, nullable }
  const children = others.flatMap((each) => each.children ?? [])
  return { name, type: others.map(({ type }) => type).join(' | '), nullable, ...(children.length > 0 ? { children } : {}) }
}

const toPrimitive = ({ type, logicalType, precision, scale, size }: Record<string, unknown>): string => {
  const base = type === 'fixed' ? `fixed(${size})` : String(type)
  if (logicalType === 'decimal') return `decimal(${precision},${scale ?? 0})`
  return typeof logicalType === 'string' ? `${base} (${logicalType})` : base
}

const getDoc = ({ doc }: Record<string, unknown>): { description?: string } => (typeof doc === 'string' ? { description: doc } : {})
