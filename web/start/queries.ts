import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { ResultPage, Schemas, SearchPage } from '../api/types.ts'

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => api.get<Schemas['Home']>('/ui/home', { query: { limit: 8 }, signal }),
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
