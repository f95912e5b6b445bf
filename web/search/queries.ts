import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, address as apiAddress } from '../api/client.ts'
import type { Page, Resource, SearchPage, SearchResult } from '../api/types.ts'
import { type ColumnName, choicesOf, FACETS, type SearchAddress, type SortName } from './address.ts'

/** Queries of the catalog. */
export type Row = Resource & Partial<Pick<SearchResult, 'reason'>>

export const PAGE = 50 // two screens: rows are full records, and larger pages slow down search as you type
const SORT_FIELDS: Record<Exclude<SortName, 'relevance'>, { field: string; order: 'asc' | 'desc' }> = {
  usage: { field: 'external_usage', order: 'desc' },
  title: { field: 'title', order: 'asc' },
  updated: { field: 'updated_at', order: 'desc' },
  created: { field: 'created_at', order: 'desc' },
}

/** The selected facets as a filter, for endpoints without facets. */
const filterOf = (address: SearchAddress): string | undefined => {
  const operands = FACETS.flatMap((field): object[] => {
    const value = address[field]
    if (!value) return []
    if (value === 'true' || value === 'false') return [{ operator: 'exact', field, value: value === 'true' }]
    return [{ operator: 'in', field, value: value.split(',') }]
  })
  return operands.length > 0 ? JSON.stringify({ operator: 'and', operands }) : undefined
}

/** Whether to use the search endpoint, which ranks; otherwise the list endpoint is used. */
export const ranked = ({ q, sort }: SearchAddress): boolean => q !== undefined && sort === undefined

/** The part of the URL state that decides which rows are shown, for the query key. */
const asked = ({ peek: _peek, columns: _columns, ...rest }: SearchAddress) => rest

export interface RowsPage {
  readonly rows: readonly Row[]
  readonly count: number
  readonly next: number | null
  readonly took_ms: number
}

/** Prefix of the keys of all row queries. */
export const ROWS = ['catalog', 'rows'] as const

export const rowsQuery = (address: SearchAddress) =>
  infiniteQueryOptions({
    queryKey: [...ROWS, asked(address)],
    initialPageParam: 1,
    queryFn: async ({ pageParam: page, signal }): Promise<RowsPage> => {
      const began = performance.now()
      const common = { page, page_size: PAGE }
      const answer = ranked(address)
        ? await api.get<SearchPage>('/search', { query: { ...common, q: address.q, facets: false, ...choicesOf(address) }, signal })
        : await api.get<Page<Resource>>('/resource/catalog', {
            query: {
              ...common,
              search_term: address.q,
              filter: filterOf(address),
              sort: JSON.stringify(SORT_FIELDS[address.sort ?? 'usage']),
            },
            signal,
          })
      return {
        rows: answer.results,
        count: answer.count,
        next: answer.meta.next_page,
        took_ms: Math.round(performance.now() - began),
      }
    },
    getNextPageParam: ({ next }) => next,
  })

/** Facets and spelling corrections of a search. */
export const facetsQuery = (address: SearchAddress) => {
  const { sort: _, ...rest } = asked(address)
  return queryOptions({
    queryKey: ['catalog', 'facets', rest],
    queryFn: ({ signal }) => api.get<SearchPage>('/search', { query: { q: address.q, page_size: 1, ...choicesOf(address) }, signal }),
  })
}

export const typeAheadQuery = (q: string) =>
  queryOptions({
    queryKey: ['catalog', 'type-ahead', q],
    queryFn: ({ signal }) => api.get<SearchPage>('/search', { query: { q, page_size: 8, facets: false }, signal }),
    enabled: q !== '',
    staleTime: 30_000,
  })

const EXPORTED: Record<ColumnName, readonly string[]> = {
  description: ['description'],
  owners: ['owner_names'],
  tags: ['tag_names'],
  flags: ['verified', 'pii', 'published'],
  integration: ['integration_name'],
  usage: ['external_usage'],
  rows: ['row_count'],
  updated: ['updated_at'],
}

/** Exports the visible columns, with names instead of IDs; the resource ID is included so that the file can be imported again. */
export const exportAddress = (address: SearchAddress, columns: readonly ColumnName[]): string =>
  apiAddress('/resource/export', {
    format: 'csv',
    search_term: address.q,
    filter: filterOf(address),
    fields: ['id', 'entity_type', 'title', 'title_full', ...columns.flatMap((name) => EXPORTED[name])].join(','),
  })

export interface View {
  readonly id: string
  readonly name: string
  readonly query: string
  readonly shared: boolean
  readonly mine: boolean
}

export const viewsQuery = queryOptions({
  queryKey: ['views', 'catalog'],
  queryFn: ({ signal }) => api.get<Page<View>>('/view', { query: { page_name: 'catalog', page_size: 200 }, signal }),
})
