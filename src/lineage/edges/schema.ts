import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

/** Request and response schemas of manual lineage and lineage from queries. */

const DIRECTIONS = ['UPSTREAM', 'DOWNSTREAM'] as const
const Direction = OneOf(
  DIRECTIONS,
  'DOWNSTREAM: data flows from `from_entity` to `to_entity`. UPSTREAM: from `to_entity` to `from_entity`.',
)

export const LineageEntry = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    from_entity: Id(),
    to_entity: Id(),
    direction: Direction,
    is_manual: Type.Boolean(),
  },
  { title: 'LineageEntry' },
)
export type LineageEntry = Static<typeof LineageEntry>

export const LineageCreate = Type.Object(
  { from_entity: IdInput, to_entity: IdInput, direction: Direction },
  {
    title: 'LineageCreate',
    examples: [
      {
        from_entity: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f',
        to_entity: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e60',
        direction: 'DOWNSTREAM',
      },
    ],
  },
)
export type LineageCreate = Static<typeof LineageCreate>

const idParam = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
const idsParam = (description: string) => Type.Optional(Type.String({ maxLength: 50_000, description }))
export const LineageQuery = Type.Object({
  ...PageQuery.properties,
  from_entity: idParam('Entries from this resource.'),
  from_entity_id: idParam('The same as `from_entity`.'),
  from_entity__in: idsParam('Entries from any of these resources: comma-separated IDs, at most 1,000.'),
  to_entity: idParam('Entries to this resource.'),
  to_entity_id: idParam('The same as `to_entity`.'),
  to_entity__in: idsParam('Entries to any of these resources: comma-separated IDs, at most 1,000.'),
  integration_type: Type.Optional(
    Type.String({ maxLength: 200, description: 'Entries with a resource of an integration of this type at either end.' }),
  ),
})
export type LineageQuery = Static<typeof LineageQuery>

const descriptorFields = {
  id: NullableId('Null when it is not in the catalog.'),
  created_at: NullableTimestamp,
  updated_at: NullableTimestamp,
  title: Type.String(),
  schema_name: NullableString(),
  database_name: NullableString(),
  native_type: NullableString(),
  integration_id: NullableId(),
  integration_title: NullableString(),
  integration_type: NullableString(),
}
export const TableDescriptor = Type.Object(descriptorFields, { title: 'TableDescriptor' })
export type TableDescriptor = Static<typeof TableDescriptor>

export const ColumnDescriptor = Type.Object(
  {
    ...descriptorFields,
    entity_type: Type.Literal('column'),
    type: NullableString('The data type of the column.'),
    table_name: NullableString('The title of its table. Null for the result of a bare SELECT.'),
    table_id: NullableId(),
  },
  { title: 'ColumnDescriptor' },
)
export type ColumnDescriptor = Static<typeof ColumnDescriptor>

const span = { start: Type.Integer({ description: 'Start position in the SQL text, in UTF-16 code units from 0.' }), end: Type.Integer() }

export const ColumnLineage = Type.Object(
  {
    from_column: ColumnDescriptor,
    to_column: ColumnDescriptor,
    kind: OneOf(
      ['identity', 'expression', 'aggregation'],
      'How the value is transformed: copied unchanged, computed by an expression, or aggregated with other rows.',
    ),
    ...span,
  },
  { title: 'ColumnLineage' },
)
export type ColumnLineage = Static<typeof ColumnLineage>

const lineageFields = { source_tables: Type.Array(TableDescriptor), column_lineages: Type.Array(ColumnLineage) }

export const QueryLineage = Type.Object(
  {
    sql: Type.String(),
    dialect: Type.String(),
    ...lineageFields,
    target_table: Nullable(TableDescriptor),
    target_tables: Type.Array(TableDescriptor, {
      description: 'Every table the SQL writes, except those it drops or renames again, in order. `target_table` is one of them.',
    }),
    statements: Type.Array(
      Type.Object({
        kind: Type.String(),
        ...span,
        ...lineageFields,
        target_table: Nullable(TableDescriptor),
        target_tables: Type.Array(TableDescriptor),
      }),
    ),
    unresolved: Type.Array(
      Type.Object({
        name: Type.String(),
        type: OneOf(['table', 'column', 'name']),
        reason: Type.String({ description: '`not_in_catalog`, `ambiguous`, or why the SQL does not determine the source.' }),
        ...span,
        candidates: Type.Array(Type.Object({ id: Id(), title_full: Type.String(), integration_id: NullableId() }), {
          description: 'The tables an ambiguous name could refer to.',
        }),
      }),
    ),
    problems: Type.Array(Type.Object({ line: Type.Integer(), column: Type.Integer(), message: Type.String(), hint: NullableString() }), {
      description: 'Positions in the SQL that could not be parsed. The rest of the SQL was parsed.',
    }),
    incomplete: NullableString('Why the result is incomplete (`time`, `size`, `depth`, `internal`). Null when it is complete.'),
  },
  { title: 'QueryLineage' },
)
export type QueryLineage = Static<typeof QueryLineage>

const queryFields = {
  sql: Type.String({ minLength: 1, description: 'One statement or a script, at most 1 MB.' }),
  dialect: Type.Optional(
    Nullable(Type.String({ maxLength: 100, default: 'postgres', description: 'The SQL dialect, e.g. `postgresql` or `bigquery`.' })),
  ),
  default_database: Type.Optional(Nullable(Type.String({ maxLength: 500, description: 'Completes names without a database.' }))),
  default_schema: Type.Optional(Nullable(Type.String({ maxLength: 500, description: 'Completes names without a schema.' }))),
  integration_id: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        description: 'The integration the query runs in. Its tables are preferred when a name matches several.',
      }),
    ),
  ),
}
const TABLE = 'The target table. Required to create lineage from a bare SELECT.'

export const PreviewQuery = Type.Object({
  ...queryFields,
  table_id: Type.Optional(Type.String({ maxLength: 100, description: TABLE })),
})
export const FromQuery = Type.Object(
  { ...queryFields, table_id: Type.Optional(Nullable(Type.String({ maxLength: 100, description: TABLE }))) },
  {
    title: 'LineageFromQuery',
    examples: [{ sql: 'insert into daily_sales select day, sum(price) from orders group by day', dialect: 'postgresql' }],
  },
)
export type FromQuery = Static<typeof FromQuery>
