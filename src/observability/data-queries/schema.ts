import { type Static, Type } from 'typebox'
import { Id, NullableString, Timestamp } from '../../platform/core/schema-types.ts'
import { Cell } from '../source-tables/cell.ts'

/** Wire types. */
const MAX_QUERY_ROWS = 200

export const DataQuery = Type.Object(
  {
    sql: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description:
        'One SELECT in the dialect of the source. It may read synced tables of the same integration that you can see, and call the functions that custom SQL monitors may call.',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_QUERY_ROWS, default: 100, description: 'Rows to return.' })),
    show_pii: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Read columns marked as PII. Requires permission to edit the table and is recorded in the audit log; other callers are rejected.',
      }),
    ),
  },
  { title: 'DataQuery', examples: [{ sql: 'select status, count(*) as n from orders group by status order by n desc' }] },
)
export type DataQuery = Static<typeof DataQuery>

export const DataQueryResult = Type.Object(
  {
    resource_id: Id('The table the query was run for.'),
    asked_at: Timestamp,
    columns: Type.Array(Type.Object({ name: Type.String(), native_type: NullableString('As the source names it.') })),
    rows: Type.Array(Type.Array(Cell), { description: 'One cell per column. Texts are cut after 2,000 characters.' }),
    truncated: Type.Boolean({ description: 'Whether there are more rows.' }),
    masked: Type.Array(Type.String(), {
      description: 'Columns of the tables it reads whose values were not read, as `table.column`: in the query their value is •••.',
    }),
  },
  {
    title: 'DataQueryResult',
    examples: [
      {
        resource_id: '01980000-0000-7000-8000-000000000001',
        asked_at: '2026-11-15T20:00:00.000Z',
        columns: [
          { name: 'status', native_type: 'text' },
          { name: 'n', native_type: 'bigint' },
        ],
        rows: [['shipped', 812]],
        truncated: false,
        masked: [],
      },
    ],
  },
)
export type DataQueryResult = Static<typeof DataQueryResult>
