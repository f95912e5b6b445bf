import { invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { DialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import type { MaskedColumn } from '../pii/mask-columns.ts'
import type { PreviewOperator } from './schema.ts'

/** SQL of sorted and filtered previews. Values are literals of the dialect, names those of the source. Pure. */

/** A column that may be read: a filter or sort by a masked one would reveal its values. */
export const findPreviewColumn = (columns: readonly MaskedColumn[], field: string, id: string): MaskedColumn => {
  const column = columns.find((each) => each.id === id)
  if (!column) throw invalid({ [field]: [translatable('This is not a column of the table that you can see.')] })
  if (column.masked) throw invalid({ [field]: [translatable('The values of this column are hidden from you.')] })
  return column
}

/** In larger tables the order must be one that an index of the source can have. */
const LARGE_TABLE_ROWS = 1_000_000

/** Rows without a value come last; in a large table that is sorted by time, they are left out. */
export const buildSortSql = (
  dialectSql: DialectSql,
  { name, native_type }: MaskedColumn,
  direction: 'asc' | 'desc',
  row_count: number | null,
): { readonly orderBy: string; readonly where?: string } => {
  if (!dialectSql.isComparable(native_type)) throw invalid({ sort_by: [translatable('Columns of this type cannot be sorted.')] })
  const column = dialectSql.quote(name)
  const orderBy = `${column} ${direction}`
  if ((row_count ?? 0) > LARGE_TABLE_ROWS && dialectSql.isTemporalType(native_type)) return { orderBy, where: `${column} is not null` }
  return { orderBy: `case when ${column} is null then 1 else 0 end, ${orderBy}` }
}

export const buildFilterSql = (
  dialectSql: DialectSql,
  { name, native_type }: MaskedColumn,
  operator: PreviewOperator,
  value: string,
): string => {
  const column = dialectSql.quote(name)
  if (operator === 'is_empty') return `${column} is null`
  if (operator === 'is_not_empty') return `${column} is not null`
  if (value === '') throw invalid({ filter_value: [translatable('Enter a value.')] })
  if (operator === 'contains') return buildContainsSql(dialectSql, toTextSql(dialectSql, column, native_type), value)
  if (dialectSql.isNumericType(native_type)) return `${column} ${SYMBOLS[operator]} ${parseNumber(value)}`
  if (dialectSql.isTemporalType(native_type)) return buildMomentSql(dialectSql, column, operator, value)
  const text = toTextSql(dialectSql, column, native_type)
  if (dialectSql.isBooleanType(native_type)) return `lower(${text}) ${SYMBOLS[operator]} ${dialectSql.textLiteral(value.toLowerCase())}`
  return `${text} ${SYMBOLS[operator]} ${dialectSql.textLiteral(value)}`
}

type Comparison = Exclude<PreviewOperator, 'contains' | 'is_empty' | 'is_not_empty'>
const SYMBOLS: Readonly<Record<Comparison, string>> = { equals: '=', not_equals: '<>', greater: '>', less: '<' }

const toTextSql = (dialectSql: DialectSql, column: string, native_type: string | null): string =>
  dialectSql.isTemporalType(native_type) ? dialectSql.momentToText(column) : dialectSql.castToText(column)

/** Kept as text: a double would round large integers. */
const parseNumber = (value: string): string => {
  const number = value.trim()
  if (!/^-?\d{1,40}(\.\d{1,40})?$/.test(number)) throw invalid({ filter_value: [translatable('Enter a number, e.g. 12.5.')] })
  return number
}

const MOMENT = /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/

/** A time equals all that begin with it: a date equals every time of that day. */
const buildMomentSql = (dialectSql: DialectSql, column: string, operator: Comparison, value: string): string => {
  const moment = value.trim().replace('T', ' ')
  if (!MOMENT.test(moment) || Number.isNaN(Date.parse(`${moment.slice(0, 10)}T00:00:00Z`)))
    throw invalid({ filter_value: [translatable('Enter a date or time, e.g. 2026-11-18 or 2026-11-18 09:30.')] })
  if (operator === 'greater' || operator === 'less')
    return `${column} ${SYMBOLS[operator]} ${dialectSql.timestampLiteral(moment.length === 16 ? `${moment}:00` : moment)}`
  const beginning = dialectSql.firstCharacters(dialectSql.momentToText(column), moment.length)
  return `${beginning} ${SYMBOLS[operator]} ${dialectSql.textLiteral(moment)}`
}

/** These know no other escape character in LIKE than the backslash. */
const BACKSLASH_DIALECTS: readonly string[] = ['clickhouse', 'bigquery']

const buildContainsSql = (dialectSql: DialectSql, text: string, value: string): string => {
  const backslash = BACKSLASH_DIALECTS.includes(dialectSql.dialect)
  // T-SQL has sets of characters in brackets; elsewhere an escaped bracket is an error.
  const special = backslash ? /[\\%_]/g : dialectSql.dialect === 'tsql' ? /[!%_[]/g : /[!%_]/g
  const pattern = `%${value.toLowerCase().replace(special, `${backslash ? '\\' : '!'}$&`)}%`
  return `lower(${text}) like ${dialectSql.textLiteral(pattern)}${backslash ? '' : " escape '!'"}`
}
