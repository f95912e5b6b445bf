import { infiniteQueryOptions } from '@tanstack/react-query'
import type { TrashEntry } from '../../src/catalog/trash/schema.ts'
import { api } from '../api/client.ts'
import type { ResultPage } from '../api/types.ts'

export type { TrashEntry }

export const trashQuery = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ signal, pageParam }) => api.get<ResultPage<TrashEntry>>('/trash', { query: { page: pageParam, page_size: 50 }, signal }),
  initialPageParam: 1,
  getNextPageParam: ({ meta }) => meta.next_page ?? undefined,
})
