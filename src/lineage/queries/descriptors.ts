import type { ColumnDescriptor, TableDescriptor } from '../edges/schema.ts'
import type { TableRow } from './catalog.ts'
import type { ResolvedNames, ResolvedTable } from './resolve-tables.ts'

/** Tables and columns on the wire: catalog values, completed from the name in the query; what the catalog lacks has only its name. */

export const toTableDescriptor = ({ name, table }: ResolvedTable): TableDescriptor => {
  if (!table) {
    const [title = '', schema_name = null, ...rest] = name.toReversed()
    return { ...UNKNOWN_RECORD, title, schema_name, database_name: rest.length > 0 ? rest.reverse().join('.') : null }
  }
  return rowToDescriptor(table, name)
}

const UNKNOWN_RECORD = {
  id: null,
  created_at: null,
  updated_at: null,
  native_type: null,
  integration_id: null,
  integration_title: null,
  integration_type: null,
}

export const rowToDescriptor = (row: TableRow, name: readonly string[] = []): TableDescriptor => {
  const { id, created_at, updated_at, title, schema, database, native_type, integration, integration_title, integration_type } = row
  // A title with dots already contains its path.
  const nameParts = title.includes('.') ? [] : name.toReversed()
  return {
    id,
    created_at,
    updated_at,
    title,
    schema_name: schema ?? nameParts[1] ?? null,
    database_name: database ?? nameParts[2] ?? null,
    native_type,
    integration_id: integration,
    integration_title,
    integration_type,
  }
}

/** A column of a table, or of the result of a bare SELECT. */
export const toColumnDescriptor = (binding: ResolvedNames, table: ResolvedTable | undefined, name: string): ColumnDescriptor => {
  const of = table && toTableDescriptor(table)
  const row = binding.column(table?.table, name)
  return {
    ...UNKNOWN_RECORD,
    schema_name: of?.schema_name ?? null,
    database_name: of?.database_name ?? null,
    integration_id: of?.integration_id ?? null,
    integration_title: of?.integration_title ?? null,
    integration_type: of?.integration_type ?? null,
    id: row?.id ?? null,
    created_at: row?.created_at ?? null,
    updated_at: row?.updated_at ?? null,
    title: row?.title ?? name,
    native_type: row?.native_type ?? null,
    entity_type: 'column',
    type: row?.type ?? null,
    table_name: of?.title ?? null,
    table_id: of?.id ?? null,
  }
}
