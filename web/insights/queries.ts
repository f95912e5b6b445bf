import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, buildUrl } from '../api/client.ts'
import type { Schemas } from '../api/types.ts'
import { type Grouping, type InsightsSearch, toScopeParams } from './search-params.ts'

export type MetricName = Schemas['Insights']['metrics'][number]['name']
export type Numbers = Schemas['InsightNumbers']
export type Group = Schemas['InsightGroups']['results'][number]

const MINUTE_MS = 60_000
const common = { staleTime: MINUTE_MS, placeholderData: keepPreviousData }

export const insightsQuery = (address: InsightsSearch) =>
  queryOptions({
    queryKey: ['insights', toScopeParams(address)],
    queryFn: ({ signal }) => api.get<Schemas['Insights']>('/insights', { query: toScopeParams(address), signal }),
    ...common,
  })

export const trendsQuery = (address: InsightsSearch) =>
  queryOptions({
    queryKey: ['insights', 'trends', toScopeParams(address)],
    queryFn: ({ signal }) => api.get<Schemas['InsightTrends']>('/insights/trends', { query: toScopeParams(address), signal }),
    ...common,
  })

export const groupsQuery = (address: InsightsSearch, by: Grouping) =>
  queryOptions({
    queryKey: ['insights', 'groups', by, toScopeParams(address)],
    queryFn: ({ signal }) => api.get<Schemas['InsightGroups']>('/insights/groups', { query: { ...toScopeParams(address), by }, signal }),
    ...common,
  })

export const buildCsvUrl = (address: InsightsSearch, path: '/insights' | '/insights/trends' | '/insights/groups', by?: Grouping): string =>
  buildUrl(path, { ...toScopeParams(address), by, format: 'csv' })
