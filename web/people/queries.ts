import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Resource, ResultPage, Schemas } from '../api/types.ts'

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: ({ signal }) => api.get<Schemas['PersonView']>(`/ui/person/${id}`, { signal }),
  })

export type MemberGroup = Schemas['Group'] & Partial<Schemas['Team']>
const MEMBER_GROUP_PATHS = { team: '/auth/teams', group: '/auth/group' } as const
export type MemberGroupType = keyof typeof MEMBER_GROUP_PATHS

export const memberGroupQuery = (type: MemberGroupType, id: string) =>
  queryOptions({
    queryKey: ['memberGroups', type, id],
    queryFn: ({ signal }) => api.get<MemberGroup>(`${MEMBER_GROUP_PATHS[type]}/${id}`, { signal }),
  })

export type OwnerField = 'owners' | 'owners_groups' | 'teams'

/** What they own except columns, as a filter of the catalog. */
export const toOwnedFilter = (field: OwnerField, id: string): string =>
  JSON.stringify({
    operator: 'and',
    operands: [
      { operator: 'exact', field, value: id },
      { operator: 'not', operands: [{ operator: 'exact', field: 'entity_type', value: 'column' }] },
      { operator: 'exact', field: 'archived', value: false },
    ],
  })

const OWNED_SHOWN = 20

export const ownedQuery = (field: OwnerField, id: string) =>
  queryOptions({
    queryKey: ['catalog', 'owned', field, id],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Resource>>('/resource/catalog', {
        query: {
          filter: toOwnedFilter(field, id),
          sort: '{"field":"external_usage","order":"desc"}',
          include: 'health',
          page_size: OWNED_SHOWN,
        },
        signal,
      }),
  })
