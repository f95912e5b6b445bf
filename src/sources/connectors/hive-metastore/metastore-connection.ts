import type { HiveSettings } from '../hive/hive-settings.ts'
import type { Metastore } from '../hive/metastore-sql.ts'
import { openReadOnly } from '../mysql/mysql-read-only.ts'
import { PostgresConnection } from '../postgres/postgres-connection.ts'

/** A metastore's own database, in one read-only transaction. */
export interface MetastoreConnection extends AsyncDisposable {
  readonly at: Metastore
  /** `PostgreSQL`, `MySQL` or `MariaDB`. */
  readonly system: string
  query<T extends object>(sql: string): Promise<T[]>
}

/** With its repeatable reads, a table that was listed is still there when its columns are read. */
export const openMetastore = async (settings: HiveSettings, statementMs: number): Promise<MetastoreConnection> => {
  if (settings.engine === 'postgres') {
    const source = { id: '', name: '', credentials: { ...settings } }
    const { signal } = new AbortController() // the process is killed instead
    const connection = await PostgresConnection.open(source, signal, statementMs)
    return {
      at: { engine: 'postgres', schema: settings.schema },
      system: 'PostgreSQL',
      query: (sql) => connection.query(sql),
      [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
    }
  }
  if (settings.engine !== 'mysql') throw new Error('The database system must be mysql or postgres.')
  const connection = await openReadOnly(settings, statementMs)
  return {
    at: { engine: 'mysql', schema: settings.database },
    system: connection.maria ? 'MariaDB' : 'MySQL',
    query: (sql) => connection.query(sql),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}
