import type { DbtColumn, DbtTable } from './project.ts'

/** Several nodes of a project may be one table: a seed that is declared as a source, too. What one of them does not say, another does. Pure. */
export const speakTogether = (tables: readonly DbtTable[]): DbtTable[] => {
  const same = Map.groupBy(tables, placeOf)
  return tables.map((table) => {
    const all = same.get(placeOf(table))!
    return all.length === 1 ? table : spokenBy(table, all)
  })
}

const placeOf = ({ unique_id, relation }: DbtTable): string => (relation ? JSON.stringify(relation).toLowerCase() : unique_id)

/** Whoever comes first is called as it calls itself, and its word counts where it has one: whoever makes a table comes before those who read it. */
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
