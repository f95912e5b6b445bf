import { type Item, keyOf } from '../../sync/item.ts'
import { type Connector, cannotList, type Visit } from './connector.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import { postgresSql } from './postgres-ask.ts'
import { Session } from './postgres-session.ts'
import {
  COLUMNS_SQL,
  COUNT_SQL,
  type ColumnRow,
  DATABASE,
  type DatabaseRow,
  HISTORY_SCHEMA,
  historySql,
  type QueryRow,
  RELATIONS_SQL,
  type RelationRow,
  ROUTINES_SQL,
  type RoutineRow,
  SCHEMAS,
  type SchemaRow,
} from './postgres-sql.ts'
import { touchesTables } from './routines.ts'
import { withoutValues } from './statement.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads the catalog of a Postgres database in one read-only transaction, so that everything is consistent. */
export const postgresConnector: Connector = {
  test: async (source, signal) => {
    await using visit = await Session.open(source, signal, TEST_MS)
    const [database] = await visit.ask<DatabaseRow>(DATABASE)
    const [counted] = await visit.ask<{ tables: number; schemas: number }>(COUNT_SQL)
    const { version, name } = database!
    return `PostgreSQL ${version}, database ${name}: ${counted!.tables} tables and views in ${counted!.schemas} ${Number(counted!.schemas) === 1 ? 'schema' : 'schemas'}.`
  },

  async *discover(source, visit) {
    await using session = await Session.open(source, visit.signal, DISCOVER_MS)
    const patterns = patternsOf(source)
    const [database] = await session.ask<DatabaseRow>(DATABASE)
    const home = new Home(session.server, database!)
    for (const schema of database!.hidden) visit.unlisted?.({ under: keyOf(home.name, schema) })
    if (database!.hidden.length > 0) await visit.say(`Skipped schemas the role cannot use: ${database!.hidden.join(', ')}.`)
    yield home.database(database!)
    const schemas = new Map((await session.ask<SchemaRow>(SCHEMAS)).map((row) => [row.name, row]))
    const told = new Set(patterns.all ? schemas.keys() : [])
    for (const name of told) yield home.schema(schemas.get(name)!)
    yield* relations(session, home, patterns, schemas, told)
    for await (const row of session.stream<ColumnRow>(COLUMNS_SQL))
      if (patterns.wants(home.name, row.schema, row.table)) yield home.column(row)
    for await (const row of session.stream<RoutineRow>(ROUTINES_SQL))
      if (told.has(row.schema) && patterns.wants(home.name, row.schema, row.name)) yield home.routine(row)
    if (source.credentials.query_history === true) yield* history(session, home, visit)
  },

  sql: postgresSql('postgres'),
}

const MOST_QUERIES = 500

/** The most frequent queries. Read last: an error aborts the transaction, but by then everything else has been read. */
async function* history(session: Session, home: Home, visit: Visit): AsyncGenerator<Item, void> {
  const [found] = await session.ask<{ schema: string }>(HISTORY_SCHEMA)
  if (!found)
    return cannotList(
      visit,
      { entity_type: 'query' },
      'Query history is not available: the extension pg_stat_statements is not installed in this database.',
    )
  let rows: QueryRow[]
  try {
    rows = await session.ask<QueryRow>(historySql(found.schema, MOST_QUERIES))
  } catch (error) {
    return cannotList(visit, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const row of rows) yield home.query(row)
}

/** With patterns, only schemas with included tables are reported. */
async function* relations(
  session: Session,
  home: Home,
  patterns: Patterns,
  schemas: ReadonlyMap<string, SchemaRow>,
  told: Set<string>,
): AsyncGenerator<Item, void> {
  for await (const row of session.stream<RelationRow>(RELATIONS_SQL)) {
    if (!patterns.wants(home.name, row.schema, row.name)) continue
    if (!told.has(row.schema)) yield home.schema(schemas.get(row.schema)!)
    told.add(row.schema)
    yield home.relation(row)
  }
}

const KINDS = { r: 'table', p: 'partitioned table', v: 'view', m: 'materialized view', f: 'foreign table' } as const
const VOLATILITIES: Record<string, string> = { i: 'immutable', s: 'stable', v: 'volatile' }
const CONSTRAINTS: Record<string, string> = { p: 'primary key', u: 'unique', c: 'check', x: 'exclusion' }

/** Converts rows of the catalog to items. */
class Home {
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
      key: keyOf(name),
      stable_id: this.#id(),
      entity_type: 'database',
      fields: { title: name, native_type: 'database', description: comment },
    }
  }

  schema({ oid, name, comment }: SchemaRow): Item {
    return {
      key: keyOf(this.name, name),
      parent: keyOf(this.name),
      stable_id: this.#id(oid),
      entity_type: 'schema',
      fields: { title: name, native_type: 'schema', description: comment },
    }
  }

  relation(row: RelationRow): Item {
    const { oid, schema, name, kind, comment, rows, bytes, partitions, partition_key, definition, constraints, foreign_keys, indexes } = row
    return {
      key: keyOf(this.name, schema, name),
      parent: keyOf(this.name, schema),
      stable_id: this.#id(oid),
      entity_type: 'table',
      fields: { title: name, native_type: KINDS[kind], description: comment },
      reported: { row_count: rows, byte_size: bytes },
      facts: given({
        definition: definition?.trim(),
        partition_key,
        partitions: kind === 'p' ? partitions : undefined,
        constraints: constraints?.map(({ type, ...rest }) => ({ ...rest, type: CONSTRAINTS[type] ?? type })),
        foreign_keys: foreign_keys?.map(({ schema, table, ...rest }) => ({ ...rest, table: `${schema}.${table}` })),
        indexes,
      }),
      ...(definition ? { made_by: { sql: definition, dialect: 'postgres', database: this.name, schema } } : {}),
    }
  }

  routine({ oid, schema, name, arguments: taken, kind, language, returns, volatility, definition, body, comment }: RoutineRow): Item {
    const native_type = kind === 'p' ? 'procedure' : 'function'
    // The body of a SQL routine is text, or was parsed by the server and is only in the definition. Blocks are parsed with their header, which names the parameters.
    const inSql = () => body?.trim() || /\bBEGIN ATOMIC\b(.*)\bEND\b/is.exec(definition)?.[1]
    const sql = language === 'sql' ? inSql() : language === 'plpgsql' && touchesTables(definition) ? definition : undefined
    return {
      key: keyOf(this.name, schema, '', `${name}(${taken})`), // cannot clash: no table has an empty name
      parent: keyOf(this.name, schema),
      stable_id: `${this.#id(oid)}/routine`,
      entity_type: 'query',
      fields: { title: `${name}(${taken})`, native_type, description: comment, definition },
      own: { type: native_type },
      facts: given({ language, returns, volatility: VOLATILITIES[volatility] }),
      ...(sql ? { made_by: { sql, dialect: 'postgres', database: this.name, schema } } : {}),
    }
  }

  query({ id, query: asked, calls, since, users }: QueryRow): Item {
    // Older servers keep the literals of statements that create something.
    const query = /^\s*create\b/i.test(asked) ? withoutValues(asked, 'postgres') : asked
    return {
      key: keyOf(this.name, '', id), // cannot clash: no schema has an empty name
      parent: keyOf(this.name),
      stable_id: `${this.#id()}/query/${id}`,
      entity_type: 'query',
      fields: { title: query.replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUERY_TITLE).toWellFormed(), definition: query },
      own: { freq: rounded(calls), type: 'history' },
      reported: { external_users: [...users] },
      made_by: { sql: query, dialect: 'postgres', database: this.name },
      used: { calls, since, users },
    }
  }

  column({ table_oid, schema, table, number, name, type, nullable, default_value, generated, identity, is_pk, comment }: ColumnRow): Item {
    return {
      key: keyOf(this.name, schema, table, name),
      parent: keyOf(this.name, schema, table),
      stable_id: this.#id(table_oid, number),
      entity_type: 'column',
      fields: { title: name, native_type: type, description: comment },
      own: { sort_order: number, is_pk },
      facts: given({
        nullable,
        [generated ? 'generated_as' : 'default']: default_value,
        identity: identity ? (identity === 'a' ? 'always' : 'by default') : undefined,
      }),
    }
  }
}

const LONGEST_QUERY_TITLE = 200

/** Two significant digits: exact numbers would create a version of every query with every sync. */
const rounded = (calls: number): number => Math.min(Number(calls.toPrecision(2)), 2_147_483_647)

const given = (facts: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null))
