import { buildItemKey, type Item } from '../../sync/item.ts'
import { PostgresConnection } from '../postgres/postgres-connection.ts'
import { postgresSqlSource } from '../postgres/postgres-sql-source.ts'
import type { Connector, DiscoveryContext, Source } from '../shared/connector.ts'
import { DatabaseItemBuilder } from '../shared/items.ts'
import { parsePatterns } from '../shared/patterns.ts'
import { HISTORY_HOURS, mostFrequentQueries } from '../shared/statement.ts'
import {
  type ColumnRow,
  type ConstraintRow,
  columnsSql,
  constraintsSql,
  DATABASE_SQL,
  type DatabaseRow,
  EXTERNAL_COLUMNS_SQL,
  EXTERNAL_TABLES_SQL,
  type ExternalColumnRow,
  type ExternalTableRow,
  type HistoryRow,
  historySql,
  type InfoRow,
  LATE_BINDING_COLUMNS_SQL,
  type LateBindingColumnRow,
  type MaterializedRow,
  materializedViewsSql,
  type RelationRow,
  relationsSql,
  SCHEMAS_SQL,
  type SchemaRow,
  tableInfoSql,
} from './redshift-sql.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads the catalog of a Redshift database, schema by schema. */
export const redshiftConnector: Connector = {
  test: async (source, signal) => {
    await using connection = await PostgresConnection.open(source, signal, TEST_MS, 'redshift')
    const [database] = await connection.query<DatabaseRow>(DATABASE_SQL)
    const schemas = await connection.query<SchemaRow>(SCHEMAS_SQL)
    const { version, name } = database!
    return `Redshift ${parseVersion(version)}, database ${name}: ${schemas.filter(({ open }) => open).length} schemas.`
  },

  async *discover(source, context) {
    await using connection = await PostgresConnection.open(source, context.signal, DISCOVER_MS, 'redshift')
    const [database] = await connection.query<DatabaseRow>(DATABASE_SQL)
    const { name, oid } = database!
    const schemas = await connection.query<SchemaRow>(SCHEMAS_SQL)
    const closed = schemas.flatMap(({ name, open }) => (open ? [] : name))
    for (const schema of closed) context.markUnlisted?.({ under: buildItemKey(name, schema) })
    if (closed.length > 0) await context.log(`Skipped schemas the user cannot use: ${closed.join(', ')}.`)
    const home = new RedshiftCatalog(
      connection,
      oid,
      schemas.filter(({ open }) => open),
      await loadMetadata(source, name, context),
    )
    const builder = new DatabaseItemBuilder(name, 'redshift', parsePatterns(source))
    yield* builder.buildItems({ name }, { schemas: home.schemas(), tables: home.tables(), columns: home.columns() })
    if (source.credentials.query_history === true) yield* historyItems(source, builder, context)
  },

  sql: postgresSqlSource('redshift'),
}

const parseVersion = (version: string): string => /Redshift ([\d.]+)/.exec(version)?.[1] ?? version.split(' on ')[0]!

/** Metadata from Redshift's own views, where they can be read. */
interface RedshiftMetadata {
  readonly infos: ReadonlyMap<string, InfoRow>
  readonly materialized: ReadonlySet<string>
  readonly external: readonly ExternalTableRow[]
  readonly externalColumns: readonly ExternalColumnRow[]
  readonly lateColumns: readonly LateBindingColumnRow[]
}

const joinName = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Each query in its own transaction: an error aborts the transaction. */
const queryOptional = async <T extends object>(
  source: Source,
  sql: string,
  what: string,
  context: DiscoveryContext,
  unlisted: readonly string[] = [],
): Promise<T[]> => {
  const { signal, log } = context
  try {
    await using connection = await PostgresConnection.open(source, signal, DISCOVER_MS, 'redshift')
    return await connection.query<T>(sql)
  } catch (error) {
    if (signal.aborted) throw error
    for (const entity_type of unlisted) context.markUnlisted?.({ entity_type })
    await log(`Could not read ${what}: ${(error as Error).message}`)
    return []
  }
}

const loadMetadata = async (source: Source, database: string, context: DiscoveryContext): Promise<RedshiftMetadata> => {
  const infos = await queryOptional<InfoRow>(source, tableInfoSql(database), 'row counts and sizes', context)
  const materialized = await queryOptional<MaterializedRow>(source, materializedViewsSql(database), 'materialized views', context)
  return {
    infos: new Map(infos.map((row) => [joinName(row.schema, row.table), row])),
    materialized: new Set(materialized.map(({ schema, name }) => joinName(schema, name))),
    external: await queryOptional<ExternalTableRow>(source, EXTERNAL_TABLES_SQL, 'external tables', context, ['table', 'column']),
    externalColumns: await queryOptional<ExternalColumnRow>(source, EXTERNAL_COLUMNS_SQL, 'columns of external tables', context, [
      'column',
    ]),
    lateColumns: await queryOptional<LateBindingColumnRow>(source, LATE_BINDING_COLUMNS_SQL, 'columns of late-binding views', context, [
      'column',
    ]),
  }
}

class RedshiftCatalog {
  readonly #session: PostgresConnection
  readonly #database: number
  readonly #schemas: readonly SchemaRow[]
  readonly #metadata: RedshiftMetadata

  constructor(connection: PostgresConnection, database: number, schemas: readonly SchemaRow[], metadata: RedshiftMetadata) {
    this.#session = connection
    this.#database = database
    this.#schemas = schemas
    this.#metadata = metadata
  }

  #id(...oids: readonly number[]): string {
    return ['redshift', this.#database, ...oids].join('/')
  }

  *schemas() {
    for (const { oid, name, comment } of this.#schemas) yield { name, comment, stable_id: this.#id(oid) }
  }

  async *tables() {
    const { infos, materialized, external } = this.#metadata
    for (const schema of this.#schemas) {
      const constraints = Map.groupBy(await this.#session.query<ConstraintRow>(constraintsSql(schema.oid)), ({ table }) => table)
      for (const row of await this.#session.query<RelationRow>(relationsSql(schema.oid))) {
        const name = joinName(schema.name, row.name)
        const table = toTableRow(schema.name, row, constraints.get(row.name) ?? [], infos.get(name))
        yield { ...table, ...(materialized.has(name) ? { kind: 'materialized view' } : {}), stable_id: this.#id(row.oid) }
      }
    }
    for (const { schema, name, location } of external) yield { schema, name, kind: 'external table', facts: { location } }
  }

  async *columns() {
    for (const { oid, name: schema } of this.#schemas)
      for (const row of await this.#session.query<ColumnRow>(columnsSql(oid))) {
        const { table_oid, number, required, ...column } = row
        yield { ...column, schema, position: number, nullable: !required, stable_id: this.#id(table_oid, number) }
      }
    for (const { partition, ...row } of this.#metadata.externalColumns)
      yield { ...row, facts: { partition_key: partition > 0 ? partition : undefined } }
    yield* this.#metadata.lateColumns
  }
}

const CONSTRAINT_TYPES: Readonly<Record<string, string>> = { p: 'primary key', u: 'unique' }

const MEGABYTE = 1024 * 1024

const toTableRow = (
  schema: string,
  { name, kind, comment, definition }: RelationRow,
  constraints: readonly ConstraintRow[],
  info?: InfoRow,
) => {
  const foreign = constraints.filter(({ type }) => type === 'f')
  const others = constraints.flatMap(({ name, type, definition }) =>
    CONSTRAINT_TYPES[type] ? [{ name, type: CONSTRAINT_TYPES[type], definition }] : [],
  )
  return {
    schema,
    name,
    kind: kind === 'r' ? 'table' : /^\s*create\s+materialized\b/i.test(definition ?? '') ? 'materialized view' : 'view',
    comment,
    definition,
    row_count: info?.rows == null ? null : Number(info.rows),
    byte_size: info?.megabytes == null ? null : Number(info.megabytes) * MEGABYTE,
    facts: {
      distribution: info?.diststyle,
      sort_key: info?.sortkey,
      constraints: others.length > 0 ? others : undefined,
      foreign_keys: foreign.length > 0 ? foreign.map(({ name, definition }) => parseForeignKey(name, definition)) : undefined,
    },
  }
}

/** Parses FOREIGN KEY (a, b) REFERENCES s.t(x, y). */
const parseForeignKey = (name: string, definition: string) => {
  const [, columns = '', table = '', to = ''] = /^FOREIGN KEY \((.*?)\) REFERENCES (.+?)\((.*?)\)/i.exec(definition) ?? []
  return { name, columns: splitNames(columns), table, to: splitNames(to) }
}
const splitNames = (names: string): string[] => names.split(',').flatMap((name) => name.trim().replace(/^"(.*)"$/, '$1') || [])

async function* historyItems(source: Source, builder: DatabaseItemBuilder, context: DiscoveryContext): AsyncGenerator<Item, void> {
  const rows = await queryOptional<HistoryRow>(source, historySql(builder.name), 'the query history', context, ['query'])
  const queries = rows.map(({ text, user, calls }) => ({ text, calls: Number(calls), users: [user] }))
  for (const row of await mostFrequentQueries(queries, 'redshift', HISTORY_HOURS)) yield builder.query(row)
}
