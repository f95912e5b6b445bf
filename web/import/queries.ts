import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Job } from '../api/job.ts'
import type { ResultPage, Schemas } from '../api/types.ts'

export type FinishedImport = Schemas['Import']
export type ImportUndo = Schemas['ImportUndo']

export const importsQuery = infiniteQueryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal, pageParam }) =>
    api.get<ResultPage<FinishedImport>>('/imports', { query: { page: pageParam, page_size: 20 }, signal }),
  initialPageParam: 1,
  getNextPageParam: ({ meta }) => meta.next_page ?? undefined,
})

/** With what its undo has kept. */
export const importQuery = (id: string) =>
  queryOptions({ queryKey: ['imports', id], queryFn: ({ signal }) => api.get<Schemas['ImportDetails']>(`/imports/${id}`, { signal }) })

/** What an undo would do. Not cached: people edit in the meantime. */
export const undoPreviewQuery = (id: string) =>
  queryOptions({
    queryKey: ['import-undo', id],
    queryFn: ({ signal }) => api.post<ImportUndo>(`/imports/${id}/undo`, undefined, { query: { dry_run: true }, signal }),
    staleTime: 0,
    gcTime: 0,
    // It may take 10 s of the database, and would change under the reader.
    retry: false,
    refetchOnWindowFocus: false,
  })

export const startUndo = (id: string) => api.post<Job>(`/imports/${id}/undo`)
export const cancelUndo = (job: string) => api.post<Job>(`/background_jobs/${job}/cancel`)
