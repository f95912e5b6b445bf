import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { MAX_OPTIONS, type PickerOptions, useServerSearch } from '../../api/picker-options.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Resource, ResultPage } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { showErrorToast } from '../../ui/toast.tsx'

const PATH = '/collection/collections'

const KEY = ['catalog', 'collections']

const collectionsQuery = (query: string) =>
  queryOptions({
    queryKey: [...KEY, query],
    queryFn: ({ signal }) => {
      const filter = query === '' ? undefined : JSON.stringify({ operator: 'contains', field: 'title', value: query })
      return api.get<ResultPage<Resource>>(PATH, {
        query: { page_size: MAX_OPTIONS, sort: '{"field":"title","order":"asc"}', filter },
        signal,
      })
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** Collections, fetched when the picker opens. */
export const useCollectionOptions = (enabled: boolean): PickerOptions => {
  const { query, settled, onSearch } = useServerSearch()
  const { data, isLoading, isPlaceholderData } = useQuery({ ...collectionsQuery(query), enabled })
  const options =
    data?.results.map(({ id, title, title_full }) => ({ id, label: title, hint: title_full === title ? undefined : title_full })) ?? []
  return { options, onSearch, searching: isLoading || isPlaceholderData || !settled }
}

/** Creates a collection with the typed name; it is published, as it reveals nothing by itself. */
export const useNewCollection = (onCreated: (id: string) => void) =>
  useMutation({
    mutationFn: (title: string) => api.post<Resource>(PATH, { title, published: true }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: KEY })
      onCreated(id)
    },
    onError: (error) => showErrorToast(t('Couldn’t create the collection.'), error),
  })
