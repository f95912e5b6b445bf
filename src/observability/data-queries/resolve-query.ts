import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type DialectSql, getDialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { findSqlDialect, type Queryable } from '../../sources/integrations/sql-dialect.ts'
import { assertRowsReadable, type MaskedColumn, maskColumns } from '../pii/mask-columns.ts'
import { getAllowedFunctions, parseStatement, resolveSyncedTables, type StatementScope } from '../runs/custom-sql.ts'
import { MASK } from '../source-tables/cell.ts'
import { getSourceTableById, type SourceTable } from '../source-tables/source-table.ts'

/** A query that was checked, with the tables it reads. */
export interface ResolvedQuery {
  readonly sql: string
  readonly dialect: string
  readonly tables: readonly ReadTable[]
}

interface ReadTable {
  readonly table: SourceTable
  readonly columns: readonly MaskedColumn[]
}

const MAX_TABLES = 20

/**
 * Checks a query of a user as the custom SQL of a monitor is checked: one SELECT, only allowed functions, only synced tables that the user can
 * see. Its result is rows and not a number, so each table is then replaced by a subquery with the columns the user may read, and with •••
 * instead of the masked ones: whatever the query does with them, it cannot get their values.
 */
export const resolveQuery = async (ctx: Context, own: SourceTable, text: string, show_pii: boolean): Promise<ResolvedQuery> => {
  const scope = await getScope(ctx, own)
  const query = parseStatement(ctx, { kind: 'query_select', text }, scope.dialect, scope.functions)
  if ('problem' in query) throw rejected(query.problem)
  if (query.tables.length > MAX_TABLES) throw rejected(`must read at most ${MAX_TABLES} tables.`)
  const resolved = await resolveSyncedTables(ctx, ctx.actor, query.tables, scope, 'you')
  if ('problem' in resolved) throw rejected(resolved.problem)
  const tables = new Map<string, ReadTable>()
  for (const id of new Set([own.id, ...resolved.uses.map(({ table }) => table.id)])) {
    const table = id === own.id ? own : await getSourceTableById(ctx, id)
    assertRowsReadable(table)
    tables.set(id, { table, columns: await maskColumns(ctx, table, show_pii) })
  }
  const dialectSql = getDialectSql(scope.dialect)
  const byPosition = new Map(resolved.uses.map(({ use, table }) => [use.at, buildReadableTable(dialectSql, tables.get(table.id)!)]))
  const used = new Set(resolved.uses.map(({ table }) => table.id))
  return {
    // Most servers require an alias, and the query may refer to the table by its name.
    sql: query.write((use) => `${byPosition.get(use.at)!}${use.unnamed ? ` ${dialectSql.quote(use.parts.at(-1)!)}` : ''}`),
    dialect: scope.dialect,
    tables: [...tables.values()].filter(({ table }) => used.has(table.id)),
  }
}

/** The columns the caller may read, by their names in the source. */
const buildReadableTable = (dialectSql: DialectSql, { table, columns }: ReadTable): string => {
  const items = columns.map(({ name, masked }) => {
    const column = dialectSql.quote(name)
    return masked ? `${dialectSql.textLiteral(MASK)} as ${column}` : column
  })
  return `(select ${items.join(', ')} from ${dialectSql.table(table.path)})`
}

const rejected = (problem: string) => invalid({ sql: [problem] }, `The query ${problem}`)

const getScope = async (ctx: Context, { id, integration, integration_name, path }: SourceTable): Promise<StatementScope> => {
  const { rows } = await sql<Queryable & { connection: unknown }>`
    select i.type as integration_type, i.sql_dialect, i.connection from integrations i where i.id = ${integration}`.execute(
    ctx.db,
    ctx.limits,
  )
  const dialect = rows[0] && findSqlDialect(rows[0])
  if (!dialect) throw conflict(translatable('{integration} cannot run queries.', { integration: integration_name }))
  return { integration, dialect, functions: getAllowedFunctions(rows[0]?.connection), table: id, path }
}
