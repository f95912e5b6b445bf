import { type Item, keyOf } from '../../sync/item.ts'
import type { Connector, Source, Visit } from './connector.ts'
import { Telling } from './items.ts'
import { patternsOf } from './patterns.ts'
import { postgresSql } from './postgres-ask.ts'
import { Session } from './postgres-session.ts'
import {
  type ColumnRow,
  type ConstraintRow,
  columnsOf,
  constraintsOf,
  DATABASE,
  type DatabaseRow,
  EXTERNAL_COLUMNS,
  EXTERNAL_TABLES,
  type ExternalColumnRow,
  type ExternalTableRow,
  type HistoryRow,
  historyOf,
  type InfoRow,
  infoOf,
  LATE_COLUMNS,
  type LateColumnRow,
  type MaterializedRow,
  materializedIn,
  type RelationRow,
  relationsOf,
  SCHEMAS,
  type SchemaRow,
} from './redshift-sql.ts'
import { frequent, HISTORY_HOURS } from './statement.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads the catalog of a Redshift database, schema by schema. */
export const redshiftConnector: Connector = {
  test: async (source, signal) => {
    await using session = await Session.open(source, signal, TEST_MS, 'redshift')
    const [database] = await session.ask<DatabaseRow>(DATABASE)
    const schemas = await session.ask<SchemaRow>(SCHEMAS)
    const { version, name } = database!
    return `Redshift ${versionOf(version)}, database ${name}: ${schemas.filter(({ open }) => open).length} schemas.`
  },

  async *discover(source, visit) {
    await using session = await Session.open(source, visit.signal, DISCOVER_MS, 'redshift')
    const [database] = await session.ask<DatabaseRow>(DATABASE)
    const { name, oid } = database!
    const schemas = await session.ask<SchemaRow>(SCHEMAS)
    const closed = schemas.flatMap(({ name, open }) => (open ? [] : name))
    for (const schema of closed) visit.unlisted?.({ under: keyOf(name, schema) })
    if (closed.length > 0) await visit.say(`Skipped schemas the user cannot use: ${closed.join(', ')}.`)
    const home = new Home(
      session,
      oid,
      schemas.filter(({ open }) => open),
      await besideOf(source, name, visit),
    )
    const telling = new Telling(name, 'redshift', patternsOf(source))
    yield* telling.all({ name }, { schemas: home.schemas(), tables: home.tables(), columns: home.columns() })
    if (source.credentials.query_history === true) yield* history(source, telling, visit)
  },

  sql: postgresSql('redshift'),
}

const versionOf = (version: string): string => /Redshift ([\d.]+)/.exec(version)?.[1] ?? version.split(' on ')[0]!

/** Metadata from Redshift's own views, where they can be read. */
interface Beside {
  readonly infos: ReadonlyMap<string, InfoRow>
  readonly materialized: ReadonlySet<string>
  readonly external: readonly ExternalTableRow[]
  readonly externalColumns: readonly ExternalColumnRow[]
  readonly lateColumns: readonly LateColumnRow[]
}

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Each query in its own transaction: an error aborts the transaction. */
const trying = async <T extends object>(
  source: Source,
  sql: string,
  what: string,
  visit: Visit,
  unlisted: readonly string[] = [],
): Promise<T[]> => {
  const { signal, say } = visit
  try {
    await using session = await Session.open(source, signal, DISCOVER_MS, 'redshift')
    return await session.ask<T>(sql)
  } catch (error) {
    if (signal.aborted) throw error
    for (const entity_type of unlisted) visit.unlisted?.({ entity_type })
    await say(`Could not read ${what}: ${(error as Error).message}`)
    return []
  }
}

const besideOf = async (source: Source, database: string, visit: Visit): Promise<Beside> => {
  const infos = await trying<InfoRow>(source, infoOf(database), 'row counts and sizes', visit)
  const materialized = await trying<MaterializedRow>(source, materializedIn(database), 'materialized views', visit)
  return {
    infos: new Map(infos.map((row) => [nameOf(row.schema, row.table), row])),
    materialized: new Set(materialized.map(({ schema, name }) => nameOf(schema, name))),
    external: await trying<ExternalTableRow>(source, EXTERNAL_TABLES, 'external tables', visit, ['table', 'column']),
    externalColumns: await trying<ExternalColumnRow>(source, EXTERNAL_COLUMNS, 'columns of external tables', visit, ['column']),
    lateColumns: await trying<LateColumnRow>(source, LATE_COLUMNS, 'columns of late-binding views', visit, ['column']),
  }
}

class Home {
  readonly #session: Session
  readonly #database: number
  readonly #schemas: readonly SchemaRow[]
  readonly #beside: Beside

  constructor(session: Session, database: number, schemas: readonly SchemaRow[], beside: Beside) {
    this.#session = session
    this.#database = database
    this.#schemas = schemas
    this.#beside = beside
  }

  #id(...oids: readonly number[]): string {
    return ['redshift', this.#database, ...oids].join('/')
  }

  *schemas() {
    for (const { oid, name, comment } of this.#schemas) yield { name, comment, stable_id: this.#id(oid) }
  }

  async *tables() {
    const { infos, materialized, external } = this.#beside
    for (const schema of this.#schemas) {
      const constraints = Map.groupBy(await this.#session.ask<ConstraintRow>(constraintsOf(schema.oid)), ({ table }) => table)
      for (const row of await this.#session.ask<RelationRow>(relationsOf(schema.oid))) {
        const name = nameOf(schema.name, row.name)
        const table = tableOf(schema.name, row, constraints.get(row.name) ?? [], infos.get(name))
        yield { ...table, ...(materialized.has(name) ? { kind: 'materialized view' } : {}), stable_id: this.#id(row.oid) }
      }
    }
    for (const { schema, name, location } of external) yield { schema, name, kind: 'external table', facts: { location } }
  }

  async *columns() {
    for (const { oid, name: schema } of this.#schemas)
      for (const row of await this.#session.ask<ColumnRow>(columnsOf(oid))) {
        const { table_oid, number, required, ...column } = row
        yield { ...column, schema, position: number, nullable: !required, stable_id: this.#id(table_oid, number) }
      }
    for (const { partition, ...row } of this.#beside.externalColumns)
      yield { ...row, facts: { partition_key: partition > 0 ? partition : undefined } }
    yield* this.#beside.lateColumns
  }
}

const TYPES: Readonly<Record<string, string>> = { p: 'primary key', u: 'unique' }

const MEGABYTE = 1024 * 1024

const tableOf = (
  schema: string,
  { name, kind, comment, definition }: RelationRow,
  constraints: readonly ConstraintRow[],
  info?: InfoRow,
) => {
  const foreign = constraints.filter(({ type }) => type === 'f')
  const others = constraints.flatMap(({ name, type, definition }) => (TYPES[type] ? [{ name, type: TYPES[type], definition }] : []))
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
      foreign_keys: foreign.length > 0 ? foreign.map(({ name, definition }) => foreignKey(name, definition)) : undefined,
    },
  }
}

/** Parses FOREIGN KEY (a, b) REFERENCES s.t(x, y). */
const foreignKey = (name: string, definition: string) => {
  const [, columns = '', table = '', to = ''] = /^FOREIGN KEY \((.*?)\) REFERENCES (.+?)\((.*?)\)/i.exec(definition) ?? []
  return { name, columns: listOf(columns), table, to: listOf(to) }
}
const listOf = (names: string): string[] => names.split(',').flatMap((name) => name.trim().replace(/^"(.*)"$/, '$1') || [])

async function* history(source: Source, telling: Telling, visit: Visit): AsyncGenerator<Item, void> {
  const rows = await trying<HistoryRow>(source, historyOf(telling.name), 'the query history', visit, ['query'])
  const asked = rows.map(({ text, user, calls }) => ({ text, calls: Number(calls), users: [user] }))
  for (const row of await frequent(asked, 'redshift', HISTORY_HOURS)) yield telling.query(row)
}
