import { sql } from 'kysely'
import { findActorsOf } from '../access/actors.ts'
import { type Actor, can, openTo, SYSTEM, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { CONNECTORS } from '../integrations/connectors/all.ts'
import { wordsOf } from '../integrations/connectors/words.ts'
import type { TableUse } from '../sql/strict.ts'
import { keyOf, partsOf } from '../sync/item.ts'
import { readFunctionNames } from './functions.ts'
import { type Checked, readCondition, readSelect } from './guard.ts'

/**
 * Resolves the tables that custom SQL reads. Each must come from a sync of the same integration and be visible to the author. It is replaced
 * by its full name, so that the source reads exactly the table that was checked.
 */
export interface Statement {
  readonly text: string
  readonly kind: 'query_select' | 'where'
}

export interface Place {
  readonly integration: string
  readonly dialect: string
  readonly functions: ReadonlySet<string>
  /** ID of the monitor's table, and its path in the source. */
  readonly table: string
  readonly path: readonly string[]
}

export type Resolved = { readonly sql: string } | { readonly problem: string }

/** The SQL dialect of an integration type; undefined if it cannot be queried with SQL. */
export const dialectOf = (integration_type: string | null): string | undefined => CONNECTORS.get(integration_type ?? '')?.sql?.dialect

export const functionsOf = (connection: unknown): ReadonlySet<string> =>
  readFunctionNames((connection as { allowed_functions?: unknown } | null)?.allowed_functions)

export const readStatement = (
  { runtime }: Context,
  { text, kind }: Statement,
  dialect: string,
  functions?: ReadonlySet<string>,
): Checked => {
  const checked = (kind === 'where' ? readCondition : readSelect)(text, dialect, functions)
  if ('defect' in checked) runtime.sqlDefects.count(dialect)
  return checked
}

export const resolveStatement = async (ctx: Context, actor: Actor, statement: Statement, place: Place): Promise<Resolved> => {
  const query = readStatement(ctx, statement, place.dialect, place.functions)
  if ('problem' in query) return query
  const { integration, path } = place
  const wanted = query.tables.map((use) => ({ use, paths: pathsOf(use.parts, place) }))
  const found = await findTables(ctx, actor, integration, place.table, [
    ...new Set(wanted.flatMap(({ paths }) => paths.map((each) => keyOf(...each)))),
  ])
  const own = found.find(({ id }) => id === place.table)
  const names = new Map<number, string>()
  for (const { use, paths } of wanted) {
    const table = pick(found, paths)
    if (!table?.visible)
      return {
        problem: `must not read ${use.parts.join('.')}: this integration has no synced table of this name that the author of the SQL can see.`,
      }
    const problem = withheldOf(table, actor, use)
    if (problem) return { problem }
    const path = partsOf(table.key)
    if (!path) return { problem: `must not read ${use.parts.join('.')}: its name is too long.` }
    names.set(use.at, wordsOf(place.dialect).table(path))
  }
  // A condition reads the monitor's own table.
  const problem = statement.kind === 'where' && own ? withheldOf(own, actor, { parts: path.slice(-1) }) : undefined
  if (problem) return { problem }
  return { sql: query.write((use) => names.get(use.at)!) }
}

interface Found {
  readonly id: string
  readonly key: string
  readonly visible: boolean
  readonly hidden_columns: boolean
  readonly personal: boolean
}

/** In these dialects a name without a schema is looked up in `public` first, then in the schema of the monitor's table. */
const PUBLIC: ReadonlySet<string> = new Set(['postgres', 'redshift'])

const pathsOf = (parts: readonly string[], { dialect, path }: Place): string[][] => {
  // SQLite's only schema is called main; paths do not contain it.
  const named = dialect === 'sqlite' && parts[0]?.toLowerCase() === 'main' ? parts.slice(1) : parts
  const missing = path.length - named.length
  if (missing < 0) return []
  const here = [...path.slice(0, missing), ...named]
  return PUBLIC.has(dialect) && named.length === 1 && missing === 2 ? [[path[0]!, 'public', named[0]!], here] : [here]
}

/** Paths are tried in order; an exact match is preferred to one that differs in case. */
const pick = (found: readonly Found[], paths: readonly string[][]): Found | undefined => {
  for (const path of paths) {
    const key = keyOf(...path)
    const exact = found.find((each) => each.key === key)
    if (exact) return exact
    const spelled = found.filter((each) => each.key.toLowerCase() === key.toLowerCase())
    if (spelled.length === 1) return spelled[0]
  }
  return undefined
}

const findTables = async (ctx: Context, actor: Actor, integration: string, own: string, keys: readonly string[]): Promise<Found[]> => {
  const select = sql`
    select r.id, o.key, ${visibleTo(actor)} and ${openTo(actor, 'i')} as visible,
      exists (select from resources c where c.parent = r.id and c.entity_type = 'column' and not ${visibleTo(actor, 'c')}) as hidden_columns,
      r.pii or exists (
        select from resources c left join pii_suggestions s on s.resource_id = c.id and s.status = 'open'
        where c.parent = r.id and c.entity_type = 'column' and (c.pii or s.id is not null)) as personal
    from resource_origins o join resources r on r.id = o.resource_id and r.integration = o.integration join integrations i on i.id = o.integration
    where o.integration = ${integration} and o.gone_at is null and r.entity_type = 'table' and not r.stale`
  const { rows } = await sql<Found>`${select} and (o.key = any(${keys}::text[]) or r.id = ${own})`.execute(ctx.db)
  const left = keys.filter((key) => rows.every((row) => row.key !== key))
  if (left.length === 0) return rows
  // Unquoted names are case-insensitive in many dialects.
  const { rows: spelled } = await sql<Found>`${select} and lower(o.key) = any(${left.map((key) => key.toLowerCase())}::text[])`.execute(
    ctx.db,
  )
  return [...rows, ...spelled.filter(({ id }) => rows.every((row) => row.id !== id))]
}

const withheldOf = (table: Found, actor: Actor, { parts }: Pick<TableUse, 'parts'>): string | undefined => {
  const name = parts.join('.')
  if (table.hidden_columns) return `must not read ${name}: it has columns that the author of the SQL cannot see.`
  if (table.personal && !can(actor, 'catalog.write'))
    return `must not read ${name}: it contains personal data that the author of the SQL cannot see.`
  return undefined
}

/** The actor each statement is checked as. A deleted user counts as an editor without teams, so SQL on generally visible tables keeps working. */
export const findAuthors = async (ctx: Context, ids: readonly (string | null)[]): Promise<(id: string | null) => Actor> => {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return () => SYSTEM
  const actors = await findActorsOf(ctx.db, wanted)
  const { rows } = await sql<{ id: string }>`select t.id from teams t where t.closed`.execute(ctx.db)
  const gone: Actor = { ...SYSTEM, role: 'editor', foreign_teams: rows.map(({ id }) => id) }
  return (id) => (id === null ? SYSTEM : (actors.get(id) ?? gone))
}
