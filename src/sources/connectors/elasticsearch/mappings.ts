import type { Shape } from '../../../../connector/src/shape.ts'
import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

/** The fields of a mapping. Pure. */
export const readMappingFields = (mapping: Shape, depth = 0): SchemaField[] => {
  const properties = mapping.optionalObject('properties')
  if (!properties || depth > MAX_FIELD_DEPTH) return []
  return Object.keys(properties.value as object).map((name) => readField(name, properties.object(name), depth))
}

const readField = (name: string, field: Shape, depth: number): SchemaField => {
  const children = readMappingFields(field, depth + 1)
  const variants = field.optionalObject('fields')
  const meta = field.optionalObject('meta')
  return {
    name,
    type: field.optionalText('type') ?? 'object',
    ...(typeof meta?.at('description').value === 'string' ? { description: meta.text('description') } : {}),
    facts: {
      ...toFact('path', field),
      ...toFact('format', field),
      ...toFact('analyzer', field),
      ...(variants ? { multi_fields: Object.keys(variants.value as object) } : {}),
    },
    ...(children.length > 0 ? { children } : {}),
  }
}

const toFact = (name: string, field: Shape) => {
  const { value } = field.at(name)
  return typeof value === 'string' ? { [name]: value } : {}
}
