import { basename, extname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { defineConnector, QueryError, runConnector, toKey } from '@tablinum/connector'

interface Settings {
  readonly path: string
}

/** Reads the tables of an SQLite file, and runs queries on them. Replace the database with yours. */
const connector = defineConnector<Settings>({
  name: 'sqlite-file',
  label: 'SQLite file',
  version: '0.1.0',
  settings: {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string', title: 'Path', description: 'Absolute path of the file.', destination: true } },
  },
  grants: 'Read access to the file.',

  test: async ({ settings }) => {
    using database = open(settings)
    return `Connected: ${listTables(database).length} tables and views.`
  },

  async *discover({ settings }) {
    using database = open(settings)
    const name = basename(settings.path, extname(settings.path))
    yield { type: 'item', key: toKey(name), entity_type: 'database', title: name }
    for (const table of listTables(database)) {
      const key = toKey(name, table.name)
      yield {
        type: 'item',
        key,
        parent: toKey(name),
        entity_type: 'table',
        title: table.name,
        native_type: table.type,
        ...(table.type === 'view' ? { query: { sql: table.sql, dialect: 'sqlite', database: name } } : {}),
      }
      for (const column of listColumns(database, table.name))
        yield {
          type: 'item',
          key: toKey(name, table.name, column.name),
          parent: key,
          entity_type: 'column',
          title: column.name,
          native_type: column.type || null,
          position: column.cid + 1,
          primary_key: column.pk > 0,
        }
    }
  },

  query: {
    dialect: 'sqlite',
    open: async ({ settings }) => {
      const database = open(settings)
      return {
        run: ({ sql }) => {
          const statement = prepare(database, sql)
          statement.setReturnArrays(true)
          statement.setReadBigInts(true)
          return { columns: statement.columns().map(({ name, type }) => ({ name, type: type ?? '' })), rows: readRows(statement) }
        },
        close: () => database.close(),
      }
    },
  },
})

/** Nothing is written, and no other file is opened. */
const open = ({ path }: Settings): DatabaseSync => {
  const database = new DatabaseSync(path, { readOnly: true, allowExtension: false, timeout: 5_000 })
  database.exec('pragma query_only = on; pragma trusted_schema = off')
  return database
}

const listTables = (database: DatabaseSync) =>
  database
    .prepare(
      "select name, type, sql from sqlite_schema where type in ('table', 'view') and name not like 'sqlite!_%' escape '!' order by name",
    )
    .all() as { name: string; type: 'table' | 'view'; sql: string }[]

const listColumns = (database: DatabaseSync, table: string) =>
  database.prepare('select cid, name, type, pk from pragma_table_info(?)').all(table) as {
    cid: number
    name: string
    type: string
    pk: number
  }[]

/** Before a row is read, an error is about the query itself: Tablinum shows it. Others may contain values of cells. */
const prepare = (database: DatabaseSync, sql: string): StatementSync => {
  try {
    return database.prepare(sql)
  } catch (error) {
    throw new QueryError((error as Error).message, 'query')
  }
}

function* readRows(statement: StatementSync): Generator<unknown[][], void> {
  for (const row of statement.iterate() as unknown as Iterable<unknown[]>) yield [row]
}

await runConnector(connector)
