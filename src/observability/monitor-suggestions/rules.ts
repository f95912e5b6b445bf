import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { getDialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { guessTimestampColumn } from '../monitor-model/timestamp-column.ts'
import type { Suggestion } from './schema.ts'

/** Suggests monitors for a table, with reasons. Pure. */
export interface TableFacts {
  readonly id: string
  readonly title: string
  readonly row_count: number | null
  /** Queries per day in the source. */
  readonly usage: number
  readonly downstream: number
  readonly columns: readonly ColumnFacts[]
}

export interface ColumnFacts {
  readonly id: string
  readonly title: string
  readonly native_type: string | null
  readonly is_pk: boolean
  /** Declared NOT NULL by the source. */
  readonly always?: boolean
  readonly profile?: { readonly rows: number; readonly nulls: number; readonly distinct: number | null; readonly min: number | null }
}

const MAX_SUGGESTIONS = 15
const MIN_PROFILE_ROWS = 100 // a profile of fewer rows is not significant
const MAX_CATEGORY_VALUES = 20
const AUTOMATIC = { condition_auto_sensitivity: 5, condition_manual_min: null, condition_manual_max: null }
const between = (min: number | null, max: number | null) => ({
  condition_auto_sensitivity: null,
  condition_manual_min: min,
  condition_manual_max: max,
})

const FOREIGN_KEY_NAME = /_(id|uuid|key)$/i
const MEASURE_NAME = /(amount|price|total|revenue|cost|quantity|qty|sum|balance|value|score|rate|margin|fee|tax|discount|weight|duration)/i
const CATEGORY_NAME = /(^|_)(status|state|type|kind|category|country|currency|channel|tier|segment|plan|region)(_code)?$/i

export const suggestMonitors = (table: TableFacts): Suggestion[] => {
  const suggestions = [...suggestForTable(table), ...table.columns.flatMap((column) => suggestForColumn(column))]
  return suggestions
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ weight: _, ...suggestion }) => suggestion)
}

type WeightedSuggestion = Suggestion & { readonly weight: number }

const buildSuggestion = (
  target: { id: string; title: string },
  metric_type: Suggestion['metric_type'],
  label: string,
  weight: number,
  reason: Translatable,
  more: Partial<Suggestion> = {},
): WeightedSuggestion => ({
  key: `${metric_type}:${target.id}`,
  target: target.id,
  target_title: target.title,
  metric_type,
  name: `${label} of ${target.title}`,
  reason: formatText(reason),
  reason_translatable: reason,
  metric_config: {},
  ...AUTOMATIC,
  ...more,
  weight,
})

const suggestForTable = (table: TableFacts): WeightedSuggestion[] => {
  const why = [
    ...(table.usage > 0 ? [translatable('it is queried {n:# time|# times} a day', { n: table.usage })] : []),
    ...(table.downstream > 0
      ? [translatable('{n:# downstream resource depends|# downstream resources depend} on it', { n: table.downstream })]
      : []),
  ]
  const use = translatable('Detects missing, duplicated and incomplete loads.')
  const timestamp_column = guessTimestampColumn(table.columns)
  return [
    buildSuggestion(
      table,
      'row_count',
      'Row count',
      100,
      why.length > 0 ? translatable('{use} This table matters: {why}.', { use, why }) : use,
    ),
    ...(timestamp_column
      ? [
          buildSuggestion(
            table,
            'freshness',
            'Freshness',
            95,
            translatable('Detects when no new rows arrive, based on {column}.', { column: timestamp_column }),
            {
              metric_config: { timestamp_column },
            },
          ),
        ]
      : []),
  ]
}

const suggestForColumn = (column: ColumnFacts): WeightedSuggestion[] => {
  const { title, native_type, is_pk, profile } = column
  const read = profile && profile.rows >= MIN_PROFILE_ROWS ? profile : undefined
  const rows = read?.rows ?? 0
  if (is_pk || /^(id|uuid|guid)$/i.test(title)) return suggestForKey(column, read)
  const numeric = getDialectSql('postgres').isNumericType(native_type)
  const found: WeightedSuggestion[] = []
  if (FOREIGN_KEY_NAME.test(title))
    found.push(
      read?.nulls === 0
        ? buildSuggestion(
            column,
            'null_percentage',
            'Null percentage',
            70,
            translatable('It looks like a foreign key, and none of {rows} rows is null.', { rows }),
            between(null, 0),
          )
        : buildSuggestion(
            column,
            'null_percentage',
            'Null percentage',
            60,
            translatable('It looks like a foreign key: rows without a value are lost in joins.'),
          ),
    )
  else if (read && read.nulls === 0 && !CATEGORY_NAME.test(title))
    found.push(buildSuggestion(column, 'null_percentage', 'Null percentage', 35, translatable('None of {rows} rows is null.', { rows })))
  if (CATEGORY_NAME.test(title) || (read?.distinct != null && read.distinct > 1 && read.distinct <= MAX_CATEGORY_VALUES && !numeric))
    found.push(
      buildSuggestion(
        column,
        'cardinality',
        'Cardinality',
        read?.distinct ? 55 : 45,
        read?.distinct
          ? translatable('It has {n:# distinct value|# distinct values}: detects new and missing values.', { n: read.distinct })
          : translatable('It looks like a category: detects new and missing values.'),
      ),
    )
  if (numeric && MEASURE_NAME.test(title) && !FOREIGN_KEY_NAME.test(title)) {
    found.push(
      buildSuggestion(
        column,
        'mean',
        'Mean',
        50,
        translatable('It looks like a measure: a wrong unit, currency or join changes its mean.'),
      ),
    )
    if (read?.min != null && read.min >= 0)
      found.push(
        buildSuggestion(
          column,
          'min',
          'Minimum',
          40,
          translatable('None of {rows} rows has a negative value.', { rows }),
          between(0, null),
        ),
      )
  }
  return found
}

const suggestForKey = (column: ColumnFacts, read: ColumnFacts['profile']): WeightedSuggestion[] => {
  const why = column.is_pk ? translatable('It is part of the primary key') : translatable('Its name suggests a key')
  const unique = read?.distinct != null && read.distinct >= read.rows - read.nulls
  return [
    buildSuggestion(
      column,
      'null_percentage',
      'Null percentage',
      80,
      translatable('{why}, so it should never be null.', { why }),
      between(null, 0),
    ),
    ...(column.is_pk || unique || !read
      ? [
          buildSuggestion(
            column,
            'unique_percentage',
            'Unique percentage',
            85,
            translatable('{why}: a duplicate value would duplicate rows in every join.', { why }),
            between(100, null),
          ),
        ]
      : []),
  ]
}
