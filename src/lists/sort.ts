import { type RawBuilder, sql } from 'kysely'
import { Refusal } from '../errors.ts'
import { readId } from '../id.ts'
import { readTimestamp } from '../timestamp.ts'
import { type Field, type Fields, type FieldType, isScalar } from './field.ts'

/** The order of a list: one or two keys of the caller's, and always `id` at the end, so that pages never overlap or skip. */
export interface SortKey {
  readonly field: Field
  readonly descending: boolean
}
export type Sort = readonly SortKey[]

export const parseSort = (text: string, fields: Fields): Sort => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refusal('invalid_sort', 'sort: this is not JSON.')
  }
  const keys = [readKey(json, 'sort', fields)]
  const tieBreaker = (json as { tie_breaker?: unknown }).tie_breaker
  if (tieBreaker !== undefined && tieBreaker !== null) keys.push(readKey(tieBreaker, 'sort.tie_breaker', fields))
  return keys.some(({ field }) => field.name === 'id') ? keys : [...keys, { field: fields.find('id')!, descending: false }]
}

const readKey = (json: unknown, spot: string, fields: Fields): SortKey => {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw wrong(spot, 'an object was expected')
  const { field: name, order = 'asc' } = json as { field?: unknown; order?: unknown }
  const field = typeof name === 'string' ? fields.find(name) : undefined
  if (!field || !isScalar(field)) {
    const sortable = fields.names().filter((each) => isScalar(fields.find(each)!))
    throw wrong(`${spot}.field`, `must be one of ${sortable.join(', ')}`)
  }
  if (order !== 'asc' && order !== 'desc') throw wrong(`${spot}.order`, 'must be asc or desc')
  return { field, descending: order === 'desc' }
}

/** What the rows are ordered by. Text goes by its folded form, character by character, the same on every server. */
const keySql = ({ field }: SortKey, alias: string): RawBuilder<unknown> => {
  if (field.type !== 'text') return field.value(alias)
  // Only titles are short, and indexed. Of the others the beginning decides: a key travels in the cursor, and a definition may have megabytes.
  return field.name === 'title'
    ? sql`lower(${field.value(alias)}) collate "C"`
    : sql`lower(left(${field.value(alias)}, ${sql.lit(200)})) collate "C"`
}

export const orderSql = (sort: Sort, alias = 'r'): RawBuilder<unknown> =>
  sql.join(
    sort.map((key) => sql`${keySql(key, alias)} ${key.descending ? sql`desc` : sql`asc`}${key.field.required ? sql`` : sql` nulls last`}`),
  )

/** The keys of one row as text, to go on from there. */
export const positionSql = (sort: Sort, alias = 'r'): RawBuilder<unknown> =>
  sql`json_build_array(${sql.join(sort.map((key) => sql`${keySql(key, alias)}::text`))})::text`

const CAST = { text: sql`text`, id: sql`uuid`, number: sql`bigint`, boolean: sql`boolean`, timestamp: sql`timestamptz` } as const

/** Whether this can be a position of ours: it comes back from a caller, who may have changed it. */
export const isPosition = (sort: Sort, position: readonly unknown[]): position is readonly (string | null)[] =>
  position.length === sort.length && position.every((at, i) => at === null || (typeof at === 'string' && READABLE[sort[i]!.field.type](at)))

const READABLE: Record<FieldType, (text: string) => boolean> = {
  text: (text) => !text.includes('\0') && text.isWellFormed(),
  id: (text) => readId(text) !== undefined,
  number: (text) => /^-?\d{1,18}$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  timestamp: (text) =>
    /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text) &&
    readTimestamp(`${text.slice(0, 19)}Z`)?.slice(0, 10) === text.slice(0, 10),
  ids: () => false,
  texts: () => false,
}

/** The rows that come after this position. */
export const afterSql = (sort: Sort, position: readonly (string | null)[], alias = 'r'): RawBuilder<boolean> => {
  const after = (index: number): RawBuilder<boolean> => {
    const key = sort[index]!
    const value = keySql(key, alias)
    const rest = index + 1 < sort.length ? after(index + 1) : sql<boolean>`false`
    const at = position[index]
    if (at === null || at === undefined) return sql<boolean>`(${value} is null and ${rest})`
    // The driver writes every flag that is not `true` itself, even 'true', as false.
    const bound = sql`${key.field.type === 'boolean' ? at === 'true' : at}::${CAST[key.field.type as keyof typeof CAST]}`
    const beyond = key.descending ? sql`${value} < ${bound}` : sql`${value} > ${bound}`
    if (!key.field.required) return sql<boolean>`(${beyond} or ${value} is null or (${value} = ${bound} and ${rest}))`
    // Said twice so that an index can begin the scan at the bound.
    return sql<boolean>`(${value} ${key.descending ? sql`<=` : sql`>=`} ${bound} and (${beyond} or ${rest}))`
  }
  return after(0)
}

const wrong = (spot: string, problem: string): Refusal => new Refusal('invalid_sort', `${spot}: ${problem}.`, { [spot]: [`${problem}.`] })
