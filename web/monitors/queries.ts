import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Gate } from '../../src/observability/gate/schema.ts'
import type { Measurement, MonitorPreview, Replay, ReplayRequest } from '../../src/observability/measurements/measurement-schema.ts'
import type { Monitor, MonitorCreate, MonitorEdit } from '../../src/observability/monitor-model/schema.ts'
import type { Suggestions } from '../../src/observability/monitor-suggestions/schema.ts'
import type { ConfigResult } from '../../src/observability/monitors-as-code/schema.ts'
import { api } from '../api/client.ts'
import type { ResultPage, SearchPage } from '../api/types.ts'
import type { MonitorsSearch } from './search-params.ts'

/** Queries for monitors. The event stream invalidates `['monitors']` and `['monitor', id]`. */
export type { ConfigResult, Gate, Measurement, Monitor, MonitorCreate, MonitorEdit, MonitorPreview, Replay }

const PAGE_SIZE = 50
const SPARKLINE_POINTS = 40 // points of a sparkline

/** A page of monitors with the data of their sparklines, in one request. */
export const monitorsQuery = ({ q, status, metric, severity, enabled }: MonitorsSearch) =>
  infiniteQueryOptions({
    queryKey: ['monitors', { q, status, metric, severity, enabled }],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<Monitor>>('/monitor/monitors', {
        query: {
          page,
          page_size: PAGE_SIZE,
          recent: SPARKLINE_POINTS,
          name: q,
          status,
          metric_type: metric,
          severity,
          is_enabled: enabled,
        },
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.next_page,
    placeholderData: keepPreviousData,
  })

/** Monitors of a resource and its columns. */
export const resourceMonitorsQuery = (resource_id: string) =>
  queryOptions({
    queryKey: ['monitors', 'of', resource_id],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Monitor>>('/monitor/monitors', { query: { resource_id, page_size: 200, recent: SPARKLINE_POINTS }, signal }),
  })

export const monitorQuery = (id: string) =>
  queryOptions({ queryKey: ['monitor', id], queryFn: ({ signal }) => api.get<Monitor>(`/monitor/monitors/${id}`, { signal }) })

const MAX_MEASUREMENTS = 1000

/** Newest first. */
export const measurementsQuery = (monitor: string) =>
  queryOptions({
    queryKey: ['monitor', monitor, 'measurements'],
    queryFn: ({ signal }) =>
      api.get<ResultPage<Measurement>>('/monitor/measurements', { query: { monitor, page_size: MAX_MEASUREMENTS }, signal }),
  })

export const suggestionsQuery = (resource_id: string) =>
  queryOptions({
    queryKey: ['monitors', 'suggestions', resource_id],
    queryFn: ({ signal }) => api.get<Suggestions>('/monitor/suggestions', { query: { resource_id }, signal }),
  })

/** Gate status by the monitors of a resource and of everything upstream. */
export const gateQuery = (resource_id: string) =>
  queryOptions({
    queryKey: ['monitors', 'gate', resource_id],
    queryFn: ({ signal }) => api.get<Gate>('/monitor/gate', { query: { resource_id, upstream: true }, signal }),
  })

export const CONFIG_PATH = '/monitor/config'

/** Monitors as YAML: all, or those of one file. */
export const configQuery = (file: string | undefined) =>
  queryOptions({
    queryKey: ['monitors', 'config', file],
    queryFn: ({ signal }) => api.get<string>(CONFIG_PATH, { query: { file }, signal }),
  })

/** Applies a config file, or reports what it would change. */
export const saveConfig = (text: string, { dry_run, prune }: { dry_run: boolean; prune: boolean }): Promise<ConfigResult> =>
  api.put<ConfigResult>(CONFIG_PATH, text, { query: { dry_run, prune }, type: 'application/yaml' })

/** Current and backfilled values of a draft monitor. Cached for a while because it queries the source. */
export const previewQuery = (draft: MonitorCreate) =>
  queryOptions({
    queryKey: ['monitor-preview', draft],
    queryFn: ({ signal }) => api.post<MonitorPreview>('/monitor/preview', draft, { signal }),
    staleTime: 300_000,
    retry: false,
  })

/** Which past measurements a condition would have flagged. */
export const replayQuery = (request: ReplayRequest) =>
  queryOptions({
    queryKey: ['monitor-replay', request],
    queryFn: ({ signal }) => api.post<Replay>('/monitor/replay', request, { signal }),
    staleTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  })

export const tableSearchQuery = (q: string) =>
  queryOptions({
    queryKey: ['catalog', 'tables', q],
    queryFn: ({ signal }) => api.get<SearchPage>('/search', { query: { q, page_size: 8, facets: false, entity_type: 'table' }, signal }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
