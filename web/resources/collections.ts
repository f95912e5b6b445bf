import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import type { Resource, ResultPage } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import type { Option } from '../ui/picker.tsx'
import { showErrorToast } from '../ui/toast.tsx'

const PATH = '/collection/collections'

const collectionsQuery = queryOptions({
  queryKey: ['catalog', 'collections'],
  queryFn: ({ signal }) =>
    api.get<ResultPage<Resource>>(PATH, { query: { page_size: 1000, sort: '{"field":"title","order":"asc"}' }, signal }),
  staleTime: 60_000,
})

/** All collections, fetched when the picker opens. */
export const useCollections = (enabled: boolean): readonly Option[] => {
  const { data } = useQuery({ ...collectionsQuery, enabled: enabled })
  return data?.results.map(({ id, title, title_full }) => ({ id, label: title, hint: title_full === title ? undefined : title_full })) ?? []
}

/** Creates a collection with the typed name; it is published, as it reveals nothing by itself. */
export const useNewCollection = (onMade: (id: string) => void) =>
  useMutation({
    mutationFn: (title: string) => api.post<Resource>(PATH, { title, published: true }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: collectionsQuery.queryKey })
      onMade(id)
    },
    onError: (error) => showErrorToast(t('Couldn’t create the collection.'), error),
  })
