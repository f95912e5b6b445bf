import { queryOptions } from '@tanstack/react-query'
import type { PiiSuggestion } from '../../src/observability/pii/pii-schema.ts'
import type {
  ColumnTrends,
  Preview,
  PreviewOperator,
  Profile,
  ProfileHistory,
  ProfileSchedule,
} from '../../src/observability/profiles/schema.ts'
import { api } from '../api/client.ts'
import type { ResultPage } from '../api/types.ts'

/** Queries for previews, profiles and PII suggestions. */
export interface PreviewFilter {
  /** ID of the column. */
  readonly column: string
  readonly operator: PreviewOperator
  readonly value: string
}

export interface PreviewRequest {
  readonly show_pii: boolean
  readonly sort?: { readonly column: string; readonly descending: boolean }
  readonly filter?: PreviewFilter
}

export const tablePreviewQuery = (id: string, request: PreviewRequest) =>
  queryOptions({
    queryKey: ['resource', id, 'preview', request],
    queryFn: ({ signal }) => api.get<Preview>(`/resource/preview_v2/table/${id}/`, { query: toPreviewParams(request), signal }),
    staleTime: 60_000, // each fetch queries the source
    retry: false,
  })

const toPreviewParams = ({ show_pii, sort, filter }: PreviewRequest) => ({
  show_pii,
  ...(sort && { sort_by: sort.column, sort_direction: sort.descending ? 'desc' : 'asc' }),
  ...(filter && { filter_by: filter.column, filter_operator: filter.operator, filter_value: filter.value }),
})

export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'profile'],
    queryFn: ({ signal }) => api.get<Profile>(`/resource/all/${id}/profile`, { signal }),
  })

export const profileHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'profile', 'history'],
    queryFn: ({ signal }) => api.get<ProfileHistory>(`/resource/all/${id}/profile/history`, { signal }),
  })

/** The last profiles of all columns of a table. */
export const columnTrendsQuery = (table: string) =>
  queryOptions({
    queryKey: ['resource', table, 'profile', 'trends'],
    queryFn: ({ signal }) => api.get<ColumnTrends>(`/resource/all/${table}/profile/trends`, { signal }),
  })

/** Path of the regular profiles of a table or integration. */
export const profileSchedulePath = (of: PiiTarget): string =>
  'resource_id' in of
    ? `/resource/all/${of.resource_id}/profile/schedule`
    : `/integration/integrations/${of.integration_id}/profile_schedule`

export const profileScheduleQuery = (of: PiiTarget) =>
  queryOptions({
    queryKey: ['profile-schedule', of],
    queryFn: ({ signal }) => api.get<ProfileSchedule>(profileSchedulePath(of), { signal }),
  })

/** One table, or all tables of an integration. */
export type PiiTarget = { readonly resource_id: string } | { readonly integration_id: string }

export const piiSuggestionsQuery = (about: PiiTarget) =>
  queryOptions({
    queryKey: 'resource_id' in about ? ['resource', about.resource_id, 'pii'] : ['pii', about.integration_id],
    queryFn: ({ signal }) =>
      api.get<ResultPage<PiiSuggestion>>('/pii/suggestions', { query: { ...about, status: 'open', page_size: 200 }, signal }),
  })
