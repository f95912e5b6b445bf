import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Schemas } from '../api/types.ts'

export type NeedItem = Schemas['NeedItem']
export type NeedSection = Schemas['NeedsYou']['sections'][number]
export type NeedKind = NeedItem['kind']

/** What waits for the user. Lists are invalidated by events of resources and incidents as `home` is. */
export const needsYouQuery = (limit: number) =>
  queryOptions({
    queryKey: ['home', 'needs-you', limit],
    queryFn: ({ signal }) => api.get<Schemas['NeedsYou']>('/needs_you', { query: { limit }, signal }),
    staleTime: 30_000,
  })
