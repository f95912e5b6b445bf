import { isObject } from '../../../../connector/src/protocol.ts'
import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

/**
 * The columns of a table that Spark created: it writes them as JSON into the parameters of the table, because Hive has no upper case in names
 * and not all of its types. The columns of the metastore itself may then be a placeholder. Undefined if there are none, or they cannot be read. Pure.
 */
export const readSparkFields = (parameters: ReadonlyMap<string, string>): SchemaField[] | undefined => {
  try {
    const text = readSchemaText(parameters)
    return text === undefined ? undefined : readStruct(JSON.parse(text), 0)
  } catch {
    return undefined
  }
}

const SCHEMA = 'spark.sql.sources.schema'

/** In one parameter, or in parts, because a database may limit the length of one. */
const readSchemaText = (parameters: ReadonlyMap<string, string>): string | undefined => {
  const whole = parameters.get(SCHEMA)
  if (whole !== undefined) return whole
  const count = Number(parameters.get(`${SCHEMA}.numParts`) ?? 0)
  if (!(count > 0 && count < 10_000)) return undefined
  const parts = Array.from({ length: count }, (_, i) => parameters.get(`${SCHEMA}.part.${i}`))
  return parts.includes(undefined) ? undefined : parts.join('')
}

const readStruct = (struct: unknown, depth: number): SchemaField[] => {
  if (!isObject(struct) || !Array.isArray(struct.fields)) throw new Error('not a struct')
  return struct.fields.map((field: Record<string, unknown>) => {
    const { type, children } = describeType(field.type, depth)
    const metadata = isObject(field.metadata) ? field.metadata : {}
    return {
      ...{ name: String(field.name), type, nullable: field.nullable !== false },
      description: typeof metadata.comment === 'string' ? metadata.comment : '',
      ...(children.length > 0 ? { children } : {}),
    }
  })
}

/** A name, or an object for a struct, array or map. Types are written as Hive does. */
const describeType = (type: unknown, depth: number): { type: string; children: SchemaField[] } => {
  if (typeof type === 'string') return { type: NAMES[type] ?? type, children: [] }
  if (!isObject(type)) throw new Error('not a type')
  if (depth > MAX_FIELD_DEPTH) return { type: 'unknown', children: [] }
  if (type.type === 'struct') {
    const children = readStruct(type, depth + 1)
    return { type: `struct<${children.map((child) => `${child.name}:${child.type}`).join(',')}>`, children }
  }
  if (type.type === 'array') {
    const inner = describeType(type.elementType, depth + 1)
    return { type: `array<${inner.type}>`, children: inner.children }
  }
  if (type.type === 'map') {
    const [key, value] = [describeType(type.keyType, depth + 1), describeType(type.valueType, depth + 1)]
    return { type: `map<${key.type},${value.type}>`, children: value.children }
  }
  // A type of the user's program, stored as another one.
  if (type.type === 'udt') return describeType(type.sqlType, depth + 1)
  return { type: String(type.type), children: [] }
}

const NAMES: Readonly<Record<string, string>> = { integer: 'int', long: 'bigint', short: 'smallint', byte: 'tinyint' }
