import { type RawBuilder, sql } from 'kysely'
import { type Filter, isBranch, type Leaf, type LeafOperator } from './filter.ts'

/** The filter as a condition on a row under this alias. Values become parameters, never text. */
export const filterSql = (filter: Filter, alias = 'r'): RawBuilder<boolean> => {
  if (!isBranch(filter.operator)) return leafSql(filter as Leaf, alias)
  const operands = (filter as { operands: readonly Filter[] }).operands.map((each) => filterSql(each, alias))
  if (filter.operator === 'not') return sql<boolean>`(${operands[0]}) is not true` // null counts as "does not match"
  if (operands.length === 0) return filter.operator === 'and' ? sql<boolean>`true` : sql<boolean>`false`
  return sql<boolean>`(${sql.join(operands, filter.operator === 'and' ? sql` and ` : sql` or `)})`
}

const COMPARE = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const
const CAST = {
  text: sql`text`,
  id: sql`uuid`,
  number: sql`numeric`,
  boolean: sql`boolean`,
  timestamp: sql`timestamptz`,
  ids: sql`uuid`,
  texts: sql`text`,
} as const

const leafSql = ({ operator, field, values: [first], values }: Leaf, alias: string): RawBuilder<boolean> => {
  const value = field.value(alias)
  const cast = CAST[field.type]
  if (operator === 'is_set' || operator === 'is_not_set') {
    const set = field.type === 'text' ? sql`(${value} is not null and ${value} <> '')` : sql`${value} is not null`
    return operator === 'is_set' ? sql<boolean>`${set}` : sql<boolean>`not ${set}`
  }
  if (field.type === 'ids' || field.type === 'texts')
    return operator === 'in' ? sql<boolean>`${value} && ${values}::${cast}[]` : sql<boolean>`${value} @> array[${first}]::${cast}[]`
  if (operator === 'contains') return sql<boolean>`${value} ilike ${`%${literally(String(first))}%`}`
  if (operator === 'starts_with')
    return sql<boolean>`${sameStart(field.name, value, String(first))}${value} like ${`${literally(String(first))}%`}`
  if (operator === 'exact' && field.name === 'title') return sql<boolean>`(${foldedTitle(value)} = lower(${first}) and ${value} = ${first})`
  if (operator === 'exact') return sql<boolean>`${value} = ${first}::${cast}`
  // The driver takes a list of flags for one flag, so they travel as texts.
  if (operator === 'in' && field.type === 'boolean') return sql<boolean>`${value} = any(${values.map(String)}::text[]::boolean[])`
  if (operator === 'in') return sql<boolean>`${value} = any(${values}::${cast}[])`
  return sql<boolean>`${field.type === 'text' ? sql`${value} collate "C"` : value} ${COMPARE[operator as Exclude<LeafOperator, 'in'> & keyof typeof COMPARE]} ${first}::${cast}`
}

/** Titles are indexed folded, so a condition on them says the folded form as well. */
const foldedTitle = (title: RawBuilder<unknown>): RawBuilder<unknown> => sql`lower(${title}) collate "C"`
const sameStart = (name: string, value: RawBuilder<unknown>, start: string): RawBuilder<unknown> =>
  name === 'title' ? sql`${foldedTitle(value)} like lower(${`${literally(start)}%`}) and ` : sql``

/** `%`, `_` and `\` in a caller's text mean themselves. */
const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
