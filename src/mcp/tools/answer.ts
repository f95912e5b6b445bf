import { Type } from 'typebox'
import { ApiError } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import type { Page } from '../../platform/lists/read-page.ts'

/** Answers are bounded by tokens: whole items and a cursor, never half a text. */
const DEFAULT_TOKENS = 8_000
const MIN_TOKENS = 500
const MAX_TOKENS = 100_000
/** Texts of items in lists that are longer than this are left out; `get_entity` returns them. */
const MAX_LISTED_TEXT = 1_200

export const PAGING = {
  cursor: Type.Optional(Type.String({ maxLength: 10_000, description: 'The `cursor` of the previous answer, to continue it.' })),
  max_tokens: Type.Optional(
    Type.Integer({
      minimum: MIN_TOKENS,
      maximum: MAX_TOKENS,
      default: DEFAULT_TOKENS,
      description: 'About how many tokens the answer may have. Items that do not fit are left for the next call.',
    }),
  ),
}

export interface Paging {
  readonly cursor?: string
  readonly max_tokens?: number
}

/** An estimate that is rather too high: IDs and JSON punctuation have about three bytes per token, prose has four. */
export const countTokens = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value) ?? '') / 3)

/** What remains for the items after the fields beside them and the envelope. */
const ENVELOPE_TOKENS = 150
export const getItemBudget = ({ max_tokens = DEFAULT_TOKENS }: Paging, fields: unknown = {}): number =>
  max_tokens - ENVELOPE_TOKENS - countTokens(fields)

/** How many of the first costs add up to at most the budget, but at least one: an answer without any item would never end. */
export const countWithin = (costs: readonly number[], budget: number): number => {
  let sum = 0
  const end = costs.findIndex((cost) => {
    sum += cost
    return sum > budget
  })
  return end < 0 ? costs.length : Math.max(end, 1)
}

const countFitting = (items: readonly unknown[], budget: number): number => countWithin(items.map(countTokens), budget)

export interface ListOptions<T> {
  /** Identifies the list, so that a cursor of another one is rejected. */
  readonly list: string
  readonly limit: number
  readonly budget: number
  readonly read: (page: PageRequest) => Promise<Page<T>>
  readonly toItems: (rows: readonly T[]) => Promise<readonly unknown[]> | readonly unknown[]
}

export interface ListedItems {
  readonly items: readonly unknown[]
  readonly total: number
  readonly cursor: string | null
}

/** A page of a list. If not all of its items fit, it is read again with fewer, because the cursor of a list is the end of its page. */
export const readItems = async <T>({ cursor = '' }: Paging, options: ListOptions<T>): Promise<ListedItems> => {
  const { list, budget, read, toItems } = options
  for (let limit = options.limit; ; ) {
    const page = await read(toCursorPage(list, limit, cursor))
    const items = shortenFirst(await toItems(page.results), budget)
    const fitting = countFitting(items, budget)
    if (fitting >= items.length) return { items, total: page.count, cursor: page.meta.next_cursor ?? null }
    limit = fitting
  }
}

/** Requests for the same address share their result, so it contains everything that distinguishes them. */
export const toCursorPage = (list: string, page_size: number, cursor: string): PageRequest => ({
  page: 1,
  page_size,
  offset: 0,
  cursor,
  address: `${list}${list.includes('?') ? '&' : '?'}${new URLSearchParams({ page_size: String(page_size), cursor })}`,
})

/** If even the first item does not fit, its texts are left out and named. */
const shortenFirst = (items: readonly unknown[], budget: number): readonly unknown[] => {
  const [first, ...rest] = items
  if (!isObject(first) || countTokens(first) <= budget) return items
  return [omitLongTexts(first, MAX_SHORT_TEXT), ...rest]
}

const MAX_SHORT_TEXT = 200

/** As many entries of a field as a quarter of the answer holds. */
export const limitEntries = <T>(entries: readonly T[], { max_tokens = DEFAULT_TOKENS }: Paging): readonly T[] =>
  entries.slice(0, countFitting(entries, max_tokens / 4))

/** The same for a list in memory: the cursor is the number of items before the next. */
export const takeItems = (all: readonly unknown[], { cursor }: Paging, budget: number): ListedItems => {
  const start = cursor ? parseOffset(cursor) : 0
  const rest = shortenFirst(all.slice(start), budget)
  const items = rest.slice(0, countFitting(rest, budget))
  const end = start + items.length
  return { items, total: all.length, cursor: end < all.length ? encodeOffset(end) : null }
}

const encodeOffset = (offset: number): string => Buffer.from(`from ${offset}`).toString('base64url')

const parseOffset = (cursor: string): number => {
  const [, offset] = /^from (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (offset === undefined) throw new ApiError('invalid_page', 'cursor: this is not a cursor of this tool. Leave it out to start again.')
  return Number(offset)
}

/** A record with its long texts left out and named. */
export const omitLongTexts = <T extends Record<string, unknown>>(record: T, maxLength = MAX_LISTED_TEXT): Record<string, unknown> => {
  const long = Object.entries(record).filter(([, value]) => typeof value === 'string' && value.length > maxLength)
  if (long.length === 0) return record
  const kept = Object.entries(record).filter(([name]) => !long.some(([each]) => each === name))
  const before = (record.omitted ?? []) as readonly unknown[]
  return { ...Object.fromEntries(kept), omitted: [...before, ...long.map(([field, value]) => ({ field, tokens: countTokens(value) }))] }
}

/** Identifies a list by its tool and arguments; paging arguments are ignored by the cursor. */
export const toListAddress = (tool: string, args: Readonly<Record<string, unknown>>): string => {
  const { cursor: _cursor, max_tokens: _max_tokens, limit: _limit, ...rest } = args
  return `/mcp/${tool}?${new URLSearchParams({ arguments: JSON.stringify(rest) })}`
}
