import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Names } from '../api/names.ts'
import type { EntityType, Notification, Page, SearchPage } from '../api/types.ts'

/** Summary of a resource for short lists. */
export interface Brief {
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
  readonly target: Brief
}

interface Home {
  readonly changes: readonly Notification[]
  readonly incidents: readonly OpenIncident[]
  readonly bookmarks: readonly Brief[]
  readonly drafts: readonly Brief[]
  readonly questions: readonly Brief[]
  readonly most_used: readonly Brief[]
  readonly recent: readonly (Brief & { readonly viewed_at: string })[]
  readonly names: Names
}

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => api.get<Home>('/ui/home', { query: { limit: 8 }, signal }),
})

/** Which setup steps are done. */
export const stepsQuery = queryOptions({
  queryKey: ['catalog', 'first-steps'],
  queryFn: async ({ signal }) => {
    const one = { query: { page_size: 1 }, signal }
    const [sources, people, monitors, found] = await Promise.all([
      api.get<Page<unknown>>('/integration/integrations', one),
      api.get<Page<unknown>>('/user', one),
      api.get<Page<unknown>>('/monitor/monitors', one),
      api.get<SearchPage>('/search', { query: { page_size: 1, entity_type: 'table', published: true, facets: false }, signal }),
    ])
    return { source: sources.count > 0, people: people.count > 1, monitor: monitors.count > 0, published: found.count > 0 }
  },
})
