import type { DbtColumn, DbtTable } from './project.ts'

/** Merges nodes that are the same table, e.g. a seed that is also declared as a source. Values missing in one are taken from the others. Pure. */
export const speakTogether = (tables: readonly DbtTable[]): DbtTable[] => {
  const same = Map.groupBy(tables, placeOf)
  return tables.map((table) => {
    const all = same.get(placeOf(table))!
    return all.length === 1 ? table : spokenBy(table, all)
  })
}

const placeOf = ({ unique_id, relation }: DbtTable): string => (relation ? JSON.stringify(relation).toLowerCase() : unique_id)

/** The first node has precedence: a node that builds a table comes before those that read it. */
const spokenBy = (table: DbtTable, all: readonly DbtTable[]): DbtTable => ({
  ...table,
  relation: all[0]!.relation,
  description: first(all, ({ description }) => description),
  tags: each(all, ({ tags }) => tags),
  owners: each(all, ({ owners }) => owners),
  row_count: first(all, ({ row_count }) => row_count),
  byte_size: first(all, ({ byte_size }) => byte_size),
  columns: [
    ...Map.groupBy(
      all.flatMap(({ columns }) => columns),
      ({ name }) => name.toLowerCase(),
    ).values(),
  ].map(columnOf),
  facts: Object.assign({}, ...all.toReversed().map(({ facts }) => facts), table.facts),
})

const columnOf = (voices: readonly DbtColumn[]): DbtColumn => ({
  name: voices[0]!.name,
  type: first(voices, ({ type }) => type),
  is_pk: voices.some(({ is_pk }) => is_pk),
  description: first(voices, ({ description }) => description),
  tags: each(voices, ({ tags }) => tags),
})

const first = <V, T>(voices: readonly V[], say: (voice: V) => T | null): T | null => voices.map(say).find((word) => word !== null) ?? null
const each = <V>(voices: readonly V[], say: (voice: V) => readonly string[]): string[] => [...new Set(voices.flatMap(say))]
