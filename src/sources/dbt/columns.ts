import { analyse, type Statement } from '../../sql/index.ts'
import { buildItemKey, hashText } from '../sync/item.ts'
import type { DbtColumn, DbtTable, SqlReading } from './project.ts'
import { renderSql } from './render.ts'

/**
 * Infers missing columns: without `catalog.json`, a project lists only the columns it describes. The SQL of a model names the columns it selects,
 * and those it reads from upstream tables. Pure.
 */
export const addInferredColumns = (
  tables: readonly DbtTable[],
  dialect: string,
  retained: readonly SqlReading[],
): { tables: DbtTable[]; readings: SqlReading[]; sql_defects: number } => {
  const tablesById = new Map(tables.map((table) => [table.unique_id, table]))
  const ordered: DbtTable[] = []
  const written = new Map(tablesById)
  let remaining = MAX_RENDERED
  for (const table of sortUpstreamFirst(tablesById)) {
    const whole = table.sql || remaining < 0 ? table : addRenderedSql(table, written)
    if (!table.sql) remaining -= whole.sql?.length ?? 0
    ordered.push(whole)
    written.set(table.unique_id, whole)
  }
  const tablesByRelation = new Map(ordered.flatMap((table) => (table.relation ? [[getRelationKey(table.relation), table] as const] : [])))
  const parsed = ordered.filter((table) => !table.cataloged || table.depends_on.some((id) => tablesById.get(id)?.cataloged === false))
  const readings: SqlReading[] = []
  const budget = { steps: MAX_STEPS, defects: 0 }
  if (parsed.length <= MAX_PARSED_MODELS) {
    const before = new Map(retained.map((reading) => [reading.unique_id, reading]))
    const outputs = new Map<string, readonly string[]>()
    for (const table of parsed) {
      const reading =
        parseColumns(table, dialect, budget, (name) => findColumns(tablesByRelation, outputs, name)) ?? findRetained(table, before)
      if (!reading) continue
      readings.push(reading)
      if (reading.whole && table.relation) outputs.set(getRelationKey(table.relation), reading.outputs)
    }
  }
  const found = new Map<string, string[]>()
  const addColumns = (path: string, names: readonly string[]) => found.set(path, [...(found.get(path) ?? []), ...names])
  for (const { unique_id, outputs } of readings) {
    const { relation } = tablesById.get(unique_id)!
    if (relation) addColumns(getRelationKey(relation), outputs)
  }
  for (const { reads } of readings) for (const [path, column] of reads) addColumns(path, [column])
  const sql = new Map(ordered.map((table) => [table.unique_id, table.sql]))
  return {
    tables: tables.map((table) => {
      const names = table.relation && !table.cataloged ? (found.get(getRelationKey(table.relation)) ?? []) : []
      return {
        ...table,
        sql: sql.get(table.unique_id) ?? null,
        columns: names.length > 0 ? mergeColumns(table.columns, names) : table.columns,
      }
    }),
    readings,
    sql_defects: budget.defects,
  }
}

const MAX_RENDERED = 100_000_000 // characters: the maximum size of a manifest
const MAX_PARSED_MODELS = 10_000 // about three seconds in the worker thread; larger projects have a catalog
const MAX_STEPS = 5_000_000 // of the parser: limits the time to a few seconds
const MAX_PARSE_MS = 1000

const getRelationKey = (relation: readonly string[]): string => buildItemKey(...relation).toLowerCase()

const sortUpstreamFirst = (tables: ReadonlyMap<string, DbtTable>): DbtTable[] => {
  const ordered = new Set<DbtTable>()
  const started = new Set<string>()
  const queue = [...tables.keys()].reverse()
  for (let id = queue.at(-1); id !== undefined; id = queue.at(-1)) {
    const table = tables.get(id)
    const before = table && !started.has(id) ? table.depends_on.filter((each) => tables.has(each) && !started.has(each)) : []
    started.add(id)
    if (before.length > 0) queue.push(...before)
    else {
      queue.pop()
      if (table) ordered.add(table)
    }
  }
  return [...ordered]
}

const addRenderedSql = (table: DbtTable, tablesById: ReadonlyMap<string, DbtTable>): DbtTable => {
  if (!table.raw || table.kind === 'source' || table.facts.language === 'python') return table
  return {
    ...table,
    sql: renderSql(
      table.raw,
      table.depends_on.flatMap((id) => tablesById.get(id) ?? []),
    ),
  }
}

type TablesByRelation = ReadonlyMap<string, DbtTable>

const findColumns = (tables: TablesByRelation, outputs: ReadonlyMap<string, readonly string[]>, name: readonly string[]) => {
  const key = getRelationKey(name)
  const table = tables.get(key)
  return table?.cataloged ? table.columns.map((column) => column.name) : outputs.get(key)
}

const parseColumns = (
  { unique_id, raw, relation, sql }: DbtTable,
  dialect: string,
  budget: { steps: number; defects: number },
  columnsOf: (name: readonly string[]) => readonly string[] | undefined,
): SqlReading | undefined => {
  if (!sql || budget.steps <= 0) return undefined
  const [database, schema] = relation?.length === 3 ? relation : [null, relation?.at(-2)]
  const defaults = { database: database ?? null, schema: schema ?? null }
  const { statements, parsable, steps, incomplete } = analyse(sql, { dialect, defaults, columnsOf, milliseconds: MAX_PARSE_MS })
  budget.steps -= steps
  if (incomplete === 'internal') budget.defects += 1
  const last: Statement | undefined = parsable ? statements.at(-1) : undefined
  if (!last) return undefined
  const named = last.columns.flatMap(({ to }) => to.column ?? [])
  const reads = last.columns.map(({ from }) => [getRelationKey(from.table), from.column] as const)
  return {
    unique_id,
    written: hashText(raw ?? ''),
    whole: last.outputs !== null,
    outputs: [...new Set(last.outputs?.flatMap((name) => name ?? []) ?? named)],
    reads: [...new Map(reads.map((each) => [each.join('\0'), each])).values()],
  }
}

/** What was parsed when it was last compiled, if its source code is unchanged. */
const findRetained = ({ unique_id, raw }: DbtTable, retained: ReadonlyMap<string, SqlReading>): SqlReading | undefined => {
  const reading = retained.get(unique_id)
  return reading?.written === hashText(raw ?? '') ? reading : undefined
}

/** In the order of the SQL, with the spelling and descriptions of the project; then those only the project lists. */
const mergeColumns = (described: readonly DbtColumn[], names: readonly string[]): DbtColumn[] => {
  const written = new Map(described.map((column) => [column.name.toLowerCase(), column]))
  const all = new Map<string, DbtColumn>()
  for (const name of names) {
    const key = name.toLowerCase()
    if (!all.has(key)) all.set(key, written.get(key) ?? { name, type: null, is_pk: false, description: null, tags: [] })
  }
  for (const [key, column] of written) if (!all.has(key)) all.set(key, column)
  return [...all.values()]
}
