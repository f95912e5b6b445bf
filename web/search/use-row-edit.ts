import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../api/query-client.ts'
import type { Resource } from '../api/types.ts'
import { useEditAt } from '../resources/use-edit.ts'
import { ROWS_KEY, type Row, type RowsPage } from './queries.ts'

/** A list of pages, or the first rows of a group. */
type CachedRows = InfiniteData<RowsPage> | readonly Row[]

const isGroup = (data: CachedRows): data is readonly Row[] => Array.isArray(data)

const findCachedRow = (id: string): Row | undefined => {
  for (const [, data] of queryClient.getQueriesData<CachedRows>({ queryKey: ROWS_KEY }))
    for (const rows of data ? (isGroup(data) ? [data] : data.pages.map((page) => page.rows)) : []) {
      const row = rows.find((each) => each.id === id)
      if (row) return row
    }
  return undefined
}

/** Puts a newer record into every cached list. Drops the search excerpt if the description it came from was edited. */
const updateCachedRows = (id: string, change: Partial<Resource>): void => {
  const changed = (row: Row): Row => {
    const found = row.reason?.field === 'description' && 'description' in change && change.description !== row.description
    return { ...row, ...change, ...(found && { reason: undefined }) }
  }
  const update = (rows: readonly Row[]) =>
    rows.some((row) => row.id === id) ? rows.map((row) => (row.id === id ? changed(row) : row)) : rows
  queryClient.setQueriesData<CachedRows>(
    { queryKey: ROWS_KEY },
    (data) => data && (isGroup(data) ? update(data) : { ...data, pages: data.pages.map((page) => ({ ...page, rows: update(page.rows) })) }),
  )
}

/** Edits a resource in its row. */
export const useRowEdit = (row: Row) =>
  useEditAt(row, {
    queryKey: ROWS_KEY,
    exact: false,
    find: () => findCachedRow(row.id),
    keep: (change) => updateCachedRows(row.id, change),
  })
