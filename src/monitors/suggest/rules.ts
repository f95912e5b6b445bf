import { wordsOf } from '../../integrations/connectors/words.ts'
import { guessTimestamp } from '../timestamp-column.ts'
import type { Suggestion } from './schema.ts'

/** Which monitors a table should have. Pure: what is known of it in, suggestions with their reasons out. */
export interface Known {
  readonly id: string
  readonly title: string
  readonly row_count: number | null
  /** Uses in the source in a day. */
  readonly usage: number
  readonly downstream: number
  readonly columns: readonly KnownColumn[]
}

export interface KnownColumn {
  readonly id: string
  readonly title: string
  readonly native_type: string | null
  readonly is_pk: boolean
  /** Is never null, as the source promises. */
  readonly always?: boolean
  readonly profile?: { readonly rows: number; readonly nulls: number; readonly distinct: number | null; readonly min: number | null }
}

const MOST = 15
const ENOUGH_ROWS = 100 // of fewer a profile says little
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
    ...(table.usage > 0 ? [`it was queried ${some(table.usage, 'time')} in a day`] : []),
    ...(table.downstream > 0 ? [`${some(table.downstream, 'resource')} ${table.downstream === 1 ? 'is' : 'are'} made from it`] : []),
  ]
  const because = why.length > 0 ? `, and ${why.join(' and ')}` : ''
  const timestamp_column = guessTimestamp(table.columns)
  return [
    suggest(table, 'row_count', 'Row count', 100, `A load that is missing, doubled or cut short shows in the number of rows${because}.`),
    ...(timestamp_column
      ? [
          suggest(
            table,
            'freshness',
            'Freshness',
            95,
            `${timestamp_column} says when a row was written: it shows when nothing comes any more.`,
            {
              metric_config: { timestamp_column },
            },
          ),
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
            `It looks like a key of another table, and of ${rows} none is without.`,
            between(null, 0),
          )
        : suggest(
            column,
            'null_percentage',
            'Null percentage',
            60,
            'It looks like a key of another table: rows without it drop out of joins.',
          ),
    )
  else if (read && read.nulls === 0 && !KIND.test(title))
    found.push(suggest(column, 'null_percentage', 'Null percentage', 35, `Of ${rows} none is without a value.`))
  if (KIND.test(title) || (read?.distinct != null && read.distinct > 1 && read.distinct <= FEW_VALUES && !numeric))
    found.push(
      suggest(
        column,
        'cardinality',
        'Cardinality',
        read?.distinct ? 55 : 45,
        read?.distinct
          ? `It holds ${some(read.distinct, 'different value')}: a new or missing one is news.`
          : 'It looks like a list of kinds: a new or missing one is news.',
      ),
    )
  if (numeric && MEASURE.test(title) && !KEY_OF_ANOTHER.test(title)) {
    found.push(
      suggest(column, 'mean', 'Mean', 50, 'It looks like a measure: a wrong unit, a wrong currency or a wrong join moves its mean.'),
    )
    if (read?.min != null && read.min >= 0)
      found.push(suggest(column, 'min', 'Minimum', 40, `In ${rows} it is never below nought.`, between(0, null)))
  }
  return found
}

const ofKey = (column: KnownColumn, read: KnownColumn['profile']): Weighed[] => {
  const why = column.is_pk ? 'It belongs to the primary key' : 'It is called like a key'
  const unique = read?.distinct != null && read.distinct >= read.rows - read.nulls
  return [
    suggest(column, 'null_percentage', 'Null percentage', 80, `${why}: no row should be without it.`, between(null, 0)),
    ...(column.is_pk || unique || !read
      ? [
          suggest(
            column,
            'unique_percentage',
            'Unique percentage',
            85,
            `${why}: a value that comes twice doubles rows in every join.`,
            between(100, null),
          ),
        ]
      : []),
  ]
}

const some = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
