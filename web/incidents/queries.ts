import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Affected, ImpactSummary } from '../../src/lineage/graph/graph-schema.ts'
import type { Incident, IncidentEdit, IncidentTable } from '../../src/observability/incidents/incident-schema.ts'
import { api } from '../api/client.ts'
import type { ResultPage } from '../api/types.ts'
import type { IncidentsSearch } from './search-params.ts'

/** Queries for incidents. The event stream invalidates `['incidents']` and `['incident', id]`. */
export type { Incident, IncidentEdit, IncidentTable }

export interface IncidentFilters extends Omit<IncidentsSearch, 'mine' | 'group' | 'awake'> {
  readonly assignee?: string
  readonly snoozed?: boolean
  readonly resource_id?: string
}

const toQuery = ({ status, snoozed, ...filters }: IncidentFilters) => ({
  ...filters,
  status: status === 'all' ? undefined : status === 'snoozed' || !status ? 'open' : status,
  snoozed: status === 'snoozed' || snoozed,
})

export const incidentsQuery = (filters: IncidentFilters) =>
  infiniteQueryOptions({
    queryKey: ['incidents', filters],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<Incident>>('/monitor/incidents', { query: { page, page_size: 50, ...toQuery(filters) }, signal }),
    getNextPageParam: ({ meta }) => meta.next_page,
    placeholderData: keepPreviousData,
  })

export const incidentTablesQuery = (filters: IncidentFilters) =>
  infiniteQueryOptions({
    queryKey: ['incidents', 'tables', filters],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<IncidentTable>>('/monitor/incidents/tables', { query: { page, page_size: 20, ...toQuery(filters) }, signal }),
    getNextPageParam: ({ meta }) => meta.next_page,
    placeholderData: keepPreviousData,
  })

export const incidentQuery = (id: string) =>
  queryOptions({ queryKey: ['incident', id], queryFn: ({ signal }) => api.get<Incident>(`/monitor/incident/${id}`, { signal }) })

interface ImpactPage extends ResultPage<Affected> {
  readonly truncated: boolean
  readonly summary: ImpactSummary
}

/** Downstream resources, nearest first. */
export const impactQuery = (resource_id: string) =>
  queryOptions({
    queryKey: ['resource', resource_id, 'impact'],
    queryFn: ({ signal }) => api.get<ImpactPage>('/lineage/impact', { query: { resource_id, page_size: 12 }, signal }),
  })
