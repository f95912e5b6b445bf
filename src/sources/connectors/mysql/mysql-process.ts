import { runDriver } from '../shared/driver-program.ts'
import { tlsSwitch } from '../tls/tls-settings.ts'
import type { MysqlSettings } from './mysql-connection.ts'
import { createQuerySession, MysqlStatements } from './mysql-queries.ts'
import { openReadOnly } from './mysql-read-only.ts'

/** The program that queries MySQL and MariaDB. */

export interface OpenOptions extends MysqlSettings {
  readonly database?: string | undefined
  /** For reading the catalog: all statements in one transaction, each at most this long, without a default database. */
  readonly catalog_ms?: number | undefined
}

await runDriver<OpenOptions>({
  name: 'mysql',
  label: 'MySQL',
  dialect: 'mysql',
  settings: {
    type: 'object',
    required: ['host', 'user'],
    properties: {
      host: { type: 'string', title: 'Host', destination: true },
      port: { type: 'integer', title: 'Port', destination: true },
      database: { type: 'string', title: 'Database' },
      user: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', secret: true },
      ...tlsSwitch(false),
      catalog_ms: { type: 'integer', title: 'Milliseconds for each statement of the catalog' },
    },
  },
  open: async (settings) => {
    const { catalog_ms, database } = settings
    const statements = new MysqlStatements(
      catalog_ms === undefined ? createQuerySession(settings, database) : { open: () => openReadOnly(settings, catalog_ms), once: true },
    )
    await statements.connect()
    return statements
  },
})
