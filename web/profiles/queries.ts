import { queryOptions } from '@tanstack/react-query'
import type { PiiSuggestion } from '../../src/observability/pii/pii-schema.ts'
import type { Preview, Profile, ProfileHistory, ProfileSchedule } from '../../src/observability/profiles/schema.ts'
import { api } from '../api/client.ts'
import type { ResultPage } from '../api/types.ts'

/** Queries for previews, profiles and PII suggestions. */
export const tablePreviewQuery = (id: string, show_pii: boolean) =>
  queryOptions({
    queryKey: ['resource', id, 'preview', show_pii],
    queryFn: ({ signal }) => api.get<Preview>(`/resource/preview_v2/table/${id}/`, { query: { show_pii }, signal }),
    staleTime: 60_000, // each fetch queries the source
    retry: false,
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
