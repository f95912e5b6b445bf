import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Schemas } from './types.ts'

export type Job = Schemas['Job']

const POLL_MS = 2_000

export const cancelJob = (id: string) => api.post<Job>(`/background_jobs/${id}/cancel`)

/** A background job. The event stream reports its progress; polling is the fallback. */
export const jobQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => api.get<Job>(`/background_jobs/${id}`, { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.completed ? false : POLL_MS),
  })
