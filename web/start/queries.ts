import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { NamesById } from '../api/names.ts'
import type { EntityType, Notification, ResultPage, SearchPage } from '../api/types.ts'

/** Summary of a resource for short lists. */
export interface ResourceBrief {
  readonly id: string
  readonly title: string
  readonly title_full: string
  readonly title_cased: string
  readonly entity_type: EntityType
  readonly native_type: string | null
  readonly description: string | null
  readonly published: boolean
  readonly archived: boolean
  readonly verified: boolean
  readonly pii: boolean
  readonly stale: boolean
  readonly owners: readonly string[]
  readonly tags: readonly string[]
  readonly integration: string | null
  readonly parent: string | null
  readonly updated_at: string
  readonly external_usage: number
  readonly internal_usage: number
  readonly children_count: number
}

export interface OpenIncident {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly summary: string | null
  readonly value: number | null
  readonly first_seen_at: string
  readonly last_seen_at: string
  readonly monitor: string
  readonly target: ResourceBrief
}

interface HomeResponse {
  readonly changes: readonly Notification[]
  readonly incidents: readonly OpenIncident[]
  readonly bookmarks: readonly ResourceBrief[]
  readonly drafts: readonly ResourceBrief[]
  readonly questions: readonly ResourceBrief[]
  readonly most_used: readonly ResourceBrief[]
  readonly recent: readonly (ResourceBrief & { readonly viewed_at: string })[]
  readonly names: NamesById
}

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => api.get<HomeResponse>('/ui/home', { query: { limit: 8 }, signal }),
})

/** Which setup steps are done. */
export const setupStepsQuery = queryOptions({
  queryKey: ['catalog', 'first-steps'],
  queryFn: async ({ signal }) => {
    const one = { query: { page_size: 1 }, signal }
    const [sources, people, monitors, found] = await Promise.all([
      api.get<ResultPage<unknown>>('/integration/integrations', one),
      api.get<ResultPage<unknown>>('/user', one),
      api.get<ResultPage<unknown>>('/monitor/monitors', one),
      api.get<SearchPage>('/search', { query: { page_size: 1, entity_type: 'table', published: true, facets: false }, signal }),
    ])
    return { source: sources.count > 0, people: people.count > 1, monitor: monitors.count > 0, published: found.count > 0 }
  },
})
