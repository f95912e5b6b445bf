import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, buildUrl as apiAddress } from '../api/client.ts'
import type { ResultPage, Schemas, VersionHistory } from '../api/types.ts'
import type { ActivitySearch } from './search-params.ts'

/** Queries of the audit log. */
export type LogEntry = Schemas['LogEntry']
export type Change = VersionHistory['changes'][number]

const PAGE_SIZE = 100
const DAY_MS = 86_400_000

const toFilter = ({ q, type, by, since }: ActivitySearch): string | undefined => {
  const operands: object[] = []
  if (q) operands.push({ operator: 'contains', field: 'resource_title', value: q })
  if (type) operands.push({ operator: 'starts_with', field: 'activity_type', value: type })
  if (by) operands.push({ operator: 'exact', field: 'performer_type', value: by })
  // Rounded to midnight, so that the query key stays the same all day.
  const from = since && new Date(Math.floor(Date.now() / DAY_MS - Number(since)) * DAY_MS).toISOString()
  if (from) operands.push({ operator: 'gte', field: 'logged_at', value: from })
  return operands.length > 0 ? JSON.stringify({ operator: 'and', operands }) : undefined
}

export const activitiesQuery = (address: ActivitySearch) =>
  infiniteQueryOptions({
    queryKey: ['activities', address],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<LogEntry>>('/activity_log/audit_logs/', {
        query: { page, page_size: PAGE_SIZE, filter: toFilter(address) },
        signal,
      }),
    getNextPageParam: ({ meta }) => meta.next_page,
    placeholderData: keepPreviousData,
  })

export const buildActivityExportUrl = (address: ActivitySearch): string =>
  apiAddress('/activity_log/export', { format: 'csv', filter: toFilter(address) })

/** The changes of one entry, before and after: an export of that entry alone, one line of JSON. */
export const changesQuery = (id: string) =>
  queryOptions({
    queryKey: ['activity', id, 'changes'],
    queryFn: async ({ signal }): Promise<readonly Change[]> => {
      const filter = JSON.stringify({ operator: 'exact', field: 'id', value: id })
      const line = await api.get<{ changes: Change[] | null }>('/activity_log/export', {
        query: { format: 'jsonl', filter },
        signal,
      })
      return line.changes ?? []
    },
    staleTime: Number.POSITIVE_INFINITY, // history does not change
  })
