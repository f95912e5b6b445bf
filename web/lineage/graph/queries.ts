import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, buildUrl as apiAddress } from '../../api/client.ts'
import type { ResultPage, Schemas } from '../../api/types.ts'

/** Queries for lineage. Keys start with `['resource', id]`, so the event stream invalidates them with the resource. */
export type Graph = Schemas['LineageGraph']
export type GraphNode = Schemas['LineageNode']
export type GraphEdge = Schemas['LineageEdge']
export type Impact = Schemas['Impact']
export type Affected = Schemas['Affected']
type Paths = Schemas['LineagePaths']

export interface GraphParams {
  readonly direction: 'UPSTREAM' | 'DOWNSTREAM' | 'BOTH'
  readonly depth: number
  readonly level: 'table' | 'column'
  readonly limit: number
  readonly include_jobs?: true
}

const STALE_MS = 60_000 // large graphs are not refetched on window focus; the event stream reports changes

export const graphQuery = (id: string, params: GraphParams) =>
  queryOptions({
    queryKey: ['resource', id, 'lineage', params],
    queryFn: ({ signal }) => api.get<Graph>('/lineage/graph', { query: { resource_id: id, ...params }, signal }),
    staleTime: STALE_MS,
  })

/** Upstream and downstream of a column. */
export const traceQuery = (column: string) => graphQuery(column, { direction: 'BOTH', depth: 50, level: 'column', limit: 5000 })

/** Everything upstream, for the list. */
export const sourcesQuery = (id: string, level: 'table' | 'column') =>
  graphQuery(id, { direction: 'UPSTREAM', depth: 50, level, limit: 5000 })

export interface ImpactParams {
  readonly id: string
  readonly column?: string
}
const toImpactParams = ({ id, column }: ImpactParams) => ({ resource_id: column ?? id })

export const impactQuery = (params: ImpactParams) =>
  infiniteQueryOptions({
    queryKey: ['resource', params.id, 'impact', params.column],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<Impact>('/lineage/impact', { query: { ...toImpactParams(params), page, page_size: 200 }, signal }),
    getNextPageParam: ({ meta }) => meta.next_page,
    staleTime: STALE_MS,
  })
export const buildImpactCsvUrl = (params: ImpactParams): string =>
  apiAddress('/lineage/impact', { ...toImpactParams(params), format: 'csv' })

/** Evidence of a link. */
export const evidenceQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['resource', from, 'lineage', 'proof', to],
    queryFn: ({ signal }) => api.get<Paths>('/lineage/path', { query: { from, to, limit: 1 }, signal }),
    staleTime: STALE_MS,
  })

export type Relationships = Schemas['Relationships']

export const relationshipsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'relationships'],
    queryFn: ({ signal }) => api.get<Relationships>(`/resource/all/${id}/relationships`, { signal }),
    staleTime: STALE_MS,
  })

export type WhatIfParams = Schemas['WhatIf']
export type WhatIfResult = Schemas['WhatIfAnswer']

/** What-if of a described change or of a dbt `manifest.json`. Changes nothing on the server. */
export const whatIfQuery = (id: string, params: WhatIfParams | File | undefined) =>
  queryOptions({
    queryKey: ['resource', id, 'lineage', 'what-if', params instanceof File ? [params.name, params.size, params.lastModified] : params],
    queryFn: ({ signal }) =>
      api.post<WhatIfResult>('/lineage/what_if', params instanceof File ? new Blob(['{"manifest":', params, '}']) : params, { signal }),
    enabled: params !== undefined,
    retry: false,
    staleTime: STALE_MS,
  })

export type QueryLineage = Schemas['QueryLineage']
export interface SqlLineageParams {
  readonly sql: string
  readonly dialect: string
  readonly integration_id?: string
  readonly table_id?: string
}

/** Parsed lineage of SQL text; nothing is saved. */
export const sqlLineageQuery = (params: SqlLineageParams | undefined) =>
  queryOptions({
    queryKey: ['lineage', 'sql', params],
    queryFn: ({ signal }) => api.get<QueryLineage>('/lineage/lineage_from_query', { query: { ...params }, signal }),
    enabled: params !== undefined,
    retry: false,
    staleTime: STALE_MS,
  })

/** Saves the lineage of a query, in addition to or instead of that of other queries. */
export const saveSqlLineage = (params: SqlLineageParams, replace: boolean): Promise<QueryLineage> =>
  replace ? api.patch('/lineage/lineage_from_query', params) : api.post('/lineage/lineage_from_query', params)

export const addLink = (from: string, to: string): Promise<unknown> =>
  api.post('/lineage/manual', { from_entity: from, to_entity: to, direction: 'DOWNSTREAM' })

/** Deletes the entry of both directions. */
export const removeLink = async (from: string, to: string): Promise<void> => {
  const { results } = await api.get<ResultPage<Schemas['LineageEntry']>>('/lineage/manual', { query: { from_entity: from, to_entity: to } })
  const entry = results.find(({ direction }) => direction === 'DOWNSTREAM')
  if (entry) await api.delete(`/lineage/manual/${entry.id}`)
}
