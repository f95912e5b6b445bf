import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Affected, ImpactSummary } from '../../src/lineage/graph-schema.ts'
import type { Incident, IncidentEdit } from '../../src/monitors/incident-schema.ts'
import { api } from '../api/client.ts'
import type { Page } from '../api/types.ts'
import type { IncidentsAddress } from './address.ts'

/** Queries for incidents. The event stream invalidates `['incidents']` and `['incident', id]`. */
export type { Incident, IncidentEdit }

export const incidentsQuery = ({ status = 'open', assignee }: { status?: IncidentsAddress['status'] | 'open'; assignee?: string }) =>
  infiniteQueryOptions({
    queryKey: ['incidents', { status, assignee }],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<Page<Incident>>('/monitor/incidents', {
        query: { page, page_size: 50, status: status === 'all' ? undefined : status, assignee },
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.next_page,
    placeholderData: keepPreviousData,
  })

export const incidentQuery = (id: string) =>
  queryOptions({ queryKey: ['incident', id], queryFn: ({ signal }) => api.get<Incident>(`/monitor/incident/${id}`, { signal }) })

interface Impact extends Page<Affected> {
  readonly truncated: boolean
  readonly summary: ImpactSummary
}

/** Downstream resources, nearest first. */
export const impactQuery = (resource_id: string) =>
  queryOptions({
    queryKey: ['resource', resource_id, 'impact'],
    queryFn: ({ signal }) => api.get<Impact>('/lineage/impact', { query: { resource_id, page_size: 12 }, signal }),
  })
