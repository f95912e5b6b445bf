import { isObject } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

/** The fields of a Delta schema; columns by which the table is partitioned are marked. Pure. */
export const readDeltaFields = (schema: Shape, partitions: readonly string[] = [], depth = 0): SchemaField[] =>
  schema.list('fields').map((field) => {
    const { type, children } = describeType(field.at('type'), depth)
    const name = field.text('name')
    const metadata = field.optionalObject('metadata')
    const facts = {
      ...(partitions.includes(name) ? { partition_key: true } : {}),
      ...toFact('generated_as', metadata?.at('delta.generationExpression').value),
    }
    return {
      ...{ name, type, nullable: field.optionalBoolean('nullable') !== false },
      description: metadata?.optionalText('comment') ?? '',
      ...(Object.keys(facts).length > 0 ? { facts } : {}),
      ...(children.length > 0 ? { children } : {}),
    }
  })

const toFact = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {})

/** A name, or an object for a struct, array or map. */
const describeType = (type: Shape, depth: number): { type: string; children: SchemaField[] } => {
  if (typeof type.value === 'string') return { type: type.value, children: [] }
  if (!isObject(type.value)) return type.fail('a type')
  if (depth > MAX_FIELD_DEPTH) return { type: 'unknown', children: [] }
  const kind = type.text('type')
  if (kind === 'struct') return { type: 'struct', children: readDeltaFields(type, [], depth + 1) }
  if (kind === 'array') {
    const inner = describeType(type.at('elementType'), depth + 1)
    return { type: `array<${inner.type}>`, children: inner.children }
  }
  if (kind !== 'map') return { type: kind, children: [] }
  const [key, value] = [describeType(type.at('keyType'), depth + 1), describeType(type.at('valueType'), depth + 1)]
  return { type: `map<${key.type}, ${value.type}>`, children: value.children }
}
