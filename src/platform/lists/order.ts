import { type RawBuilder, sql } from 'kysely'
import { parseId } from '../core/id.ts'
import { parseTimestamp } from '../core/timestamp.ts'

/** A sort key of a list. The last key is unique, so that the order is total. */
export interface OrderKey {
  readonly name: string
  readonly value: RawBuilder<unknown>
  readonly type: KeyType
  readonly descending?: boolean
  /** Nulls come last. A key that is never null needs no `nulls last` and so matches the plain indexes. */
  readonly nullable?: boolean
}
export type Order = readonly OrderKey[]
export type KeyType = 'text' | 'id' | 'number' | 'decimal' | 'float' | 'boolean' | 'timestamp'

/** The sort keys of one row as text: where the next page continues. */
export type ListPosition = readonly (string | null)[]

/** A sort key by column: `asc('timestamp', 'u.created_at')`. */
export const asc = (type: KeyType, column: string): OrderKey => ({ name: column, type, value: sql`${sql.ref(column)}` })
export const desc = (type: KeyType, column: string): OrderKey => ({ ...asc(type, column), descending: true })
/** Sorts by the lower-case form of a name. */
export const orderByName = (column: string): OrderKey => ({ name: column, type: 'text', value: sql`lower(${sql.ref(column)})` })

const directionSql = ({ descending, nullable }: OrderKey): RawBuilder<unknown> =>
  sql`${descending ? sql`desc` : sql`asc`}${nullable ? sql` nulls last` : sql``}`

export const orderSql = (order: Order): RawBuilder<unknown> => sql.join(order.map((key) => sql`${key.value} ${directionSql(key)}`))

export const positionSql = (order: Order): RawBuilder<unknown> =>
  sql`json_build_array(${sql.join(order.map(({ value }) => sql`${value}::text`))})::text`

const CAST = {
  text: sql`text`,
  id: sql`uuid`,
  number: sql`bigint`,
  decimal: sql`numeric`,
  float: sql`float8`,
  boolean: sql`boolean`,
  timestamp: sql`timestamptz`,
} as const

/** Validates a position: it comes back from a caller, who may have changed it. */
export const isPosition = (order: readonly Pick<OrderKey, 'type' | 'nullable'>[], position: readonly unknown[]): position is ListPosition =>
  position.length === order.length &&
  order.every(({ type, nullable }, i) => {
    const at = position[i]
    return typeof at === 'string' ? VALIDATORS[type](at) : at === null && nullable === true
  })

const VALIDATORS: Record<KeyType, (text: string) => boolean> = {
  text: (text) => !text.includes('\0') && text.isWellFormed(),
  id: (text) => parseId(text) !== undefined,
  number: (text) => /^-?\d{1,18}$/.test(text),
  decimal: (text) => /^-?\d{1,400}(\.\d{1,400})?$/.test(text), // a JSON number without its exponent
  float: (text) => /^-?\d{1,20}(\.\d{1,20})?(e[+-]\d{1,2})?$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  timestamp: (text) =>
    /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text) &&
    parseTimestamp(`${text.slice(0, 19)}Z`)?.slice(0, 10) === text.slice(0, 10),
}

// The driver serializes every value except `true`, even 'true', as false.
const boundSql = ({ type }: OrderKey, at: string): RawBuilder<unknown> => sql`${type === 'boolean' ? at === 'true' : at}::${CAST[type]}`

/** SQL condition: the rows after this position. */
export const afterSql = (order: Order, position: ListPosition): RawBuilder<boolean> => {
  const [key, ...others] = order as readonly [OrderKey, ...OrderKey[]]
  const [at = null, ...rest] = position
  const { value, nullable, descending } = key
  const further = others.length > 0 ? afterSql(others, rest) : sql<boolean>`false`
  if (at === null) return sql<boolean>`(${value} is null and ${further})`
  const bound = boundSql(key, at)
  const beyond = sql<boolean>`${value} ${descending ? sql`<` : sql`>`} ${bound}`
  if (nullable) return sql<boolean>`(${beyond} or ${value} is null or (${value} = ${bound} and ${further}))`
  if (others.length === 0) return beyond
  // The redundant bound lets an index start the scan there.
  return sql<boolean>`(${value} ${descending ? sql`<=` : sql`>=`} ${bound} and (${beyond} or ${further}))`
}

/**
 * The same rows in two parts, in order: those equal in all keys but the last, and the rest. An index finds the start of each, so that
 * thousands of rows with the same time are not read again for every page.
 */
export const splitAfter = (order: Order, position: ListPosition): RawBuilder<boolean>[] => {
  const [lead, last] = [order.slice(0, -1), order.slice(-1)]
  const [leadAt, lastAt] = [position.slice(0, -1), position.slice(-1)]
  if (lead.length === 0) return [afterSql(order, position)]
  const equal = lead.map((key, i) =>
    leadAt[i] === null || leadAt[i] === undefined ? sql`${key.value} is null` : sql`${key.value} = ${boundSql(key, leadAt[i])}`,
  )
  return [sql<boolean>`${sql.join([...equal, afterSql(last, lastAt)], sql` and `)}`, afterSql(lead, leadAt)]
}
