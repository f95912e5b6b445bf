import { buildItemKey, type Item } from '../../sync/item.ts'
import { type Connector, type DiscoveryContext, reportUnlisted } from '../shared/connector.ts'
import { omitNulls, roundCalls, toQueryTitle } from '../shared/item-values.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { mayUseTables } from '../shared/routines.ts'
import { redactLiterals } from '../shared/statement.ts'
import {
  COLUMNS_SQL,
  COUNT_SQL,
  type ColumnRow,
  DATABASE_SQL,
  type DatabaseRow,
  HISTORY_SCHEMA_SQL,
  historySql,
  type QueryRow,
  RELATIONS_SQL,
  type RelationRow,
  ROUTINES_SQL,
  type RoutineRow,
  SCHEMAS_SQL,
  type SchemaRow,
} from './postgres-catalog-sql.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { postgresSqlSource } from './postgres-sql-source.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads the catalog of a Postgres database in one read-only transaction, so that everything is consistent. */
export const postgresConnector: Connector = {
  test: async (source, signal) => {
    await using connection = await PostgresConnection.open(source, signal, TEST_MS)
    const [database] = await connection.query<DatabaseRow>(DATABASE_SQL)
    const [counted] = await connection.query<{ tables: number; schemas: number }>(COUNT_SQL)
    const { version, name } = database!
    return `PostgreSQL ${version}, database ${name}: ${counted!.tables} tables and views in ${counted!.schemas} ${Number(counted!.schemas) === 1 ? 'schema' : 'schemas'}.`
  },

  async *discover(source, context) {
    await using connection = await PostgresConnection.open(source, context.signal, DISCOVER_MS)
    const patterns = parsePatterns(source)
    const [database] = await connection.query<DatabaseRow>(DATABASE_SQL)
    const builder = new PostgresItemBuilder(connection.server, database!)
    for (const schema of database!.hidden) context.markUnlisted?.({ under: buildItemKey(builder.name, schema) })
    if (database!.hidden.length > 0) await context.log(`Skipped schemas the role cannot use: ${database!.hidden.join(', ')}.`)
    yield builder.database(database!)
    const schemas = new Map((await connection.query<SchemaRow>(SCHEMAS_SQL)).map((row) => [row.name, row]))
    const reportedSchemas = new Set(patterns.all ? schemas.keys() : [])
    for (const name of reportedSchemas) yield builder.schema(schemas.get(name)!)
    yield* relationItems(connection, builder, patterns, schemas, reportedSchemas)
    for await (const row of connection.stream<ColumnRow>(COLUMNS_SQL))
      if (patterns.matches(builder.name, row.schema, row.table)) yield builder.column(row)
    for await (const row of connection.stream<RoutineRow>(ROUTINES_SQL))
      if (reportedSchemas.has(row.schema) && patterns.matches(builder.name, row.schema, row.name)) yield builder.routine(row)
    if (source.credentials.query_history === true) yield* historyItems(connection, builder, context)
  },

  sql: postgresSqlSource('postgres'),
}

const MAX_HISTORY_QUERIES = 500

/** The most frequent queries. Read last: an error aborts the transaction, but by then everything else has been read. */
async function* historyItems(
  connection: PostgresConnection,
  builder: PostgresItemBuilder,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const [found] = await connection.query<{ schema: string }>(HISTORY_SCHEMA_SQL)
  if (!found)
    return reportUnlisted(
      context,
      { entity_type: 'query' },
      'Query history is not available: the extension pg_stat_statements is not installed in this database.',
    )
  let rows: QueryRow[]
  try {
    rows = await connection.query<QueryRow>(historySql(found.schema, MAX_HISTORY_QUERIES))
  } catch (error) {
    return reportUnlisted(context, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const row of rows) yield builder.query(row)
}

/** With patterns, only schemas with included tables are reported. */
async function* relationItems(
  connection: PostgresConnection,
  builder: PostgresItemBuilder,
  patterns: Patterns,
  schemas: ReadonlyMap<string, SchemaRow>,
  reportedSchemas: Set<string>,
): AsyncGenerator<Item, void> {
  for await (const row of connection.stream<RelationRow>(RELATIONS_SQL)) {
    if (!patterns.matches(builder.name, row.schema, row.name)) continue
    if (!reportedSchemas.has(row.schema)) yield builder.schema(schemas.get(row.schema)!)
    reportedSchemas.add(row.schema)
    yield builder.relation(row)
  }
}

const RELATION_TYPES = { r: 'table', p: 'partitioned table', v: 'view', m: 'materialized view', f: 'foreign table' } as const
const VOLATILITIES: Record<string, string> = { i: 'immutable', s: 'stable', v: 'volatile' }
const CONSTRAINTS: Record<string, string> = { p: 'primary key', u: 'unique', c: 'check', x: 'exclusion' }

/** Converts rows of the catalog to items. */
class PostgresItemBuilder {
  readonly name: string
  readonly #server: string
  readonly #database: number

  constructor(server: string, { name, oid }: DatabaseRow) {
    this.name = name
    this.#server = server
    this.#database = oid
  }

  /** An OID is unique within its database, a database within its server. */
  #id(...oids: readonly number[]): string {
    return [this.#server, this.#database, ...oids].join('/')
  }

  database({ name, comment }: DatabaseRow): Item {
    return {
      key: buildItemKey(name),
      stable_id: this.#id(),
      entity_type: 'database',
      fields: { title: name, native_type: 'database', description: comment },
    }
  }

  schema({ oid, name, comment }: SchemaRow): Item {
    return {
      key: buildItemKey(this.name, name),
      parent: buildItemKey(this.name),
      stable_id: this.#id(oid),
      entity_type: 'schema',
      fields: { title: name, native_type: 'schema', description: comment },
    }
  }

  relation(row: RelationRow): Item {
    const { oid, schema, name, kind, comment, rows, bytes, partitions, partition_key, definition, constraints, foreign_keys, indexes } = row
    const { partition_bounds } = row
    return {
      key: buildItemKey(this.name, schema, name),
      parent: buildItemKey(this.name, schema),
      stable_id: this.#id(oid),
      entity_type: 'table',
      fields: { title: name, native_type: RELATION_TYPES[kind], description: comment },
      reported: { row_count: rows, byte_size: bytes },
      facts: omitNulls({
        definition: definition?.trim(),
        partition_key,
        partitions: kind === 'p' ? partitions : undefined,
        partition_bounds,
        constraints: constraints?.map(({ type, ...rest }) => ({ ...rest, type: CONSTRAINTS[type] ?? type })),
        foreign_keys: foreign_keys?.map(({ schema, table, ...rest }) => ({ ...rest, table: `${schema}.${table}` })),
        indexes,
      }),
      ...(definition ? { made_by: { sql: definition, dialect: 'postgres', database: this.name, schema } } : {}),
    }
  }

  routine({
    oid,
    schema,
    name,
    arguments: argumentTypes,
    kind,
    language,
    returns,
    volatility,
    definition,
    body,
    comment,
  }: RoutineRow): Item {
    const native_type = kind === 'p' ? 'procedure' : 'function'
    // The body of a SQL routine is text, or was parsed by the server and is only in the definition. Blocks are parsed with their header, which names the parameters.
    const inSql = () => body?.trim() || /\bBEGIN ATOMIC\b(.*)\bEND\b/is.exec(definition)?.[1]
    const sql = language === 'sql' ? inSql() : language === 'plpgsql' && mayUseTables(definition) ? definition : undefined
    return {
      key: buildItemKey(this.name, schema, '', `${name}(${argumentTypes})`), // cannot clash: no table has an empty name
      parent: buildItemKey(this.name, schema),
      stable_id: `${this.#id(oid)}/routine`,
      entity_type: 'query',
      fields: { title: `${name}(${argumentTypes})`, native_type, description: comment, definition },
      own: { type: native_type },
      facts: omitNulls({ language, returns, volatility: VOLATILITIES[volatility] }),
      ...(sql ? { made_by: { sql, dialect: 'postgres', database: this.name, schema } } : {}),
    }
  }

  query({ id, query: text, calls, since, users }: QueryRow): Item {
    // Older servers keep the literals of statements that create something.
    const query = /^\s*create\b/i.test(text) ? redactLiterals(text, 'postgres') : text
    return {
      key: buildItemKey(this.name, '', id), // cannot clash: no schema has an empty name
      parent: buildItemKey(this.name),
      stable_id: `${this.#id()}/query/${id}`,
      entity_type: 'query',
      fields: { title: toQueryTitle(query), definition: query },
      own: { freq: roundCalls(calls), type: 'history' },
      reported: { external_users: [...users] },
      made_by: { sql: query, dialect: 'postgres', database: this.name },
      used: { calls, since, users },
    }
  }

  column({ table_oid, schema, table, number, name, type, nullable, default_value, generated, identity, is_pk, comment }: ColumnRow): Item {
    return {
      key: buildItemKey(this.name, schema, table, name),
      parent: buildItemKey(this.name, schema, table),
      stable_id: this.#id(table_oid, number),
      entity_type: 'column',
      fields: { title: name, native_type: type, description: comment },
      own: { sort_order: number, is_pk },
      facts: omitNulls({
        nullable,
        [generated ? 'generated_as' : 'default']: default_value,
        identity: identity ? (identity === 'a' ? 'always' : 'by default') : undefined,
      }),
    }
  }
}
