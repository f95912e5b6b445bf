import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { isScalar, type ListField, type ListFields } from './field.ts'
import type { KeyType, Order } from './order.ts'

/** The order of a list: one or two keys from the caller, and always `id` last, so that pages never overlap or skip rows. */
export interface SortKey {
  readonly field: ListField
  readonly descending: boolean
}
export type Sort = readonly SortKey[]

export const parseSort = (text: string, fields: ListFields): Sort => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ApiError('invalid_sort', 'sort: must be valid JSON.')
  }
  const keys = [parseSortKey(json, 'sort', fields)]
  const tieBreaker = (json as { tie_breaker?: unknown }).tie_breaker
  if (tieBreaker !== undefined && tieBreaker !== null) keys.push(parseSortKey(tieBreaker, 'sort.tie_breaker', fields))
  return keys.some(({ field }) => field.name === 'id') ? keys : [...keys, { field: fields.find('id')!, descending: false }]
}

const parseSortKey = (json: unknown, path: string, fields: ListFields): SortKey => {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalidSort(path, 'must be an object')
  const { field: name, order = 'asc' } = json as { field?: unknown; order?: unknown }
  const field = typeof name === 'string' ? fields.find(name) : undefined
  if (!field || !isScalar(field)) {
    const sortable = fields.names().filter((each) => isScalar(fields.find(each)!))
    throw invalidSort(`${path}.field`, `must be one of ${sortable.join(', ')}`)
  }
  if (order !== 'asc' && order !== 'desc') throw invalidSort(`${path}.order`, 'must be asc or desc')
  return { field, descending: order === 'desc' }
}

/** The sort keys for rows under an alias. Text is compared in lower case with the "C" collation, so the order is the same on every server. */
export const sortToOrder = (sort: Sort, alias = 'r'): Order =>
  sort.map(({ field, descending }) => ({
    name: field.name,
    type: field.sorted_as?.type ?? (field.type as KeyType),
    value: keySql(field, alias),
    descending,
    nullable: !field.required,
  }))

const keySql = (field: ListField, alias: string): RawBuilder<unknown> => {
  if (field.sorted_as) return field.sorted_as.value(alias)
  if (field.type !== 'text') return field.value(alias)
  // Only titles are short and indexed. Other texts are compared by their first 200 characters: the key is part of the cursor, and a definition may have megabytes.
  return field.name === 'title'
    ? sql`lower(${field.value(alias)}) collate "C"`
    : sql`lower(left(${field.value(alias)}, ${sql.lit(200)})) collate "C"`
}

const invalidSort = (path: string, problem: string): ApiError =>
  new ApiError('invalid_sort', `${path}: ${problem}.`, { [path]: [`${problem}.`] })
