import type { WhatIfResult } from '../graph/queries.ts'

type Change = WhatIfResult['changes'][number]

/** A change with the number of columns dropped with it. */
export type ListedChange = Change & { readonly columns: number }

/** Condensed list of changes: columns of a dropped table are counted, not listed. */
export const condenseChanges = (changes: readonly Change[]): readonly ListedChange[] => {
  const tables = changes.filter(({ change }) => change === 'table_dropped')
  const tableOf = ({ change, title_full }: Change): Change | undefined =>
    change === 'column_dropped' ? tables.find((table) => title_full.startsWith(`${table.title_full}.`)) : undefined
  const counts = Map.groupBy(changes, tableOf)
  return (counts.get(undefined) ?? []).map((change) => ({ ...change, columns: counts.get(change)?.length ?? 0 }))
}
