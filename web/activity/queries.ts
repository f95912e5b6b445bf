import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, address as apiAddress } from '../api/client.ts'
import type { Page, Schemas, VersionHistory } from '../api/types.ts'
import type { ActivityAddress } from './address.ts'

/** Queries of the audit log. */
export type LogEntry = Schemas['LogEntry']
export type Change = VersionHistory['changes'][number]

const PAGE = 100
const DAY_MS = 86_400_000

const filterOf = ({ q, type, by, since }: ActivityAddress): string | undefined => {
  const operands: object[] = []
  if (q) operands.push({ operator: 'contains', field: 'resource_title', value: q })
  if (type) operands.push({ operator: 'starts_with', field: 'activity_type', value: type })
  if (by) operands.push({ operator: 'exact', field: 'performer_type', value: by })
  // Rounded to midnight, so that the query key stays the same all day.
  const from = since && new Date(Math.floor(Date.now() / DAY_MS - Number(since)) * DAY_MS).toISOString()
  if (from) operands.push({ operator: 'gte', field: 'logged_at', value: from })
  return operands.length > 0 ? JSON.stringify({ operator: 'and', operands }) : undefined
}

export const activitiesQuery = (address: ActivityAddress) =>
  infiniteQueryOptions({
    queryKey: ['activities', address],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<Page<LogEntry>>('/activity_log/audit_logs/', { query: { page, page_size: PAGE, filter: filterOf(address) }, signal }),
    getNextPageParam: ({ meta }) => meta.next_page,
    placeholderData: keepPreviousData,
  })

export const exportAddress = (address: ActivityAddress): string =>
  apiAddress('/activity_log/export', { format: 'csv', filter: filterOf(address) })

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
