import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../wire.ts'

/** What travels on the wire. */
const Cell = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

export const PreviewQuery = Type.Object({
  show_pii: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Show columns marked PII too. Only for those who may write the table; the audit log records it. Others are rejected.',
    }),
  ),
})

export const Preview = Type.Object(
  {
    resource_id: Id('The table.'),
    asked_at: Timestamp,
    columns: Type.Array(
      Type.Object({
        resource_id: Id('The column.'),
        name: Type.String({ description: 'As its source calls it.' }),
        title: Type.String({ description: 'As people call it here.' }),
        native_type: NullableString(),
        pii: Type.Boolean(),
        masked: Type.Boolean({
          description: 'Its values were not read: each cell says •••. Without `pii`: it may be personal, and nobody has decided it yet.',
        }),
      }),
      { description: 'The columns the catalog knows and you may see, in their order.' },
    ),
    rows: Type.Array(Type.Array(Cell), {
      description: 'The first rows, at most 50: a cell for each column. Numbers too large for a double, dates and the like are text.',
    }),
    truncated: Type.Boolean({ description: 'There are more rows.' }),
  },
  {
    title: 'Preview',
    examples: [
      {
        resource_id: '01980000-0000-7000-8000-000000000001',
        asked_at: '2026-11-15T20:00:00.000Z',
        columns: [
          {
            resource_id: '01980000-0000-7000-8000-000000000002',
            name: 'id',
            title: 'id',
            native_type: 'integer',
            pii: false,
            masked: false,
          },
          {
            resource_id: '01980000-0000-7000-8000-000000000003',
            name: 'email',
            title: 'E-mail',
            native_type: 'text',
            pii: true,
            masked: true,
          },
        ],
        rows: [[1, '•••']],
        truncated: true,
      },
    ],
  },
)
export type Preview = Static<typeof Preview>

const SAMPLED = ['all', 'random', 'first'] as const

export const ProfileRequest = Type.Object(
  {
    whole: Type.Optional(Type.Boolean({ default: false, description: 'Read the whole table. It costs the source a full scan.' })),
    sample_rows: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 1_000_000,
        default: 10_000,
        description: 'How many rows to look at, when not the whole table.',
      }),
    ),
  },
  { title: 'ProfileRequest', examples: [{ sample_rows: 10_000 }] },
)
export type ProfileRequest = Static<typeof ProfileRequest>

const Counted = Type.Object({ value: Type.String(), count: Type.Integer() })
const Bin = Type.Object({
  from: Type.String({ description: 'Included.' }),
  to: Type.String({ description: 'Not included, but in the last bin.' }),
  count: Type.Integer(),
})

export const ColumnProfile = Type.Object(
  {
    resource_id: Id('The column.'),
    name: Type.String({ description: 'Its title.' }),
    native_type: NullableString(),
    profiled_at: Timestamp,
    job: NullableId('The job that made it.'),
    sampled: OneOf(SAMPLED, 'Which rows were read: all of them, any of them, or the first ones.'),
    rows_read: Type.Integer(),
    nulls: Type.Integer(),
    null_percentage: Nullable(Type.Number()),
    distinct_values: Nullable(Type.Integer({ description: 'Among the rows read.' })),
    distinct_approximate: Type.Boolean({ description: 'The source estimated how many different values there are.' }),
    unique_percentage: Nullable(Type.Number({ description: 'Different values for each hundred that are set.' })),
    withheld: Nullable(
      OneOf(
        ['pii', 'suspected'],
        'Why no value of it is kept: it is marked PII, or an open suggestion says it may be. Null: values are kept.',
      ),
    ),
    min: NullableString('Of numbers and dates the least, of texts the first by the order of the source; at most 200 characters.'),
    max: NullableString(),
    mean: Nullable(Type.Number()),
    histogram: Nullable(Type.Array(Bin, { description: 'Of numbers and dates: bins of the same width.' })),
    top_values: Nullable(Type.Array(Counted, { description: 'The values there are most of. None where hardly one comes twice.' })),
  },
  { title: 'ColumnProfile' },
)
export type ColumnProfile = Static<typeof ColumnProfile>
export type Histogram = NonNullable<ColumnProfile['histogram']>
export type TopValues = NonNullable<ColumnProfile['top_values']>

export const Profile = Type.Object(
  {
    resource_id: Id('The table or the column that was asked for.'),
    columns: Type.Array(ColumnProfile, { description: 'Those that were profiled and that you may see. None: ask for a profile first.' }),
  },
  {
    title: 'Profile',
    examples: [
      {
        resource_id: '01980000-0000-7000-8000-000000000001',
        columns: [
          {
            resource_id: '01980000-0000-7000-8000-000000000002',
            name: 'status',
            native_type: 'text',
            profiled_at: '2026-11-15T20:00:00.000Z',
            job: '01980000-0000-7000-8000-000000000009',
            sampled: 'random',
            rows_read: 10_000,
            nulls: 12,
            null_percentage: 0.12,
            distinct_values: 3,
            distinct_approximate: false,
            unique_percentage: 0.03,
            withheld: null,
            min: 'cancelled',
            max: 'shipped',
            mean: null,
            histogram: null,
            top_values: [
              { value: 'shipped', count: 9_000 },
              { value: 'open', count: 900 },
              { value: 'cancelled', count: 88 },
            ],
          },
        ],
      },
    ],
  },
)
export type Profile = Static<typeof Profile>
