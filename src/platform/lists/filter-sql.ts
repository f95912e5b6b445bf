import { type RawBuilder, sql } from 'kysely'
import { type ConditionOperator, type Filter, type FilterCondition, isGroupOperator } from './filter.ts'

/** The filter as an SQL condition on a row under this alias, which something else has `found` or the filter finds. Values are always parameters. */
export const filterSql = (filter: Filter, alias = 'r', found = false): RawBuilder<boolean> => {
  if (!isGroupOperator(filter.operator)) return filterConditionSql(filter as FilterCondition, alias, found)
  const operands = (filter as { operands: readonly Filter[] }).operands.map((each) => filterSql(each, alias, found))
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

const filterConditionSql = (condition: FilterCondition, alias: string, found: boolean): RawBuilder<boolean> => {
  const { relatedTable } = condition.field
  if (!relatedTable) return conditionSql(condition, alias, found)
  // A value that is not set has no row in the related table.
  if (condition.operator === 'is_not_set')
    return sql<boolean>`not ${relatedTable.having(alias, conditionSql({ ...condition, operator: 'is_set' }, alias))}`
  return relatedTable.having(alias, conditionSql(condition, alias))
}

const conditionSql = ({ operator, field, values: [first], values }: FilterCondition, alias: string, found = false): RawBuilder<boolean> => {
  const value = field.value(alias)
  const type = field.compared_as ?? field.type
  const cast = CAST[type]
  if (operator === 'is_set' || operator === 'is_not_set') {
    const set = field.isSet?.(alias) ?? (type === 'text' ? sql`(${value} is not null and ${value} <> '')` : sql`${value} is not null`)
    return operator === 'is_set' ? sql<boolean>`${set}` : sql<boolean>`not ${set}`
  }
  const has = (found && field.hasFound) || field.has
  const condition = operator === 'in' || operator === 'exact' ? has?.(alias, values) : undefined
  if (condition) return condition
  if (type === 'ids' || type === 'texts')
    return operator === 'in' ? sql<boolean>`${value} && ${values}::${cast}[]` : sql<boolean>`${value} @> array[${first}]::${cast}[]`
  if (operator === 'contains')
    return sql<boolean>`${field.relatedTable ? sql`${value} collate "default"` : value} ilike ${`%${escapeLike(String(first))}%`}`
  if (operator === 'starts_with')
    return sql<boolean>`${foldedPrefixSql(field.name, value, String(first))}${value} like ${`${escapeLike(String(first))}%`}`
  if (operator === 'exact' && field.name === 'title')
    return sql<boolean>`(${foldedTitleSql(value)} = lower(${first}) and ${value} = ${first})`
  if (operator === 'exact') return sql<boolean>`${value} = ${first}::${cast}`
  // The driver serializes a boolean array as one boolean, so the values are sent as text.
  if (operator === 'in' && type === 'boolean') return sql<boolean>`${value} = any(${values.map(String)}::text[]::boolean[])`
  if (operator === 'in') return sql<boolean>`${value} = any(${values}::${cast}[])`
  return sql<boolean>`${type === 'text' ? sql`${value} collate "C"` : value} ${COMPARE[operator as Exclude<ConditionOperator, 'in'> & keyof typeof COMPARE]} ${first}::${cast}`
}

/** The index on titles is in lower case, so conditions on titles also compare the lower-case form. */
const foldedTitleSql = (title: RawBuilder<unknown>): RawBuilder<unknown> => sql`lower(${title}) collate "C"`
const foldedPrefixSql = (name: string, value: RawBuilder<unknown>, start: string): RawBuilder<unknown> =>
  name === 'title' ? sql`${foldedTitleSql(value)} like lower(${`${escapeLike(start)}%`}) and ` : sql``

/** Escapes `%`, `_` and `\` in a caller's text. */
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
