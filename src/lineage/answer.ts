import type { ColumnPair, Statement, TableReference } from '../sql/index.ts'
import type { Binding, Bound } from './bind.ts'
import { describeColumn, describeRow, describeTable } from './describe.ts'
import type { Understood } from './from-query.ts'
import { nameKey } from './read-sql.ts'
import type { ColumnDescriptor, ColumnLineage, QueryLineage, TableDescriptor } from './schema.ts'

/** Converts a resolved query to its wire format. Pure. */
export const answerOf = (understood: Understood): QueryLineage => {
  const { sql, analysis, binding, given } = understood
  const tables = (references: readonly { readonly name: readonly string[] }[]) =>
    describeOnce(references.map(({ name }) => binding.of(name)))
  const statements = analysis.statements.map((statement) => {
    const target_tables = targetsOf(understood, statement)
    return {
      kind: statement.kind,
      start: statement.start,
      end: statement.end,
      source_tables: tables(statement.sources),
      target_table: target_tables.at(-1) ?? null,
      target_tables,
      column_lineages: columnsOf(understood, statement),
    }
  })
  const target_table = given ? describeRow(given) : lastTarget(understood)
  return {
    sql,
    dialect: analysis.dialect,
    source_tables: tables(analysis.sources),
    target_table,
    target_tables: allTargets(understood, target_table),
    column_lineages: once(
      statements.flatMap(({ column_lineages }) => column_lineages),
      ({ from_column, to_column }) => `${pathOf(from_column)} ${pathOf(to_column)}`,
    ),
    statements,
    unresolved: unresolvedOf(understood),
    problems: analysis.problems.map(({ line, column, message, hint }) => ({ line, column, message, hint })),
    incomplete: analysis.incomplete,
  }
}

const pathOf = ({ id, database_name, schema_name, table_name, title }: ColumnDescriptor): string =>
  id ?? `${database_name}\0${schema_name}\0${table_name}\0${title}`

/** Removes duplicates, keeping the first of each key. */
const once = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => {
  const first = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (!first.has(key)) first.set(key, item)
  }
  return [...first.values()]
}

const describeOnce = (bound: readonly Bound[]): TableDescriptor[] => onceTables(bound.map(describeTable))

const onceTables = (tables: readonly TableDescriptor[]): TableDescriptor[] =>
  once(tables, ({ id, title, schema_name, database_name }) => id ?? JSON.stringify([database_name, schema_name, title]))

const targetsOf = ({ binding }: Understood, { targets, sources, columns }: Statement): TableDescriptor[] => {
  if (targets.length > 0) return describeOnce(targets.map(({ name }) => binding.of(name)))
  return binding.result && sources.length + columns.length > 0 ? [describeTable(binding.result)] : []
}

const writtenNames = ({ statements }: Understood['analysis']): (readonly string[])[] =>
  statements.flatMap(({ targets }) => targets.map(({ name }) => name))

/** Every table that is written and not merely an intermediate step, plus the main target. */
const allTargets = ({ analysis, binding }: Understood, target: TableDescriptor | null): TableDescriptor[] => {
  const left = new Set(analysis.targets.map(({ name }) => nameKey(name)))
  const names = writtenNames(analysis).filter((name) => left.has(nameKey(name)))
  return onceTables([...names.map((name) => describeTable(binding.of(name))), ...(target ? [target] : [])])
}

/** The last table that is written and not merely an intermediate step. */
const lastTarget = ({ analysis, binding }: Understood): TableDescriptor | null => {
  const left = new Set(analysis.targets.map(({ name }) => nameKey(name)))
  const written = writtenNames(analysis)
  const last = written.findLast((name) => left.has(nameKey(name))) ?? written.at(-1)
  return last ? describeTable(binding.of(last)) : null
}

const columnsOf = ({ binding }: Understood, { columns }: Statement): ColumnLineage[] => {
  const described = new Map<Bound | undefined, Map<string, ColumnDescriptor>>()
  const describe = (table: Bound | undefined, name: string): ColumnDescriptor => {
    const own = described.get(table) ?? new Map<string, ColumnDescriptor>()
    const column = own.get(name) ?? describeColumn(binding, table, name)
    described.set(table, own.set(name, column))
    return column
  }
  return columns.flatMap(({ from, to, kind, start, end }) =>
    kind === 'filter' || to.column === null
      ? []
      : [
          {
            from_column: describe(binding.of(from.table), from.column),
            to_column: describe(to.table ? binding.of(to.table) : binding.result, to.column),
            kind,
            start,
            end,
          },
        ],
  )
}

type Missing = QueryLineage['unresolved'][number]

/** Tables and columns that are missing from the catalog or ambiguous, and names whose source the SQL itself does not determine. */
const unresolvedOf = ({ analysis, binding }: Understood): Missing[] =>
  once(
    analysis.statements.flatMap(({ sources, targets, columns, unresolved }) => [
      ...[...sources, ...targets].flatMap((reference) => unknownTable(binding, reference)),
      ...columns.flatMap((pair) => unknownColumns(binding, pair)),
      // Columns missing from the catalog are already reported above, under their full names.
      ...unresolved.filter(({ reason }) => reason !== 'not_in_catalog').map((each) => ({ ...each, type: 'name' as const, candidates: [] })),
    ]),
    ({ name, type, reason }) => JSON.stringify([name.toLowerCase(), type, reason]),
  )

const MOST_CANDIDATES = 20

const unknownTable = (binding: Binding, { name, start, end }: TableReference): Missing[] => {
  const { reason, candidates } = binding.of(name)
  const shown = candidates
    .slice(0, MOST_CANDIDATES)
    .map(({ id, title_full, integration }) => ({ id, title_full, integration_id: integration }))
  return reason ? [{ name: name.join('.'), type: 'table', reason, start, end, candidates: shown }] : []
}

/** Only for tables in the catalog: the columns of other tables cannot be known. */
const unknownColumns = (binding: Binding, { from, to, start, end }: ColumnPair): Missing[] => {
  const ends = [
    { table: binding.of(from.table).table, column: from.column },
    { table: (to.table ? binding.of(to.table) : binding.result)?.table, column: to.column },
  ]
  return ends.flatMap(({ table, column }) =>
    table && column !== null && !binding.column(table, column)
      ? [{ name: `${table.title_full}.${column}`, type: 'column' as const, reason: 'not_in_catalog', start, end, candidates: [] }]
      : [],
  )
}
