import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Job } from '../api/job.ts'
import { queryClient } from '../api/query-client.ts'
import type { Schemas } from '../api/types.ts'
import { typesQuery } from './queries.ts'

/** Drivers of sources that are installed when they are needed. */
export type Driver = Schemas['Driver']

export const driversQuery = queryOptions({
  queryKey: ['drivers'],
  queryFn: ({ signal }) => api.get<Driver[]>('/integration/drivers', { signal }),
})

export const installDriver = (name: Driver['name']) => api.post<Job>(`/integration/drivers/${name}/install`)

export const invalidateDrivers = async (): Promise<void> => {
  await Promise.all([driversQuery, typesQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
}
