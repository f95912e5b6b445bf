import type { ColumnPair, Statement, TableReference } from '../../sql/index.ts'
import type { ColumnDescriptor, ColumnLineage, QueryLineage, TableDescriptor } from '../edges/schema.ts'
import { rowToDescriptor, toColumnDescriptor, toTableDescriptor } from './descriptors.ts'
import type { ResolvedQuery } from './from-query.ts'
import { toNameKey } from './parse-sql.ts'
import type { ResolvedNames, ResolvedTable } from './resolve-tables.ts'

/** Converts a resolved query to its wire format. Pure. */
export const toQueryLineage = (understood: ResolvedQuery): QueryLineage => {
  const { sql, analysis, binding, targetTable } = understood
  const tables = (references: readonly { readonly name: readonly string[] }[]) =>
    toUniqueDescriptors(references.map(({ name }) => binding.get(name)))
  const statements = analysis.statements.map((statement) => {
    const target_tables = findTargetTables(understood, statement)
    return {
      kind: statement.kind,
      start: statement.start,
      end: statement.end,
      source_tables: tables(statement.sources),
      target_table: target_tables.at(-1) ?? null,
      target_tables,
      column_lineages: toColumnLineages(understood, statement),
    }
  })
  const target_table = targetTable ? rowToDescriptor(targetTable) : findLastTarget(understood)
  return {
    sql,
    dialect: analysis.dialect,
    source_tables: tables(analysis.sources),
    target_table,
    target_tables: findAllTargets(understood, target_table),
    column_lineages: uniqueBy(
      statements.flatMap(({ column_lineages }) => column_lineages),
      ({ from_column, to_column }) => `${columnKey(from_column)} ${columnKey(to_column)}`,
    ),
    statements,
    unresolved: findUnresolved(understood),
    problems: analysis.problems.map(({ line, column, message, hint }) => ({ line, column, message, hint })),
    incomplete: analysis.incomplete,
  }
}

const columnKey = ({ id, database_name, schema_name, table_name, title }: ColumnDescriptor): string =>
  id ?? `${database_name}\0${schema_name}\0${table_name}\0${title}`

/** Removes duplicates, keeping the first of each key. */
const uniqueBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => {
  const first = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (!first.has(key)) first.set(key, item)
  }
  return [...first.values()]
}

const toUniqueDescriptors = (bound: readonly ResolvedTable[]): TableDescriptor[] => uniqueTables(bound.map(toTableDescriptor))

const uniqueTables = (tables: readonly TableDescriptor[]): TableDescriptor[] =>
  uniqueBy(tables, ({ id, title, schema_name, database_name }) => id ?? JSON.stringify([database_name, schema_name, title]))

const findTargetTables = ({ binding }: ResolvedQuery, { targets, sources, columns }: Statement): TableDescriptor[] => {
  if (targets.length > 0) return toUniqueDescriptors(targets.map(({ name }) => binding.get(name)))
  return binding.result && sources.length + columns.length > 0 ? [toTableDescriptor(binding.result)] : []
}

const findWrittenNames = ({ statements }: ResolvedQuery['analysis']): (readonly string[])[] =>
  statements.flatMap(({ targets }) => targets.map(({ name }) => name))

/** Every table that is written and not merely an intermediate step, plus the main target. */
const findAllTargets = ({ analysis, binding }: ResolvedQuery, target: TableDescriptor | null): TableDescriptor[] => {
  const left = new Set(analysis.targets.map(({ name }) => toNameKey(name)))
  const names = findWrittenNames(analysis).filter((name) => left.has(toNameKey(name)))
  return uniqueTables([...names.map((name) => toTableDescriptor(binding.get(name))), ...(target ? [target] : [])])
}

/** The last table that is written and not merely an intermediate step. */
const findLastTarget = ({ analysis, binding }: ResolvedQuery): TableDescriptor | null => {
  const left = new Set(analysis.targets.map(({ name }) => toNameKey(name)))
  const written = findWrittenNames(analysis)
  const last = written.findLast((name) => left.has(toNameKey(name))) ?? written.at(-1)
  return last ? toTableDescriptor(binding.get(last)) : null
}

const toColumnLineages = ({ binding }: ResolvedQuery, { columns }: Statement): ColumnLineage[] => {
  const described = new Map<ResolvedTable | undefined, Map<string, ColumnDescriptor>>()
  const describe = (table: ResolvedTable | undefined, name: string): ColumnDescriptor => {
    const own = described.get(table) ?? new Map<string, ColumnDescriptor>()
    const column = own.get(name) ?? toColumnDescriptor(binding, table, name)
    described.set(table, own.set(name, column))
    return column
  }
  return columns.flatMap(({ from, to, kind, start, end }) =>
    kind === 'filter' || to.column === null
      ? []
      : [
          {
            from_column: describe(binding.get(from.table), from.column),
            to_column: describe(to.table ? binding.get(to.table) : binding.result, to.column),
            kind,
            start,
            end,
          },
        ],
  )
}

type UnresolvedName = QueryLineage['unresolved'][number]

/** Tables and columns that are missing from the catalog or ambiguous, and names whose source the SQL itself does not determine. */
const findUnresolved = ({ analysis, binding }: ResolvedQuery): UnresolvedName[] =>
  uniqueBy(
    analysis.statements.flatMap(({ sources, targets, columns, unresolved }) => [
      ...[...sources, ...targets].flatMap((reference) => toUnresolvedTable(binding, reference)),
      ...columns.flatMap((pair) => toUnresolvedColumns(binding, pair)),
      // Columns missing from the catalog are already reported above, under their full names.
      ...unresolved.filter(({ reason }) => reason !== 'not_in_catalog').map((each) => ({ ...each, type: 'name' as const, candidates: [] })),
    ]),
    ({ name, type, reason }) => JSON.stringify([name.toLowerCase(), type, reason]),
  )

const MAX_CANDIDATES = 20

const toUnresolvedTable = (binding: ResolvedNames, { name, start, end }: TableReference): UnresolvedName[] => {
  const { reason, candidates } = binding.get(name)
  const listed = candidates
    .slice(0, MAX_CANDIDATES)
    .map(({ id, title_full, integration }) => ({ id, title_full, integration_id: integration }))
  return reason ? [{ name: name.join('.'), type: 'table', reason, start, end, candidates: listed }] : []
}

/** Only for tables in the catalog: the columns of other tables cannot be known. */
const toUnresolvedColumns = (binding: ResolvedNames, { from, to, start, end }: ColumnPair): UnresolvedName[] => {
  const ends = [
    { table: binding.get(from.table).table, column: from.column },
    { table: (to.table ? binding.get(to.table) : binding.result)?.table, column: to.column },
  ]
  return ends.flatMap(({ table, column }) =>
    table && column !== null && !binding.column(table, column)
      ? [{ name: `${table.title_full}.${column}`, type: 'column' as const, reason: 'not_in_catalog', start, end, candidates: [] }]
      : [],
  )
}
