import { type Static, type TSchema, Type } from 'typebox'
import { ApiError } from '../core/errors.ts'
import { Nullable } from '../core/schema-types.ts'

/** The envelope of every list. */
const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 1000

export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Page number, starting at 1.' })),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE, description: 'Records per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'Use instead of `page` to read any number of records, stable under concurrent writes. Start with an empty value and continue with `meta.next_cursor`.',
    }),
  ),
})

export interface PageRequest {
  readonly page: number
  readonly page_size: number
  /** Rows to skip. */
  readonly offset: number
  /** If set, the page starts after this position and `page` is ignored; '' is the start. */
  readonly cursor?: string
  /** The full URL of the request, from which the links are built. */
  readonly address: string
}

export const parsePageRequest = (
  { page = 1, page_size = DEFAULT_PAGE_SIZE, cursor }: Static<typeof PageQuery>,
  address: string,
): PageRequest => ({
  page,
  page_size,
  offset: (page - 1) * page_size,
  cursor,
  address,
})

export const PageMeta = Type.Object({
  page: Nullable(Type.Integer()),
  previous_page: Type.Union([Type.Integer(), Type.Literal('None')]),
  next_page: Nullable(Type.Integer()),
  next_cursor: Type.Optional(
    Nullable(Type.String({ description: 'The cursor of the next page when reading with `cursor`; null on the last page.' })),
  ),
})

export const PageSchema = <T extends TSchema, M extends TSchema = typeof PageMeta>(
  record: T,
  title: string,
  meta: M = PageMeta as unknown as M,
) =>
  Type.Object(
    {
      links: Type.Object({ next: Nullable(Type.String()), previous: Nullable(Type.String()) }),
      meta,
      count: Type.Integer({ description: 'Exact number of matches.' }),
      total_pages: Type.Integer(),
      results: Type.Array(record),
    },
    { title },
  )

export interface Envelope {
  readonly links: { next: string | null; previous: string | null }
  readonly meta: { page: number | null; previous_page: number | 'None'; next_page: number | null; next_cursor?: string | null }
  readonly count: number
  readonly total_pages: number
}

/** The envelope of a page. With a window, only the pages inside it exist. */
export const buildEnvelope = ({ page, page_size, address }: PageRequest, count: number, window = Number.POSITIVE_INFINITY): Envelope => {
  const total_pages = Math.ceil(Math.min(count, window) / page_size)
  const next_page = page < total_pages ? page + 1 : null
  const previous_page = page > 1 ? page - 1 : 'None'
  return {
    links: {
      next: next_page === null ? null : withParameter(address, 'page', String(next_page)),
      previous: previous_page === 'None' ? null : withParameter(address, 'page', String(previous_page)),
    },
    meta: { page, previous_page, next_page },
    count,
    total_pages,
  }
}

/** The envelope of a page read with `cursor`: it has no page number, only a next cursor. */
export const buildCursorEnvelope = ({ page_size, address }: PageRequest, count: number, next_cursor: string | null): Envelope => ({
  links: { next: next_cursor && withParameter(address, 'cursor', next_cursor), previous: null },
  meta: { page: null, previous_page: 'None', next_page: null, next_cursor },
  count,
  total_pages: Math.ceil(count / page_size),
})

/** Sets one parameter of the URL and leaves the others as they are. */
const withParameter = (address: string, name: string, value: string): string => {
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(address) ?? []
  const kept = query.split('&').filter((part) => part !== '' && part.split('=')[0] !== name)
  return `${path}?${[...kept, `${name}=${encodeURIComponent(value)}`].join('&')}`
}

export const assertInsideWindow = ({ offset, page_size }: PageRequest, window: number): void => {
  if (offset + page_size <= window || offset < window) return
  throw new ApiError(
    'window_exceeded',
    `Only the first ${window.toLocaleString('en')} resources can be read with page. Narrow the filter or use cursor.`,
  )
}

/** The full URL of the request. */
export const getRequestUrl = (request: { protocol: string; host: string; originalUrl: string }): string =>
  `${request.protocol}://${request.host}${request.originalUrl}`
