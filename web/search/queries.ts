import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, buildUrl as apiAddress } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { Resource, ResultPage, Schemas, SearchPage, SearchResult } from '../api/types.ts'
import type { QueryField } from './query-completion.ts'
import {
  type CatalogSearch,
  type ColumnName,
  FACETS,
  getFacetSelection,
  getSelectedProperties,
  PROPERTY_FACET,
  type SortName,
} from './search-params.ts'

/** Queries of the catalog. */
export type Row = Resource & Partial<Pick<SearchResult, 'reason'>>

export const PAGE_SIZE = 50 // two screens: rows are full records, and larger pages slow down search as you type
const SORT_FIELDS: Record<Exclude<SortName, 'relevance'>, { field: string; order: 'asc' | 'desc' }> = {
  usage: { field: 'external_usage', order: 'desc' },
  title: { field: 'title', order: 'asc' },
  updated: { field: 'updated_at', order: 'desc' },
  created: { field: 'created_at', order: 'desc' },
  health: { field: 'health', order: 'asc' },
}

/** The filter and the selected facets, for endpoints without facets. The filter comes first, so that errors can be shown at its conditions. */
const toFilter = (address: CatalogSearch): string | undefined => {
  const facets = FACETS.flatMap((field): object[] => {
    const value = address[field]
    if (!value) return []
    if (value === 'true' || value === 'false') return [{ operator: 'exact', field, value: value === 'true' }]
    return [{ operator: 'in', field, value: value.split(',') }]
  })
  const properties = Object.entries(getSelectedProperties(address)).map(([id, value]) => ({
    operator: 'in',
    field: `${PROPERTY_FACET}${id}`,
    value,
  }))
  const operands = [...facets, ...properties].map((each) => JSON.stringify(each))
  if (operands.length === 0) return address.filter
  return `{"operator":"and","operands":[${[address.filter ?? [], operands].flat().join(',')}]}`
}

/** Whether to use the search endpoint, which ranks; otherwise the list endpoint is used. */
export const isRanked = ({ q, sort }: CatalogSearch): boolean => q !== undefined && sort === undefined

/** The part of the URL state that decides which rows are shown, for the query key. */
const toRowParams = ({ peek: _peek, columns: _columns, group: _group, ...rest }: CatalogSearch) => rest

const toSearchQuery = (address: CatalogSearch) => {
  const { q, spelling, filter } = address
  return { q, spelling, filter, ...getFacetSelection(address) }
}

export interface RowsPage {
  readonly rows: readonly Row[]
  readonly count: number
  readonly next: number | null
  readonly took_ms: number
}

/** Prefix of the keys of all row queries. */
export const ROWS_KEY = ['catalog', 'rows'] as const

export const rowsQuery = (address: CatalogSearch) =>
  infiniteQueryOptions({
    queryKey: [...ROWS_KEY, toRowParams(address)],
    initialPageParam: 1,
    queryFn: async ({ pageParam: page, signal }): Promise<RowsPage> => {
      const startedAt = performance.now()
      const response = await findRows(address, { page, page_size: PAGE_SIZE }, signal)
      return {
        rows: response.results,
        count: response.count,
        next: response.meta.next_page,
        took_ms: Math.round(performance.now() - startedAt),
      }
    },
    getNextPageParam: ({ next }) => next,
  })

const findRows = (address: CatalogSearch, page: { page: number; page_size: number }, signal: AbortSignal) =>
  isRanked(address)
    ? api.get<SearchPage>('/search', { query: { ...page, ...toSearchQuery(address), facets: false }, signal })
    : api.get<ResultPage<Resource>>('/resource/catalog', {
        query: {
          ...page,
          search_term: address.q,
          spelling: address.spelling,
          filter: toFilter(address),
          sort: JSON.stringify(SORT_FIELDS[address.sort ?? 'usage']),
        },
        signal,
      })

/** The first results of one type. */
export const groupQuery = (address: CatalogSearch, entity_type: string, size: number) =>
  queryOptions({
    queryKey: [...ROWS_KEY, { ...toRowParams(address), entity_type }, size],
    queryFn: async ({ signal }): Promise<readonly Row[]> =>
      (await findRows({ ...address, entity_type }, { page: 1, page_size: size }, signal)).results,
  })

/** Facets and spelling corrections of a search. */
export const facetsQuery = (address: CatalogSearch) => {
  const { sort: _, ...rest } = toRowParams(address)
  return queryOptions({
    queryKey: ['catalog', 'facets', rest],
    queryFn: ({ signal }) => api.get<SearchPage>('/search', { query: { ...toSearchQuery(address), page_size: 1 }, signal }),
  })
}

/** Completion of a field of the query language. */
export const valuesQuery = (field: QueryField, value: string) =>
  queryOptions({
    queryKey: ['catalog', 'values', field, value],
    queryFn: ({ signal }) => api.get<Schemas['SearchValueSuggestions']>('/search/values', { query: { field, value }, signal }),
    staleTime: 30_000,
  })

export const typeAheadQuery = (q: string) =>
  queryOptions({
    queryKey: ['catalog', 'type-ahead', q],
    queryFn: ({ signal }) => api.get<SearchPage>('/search', { query: { q, page_size: 8, facets: false }, signal }),
    enabled: q !== '',
    staleTime: 30_000,
  })

const EXPORT_FIELDS: Record<ColumnName, readonly string[]> = {
  description: ['description'],
  owners: ['owner_names'],
  tags: ['tag_names'],
  terms: ['term_names'],
  flags: ['verified', 'pii', 'published'],
  integration: ['integration_name'],
  usage: ['external_usage'],
  rows: ['row_count'],
  updated: ['updated_at'],
}

export type ExportFormat = 'csv' | 'xlsx'

/** Exports the visible columns, with names instead of IDs. */
export const buildExportUrl = (address: CatalogSearch, columns: readonly ColumnName[], format: ExportFormat = 'csv'): string =>
  apiAddress('/resource/export', {
    format,
    ...toExportQuery(address),
    fields: ['id', 'entity_type', 'title', 'title_full', ...columns.flatMap((name) => EXPORT_FIELDS[name])].join(','),
  })

/** Exports every column that an import reads, with custom properties. */
export const buildEditableExportUrl = (address: CatalogSearch, format: ExportFormat): string =>
  apiAddress('/resource/export', { format, ...toExportQuery(address), property_columns: true })

const toExportQuery = (address: CatalogSearch) => ({ search_term: address.q, spelling: address.spelling, filter: toFilter(address) })

export type SavedView = Schemas['View']

export const viewsQuery = queryOptions({
  queryKey: ['views', 'catalog'],
  queryFn: ({ signal }) => api.get<ResultPage<SavedView>>('/view', { query: { page_name: 'catalog', page_size: 200 }, signal }),
})

export const reloadViews = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
