import { wordsOf } from '../../integrations/connectors/words.ts'
import { guessTimestamp } from '../timestamp-column.ts'
import type { Suggestion } from './schema.ts'

/** Suggests monitors for a table, with reasons. Pure. */
export interface Known {
  readonly id: string
  readonly title: string
  readonly row_count: number | null
  /** Queries per day in the source. */
  readonly usage: number
  readonly downstream: number
  readonly columns: readonly KnownColumn[]
}

export interface KnownColumn {
  readonly id: string
  readonly title: string
  readonly native_type: string | null
  readonly is_pk: boolean
  /** Declared NOT NULL by the source. */
  readonly always?: boolean
  readonly profile?: { readonly rows: number; readonly nulls: number; readonly distinct: number | null; readonly min: number | null }
}

const MOST = 15
const ENOUGH_ROWS = 100 // a profile of fewer rows is not significant
const FEW_VALUES = 20
const AUTOMATIC = { condition_auto_sensitivity: 5, condition_manual_min: null, condition_manual_max: null }
const between = (min: number | null, max: number | null) => ({
  condition_auto_sensitivity: null,
  condition_manual_min: min,
  condition_manual_max: max,
})

const KEY_OF_ANOTHER = /_(id|uuid|key)$/i
const MEASURE = /(amount|price|total|revenue|cost|quantity|qty|sum|balance|value|score|rate|margin|fee|tax|discount|weight|duration)/i
const KIND = /(^|_)(status|state|type|kind|category|country|currency|channel|tier|segment|plan|region)(_code)?$/i

export const suggestionsFor = (table: Known): Suggestion[] => {
  const made = [...ofTable(table), ...table.columns.flatMap((column) => ofColumn(column))]
  return made
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ weight: _, ...suggestion }) => suggestion)
}

type Weighed = Suggestion & { readonly weight: number }

const suggest = (
  target: { id: string; title: string },
  metric_type: Suggestion['metric_type'],
  label: string,
  weight: number,
  reason: string,
  more: Partial<Suggestion> = {},
): Weighed => ({
  key: `${metric_type}:${target.id}`,
  target: target.id,
  target_title: target.title,
  metric_type,
  name: `${label} of ${target.title}`,
  reason,
  metric_config: {},
  ...AUTOMATIC,
  ...more,
  weight,
})

const ofTable = (table: Known): Weighed[] => {
  const why = [
    ...(table.usage > 0 ? [`it is queried ${some(table.usage, 'time')} a day`] : []),
    ...(table.downstream > 0
      ? [`${some(table.downstream, 'downstream resource')} ${table.downstream === 1 ? 'depends' : 'depend'} on it`]
      : []),
  ]
  const because = why.length > 0 ? ` This table matters: ${why.join(' and ')}.` : ''
  const timestamp_column = guessTimestamp(table.columns)
  return [
    suggest(table, 'row_count', 'Row count', 100, `Detects missing, duplicated and incomplete loads.${because}`),
    ...(timestamp_column
      ? [
          suggest(table, 'freshness', 'Freshness', 95, `Detects when no new rows arrive, based on ${timestamp_column}.`, {
            metric_config: { timestamp_column },
          }),
        ]
      : []),
  ]
}

const ofColumn = (column: KnownColumn): Weighed[] => {
  const { title, native_type, is_pk, profile } = column
  const read = profile && profile.rows >= ENOUGH_ROWS ? profile : undefined
  const rows = read ? `${read.rows.toLocaleString('en')} rows` : ''
  if (is_pk || /^(id|uuid|guid)$/i.test(title)) return ofKey(column, read)
  const numeric = wordsOf('postgres').isNumericType(native_type)
  const found: Weighed[] = []
  if (KEY_OF_ANOTHER.test(title))
    found.push(
      read?.nulls === 0
        ? suggest(
            column,
            'null_percentage',
            'Null percentage',
            70,
            `It looks like a foreign key, and none of ${rows} is null.`,
            between(null, 0),
          )
        : suggest(column, 'null_percentage', 'Null percentage', 60, 'It looks like a foreign key: rows without a value are lost in joins.'),
    )
  else if (read && read.nulls === 0 && !KIND.test(title))
    found.push(suggest(column, 'null_percentage', 'Null percentage', 35, `None of ${rows} is null.`))
  if (KIND.test(title) || (read?.distinct != null && read.distinct > 1 && read.distinct <= FEW_VALUES && !numeric))
    found.push(
      suggest(
        column,
        'cardinality',
        'Cardinality',
        read?.distinct ? 55 : 45,
        read?.distinct
          ? `It has ${some(read.distinct, 'distinct value')}: detects new and missing values.`
          : 'It looks like a category: detects new and missing values.',
      ),
    )
  if (numeric && MEASURE.test(title) && !KEY_OF_ANOTHER.test(title)) {
    found.push(suggest(column, 'mean', 'Mean', 50, 'It looks like a measure: a wrong unit, currency or join changes its mean.'))
    if (read?.min != null && read.min >= 0)
      found.push(suggest(column, 'min', 'Minimum', 40, `None of ${rows} has a negative value.`, between(0, null)))
  }
  return found
}

const ofKey = (column: KnownColumn, read: KnownColumn['profile']): Weighed[] => {
  const why = column.is_pk ? 'It is part of the primary key' : 'Its name suggests a key'
  const unique = read?.distinct != null && read.distinct >= read.rows - read.nulls
  return [
    suggest(column, 'null_percentage', 'Null percentage', 80, `${why}, so it should never be null.`, between(null, 0)),
    ...(column.is_pk || unique || !read
      ? [
          suggest(
            column,
            'unique_percentage',
            'Unique percentage',
            85,
            `${why}: a duplicate value would duplicate rows in every join.`,
            between(100, null),
          ),
        ]
      : []),
  ]
}

const some = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
