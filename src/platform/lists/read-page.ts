import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context/context.ts'
import { type CursorKey, decodeCursor, encodeCursor } from './cursor.ts'
import { type ListPosition, type Order, orderSql, positionSql, splitAfter } from './order.ts'
import { buildCursorEnvelope, buildEnvelope, type Envelope, type PageRequest } from './page.ts'

/** A list that can be read by page and by cursor: its rows and their order. */
export interface ListQuery {
  readonly select: RawBuilder<unknown>
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
  readonly order: Order
  /** What to count instead of `from`, if some of its joins only add columns. */
  readonly countFrom?: RawBuilder<unknown>
  /** The number of rows, if it is known without counting them. */
  readonly count?: RawBuilder<number>
}

export type Page<Row> = Envelope & { readonly results: Row[] }

/** One page of a list, with the exact total. */
export const readPage = async <Row extends object>(ctx: Context, page: PageRequest, list: ListQuery): Promise<Page<Row>> => {
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<Row>`${page.cursor === undefined ? pageSql(page, list) : cursorPageSql(page, list)}`.execute(ctx.db, ctx.limits),
    sql<{ count: number }>`${countSql(list)}`.execute(ctx.db, ctx.limits),
  ])
  const { count } = counted[0]!
  const found = toPage(page, list.order, count, rows, { positionOf: (row) => JSON.parse((row as Row & CursorRow)[POSITION]) })
  return page.cursor === undefined ? found : mapPage(found, withoutKeys)
}

const countSql = ({ count, countFrom, from, where }: ListQuery): RawBuilder<unknown> =>
  count ? sql`select ${count} as count` : sql`select count(*) as count from ${countFrom ?? from} where ${where}`

/** Maps the records of a page. */
export const mapPage = <T, U>({ results, ...head }: Page<T>, map: (record: T) => U): Page<U> => ({ ...head, results: results.map(map) })

/** The rows of a page in the envelope of all lists. With `cursor`, `rows` holds one row more than the page if there is a next page. */
export const toPage = <Row>(
  page: PageRequest,
  order: readonly CursorKey[],
  count: number,
  rows: readonly Row[],
  { positionOf, window }: { readonly positionOf: (row: Row) => ListPosition; readonly window?: number },
): Page<Row> => {
  const results = rows.slice(0, page.page_size)
  if (page.cursor === undefined) return { ...buildEnvelope(page, count, window), results }
  const next = rows.length > page.page_size ? encodeCursor(page, order, positionOf(results.at(-1)!)) : null
  return { ...buildCursorEnvelope(page, count, next), results }
}

const pageSql = ({ page_size, offset }: PageRequest, { select, from, where, order }: ListQuery): RawBuilder<unknown> =>
  sql`select ${select} from ${from} where ${where} order by ${orderSql(order)} limit ${page_size} offset ${offset}`

/** Extra columns of a row: its position, and each sort key to merge the parts by. */
const POSITION = '~position'
const keyName = (i: number): string => `~${i}`
type CursorRow = { readonly [POSITION]: string }

const cursorPageSql = (page: PageRequest, { select, from, where, order }: ListQuery): RawBuilder<unknown> => {
  // A literal: with the limit as a parameter, Postgres expects a tenth of the table and may sort all of it.
  const limit = sql`limit ${sql.lit(page.page_size + 1)}`
  const keys = sql.join(order.map(({ value }, i) => sql`${value} as ${sql.id(keyName(i))}`))
  const part = (condition: RawBuilder<unknown>) => sql`
    (select ${select}, ${positionSql(order)} as ${sql.id(POSITION)}, ${keys} from ${from} where ${where} and ${condition} order by ${orderSql(order)} ${limit})`
  const position = decodeCursor(page, order)
  const [first, ...others] = (position === undefined ? [sql`true`] : splitAfter(order, position)).map(part)
  if (others.length === 0) return first!
  const named = order.map((key, i) => ({ ...key, value: sql`p.${sql.id(keyName(i))}` }))
  return sql`select p.* from (${sql.join([first, ...others], sql` union all `)}) p order by ${orderSql(named)} ${limit}`
}

const withoutKeys = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('~'))) as Row

/** A sorted list in memory. */
export interface InMemoryList<Row> {
  readonly rows: readonly Row[]
  /** The number of rows of the whole list, if `rows` is only its beginning. */
  readonly count?: number
  /** The number of rows reachable by page number. */
  readonly window?: number
  readonly order: readonly CursorKey[]
  readonly positionOf: (row: Row) => ListPosition
  /** The number of rows up to and including this position. */
  readonly passed: (position: ListPosition) => number
}

export const paginateInMemory = <Row>(
  page: PageRequest,
  { rows, count = rows.length, window, order, positionOf, passed }: InMemoryList<Row>,
): Page<Row> => {
  const position = decodeCursor(page, order)
  const start = page.cursor === undefined ? page.offset : position ? passed(position) : 0
  return toPage(page, order, count, rows.slice(start, start + page.page_size + 1), { positionOf, window })
}
