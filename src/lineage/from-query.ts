import { type Context, inTransaction } from '../context.ts'
import { invalid, notFound, Refusal } from '../errors.ts'
import { readId } from '../id.ts'
import { type Analysis, dialectNames, findDialect, type Statement } from '../sql/index.ts'
import { answerOf } from './answer.ts'
import { type Binding, bindTables } from './bind.ts'
import { findTable, type TableRow } from './catalog.ts'
import { type Derivation, putDerivedEdges } from './derived.ts'
import { Reader } from './engine.ts'
import { edgesOf } from './flows.ts'
import { ENGINE_VERSION } from './read-sql.ts'
import type { FromQuery, QueryLineage } from './schema.ts'

/** Lineage from SQL: previewed, saved, or saved in place of the lineage of other queries. */

export const previewLineage = async (ctx: Context, query: FromQuery): Promise<QueryLineage> => answerOf(await understand(ctx, query))

/** The lineage of a query, parsed and ready to be saved. */
export interface ReadLineage {
  readonly understood: Understood
  readonly derivation: Derivation
}

/** The slow half of `writeLineage`; writes nothing. Call it outside a transaction, which would hold a database connection meanwhile. */
export const readQueryLineage = async (ctx: Context, query: FromQuery): Promise<ReadLineage> => {
  const understood = await understand(ctx, query)
  const { sql, analysis, binding } = understood
  const { result } = binding
  const bound = [...analysis.statements.flatMap(({ targets }) => targets.map(({ name }) => binding.of(name))), ...(result ? [result] : [])]
  if (bound.length === 0) throw invalid({ table_id: ['The SQL does not write to a table. Set table_id to the target table.'] })
  const derivation = {
    query: {
      sql,
      dialect: analysis.dialect,
      engine_version: ENGINE_VERSION,
      statements: analysis.statements.map(({ kind, start, end }) => ({ kind, start, end })),
    },
    targets: [...new Set(bound.flatMap(({ table }) => table?.id ?? []))],
    edges: edgesOf(analysis.statements, binding),
  }
  return { understood, derivation }
}

interface Writing {
  /** Delete the derived upstream of the target first; for a script without `table_id`, of every table it writes. */
  readonly replace: boolean
  readonly instead_of?: readonly string[]
}

export const putQueryLineage = (
  ctx: Context,
  { understood, derivation }: ReadLineage,
  { replace, instead_of }: Writing,
): Promise<QueryLineage> =>
  inTransaction(ctx, async (ctx) => {
    const { given } = understood
    await putDerivedEdges(ctx, derivation, { replace: replace ? (given ? [given.id] : derivation.targets) : [], instead_of })
    return answerOf(understood)
  })

export const writeLineage = async (ctx: Context, query: FromQuery, writing: Writing): Promise<QueryLineage> =>
  putQueryLineage(ctx, await readQueryLineage(ctx, query), writing)

/**
 * A query that was executed at a source: returns the tables and columns it reads, and saves lineage for the catalog tables it writes. Lineage
 * from other queries stays.
 */
export const readAsked = async (ctx: Context, query: FromQuery, integration: string): Promise<string[]> => {
  const { sql, analysis, binding } = await understand(ctx, query, integration)
  const { statements, dialect } = analysis
  const targets = [...new Set(statements.flatMap(({ targets }) => targets.flatMap(({ name }) => binding.of(name).table?.id ?? [])))]
  const told = statements.map(({ kind, start, end }) => ({ kind, start, end }))
  const derivation = {
    query: { sql, dialect, engine_version: ENGINE_VERSION, statements: told },
    targets,
    edges: edgesOf(statements, binding),
  }
  if (targets.length > 0) await putDerivedEdges(ctx, derivation, { replace: [] })
  const tables = statements.flatMap(({ sources }) => sources.flatMap(({ name }) => binding.of(name).table?.id ?? []))
  const columns = statements.flatMap(({ columns }) =>
    columns.flatMap(({ from }) => binding.column(binding.of(from.table).table, from.column)?.id ?? []),
  )
  return [...new Set([...tables, ...columns])]
}

/** A parsed query with its names resolved. */
export interface Understood {
  readonly sql: string
  readonly analysis: Analysis
  readonly binding: Binding
  /** The table of `table_id`. */
  readonly given: TableRow | undefined
}

const LONGEST = 1024 * 1024

const understand = async (ctx: Context, query: FromQuery, integration?: string): Promise<Understood> => {
  const { sql } = query
  const dialect = query.dialect || 'postgres'
  if (!findDialect(dialect)) throw invalid({ dialect: [`Unknown dialect "${dialect}". Supported: ${dialectNames.join(', ')}.`] })
  if (sql.length > LONGEST) throw new Refusal('payload_too_large', 'The SQL is longer than the maximum of 1 MB.')
  if (sql.includes('\0')) throw invalid({ sql: ['Text cannot contain the character U+0000.'] })
  const given = query.table_id ? await findGiven(ctx, query.table_id) : undefined
  using reader = new Reader(ctx, { sql, dialect, database: query.default_database || null, schema: query.default_schema || null })
  const first = await reader.read()
  mustBeRead(first.analysis)
  const home = {
    integration: integration ?? readIntegration(query) ?? given?.integration,
    database: query.default_database || given?.database,
    schema: query.default_schema || given?.schema,
  }
  const binding = await bindTables(ctx, first.asked, dialect, home)
  if (given) bindGiven(binding, first.analysis.statements, given)
  await binding.learnColumns(ctx)
  const { analysis } = binding.known.size > 0 ? await reader.read(binding.known) : first
  return { sql, analysis, binding, given }
}

/** Only a preference: an integration that is missing or hidden narrows nothing, so its existence is not revealed. */
const readIntegration = ({ integration_id }: FromQuery): string | undefined => {
  const id = integration_id ? readId(integration_id) : undefined
  if (integration_id && !id) throw invalid({ integration_id: ['Must be a UUID.'] })
  return id
}

const findGiven = async (ctx: Context, table_id: string): Promise<TableRow> => {
  const id = readId(table_id)
  if (!id) throw invalid({ table_id: ['Must be a UUID.'] })
  const table = await findTable(ctx, id)
  if (!table) throw notFound('table', id)
  return table
}

const mustBeRead = ({ parsable, problems, incomplete }: Analysis): void => {
  if (parsable) return
  const [problem] = problems
  const where = problem
    ? `Line ${problem.line}, column ${problem.column}: ${problem.message}`
    : incomplete
      ? `The SQL could not be parsed (limit reached: ${incomplete}).`
      : 'Line 1, column 1: No SQL statement found.'
  const detail = [where, problem?.hint].filter(Boolean).join(' ')
  throw new Refusal('sql_unparsable', detail, { sql: [detail] })
}

/**
 * Assigns the table of `table_id` to the written name that matches it; else to the last written name (a staging table that is renamed
 * afterwards, a name only the tool knows); else to the result of the query.
 */
const bindGiven = (binding: Binding, statements: readonly Statement[], given: TableRow): void => {
  const written = statements.flatMap(({ targets }) => targets.map(({ name }) => name))
  const own = written.findLast((name) => binding.of(name).table?.id === given.id || titled(name, given)) ?? written.at(-1)
  if (own) binding.set(own, given)
  else binding.result = { name: [], table: given, candidates: [] }
}

const titled = (name: readonly string[], { title }: TableRow): boolean => name.at(-1)!.toLowerCase() === title.toLowerCase()
