import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { DAILY_OR_WEEKLY_FIELDS, DailyOrWeekly } from '../monitor-model/schedule-schema.ts'
import { Cell } from '../source-tables/cell.ts'

/** Wire types. */
const PREVIEW_OPERATORS = ['equals', 'not_equals', 'contains', 'greater', 'less', 'is_empty', 'is_not_empty'] as const
export type PreviewOperator = (typeof PREVIEW_OPERATORS)[number]

export const PreviewQuery = Type.Object({
  show_pii: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Include columns marked as PII. Requires permission to edit the table and is recorded in the audit log; other callers are rejected.',
    }),
  ),
  sort_by: Type.Optional(Id('The column to sort by, as the source sorts. Not one that is masked. Rows without a value come last.')),
  sort_direction: Type.Optional(OneOf(['asc', 'desc'], 'Default: `asc`.')),
  filter_by: Type.Optional(Id('The column to filter by. Not one that is masked.')),
  filter_operator: Type.Optional(
    OneOf(
      PREVIEW_OPERATORS,
      'Default: `equals`. `contains` ignores case. A date or time equals all times that begin with it. `is_empty` is null.',
    ),
  ),
  filter_value: Type.Optional(
    Type.String({ maxLength: 500, description: 'A number, a date, a time or a text, as the type of the column needs it.' }),
  ),
})
export type PreviewQuery = Static<typeof PreviewQuery>

export const Preview = Type.Object(
  {
    resource_id: Id('The table.'),
    table_name: Type.String({ description: 'The table as a query in its source names it.' }),
    asked_at: Timestamp,
    columns: Type.Array(
      Type.Object({
        resource_id: Id('The column.'),
        name: Type.String({ description: 'Name in the source.' }),
        title: Type.String({ description: 'Title in the catalog.' }),
        native_type: NullableString(),
        pii: Type.Boolean(),
        masked: Type.Boolean({
          description: 'Its values were not read: each cell contains •••. If `pii` is false, the column has a pending PII suggestion.',
        }),
      }),
      { description: 'The columns you can see, in order.' },
    ),
    newest_by: NullableId(
      'The column that says when a row was written, as far as its name tells: sort by it, descending, for the newest rows.',
    ),
    rows: Type.Array(Type.Array(Cell), {
      description: 'The first rows (at most 50), one cell per column. Numbers too large for a double, dates and similar types are text.',
    }),
    truncated: Type.Boolean({ description: 'Whether there are more rows.' }),
  },
  {
    title: 'Preview',
    examples: [
      {
        resource_id: '01980000-0000-7000-8000-000000000001',
        table_name: '"public"."customers"',
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
        newest_by: null,
        rows: [[1, '•••']],
        truncated: true,
      },
    ],
  },
)
export type Preview = Static<typeof Preview>

const SAMPLE_KINDS = ['all', 'random', 'first'] as const
const PROFILE_SOURCES = ['profile', 'openlineage'] as const

export const ProfileRequest = Type.Object(
  {
    whole: Type.Optional(Type.Boolean({ default: false, description: 'Read the whole table, which is a full scan in the source.' })),
    sample_rows: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 1_000_000,
        default: 10_000,
        description: 'Number of rows to sample, unless `whole` is set.',
      }),
    ),
  },
  { title: 'ProfileRequest', examples: [{ sample_rows: 10_000 }] },
)
export type ProfileRequest = Static<typeof ProfileRequest>

const ValueCount = Type.Object({ value: Type.String(), count: Type.Integer() })
const Bin = Type.Object({
  from: Type.String({ description: 'Inclusive.' }),
  to: Type.String({ description: 'Exclusive, except in the last bin.' }),
  count: Type.Integer(),
})

export const ColumnProfile = Type.Object(
  {
    resource_id: Id('The column.'),
    name: Type.String({ description: 'Title of the column.' }),
    native_type: NullableString(),
    profiled_at: Timestamp,
    job: NullableId('The job that created the profile.'),
    source: OneOf(PROFILE_SOURCES, 'Who computed it: Tablinum, or a pipeline that reported it in an OpenLineage event.'),
    reported_by: NullableId('The run that reported it, if you can see it.'),
    sampled: OneOf(SAMPLE_KINDS, 'Which rows were read: all, a random sample, or the first ones.'),
    rows_read: Type.Integer(),
    nulls: Type.Integer(),
    null_percentage: Nullable(Type.Number()),
    distinct_values: Nullable(Type.Integer({ description: 'Distinct values in the rows read.' })),
    distinct_approximate: Type.Boolean({ description: 'Whether `distinct_values` is an estimate of the source.' }),
    unique_percentage: Nullable(Type.Number({ description: 'Distinct values in percent of non-null values.' })),
    withheld: Nullable(
      OneOf(
        ['pii', 'suspected'],
        'Why no values are stored: the column is marked as PII, or has a pending PII suggestion. Null: values are stored.',
      ),
    ),
    min: NullableString('The smallest number or date, or the first text in the sort order of the source; at most 200 characters.'),
    max: NullableString(),
    mean: Nullable(Type.Number()),
    histogram: Nullable(Type.Array(Bin, { description: 'For numbers and dates: bins of equal width.' })),
    top_values: Nullable(Type.Array(ValueCount, { description: 'The most frequent values. Null if almost all values are unique.' })),
    quantiles: Nullable(
      Type.Record(Type.String(), Type.Number(), { description: 'Values by quantile, e.g. `0.5`. Only pipelines report them.' }),
    ),
  },
  { title: 'ColumnProfile' },
)
export type ColumnProfile = Static<typeof ColumnProfile>
export type Histogram = NonNullable<ColumnProfile['histogram']>
export type TopValues = NonNullable<ColumnProfile['top_values']>

export const ProfileHistoryQuery = Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400, default: 90 })) })

export const ProfileHistory = Type.Object(
  {
    resource_id: Id('The table or column.'),
    points: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        profiled_at: Timestamp,
        sampled: OneOf(SAMPLE_KINDS),
        rows_read: Type.Integer(),
        row_count: Nullable(Type.Integer({ description: 'Of a table: its rows, counted or as the source reports them.' })),
        nulls: Nullable(Type.Integer({ description: 'Of a column, like the following.' })),
        null_percentage: Nullable(Type.Number()),
        distinct_values: Nullable(Type.Integer()),
        distinct_approximate: Type.Boolean(),
        rows_written: Nullable(Type.Integer({ description: 'By the last run of the day that wrote the table and reported it.' })),
        bytes_written: Nullable(Type.Integer()),
        source: OneOf(PROFILE_SOURCES),
      }),
      { description: 'One for each day with a profile, oldest first. Kept for 400 days.' },
    ),
  },
  { title: 'ProfileHistory' },
)
export type ProfileHistory = Static<typeof ProfileHistory>

const Trend = Type.Array(Nullable(Type.Number()))
export const ColumnTrends = Type.Record(
  Type.String(),
  Type.Object(
    { null_percentage: Trend, distinct_values: Trend },
    { title: 'ColumnTrend', description: 'Oldest first, of the last 14 days with a profile.' },
  ),
  {
    title: 'ColumnTrends',
    description: 'By column ID: the first 1,000 columns that the caller can see, as far as they have at least two profiles.',
  },
)
export type ColumnTrends = Static<typeof ColumnTrends>

const SampleRows = Type.Integer({ minimum: 100, maximum: 1_000_000, description: 'Number of rows to sample.' })

export const ProfileSchedule = Type.Object(
  {
    schedule: DailyOrWeekly('Null: not profiled regularly.'),
    sample_rows: SampleRows,
    next_run_at: NullableTimestamp,
    last_run_at: NullableTimestamp,
    job: NullableId('The job of the last run.'),
  },
  { title: 'ProfileSchedule' },
)
export type ProfileSchedule = Static<typeof ProfileSchedule>

export const ProfileScheduleEdit = Type.Object(
  {
    ...DAILY_OR_WEEKLY_FIELDS,
    sample_rows: Type.Optional(SampleRows),
  },
  { title: 'ProfileScheduleEdit', examples: [{ cadence: 'daily', hour: 3 }] },
)
export type ProfileScheduleEdit = Static<typeof ProfileScheduleEdit>

export const Profile = Type.Object(
  {
    resource_id: Id('The requested table or column.'),
    columns: Type.Array(ColumnProfile, { description: 'The profiled columns you can see. Empty if no profile has been created.' }),
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
            source: 'profile',
            reported_by: null,
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
            quantiles: null,
          },
        ],
      },
    ],
  },
)
export type Profile = Static<typeof Profile>
