import type { Column, Schemas } from '../../api/types.ts'
import type { ColumnSort } from '../search-params.ts'

type Facts = Readonly<Record<string, Schemas['ColumnFacts']>>
export type SortKey = Exclude<ColumnSort, `-${string}`>

/** What a click on a header does: ascending, descending, then the order of the source. */
export const nextColumnSort = (sort: ColumnSort | undefined, key: SortKey): ColumnSort | undefined =>
  sort === key ? `-${key}` : sort === `-${key}` ? undefined : key

/** Columns without a value come last in both directions; those missing from the source after all others. */
export const sortColumns = (columns: readonly Column[], sort: ColumnSort | undefined, facts: Facts | undefined): Column[] => {
  const direction = sort?.startsWith('-') ? -1 : 1
  const getValue = VALUES[(sort?.replace('-', '') ?? 'title') as SortKey]
  return columns.toSorted((a, b) => {
    if (a.stale !== b.stale) return Number(a.stale) - Number(b.stale)
    if (sort === undefined) return 0
    const [left, right] = [getValue(a, facts), getValue(b, facts)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return direction * (typeof left === 'number' ? left - Number(right) : left.localeCompare(String(right)))
  })
}

const VALUES: Readonly<Record<SortKey, (column: Column, facts: Facts | undefined) => string | number | null>> = {
  title: ({ title }) => title,
  type: ({ type }) => type ?? null,
  null: ({ id }, facts) => facts?.[id]?.null_percentage ?? null,
  distinct: ({ id }, facts) => facts?.[id]?.distinct_values ?? null,
  key: ({ id, is_pk }, facts) => (is_pk ? '' : (facts?.[id]?.references?.table ?? null)),
  tags: ({ tags, terms }) => tags.length + terms.length || null,
  lineage: ({ id }, facts) => (facts?.[id] && facts[id].upstream + facts[id].downstream) || null,
  description: ({ description }) => description || null,
}
