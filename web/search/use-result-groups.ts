import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SearchPage } from '../api/types.ts'
import { groupQuery, type Row } from './queries.ts'
import { type CatalogSearch, getSelectedValues } from './search-params.ts'

/** The best results of one type. */
export interface ResultGroup {
  readonly type: string
  readonly rows: readonly Row[]
  /** How many there are; undefined until they are counted. */
  readonly count: number | undefined
  /** The count is a lower bound. */
  readonly capped: boolean
}

const MAX_SHOWN = 3

/** Whether results are grouped: those of a single type are one list. */
const isGrouped = (address: CatalogSearch): boolean => address.group === 'type' && getSelectedValues(address, 'entity_type').length !== 1

interface Found {
  /** The first page of results. */
  readonly rows: readonly Row[]
  /** There are more results than these. */
  readonly hasMore: boolean
  readonly facet: NonNullable<SearchPage['facets']>[string] | undefined
  /** Both are those of the address, and no row is being edited: what is missing may be requested. */
  readonly isSettled: boolean
}

/**
 * The results by type, the type of the best result first. Most groups come from the first page; only types that it has too few of are
 * requested, with the counts that the facets have anyway.
 */
export const useResultGroups = (address: CatalogSearch, { rows, hasMore, facet, isSettled }: Found): readonly ResultGroup[] => {
  const grouped = isGrouped(address)
  const groups = useMemo(() => (grouped ? groupRows(address, rows, facet) : []), [grouped, address, rows, facet])
  const missing = useMemo(
    () => (hasMore ? groups.filter(({ rows, count = 0 }) => rows.length < Math.min(MAX_SHOWN, count)) : []),
    [groups, hasMore],
  )
  const found = useQueries({
    queries: missing.map(({ type }) => ({ ...groupQuery(address, type, MAX_SHOWN), enabled: isSettled })),
    combine: getRows,
  })
  return useMemo(() => {
    const byType = new Map(missing.map(({ type }, i) => [type, found[i]]))
    return groups.map((group) => ({ ...group, rows: byType.get(group.type) ?? group.rows })).filter(({ rows }) => rows.length > 0)
  }, [groups, missing, found])
}

const getRows = (results: readonly { readonly data: readonly Row[] | undefined }[]) => results.map(({ data }) => data)

const groupRows = (address: CatalogSearch, rows: readonly Row[], facet: Found['facet']): ResultGroup[] => {
  const byType = Map.groupBy(rows, ({ entity_type }) => entity_type as string)
  const selected = getSelectedValues(address, 'entity_type')
  const counts = new Map(facet?.values.map(({ value, count }) => [String(value), count]))
  const types = new Set([...byType.keys(), ...counts.keys()])
  return [...types]
    .filter((type) => selected.length === 0 || selected.includes(type))
    .map((type) => ({
      type,
      rows: (byType.get(type) ?? []).slice(0, MAX_SHOWN),
      count: counts.get(type),
      capped: facet?.capped ?? false,
    }))
}
