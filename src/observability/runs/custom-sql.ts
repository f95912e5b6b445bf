import { sql } from 'kysely'
import { findUserActors } from '../../platform/authentication/actors.ts'
import type { Context } from '../../platform/context/context.ts'
import { type Actor, can, integrationsVisibleTo, SYSTEM, visibleTo } from '../../platform/permissions/permissions.ts'
import { getDialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { buildItemKey, splitItemKey } from '../../sources/sync/item.ts'
import type { TableUse } from '../../sql/strict.ts'
import { parseFunctionNames } from './allowed-functions.ts'
import { type CheckedSql, checkCondition, checkSelect } from './check-sql.ts'

/**
 * Resolves the tables that custom SQL reads. Each must come from a sync of the same integration and be visible to the author. It is replaced
 * by its full name, so that the source reads exactly the table that was checked.
 */
export interface CustomSql {
  readonly text: string
  readonly kind: 'query_select' | 'where'
}

export interface StatementScope {
  readonly integration: string
  readonly dialect: string
  readonly functions: ReadonlySet<string>
  /** ID of the monitor's table, and its path in the source. */
  readonly table: string
  readonly path: readonly string[]
}

export type ResolvedSql = { readonly sql: string } | { readonly problem: string }

export const getAllowedFunctions = (connection: unknown): ReadonlySet<string> =>
  parseFunctionNames((connection as { allowed_functions?: unknown } | null)?.allowed_functions)

/** Statements of T-SQL need no separator, so that one text can be several of them: none of a user is run. */
const WITHOUT_CUSTOM_SQL: readonly string[] = ['tsql']
export const allowsCustomSql = (dialect: string): boolean => !WITHOUT_CUSTOM_SQL.includes(dialect)

export const parseStatement = (
  { runtime }: Context,
  { text, kind }: CustomSql,
  dialect: string,
  functions?: ReadonlySet<string>,
): CheckedSql => {
  if (!allowsCustomSql(dialect)) return { problem: 'is not supported for this type of source.' }
  const checked = (kind === 'where' ? checkCondition : checkSelect)(text, dialect, functions)
  if ('defect' in checked) runtime.engineDefects.count(dialect)
  return checked
}

export const resolveStatement = async (ctx: Context, actor: Actor, statement: CustomSql, scope: StatementScope): Promise<ResolvedSql> => {
  const query = parseStatement(ctx, statement, scope.dialect, scope.functions)
  if ('problem' in query) return query
  const resolved = await resolveSyncedTables(ctx, actor, query.tables, scope)
  if ('problem' in resolved) return resolved
  const names = new Map<number, string>()
  for (const { use, table, path } of resolved.uses) {
    const problem = findAccessProblem(table, actor, use)
    if (problem) return { problem }
    names.set(use.at, getDialectSql(scope.dialect).table(path))
  }
  // A condition reads the monitor's own table.
  const { ownTable } = resolved
  const problem = statement.kind === 'where' && ownTable ? findAccessProblem(ownTable, actor, { parts: scope.path.slice(-1) }) : undefined
  if (problem) return { problem }
  return { sql: query.write((use) => names.get(use.at)!) }
}

interface ResolvedTables {
  readonly uses: readonly { readonly use: TableUse; readonly table: ReadableTable; readonly path: readonly string[] }[]
  readonly ownTable: ReadableTable | undefined
}

/** The synced tables that a query names, as far as the actor can see all of them. Their columns are not checked here. `reader`: the actor in words. */
export const resolveSyncedTables = async (
  ctx: Context,
  actor: Actor,
  tables: readonly TableUse[],
  scope: StatementScope,
  reader = 'the author of the SQL',
): Promise<ResolvedTables | { readonly problem: string }> => {
  const named = tables.map((use) => ({ use, paths: listCandidatePaths(use.parts, scope) }))
  const found = await findTables(ctx, actor, scope.integration, scope.table, [
    ...new Set(named.flatMap(({ paths }) => paths.map((each) => buildItemKey(...each)))),
  ])
  const uses: ResolvedTables['uses'][number][] = []
  for (const { use, paths } of named) {
    const table = findMatch(found, paths)
    if (!table?.visible)
      return {
        problem: `must not read ${use.parts.join('.')}: this integration has no synced table of this name that ${reader} can see.`,
      }
    const path = splitItemKey(table.key)
    if (!path) return { problem: `must not read ${use.parts.join('.')}: its name is too long.` }
    uses.push({ use, table, path })
  }
  return { uses, ownTable: found.find(({ id }) => id === scope.table) }
}

interface ReadableTable {
  readonly id: string
  readonly key: string
  readonly visible: boolean
  readonly hidden_columns: boolean
  readonly personal: boolean
}

/** In these dialects a name without a schema is looked up in `public` first, then in the schema of the monitor's table. */
const PUBLIC_SCHEMA_DIALECTS: ReadonlySet<string> = new Set(['postgres', 'redshift'])

const listCandidatePaths = (parts: readonly string[], { dialect, path }: StatementScope): string[][] => {
  // SQLite's only schema is called main; paths do not contain it.
  const named = dialect === 'sqlite' && parts[0]?.toLowerCase() === 'main' ? parts.slice(1) : parts
  const missing = path.length - named.length
  if (missing < 0) return []
  const here = [...path.slice(0, missing), ...named]
  return PUBLIC_SCHEMA_DIALECTS.has(dialect) && named.length === 1 && missing === 2 ? [[path[0]!, 'public', named[0]!], here] : [here]
}

/** Paths are tried in order; an exact match is preferred to one that differs in case. */
const findMatch = (found: readonly ReadableTable[], paths: readonly string[][]): ReadableTable | undefined => {
  for (const path of paths) {
    const key = buildItemKey(...path)
    const exact = found.find((each) => each.key === key)
    if (exact) return exact
    const spelled = found.filter((each) => each.key.toLowerCase() === key.toLowerCase())
    if (spelled.length === 1) return spelled[0]
  }
  return undefined
}

const findTables = async (
  ctx: Context,
  actor: Actor,
  integration: string,
  own: string,
  keys: readonly string[],
): Promise<ReadableTable[]> => {
  const select = sql`
    select r.id, o.key, ${visibleTo(actor)} and ${integrationsVisibleTo(actor, 'i')} as visible,
      exists (select from resources c where c.parent = r.id and c.entity_type = 'column' and not ${visibleTo(actor, 'c')}) as hidden_columns,
      r.pii or exists (
        select from resources c left join pii_suggestions s on s.resource_id = c.id and s.status = 'open'
        where c.parent = r.id and c.entity_type = 'column' and (c.pii or s.id is not null)) as personal
    from resource_origins o join resources r on r.id = o.resource_id and r.integration = o.integration join integrations i on i.id = o.integration
    where o.integration = ${integration} and o.gone_at is null and r.entity_type = 'table' and not r.stale`
  const { rows } = await sql<ReadableTable>`${select} and (o.key = any(${keys}::text[]) or r.id = ${own})`.execute(ctx.db)
  const left = keys.filter((key) => rows.every((row) => row.key !== key))
  if (left.length === 0) return rows
  // Unquoted names are case-insensitive in many dialects.
  const { rows: spelled } =
    await sql<ReadableTable>`${select} and lower(o.key) = any(${left.map((key) => key.toLowerCase())}::text[])`.execute(ctx.db)
  return [...rows, ...spelled.filter(({ id }) => rows.every((row) => row.id !== id))]
}

const findAccessProblem = (table: ReadableTable, actor: Actor, { parts }: Pick<TableUse, 'parts'>): string | undefined => {
  const name = parts.join('.')
  if (table.hidden_columns) return `must not read ${name}: it has columns that the author of the SQL cannot see.`
  if (table.personal && !can(actor, 'catalog.write'))
    return `must not read ${name}: it contains personal data that the author of the SQL cannot see.`
  return undefined
}

/** The actor each statement is checked as. A deleted user counts as an editor without teams, so SQL on generally visible tables keeps working. */
export const findStatementAuthors = async (ctx: Context, ids: readonly (string | null)[]): Promise<(id: string | null) => Actor> => {
  const userIds = [...new Set(ids)].filter((id) => id !== null)
  if (userIds.length === 0) return () => SYSTEM
  const actors = await findUserActors(ctx.db, userIds)
  const { rows } = await sql<{ id: string }>`select t.id from teams t where t.closed`.execute(ctx.db)
  const deletedUser: Actor = { ...SYSTEM, role: 'editor', foreign_teams: rows.map(({ id }) => id) }
  return (id) => (id === null ? SYSTEM : (actors.get(id) ?? deletedUser))
}
