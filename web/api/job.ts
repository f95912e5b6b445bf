import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Schemas } from './types.ts'

export type Job = Schemas['Job']

const LOOK_AGAIN_MS = 2_000

/** A background job as it goes on: the stream tells every step, and asking again now and then is the net under it. */
export const jobQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => api.get<Job>(`/background_jobs/${id}`, { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.completed ? false : LOOK_AGAIN_MS),
  })
