import type { DbtColumn, DbtTable } from './project.ts'

/** Merges nodes that are the same table, e.g. a seed that is also declared as a source. Values missing in one are taken from the others. Pure. */
export const mergeNodes = (tables: readonly DbtTable[]): DbtTable[] => {
  const byRelation = Map.groupBy(tables, getRelationKey)
  return tables.map((table) => {
    const all = byRelation.get(getRelationKey(table))!
    return all.length === 1 ? table : mergeNode(table, all)
  })
}

const getRelationKey = ({ unique_id, relation }: DbtTable): string => (relation ? JSON.stringify(relation).toLowerCase() : unique_id)

/** The first node has precedence: a node that builds a table comes before those that read it. */
const mergeNode = (table: DbtTable, all: readonly DbtTable[]): DbtTable => ({
  ...table,
  relation: all[0]!.relation,
  description: firstValue(all, ({ description }) => description),
  tags: collectValues(all, ({ tags }) => tags),
  owners: collectValues(all, ({ owners }) => owners),
  row_count: firstValue(all, ({ row_count }) => row_count),
  byte_size: firstValue(all, ({ byte_size }) => byte_size),
  columns: [
    ...Map.groupBy(
      all.flatMap(({ columns }) => columns),
      ({ name }) => name.toLowerCase(),
    ).values(),
  ].map(mergeColumns),
  facts: Object.assign({}, ...all.toReversed().map(({ facts }) => facts), table.facts),
})

const mergeColumns = (columns: readonly DbtColumn[]): DbtColumn => ({
  name: columns[0]!.name,
  type: firstValue(columns, ({ type }) => type),
  is_pk: columns.some(({ is_pk }) => is_pk),
  description: firstValue(columns, ({ description }) => description),
  tags: collectValues(columns, ({ tags }) => tags),
})

const firstValue = <V, T>(nodes: readonly V[], getValue: (node: V) => T | null): T | null =>
  nodes.map(getValue).find((value) => value !== null) ?? null
const collectValues = <V>(nodes: readonly V[], getValues: (node: V) => readonly string[]): string[] => [
  ...new Set(nodes.flatMap(getValues)),
]
