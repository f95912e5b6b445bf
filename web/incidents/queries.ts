import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Affected, ImpactSummary } from '../../src/lineage/graph-schema.ts'
import type { Incident, IncidentEdit } from '../../src/monitors/incident-schema.ts'
import { api } from '../api/client.ts'
import type { Page } from '../api/types.ts'
import type { IncidentsAddress } from './address.ts'

/** Key and fetch together, for everything about incidents. The stream makes `['incidents']` and `['incident', id]` old. */
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

/** What depends on it, the nearest first. */
export const impactQuery = (resource_id: string) =>
  queryOptions({
    queryKey: ['resource', resource_id, 'impact'],
    queryFn: ({ signal }) => api.get<Impact>('/lineage/impact', { query: { resource_id, page_size: 12 }, signal }),
  })
