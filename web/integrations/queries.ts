import { queryOptions } from '@tanstack/react-query'
import type { Integration, IntegrationCreate, IntegrationEdit, IntegrationTypeRecord, Sync } from '../../src/integrations/schema.ts'
import { api } from '../api/client.ts'
import type { Job } from '../api/job.ts'
import { queryClient } from '../api/query.ts'
import type { Page } from '../api/types.ts'

/** Queries and requests for integrations. */
export type { Integration, IntegrationCreate, IntegrationEdit, IntegrationTypeRecord, Sync }
export type CredentialField = IntegrationTypeRecord['fields'][number]

const ONE = '/integration/integrations'
const LOOK_AGAIN_MS = 3000 // while a sync is running

export const isUnderWay = (status: Integration['last_sync_status']): boolean => status === 'PENDING' || status === 'RUNNING'

const PAGE = 1000

/** Reads all pages. */
const readAll = async (signal: AbortSignal): Promise<Page<Integration>> => {
  const first = await api.get<Page<Integration>>(ONE, { query: { page_size: PAGE }, signal })
  const results = [...first.results]
  for (let page = 2; results.length < first.count; page += 1) {
    const next = await api.get<Page<Integration>>(ONE, { query: { page_size: PAGE, page }, signal })
    if (next.results.length === 0) break
    results.push(...next.results)
  }
  return { ...first, results }
}

export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) => readAll(signal),
  refetchInterval: ({ state }) => (state.data?.results.some((each) => isUnderWay(each.last_sync_status)) ? LOOK_AGAIN_MS : false),
})

export const integrationQuery = (id: string) =>
  queryOptions({ queryKey: ['integration', id], queryFn: ({ signal }) => api.get<Integration>(`${ONE}/${id}`, { signal }) })

/** Integration types with their credential fields, from which the form is rendered. */
export const typesQuery = queryOptions({
  queryKey: ['integration-types'],
  queryFn: ({ signal }) => api.get<IntegrationTypeRecord[]>('/integration/types', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Newest first. A sync and its job share one ID. */
export const syncsQuery = (id: string) =>
  queryOptions({
    queryKey: ['integration', id, 'syncs'],
    queryFn: ({ signal }) => api.get<Page<Sync>>(`${ONE}/${id}/syncs`, { query: { page_size: 20 }, signal }),
  })

export const createIntegration = (body: IntegrationCreate) => api.post<Integration>(ONE, body)
export const editIntegration = (id: string, body: IntegrationEdit) => api.patch<Integration>(`${ONE}/${id}`, body)
export const removeIntegration = (id: string) => api.delete<Job | undefined>(`${ONE}/${id}`)
const testIntegration = (id: string) => api.post<{ detail: string }>(`${ONE}/${id}/test`)
export const syncIntegration = (id: string) => api.post<Job>(`${ONE}/${id}/sync`)
export const confirmRemovals = (id: string) => api.post<Job>(`${ONE}/${id}/sync`, { confirm_removals: true })
export const undoSync = (id: string, sync: string) => api.post<Job>(`${ONE}/${id}/sync/${sync}/undo`)

/** Connection test. Runs on a button press and after credentials are saved. */
export const reachQuery = (id: string) =>
  queryOptions({ queryKey: ['reach', id], queryFn: () => testIntegration(id), enabled: false, retry: false, staleTime: 0 })

/** Tests new credentials and starts the first sync if they work. The integration page shows a failed test. */
export const tryConnection = async ({ id, last_synced_at }: Pick<Integration, 'id' | 'last_synced_at'>): Promise<void> => {
  const answers = await queryClient.fetchQuery(reachQuery(id)).catch(() => undefined)
  if (!answers || last_synced_at) return
  await syncIntegration(id)
  await forget(id)
}

/** Invalidates every query that shows integrations. */
export const forget = async (id?: string): Promise<void> => {
  const keys = [['integrations'], ['bootstrap'], ['tree'], ...(id ? [['integration', id]] : [])]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
