import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type Analysis, dialectNames, findDialect, type Statement } from '../../sql/index.ts'
import { type DerivedLineage, saveDerivedEdges } from '../edges/derived.ts'
import type { FromQuery, QueryLineage } from '../edges/schema.ts'
import { findTable, type TableRow } from './catalog.ts'
import { edgesOf } from './edges-from-statements.ts'
import { ENGINE_VERSION, type ParseResult } from './parse-sql.ts'
import { SqlTextParser } from './parser-pool.ts'
import { toQueryLineage } from './query-lineage.ts'
import { resolveQueryTables } from './resolve-partitions.ts'
import type { QueryScope, ResolvedNames } from './resolve-tables.ts'

/** Lineage from SQL: previewed, added, or replacing the lineage of other queries. */

export const previewLineage = async (ctx: Context, query: FromQuery): Promise<QueryLineage> =>
  toQueryLineage(await resolveQuery(ctx, query))

/** The lineage of a query, ready to be saved. */
export interface ParsedLineage {
  readonly query: ResolvedQuery
  readonly derived: DerivedLineage
}

/** The slow half of `parseAndSaveLineage`, which writes nothing. Call it outside of a transaction, so that parsing holds no connection. */
export const parseQueryLineage = async (ctx: Context, query: FromQuery): Promise<ParsedLineage> =>
  deriveLineage(await resolveQuery(ctx, query))

export const deriveLineage = (query: ResolvedQuery): ParsedLineage => {
  const { analysis, binding } = query
  const { result } = binding
  const bound = [...analysis.statements.flatMap(({ targets }) => targets.map(({ name }) => binding.get(name))), ...(result ? [result] : [])]
  if (bound.length === 0) throw invalid({ table_id: [translatable('The SQL does not name a target table. Set `table_id`.')] })
  return { query, derived: toDerivedLineage(query, [...new Set(bound.flatMap(({ table }) => table?.id ?? []))]) }
}

const toDerivedLineage = ({ sql, analysis, binding }: ResolvedQuery, targets: readonly string[]): DerivedLineage => ({
  query: {
    sql,
    dialect: analysis.dialect,
    engine_version: ENGINE_VERSION,
    statements: analysis.statements.map(({ kind, start, end }) => ({ kind, start, end })),
  },
  targets,
  edges: edgesOf(analysis.statements, binding),
})

interface WriteOptions {
  /** Deletes other derived edges into the target first; for a script without `table_id`, into every table it writes. */
  readonly replace: boolean
  readonly instead_of?: readonly string[]
}

export const saveQueryLineage = (
  ctx: Context,
  { query, derived }: ParsedLineage,
  { replace, instead_of }: WriteOptions,
): Promise<QueryLineage> =>
  inTransaction(ctx, async (ctx) => {
    const { targetTable } = query
    await saveDerivedEdges(ctx, derived, { replace: replace ? (targetTable ? [targetTable.id] : derived.targets) : [], instead_of })
    return toQueryLineage(query)
  })

export const parseAndSaveLineage = async (ctx: Context, query: FromQuery, writing: WriteOptions): Promise<QueryLineage> =>
  saveQueryLineage(ctx, await parseQueryLineage(ctx, query), writing)

/**
 * Saves the lineage of a query that ran in a source, if it writes to tables of the catalog; the lineage of other queries stays. Returns the
 * tables and columns it reads.
 */
export const parseExecutedQuery = async (ctx: Context, query: FromQuery, integration: string | undefined): Promise<string[]> => {
  const resolved = await resolveQuery(ctx, query, integration)
  const { binding } = resolved
  const { statements } = resolved.analysis
  const targets = [...new Set(statements.flatMap(({ targets }) => targets.flatMap(({ name }) => binding.get(name).table?.id ?? [])))]
  if (targets.length > 0) await saveDerivedEdges(ctx, toDerivedLineage(resolved, targets), { replace: [] })
  const tables = statements.flatMap(({ sources }) => sources.flatMap(({ name }) => binding.get(name).table?.id ?? []))
  const columns = statements.flatMap(({ columns }) =>
    columns.flatMap(({ from }) => binding.column(binding.get(from.table).table, from.column)?.id ?? []),
  )
  return [...new Set([...tables, ...columns])]
}

/** A parsed SQL text and the catalog's tables and columns it refers to. */
export interface ResolvedQuery {
  readonly sql: string
  readonly analysis: Analysis
  readonly binding: ResolvedNames
  /** The table of `table_id`. */
  readonly targetTable: TableRow | undefined
}

const MAX_SQL_LENGTH = 1024 * 1024

export const getDialect = ({ dialect }: FromQuery): string => dialect || 'postgres'

/** Dispose of it after parsing: long texts hold a thread. */
export const openQuery = (ctx: Context, query: FromQuery): SqlTextParser => {
  const { sql } = query
  const dialect = getDialect(query)
  if (!findDialect(dialect)) throw invalid({ dialect: [`Unknown dialect "${dialect}". Available: ${dialectNames.join(', ')}.`] })
  if (sql.length > MAX_SQL_LENGTH) throw new ApiError('payload_too_large', translatable('SQL can be at most 1 MB long.'))
  if (sql.includes('\0')) throw invalid({ sql: ['contains a NUL character.'] })
  return new SqlTextParser(ctx, { sql, dialect, database: query.default_database || null, schema: query.default_schema || null })
}

/** What a query says without knowing the columns of its tables. */
export const readFirst = async (reader: SqlTextParser): Promise<ParseResult> => {
  const first = await reader.read()
  assertParsable(first.analysis)
  return first
}

/** Which of several tables of the same name a query means. */
export const toScope = (query: FromQuery, targetTable: TableRow | undefined, integration?: string): QueryScope => ({
  integration: integration ?? parseIntegrationId(query) ?? targetTable?.integration,
  database: query.default_database || targetTable?.database,
  schema: query.default_schema || targetTable?.schema,
})

const resolveQuery = async (ctx: Context, query: FromQuery, integration?: string): Promise<ResolvedQuery> => {
  const { sql } = query
  const dialect = getDialect(query)
  using reader = openQuery(ctx, query)
  const targetTable = query.table_id ? await getTargetTable(ctx, query.table_id) : undefined
  const first = await readFirst(reader)
  const scope = toScope(query, targetTable, integration)
  const binding = await resolveQueryTables(ctx, first.requestedTables, first.analysis.statements, dialect, scope)
  if (targetTable) assignTarget(binding, first.analysis.statements, targetTable)
  await binding.loadColumns(ctx)
  const { analysis } = binding.knownColumns.size > 0 ? await reader.read(binding.knownColumns) : first
  return { sql, analysis, binding, targetTable }
}

/** Only a preference: an integration that does not exist, or that the caller may not see, is ignored. */
const parseIntegrationId = ({ integration_id }: FromQuery): string | undefined => {
  const id = integration_id ? parseId(integration_id) : undefined
  if (integration_id && !id) throw invalid({ integration_id: ['must be a UUID.'] })
  return id
}

const getTargetTable = async (ctx: Context, table_id: string): Promise<TableRow> => {
  const id = parseId(table_id)
  if (!id) throw invalid({ table_id: ['must be a UUID.'] })
  const table = await findTable(ctx, id)
  if (!table) throw notFound('table', id)
  return table
}

const assertParsable = ({ parsable, problems, incomplete }: Analysis): void => {
  if (parsable) return
  const [problem] = problems
  const where = problem
    ? `Line ${problem.line}, column ${problem.column}: ${problem.message}`
    : incomplete
      ? `The SQL could not be read (${incomplete}).`
      : 'Line 1, column 1: No SQL statement found.'
  const detail = [where, problem?.hint].filter(Boolean).join(' ')
  throw new ApiError('sql_unparsable', detail, { sql: [detail] })
}

/**
 * Assigns the given table to the written name that matches it, else to the last written name (a staging table that is renamed afterwards, a
 * name that only the tool knows), else to the result of the query.
 */
export const assignTarget = (binding: ResolvedNames, statements: readonly Statement[], targetTable: TableRow): void => {
  const written = statements.flatMap(({ targets }) => targets.map(({ name }) => name))
  const own = written.findLast((name) => binding.get(name).table?.id === targetTable.id || hasTitle(name, targetTable)) ?? written.at(-1)
  if (own) binding.set(own, targetTable)
  else binding.result = { name: [], table: targetTable, candidates: [] }
}

const hasTitle = (name: readonly string[], { title }: TableRow): boolean => name.at(-1)!.toLowerCase() === title.toLowerCase()
