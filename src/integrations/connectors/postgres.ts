import postgres from 'postgres'
import { type Item, keyOf } from '../../sync/item.ts'
import { type Connector, numberOf, type Source, textOf } from './connector.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import {
  COLUMNS_SQL,
  COUNT_SQL,
  type ColumnRow,
  DATABASE,
  type DatabaseRow,
  RELATIONS_SQL,
  type RelationRow,
  SCHEMAS,
  type SchemaRow,
} from './postgres-sql.ts'

/** Reads the catalog of a Postgres: in one read-only transaction, so that everything is as of one moment. */
export const postgresConnector: Connector = {
  test: async (source, signal) => {
    await using visit = await Session.open(source, signal, TEST_MS)
    const [database] = await visit.ask<DatabaseRow>(DATABASE)
    const [counted] = await visit.ask<{ tables: number; schemas: number }>(COUNT_SQL)
    const { version, name } = database!
    return `PostgreSQL ${version}, database ${name}: ${counted!.tables} tables and views in ${counted!.schemas} schemas.`
  },

  async *discover(source, visit) {
    await using session = await Session.open(source, visit.signal, DISCOVER_MS)
    const patterns = patternsOf(source)
    const [database] = await session.ask<DatabaseRow>(DATABASE)
    const home = new Home(session.server, database!)
    if (database!.hidden.length > 0) await visit.say(`Left out, because the role may not use them: ${database!.hidden.join(', ')}.`)
    yield home.database(database!)
    const schemas = new Map((await session.ask<SchemaRow>(SCHEMAS)).map((row) => [row.name, row]))
    if (patterns.all) for (const row of schemas.values()) yield home.schema(row)
    yield* relations(session, home, patterns, schemas)
    for await (const row of session.stream<ColumnRow>(COLUMNS_SQL))
      if (patterns.wants(home.name, row.schema, row.table)) yield home.column(row)
  },
}

/** With patterns, a schema is told of when it holds something that is wanted. */
async function* relations(
  session: Session,
  home: Home,
  patterns: Patterns,
  schemas: ReadonlyMap<string, SchemaRow>,
): AsyncGenerator<Item, void> {
  let last: string | undefined
  for await (const row of session.stream<RelationRow>(RELATIONS_SQL)) {
    if (!patterns.wants(home.name, row.schema, row.name)) continue
    if (!patterns.all && row.schema !== last) yield home.schema(schemas.get(row.schema)!)
    last = row.schema
    yield home.relation(row)
  }
}

const KINDS = { r: 'table', p: 'partitioned table', v: 'view', m: 'materialized view', f: 'foreign table' } as const
const CONSTRAINTS: Record<string, string> = { p: 'primary key', u: 'unique', c: 'check', x: 'exclusion' }

/** Rows of the catalog as items. */
class Home {
  readonly name: string
  readonly #server: string
  readonly #database: number

  constructor(server: string, { name, oid }: DatabaseRow) {
    this.name = name
    this.#server = server
    this.#database = oid
  }

  /** An OID means something in its database alone, and a database in its server. */
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

const given = (facts: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null))

const CONNECT_SECONDS = 10
const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const LOCK_MS = 10_000
const ROWS = 1000

/** One connection with one read-only transaction in it. It goes as it came: nothing of ours stays, whatever happens. */
class Session {
  readonly #client: postgres.Sql
  readonly #connection: postgres.ReservedSql
  readonly #signal: AbortSignal
  readonly #stop: () => void
  readonly server: string

  private constructor(client: postgres.Sql, connection: postgres.ReservedSql, signal: AbortSignal, stop: () => void, server: string) {
    this.#client = client
    this.#connection = connection
    this.#signal = signal
    this.#stop = stop
    this.server = server
  }

  static async open(source: Source, signal: AbortSignal, statementMs: number): Promise<Session> {
    signal.throwIfAborted()
    const client = postgres(optionsOf(source))
    const stop = () => void client.end({ timeout: 0 }).catch(() => {})
    signal.addEventListener('abort', stop)
    try {
      // Nothing more than the server's own number; a server that does not tell it is as good.
      const server = await client
        .unsafe('select system_identifier::text as id from pg_control_system()')
        .then(([row]) => String(row?.id ?? ''))
        .catch((error) => (error instanceof postgres.PostgresError && isMissing(error) ? '' : Promise.reject(error)))
      const connection = await client.reserve()
      for (const statement of [
        'begin isolation level repeatable read read only',
        `set local statement_timeout = ${statementMs}`,
        `set local lock_timeout = ${LOCK_MS}`,
        // So every name in a view's definition comes with its schema, and no function of the source's runs in place of the catalog's.
        'set local search_path = pg_catalog',
      ])
        await connection.unsafe(statement)
      return new Session(client, connection, signal, stop, server)
    } catch (error) {
      signal.removeEventListener('abort', stop)
      stop()
      throw told(error, signal)
    }
  }

  async ask<T>(text: string): Promise<T[]> {
    try {
      return (await this.#connection.unsafe(text)) as unknown as T[]
    } catch (error) {
      throw told(error, this.#signal)
    }
  }

  async *stream<T>(text: string): AsyncGenerator<T, void> {
    try {
      for await (const rows of this.#connection.unsafe(text).cursor(ROWS)) {
        this.#signal.throwIfAborted()
        yield* rows as unknown as T[]
      }
    } catch (error) {
      throw told(error, this.#signal)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop)
    await this.#connection.unsafe('rollback').catch(() => {})
    await this.#client.end({ timeout: 1 }).catch(() => {})
  }
}

/** No such function, or not for this role. */
const isMissing = ({ code }: postgres.PostgresError): boolean => code === '42883' || code === '42501'

const told = (error: unknown, signal: AbortSignal): Error => {
  if (signal.aborted) return new Error(signal.reason?.name === 'TimeoutError' ? 'It took too long.' : 'It was stopped.')
  const { message, code } = error as Error & { code?: string }
  return new Error(message || code || 'The connection failed.', { cause: error })
}

const BIGINT = 20

/** Only what the credentials say: an environment variable or an address with options in it changes nothing. */
const optionsOf = (source: Source): postgres.Options<{ bigint: postgres.PostgresType<number> }> => {
  const password = textOf(source, 'password') ?? ''
  return {
    host: [textOf(source, 'host')!] as unknown as string, // as a list it is not taken apart at colons and commas
    port: [numberOf(source, 'port') ?? 5432] as unknown as number,
    database: textOf(source, 'database'),
    user: textOf(source, 'user'),
    password: () => password,
    ssl: source.credentials.ssl === true ? { rejectUnauthorized: true, ca: textOf(source, 'ca') } : false,
    max: 1,
    prepare: false, // between us and the server may be a pooler that knows no prepared statements
    fetch_types: false,
    connect_timeout: CONNECT_SECONDS,
    idle_timeout: 30,
    keep_alive: 30,
    connection: { application_name: 'tablinum' },
    onnotice: () => {},
    types: { bigint: { to: BIGINT, from: [BIGINT], serialize: String, parse: Number } },
  }
}
