import { queryOptions } from '@tanstack/react-query'
import type {
  Integration,
  IntegrationCreate,
  IntegrationEdit,
  IntegrationTypeRecord,
  PatternMatches,
  Sync,
} from '../../src/sources/integrations/schema.ts'
import { api } from '../api/client.ts'
import type { Job } from '../api/job.ts'
import { queryClient } from '../api/query-client.ts'
import type { ResultPage } from '../api/types.ts'

/** Queries and requests for integrations. */
export type { Integration, IntegrationCreate, IntegrationEdit, IntegrationTypeRecord, Sync }
export type CredentialField = IntegrationTypeRecord['fields'][number]

/** Whether the source can have tables whose rows can be previewed. */
export const hasPreviews = ({ connects, category }: IntegrationTypeRecord): boolean =>
  connects && !['bi', 'orchestration', 'transformation', 'push'].includes(category)

const INTEGRATIONS_PATH = '/integration/integrations'
const REFETCH_INTERVAL_MS = 3000 // while a sync is running

export const isRunning = (status: Integration['last_sync_status']): boolean => status === 'PENDING' || status === 'RUNNING'

const PAGE_SIZE = 1000

/** Reads all pages. */
const fetchAll = async (signal: AbortSignal): Promise<ResultPage<Integration>> => {
  const first = await api.get<ResultPage<Integration>>(INTEGRATIONS_PATH, { query: { page_size: PAGE_SIZE }, signal })
  const results = [...first.results]
  for (let page = 2; results.length < first.count; page += 1) {
    const next = await api.get<ResultPage<Integration>>(INTEGRATIONS_PATH, { query: { page_size: PAGE_SIZE, page }, signal })
    if (next.results.length === 0) break
    results.push(...next.results)
  }
  return { ...first, results }
}

export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) => fetchAll(signal),
  refetchInterval: ({ state }) => (state.data?.results.some((each) => isRunning(each.last_sync_status)) ? REFETCH_INTERVAL_MS : false),
})

export const integrationQuery = (id: string) =>
  queryOptions({ queryKey: ['integration', id], queryFn: ({ signal }) => api.get<Integration>(`${INTEGRATIONS_PATH}/${id}`, { signal }) })

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
    queryFn: ({ signal }) => api.get<ResultPage<Sync>>(`${INTEGRATIONS_PATH}/${id}/syncs`, { query: { page_size: 20 }, signal }),
  })

/** Nothing is stored. */
export const testNewIntegration = (body: IntegrationCreate) => api.post<{ detail: string }>(`${INTEGRATIONS_PATH}/test`, body)

export const createIntegration = (body: IntegrationCreate) => api.post<Integration>(INTEGRATIONS_PATH, body)
export const editIntegration = (id: string, body: IntegrationEdit) => api.patch<Integration>(`${INTEGRATIONS_PATH}/${id}`, body)
export const deleteIntegration = (id: string) => api.delete<Job | undefined>(`${INTEGRATIONS_PATH}/${id}`)
const postConnectionTest = (id: string) => api.post<{ detail: string }>(`${INTEGRATIONS_PATH}/${id}/test`)
export const syncIntegration = (id: string) => api.post<Job>(`${INTEGRATIONS_PATH}/${id}/sync`)
export const confirmRemovals = (id: string) => api.post<Job>(`${INTEGRATIONS_PATH}/${id}/sync`, { confirm_removals: true })
export const cancelSync = (id: string, sync: string) => api.post<Job>(`${INTEGRATIONS_PATH}/${id}/sync/${sync}/cancel`)
export const undoSync = (id: string, sync: string) => api.post<Job>(`${INTEGRATIONS_PATH}/${id}/sync/${sync}/undo`)

/** The names of everything patterns can match. */
export const listNames = (id: string) => api.post<PatternMatches>(`${INTEGRATIONS_PATH}/${id}/patterns`, {})
/** The same before the integration is saved. */
export const listNewNames = (body: IntegrationCreate) => api.post<PatternMatches>(`${INTEGRATIONS_PATH}/patterns`, body)

/** Connection test. Runs on a button press and after credentials are saved. */
export const connectionTestQuery = (id: string) =>
  queryOptions({ queryKey: ['reach', id], queryFn: () => postConnectionTest(id), enabled: false, retry: false, staleTime: 0 })

/** Tests new credentials and starts the first sync if they work. The integration page shows a failed test. */
export const testAndSync = async ({ id, last_synced_at }: Pick<Integration, 'id' | 'last_synced_at'>): Promise<void> => {
  const result = await queryClient.fetchQuery(connectionTestQuery(id)).catch(() => undefined)
  if (!result || last_synced_at) return
  await syncIntegration(id)
  await invalidateIntegration(id)
}

/** Invalidates every query that shows integrations. */
export const invalidateIntegration = async (id?: string): Promise<void> => {
  const keys = [['integrations'], ['bootstrap'], ['tree'], ...(id ? [['integration', id]] : [])]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
