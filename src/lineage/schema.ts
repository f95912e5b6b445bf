import { type Static, Type } from 'typebox'
import { PageQuery } from '../lists/page.ts'
import { Id, IdIn, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../wire.ts'

/** What travels on the wire. */

const DIRECTIONS = ['UPSTREAM', 'DOWNSTREAM'] as const
const Direction = OneOf(DIRECTIONS, 'DOWNSTREAM: data flows from `from_entity` to `to_entity`. UPSTREAM: the other way.')

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
  { from_entity: IdIn, to_entity: IdIn, direction: Direction },
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

const one = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
const some = (description: string) => Type.Optional(Type.String({ maxLength: 50_000, description }))
export const LineageQuery = Type.Object({
  ...PageQuery.properties,
  from_entity: one('Entries from this resource.'),
  from_entity_id: one('The same as `from_entity`.'),
  from_entity__in: some('Entries from any of these resources: IDs with commas between, at most 1,000.'),
  to_entity: one('Entries to this resource.'),
  to_entity_id: one('The same as `to_entity`.'),
  to_entity__in: some('Entries to any of these resources: IDs with commas between, at most 1,000.'),
  integration_type: Type.Optional(Type.String({ maxLength: 200, description: 'Entries with an end in an integration of this type.' })),
})
export type LineageQuery = Static<typeof LineageQuery>

const described = {
  id: NullableId('Null when the catalog does not hold it.'),
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
export const TableDescriptor = Type.Object(described, { title: 'TableDescriptor' })
export type TableDescriptor = Static<typeof TableDescriptor>

export const ColumnDescriptor = Type.Object(
  {
    ...described,
    entity_type: Type.Literal('column'),
    type: NullableString('The type of its values.'),
    table_name: NullableString('The title of its table; null for the result of a bare SELECT.'),
    table_id: NullableId(),
  },
  { title: 'ColumnDescriptor' },
)
export type ColumnDescriptor = Static<typeof ColumnDescriptor>

const span = { start: Type.Integer({ description: 'Where it stands in the text, in UTF-16 units from 0.' }), end: Type.Integer() }

export const ColumnLineage = Type.Object(
  {
    from_column: ColumnDescriptor,
    to_column: ColumnDescriptor,
    kind: OneOf(['identity', 'expression', 'aggregation'], 'How the value travels: as it is, through an expression, with other rows.'),
    ...span,
  },
  { title: 'ColumnLineage' },
)
export type ColumnLineage = Static<typeof ColumnLineage>

const tables = { source_tables: Type.Array(TableDescriptor), column_lineages: Type.Array(ColumnLineage) }

export const QueryLineage = Type.Object(
  {
    sql: Type.String(),
    dialect: Type.String(),
    ...tables,
    target_table: Nullable(TableDescriptor),
    target_tables: Type.Array(TableDescriptor, {
      description: 'Every table the text writes and leaves behind, in the order of the text. `target_table` is one of them.',
    }),
    statements: Type.Array(
      Type.Object({
        kind: Type.String(),
        ...span,
        ...tables,
        target_table: Nullable(TableDescriptor),
        target_tables: Type.Array(TableDescriptor),
      }),
    ),
    unresolved: Type.Array(
      Type.Object({
        name: Type.String(),
        type: OneOf(['table', 'column', 'name']),
        reason: Type.String({ description: '`not_in_catalog`, `ambiguous`, or why the text itself does not tell.' }),
        ...span,
        candidates: Type.Array(Type.Object({ id: Id(), title_full: Type.String(), integration_id: NullableId() }), {
          description: 'What an ambiguous name could mean.',
        }),
      }),
    ),
    problems: Type.Array(Type.Object({ line: Type.Integer(), column: Type.Integer(), message: Type.String(), hint: NullableString() }), {
      description: 'Places that could not be read. The rest of the text was.',
    }),
    incomplete: NullableString('Why this is not the whole answer (`time`, `size`, `depth`, `internal`); null when it is.'),
  },
  { title: 'QueryLineage' },
)
export type QueryLineage = Static<typeof QueryLineage>

const asked = {
  sql: Type.String({ minLength: 1, description: 'One statement or a script, at most 1 MB.' }),
  dialect: Type.Optional(
    Nullable(Type.String({ maxLength: 100, default: 'postgres', description: 'For example postgresql or bigquery.' })),
  ),
  default_database: Type.Optional(Nullable(Type.String({ maxLength: 500, description: 'Completes names without a database.' }))),
  default_schema: Type.Optional(Nullable(Type.String({ maxLength: 500, description: 'Completes names without a schema.' }))),
  integration_id: Type.Optional(
    Nullable(Type.String({ maxLength: 100, description: 'Where the query runs: of several tables by a name, those in it are meant.' })),
  ),
}
const TABLE = 'The target table. A bare SELECT needs it when lineage is created.'

export const PreviewQuery = Type.Object({
  ...asked,
  table_id: Type.Optional(Type.String({ maxLength: 100, description: TABLE })),
})
export const FromQuery = Type.Object(
  { ...asked, table_id: Type.Optional(Nullable(Type.String({ maxLength: 100, description: TABLE }))) },
  {
    title: 'LineageFromQuery',
    examples: [{ sql: 'insert into daily_sales select day, sum(price) from orders group by day', dialect: 'postgresql' }],
  },
)
export type FromQuery = Static<typeof FromQuery>
