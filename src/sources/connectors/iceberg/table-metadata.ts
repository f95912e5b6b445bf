import { isObject } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

/** The fields of the current schema of an Iceberg table or view. Pure. */
export const readCurrentFields = (metadata: Shape, currentId: number | undefined): SchemaField[] => {
  const schemas = metadata.optionalList('schemas')
  // Version 1 of the format has one schema only.
  const schema = schemas.find((each) => (each.optionalInteger('schema-id') ?? 0) === currentId) ?? metadata.object('schema')
  const marks = {
    keys: schema.optionalList('identifier-field-ids').map(({ value }) => value),
    partitions: listPartitionFields(metadata).map((field) => field.at('source-id').value),
  }
  return readFields(schema, marks, 0)
}

/** IDs of fields that are part of the key, and by which the table is partitioned. */
interface FieldMarks {
  readonly keys: readonly unknown[]
  readonly partitions: readonly unknown[]
}

const readFields = (struct: Shape, marks: FieldMarks, depth: number): SchemaField[] =>
  struct.list('fields').map((field) => {
    const { type, children } = describeType(field.at('type'), marks, depth)
    const id = field.optionalInteger('id')
    const isPartition = id !== undefined && marks.partitions.includes(id)
    return {
      ...{ name: field.text('name'), type, nullable: field.optionalBoolean('required') !== true },
      description: field.optionalText('doc') ?? '',
      primaryKey: id !== undefined && marks.keys.includes(id),
      ...(id === undefined ? {} : { facts: { field_id: id, ...(isPartition ? { partition_key: true } : {}) } }),
      ...(children.length > 0 ? { children } : {}),
    }
  })

/** A name, or an object for a struct, list or map. */
const describeType = (type: Shape, marks: FieldMarks, depth: number): { type: string; children: SchemaField[] } => {
  if (typeof type.value === 'string') return { type: type.value, children: [] }
  if (!isObject(type.value)) return type.fail('a type')
  if (depth > MAX_FIELD_DEPTH) return { type: 'unknown', children: [] }
  const kind = type.text('type')
  if (kind === 'struct') return { type: 'struct', children: readFields(type, marks, depth + 1) }
  if (kind === 'list') {
    const inner = describeType(type.at('element'), marks, depth + 1)
    return { type: `list<${inner.type}>`, children: inner.children }
  }
  if (kind !== 'map') return { type: kind, children: [] }
  const [key, value] = [describeType(type.at('key'), marks, depth + 1), describeType(type.at('value'), marks, depth + 1)]
  return { type: `map<${key.type}, ${value.type}>`, children: value.children }
}

/** Rows and bytes of the current snapshot, as far as its writer counted them. */
export const readCounts = (metadata: Shape): { row_count?: number; byte_size?: number; updated_at?: string } => {
  const current = metadata.at('current-snapshot-id').value
  const snapshot = metadata.optionalList('snapshots').find((each) => each.at('snapshot-id').value === current)
  const summary = snapshot?.optionalObject('summary')
  const read = (name: string) => {
    const text = summary?.optionalText(name)
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  }
  const [row_count, byte_size] = [read('total-records'), read('total-files-size')]
  const updated = metadata.optionalInteger('last-updated-ms')
  return {
    ...(row_count === undefined ? {} : { row_count }),
    ...(byte_size === undefined ? {} : { byte_size }),
    ...(updated === undefined ? {} : { updated_at: new Date(updated).toISOString() }),
  }
}

/** The names of the partitions of the current specification, with how they are made: `day(at)`. */
export const readPartitions = (metadata: Shape): string[] =>
  listPartitionFields(metadata).map((field) => {
    const [name, transform] = [field.text('name'), field.text('transform')]
    return transform === 'identity' ? name : `${name} (${transform})`
  })

/** Views have none; version 1 of the format has one specification only. A field that is no longer used has the transform `void`. */
const listPartitionFields = (metadata: Shape): Shape[] => {
  const id = metadata.optionalInteger('default-spec-id')
  const spec = metadata.optionalList('partition-specs').find((each) => each.optionalInteger('spec-id') === id)
  const fields = spec ? spec.list('fields') : metadata.optionalList('partition-spec')
  return fields.filter((field) => field.text('transform') !== 'void')
}
