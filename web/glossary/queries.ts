import { queryOptions, useMutation } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { Resource, ResultPage, Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { showErrorToast, showToast } from '../ui/toast.tsx'

/** The keys start with `catalog`, so that edits elsewhere invalidate them. */
export const termUsageQuery = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'term', id, 'usage'],
    queryFn: ({ signal }) => api.get<Schemas['TermUsage']>(`/glossary/${id}/usage`, { signal }),
  })

export const namedAlikeQuery = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'term', id, 'named-alike'],
    queryFn: ({ signal }) => api.get<Schemas['NamedLikeTerm']>(`/glossary/${id}/named_alike`, { signal }),
  })

const MAX_LISTED_TERMS = 200

/** Terms below this one, or terms that name it as related. */
export const linkedTermsQuery = (id: string, field: 'parent' | 'terms') =>
  queryOptions({
    queryKey: ['catalog', 'term', id, field],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Resource>>('/glossary', {
        query: {
          filter: JSON.stringify({ operator: 'exact', field, value: id }),
          sort: '{"field":"title","order":"asc"}',
          page_size: MAX_LISTED_TERMS,
        },
        signal,
      }),
  })

export const termSuggestionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'term-suggestions'],
    queryFn: ({ signal }) => api.get<Schemas['TermSuggestions']>(`/resource/all/${id}/term_suggestions`, { signal }),
    staleTime: 60_000,
  })

/** A term of a resource. */
export interface Assignment {
  readonly resource_id: string
  readonly term_id: string
}

const MAX_EDITS_PER_REQUEST = 100 // the API's limit

const changeTerms = async ({ assignments, how }: { assignments: readonly Assignment[]; how: 'add' | 'remove' }): Promise<void> => {
  const edits = assignments.map(({ resource_id, term_id }) => ({ id: resource_id, data: {}, [how]: { terms: [term_id] } }))
  for (let i = 0; i < edits.length; i += MAX_EDITS_PER_REQUEST)
    await api.post('/resource/all/bulk_update/', edits.slice(i, i + MAX_EDITS_PER_REQUEST))
}

/** Adds terms to resources, with Undo. */
export const useAssignTerms = () => {
  const change = useMutation({
    mutationFn: changeTerms,
    onSuccess: (_, { assignments, how }) => {
      if (how === 'add')
        showToast(t('{n:# term|# terms} added', { n: assignments.length }), () => change.mutate({ assignments, how: 'remove' }))
      for (const queryKey of [['resource'], ['catalog']]) void queryClient.invalidateQueries({ queryKey })
    },
    onError: (error) => showErrorToast(t('Couldn’t apply all changes.'), error),
  })
  return { isPending: change.isPending, add: (assignments: readonly Assignment[]) => change.mutate({ assignments, how: 'add' }) }
}

/** Rejects a suggested term: it is not suggested for this resource again. */
export const useDismissTerm = () =>
  useMutation({
    mutationFn: ({ resource_id, term_id }: Assignment) => api.post(`/resource/all/${resource_id}/term_suggestions/${term_id}/dismiss`),
    onSuccess: () => {
      showToast(t('Suggestion dismissed'))
      void queryClient.invalidateQueries({ queryKey: ['resource'] })
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
