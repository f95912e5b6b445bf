import type { Item } from '../../sync/item.ts'
import { Apart } from './apart.ts'
import { type Asking, type Connector, cannotList, type Source, textOf, type Visit } from './connector.ts'
import { eachOf, Telling } from './items.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import type { Opening } from './snowflake-process.ts'
import {
  type ColumnRow,
  columnsOf,
  DATABASES,
  type DatabaseRow,
  type ForeignKeyRow,
  foreignKeysOf,
  HISTORY,
  type HistoryRow,
  type MaterializedRow,
  materializedIn,
  type PrimaryKeyRow,
  primaryKeysOf,
  type SchemaRow,
  schemasOf,
  type TableRow,
  tablesOf,
  WHO,
} from './snowflake-sql.ts'
import { frequent, HISTORY_HOURS, mustBeQuery } from './statement.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads the information schemas of a Snowflake account. `address` overrides the account's URL in tests. */
export const snowflakeAt = (address?: string): Connector => ({
  test: async (source, signal) => {
    await using snowflake = start(source, address)
    const { rows } = await snowflake.ask(WHO, { signal, timeout_ms: TEST_MS, max_rows: 1 })
    const [version, account, role, warehouse] = rows[0]!
    return `Snowflake ${version}, account ${account}: role ${role}, warehouse ${warehouse}.`
  },

  async *discover(source, visit) {
    await using snowflake = start(source, address)
    const patterns = patternsOf(source)
    const databases = await databasesOf(snowflake, source, visit)
    for (const database of databases) yield* tell(snowflake, database, patterns, visit)
    if (source.credentials.query_history === true) yield* history(snowflake, databases, patterns, visit)
  },

  sql: {
    dialect: 'snowflake',
    open: async (source, signal): Promise<Asking> => {
      const snowflake = start(source, address)
      await snowflake.reach(signal)
      return {
        // Snowflake has no read-only sessions: the type of statement is checked here, everything else depends on the role's privileges.
        ask: async (sql, limits) => {
          mustBeQuery(sql, 'snowflake')
          return snowflake.ask(sql, limits)
        },
        [Symbol.asyncDispose]: () => snowflake[Symbol.asyncDispose](),
      }
    },
  },
})

export const snowflakeConnector = snowflakeAt()

const start = (source: Source, address?: string): Apart => {
  const account = textOf(source, 'account')!
  if (!/^[a-z\d][a-z\d._-]*$/i.test(account))
    throw new Error('The account must be the account identifier in <account>.snowflakecomputing.com only.')
  const opening: Opening = {
    account,
    user: textOf(source, 'user')!,
    password: textOf(source, 'password'),
    private_key: textOf(source, 'private_key'),
    warehouse: textOf(source, 'warehouse')!,
    role: textOf(source, 'role'),
    database: textOf(source, 'database'),
    address,
  }
  if (opening.password === undefined && opening.private_key === undefined) throw new Error('A password or private_key is required.')
  return new Apart({
    name: 'The Snowflake SDK',
    file: new URL('./snowflake-process.ts', import.meta.url),
    opening,
    // Otherwise it would load a native library, probe the cloud it may run in, and send its configuration.
    env: {
      SNOWFLAKE_DISABLE_MINICORE: 'true',
      SNOWFLAKE_DISABLE_PLATFORM_DETECTION: 'true',
      SF_TELEMETRY_DISABLE_CONNECTION_SHAPE: 'true',
    },
    grace_ms: 3_000,
  })
}

const databasesOf = async (snowflake: Apart, source: Source, { signal }: Visit): Promise<DatabaseRow[]> => {
  const all = await Array.fromAsync(snowflake.stream<DatabaseRow>(DATABASES, { signal, timeout_ms: DISCOVER_MS }))
  const only = textOf(source, 'database')
  const wanted = all.filter(({ name }) => (only === undefined ? name !== 'SNOWFLAKE' : name.toUpperCase() === only.toUpperCase()))
  if (only !== undefined && wanted.length === 0) throw new Error(`The database ${only} does not exist, or the role cannot use it.`)
  return wanted
}

async function* tell(
  snowflake: Apart,
  { name: database, comment }: DatabaseRow,
  patterns: Patterns,
  visit: Visit,
): AsyncGenerator<Item, void> {
  const limits = { signal: visit.signal, timeout_ms: DISCOVER_MS }
  const telling = new Telling(database, 'snowflake', patterns)
  const keys = await keysOf(snowflake, database, visit)
  yield* telling.all(
    { name: database, comment },
    {
      schemas: snowflake.stream<SchemaRow>(schemasOf(database), limits),
      tables: eachOf(snowflake.stream<TableRow>(tablesOf(database), limits), (row) => tableOf(row, keys)),
      columns: eachOf(snowflake.stream<ColumnRow>(columnsOf(database), limits), (row) => columnOf(row, keys)),
    },
  )
}

interface Keys {
  readonly primary: ReadonlySet<string>
  readonly foreign: ReadonlyMap<string, ForeignKeyRow[]>
  readonly materialized: ReadonlyMap<string, string>
}

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Available only through SHOW. Editions or roles without it report no keys. */
const keysOf = async (snowflake: Apart, database: string, { signal, say }: Visit): Promise<Keys> => {
  const show = async <T extends object>(sql: string, what: string): Promise<T[]> => {
    try {
      return await Array.fromAsync(snowflake.stream<T>(sql, { signal, timeout_ms: DISCOVER_MS }))
    } catch (error) {
      if (signal.aborted) throw error
      await say(`Could not read the ${what} of ${database}: ${(error as Error).message}`)
      return []
    }
  }
  const primary = await show<PrimaryKeyRow>(primaryKeysOf(database), 'primary keys')
  const foreign = await show<ForeignKeyRow>(foreignKeysOf(database), 'foreign keys')
  const materialized = await show<MaterializedRow>(materializedIn(database), 'materialized views')
  return {
    primary: new Set(primary.map((row) => nameOf(row.schema_name, row.table_name, row.column_name))),
    foreign: Map.groupBy(foreign, (row) => nameOf(row.fk_schema_name, row.fk_table_name)),
    materialized: new Map(materialized.map((row) => [nameOf(row.schema_name, row.name), row.text])),
  }
}

const tableOf = ({ type, altered, clustering_key, definition, ...row }: TableRow, { foreign, materialized }: Keys) => {
  const keys = Map.groupBy(foreign.get(nameOf(row.schema, row.name)) ?? [], ({ fk_name }) => fk_name)
  return {
    ...row,
    kind: type.toLowerCase().replace('base table', 'table'),
    external_updated_at: altered,
    definition: definition ?? materialized.get(nameOf(row.schema, row.name)) ?? null,
    facts: {
      clustering_key,
      foreign_keys: keys.size === 0 ? undefined : [...keys].map(([name, parts]) => foreignKey(name, parts)),
    },
  }
}

const foreignKey = (name: string, parts: readonly ForeignKeyRow[]) => {
  const sorted = parts.toSorted((a, b) => a.key_sequence - b.key_sequence)
  const { pk_schema_name, pk_table_name } = sorted[0]!
  return {
    name,
    columns: sorted.map(({ fk_column_name }) => fk_column_name),
    table: `${pk_schema_name}.${pk_table_name}`,
    to: sorted.map(({ pk_column_name }) => pk_column_name),
  }
}

const columnOf = ({ type, length, precision, scale, nullable, identity, ...row }: ColumnRow, { primary }: Keys) => ({
  ...row,
  type:
    type === 'NUMBER' && precision !== null
      ? `NUMBER(${precision},${scale})`
      : type === 'TEXT' && length !== null
        ? `VARCHAR(${length})`
        : type,
  nullable: nullable === 'YES',
  is_pk: primary.has(nameOf(row.schema, row.table, row.name)),
  facts: { identity: identity === 'YES' ? 'by default' : undefined },
})

/** Read last: without access to it, everything else has been reported. */
async function* history(snowflake: Apart, databases: readonly DatabaseRow[], patterns: Patterns, visit: Visit): AsyncGenerator<Item, void> {
  const { signal } = visit
  let rows: HistoryRow[]
  try {
    rows = await Array.fromAsync(snowflake.stream<HistoryRow>(HISTORY, { signal, timeout_ms: DISCOVER_MS }))
  } catch (error) {
    if (signal.aborted) throw error
    return cannotList(visit, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const { name } of databases) {
    const own = rows.flatMap(({ database, text, calls, users }) =>
      database === name ? [{ text, calls, users: JSON.parse(users) as string[] }] : [],
    )
    for (const row of await frequent(own, 'snowflake', HISTORY_HOURS)) yield new Telling(name, 'snowflake', patterns).query(row)
  }
}
