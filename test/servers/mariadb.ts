import { execFile } from 'node:child_process'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Connection, createConnection } from 'mysql2/promise'
import { newId } from '../../src/platform/core/id.ts'
import { createTcpProxyTo } from '../support/tcp-proxy.ts'
import { findMissingPrograms, findProgram } from './debian.ts'
import { account, type ServerProcess, startServer } from './process.ts'

const run = promisify(execFile)

/** Why MariaDB is not available here, or undefined: `describe.skipIf(noMariadb)`. Evaluated when a test file is loaded, which installs it if possible. */
export const skipWithoutMariadb = await findMissingPrograms({
  programs: ['mariadbd', 'openssl'],
  packages: ['mariadb-server-core', 'openssl'],
})

/** A separate database on a real MariaDB, and a user who can only read it. */
export interface MariadbSource extends AsyncDisposable {
  readonly name: string
  readonly credentials: { host: string; port: number; database: string; user: string; password: string }
  /** The CA of its certificate, which is for `localhost`. */
  readonly ca: string
  /** Number of connections so far. */
  readonly visits: () => number
  /** Closes all connections through this port. */
  readonly cut: () => void
  /** Runs as root, in this database. */
  run(...statements: string[]): Promise<unknown[]>
}

const PASSWORD = 'correct horse'

export const createMariadbSource = async (...statements: string[]): Promise<MariadbSource> => {
  const { folder } = await getServer()
  const socket = join(folder, 'socket')
  const name = `source_${newId().replaceAll('-', '')}`
  const user = name.slice(0, 6) + name.slice(-20)
  const admin = await createConnection({ socketPath: socket, user: 'root', charset: 'utf8mb4' })
  const runStatements = async (...statements: string[]) => {
    const results: unknown[] = []
    for (const statement of statements) results.push((await admin.query(statement))[0])
    return results
  }
  await runStatements(
    `create database ${name}`,
    `create user ${user}@localhost identified by '${PASSWORD}'`,
    `grant select, show view on ${name}.* to ${user}@localhost`,
    `use ${name}`,
    ...statements,
  )
  const proxy = await createTcpProxyTo(socket)
  return {
    name,
    credentials: { host: '127.0.0.1', port: proxy.port, database: name, user, password: PASSWORD },
    ca: await readFile(join(folder, 'certificate.pem'), 'utf8'),
    visits: proxy.visits,
    cut: proxy.cut,
    run: runStatements,
    [Symbol.asyncDispose]: async () => {
      await proxy.close()
      await runStatements(`drop database if exists ${name}`, `drop user ${user}@localhost`)
      await admin.end()
    },
  }
}

/** One server for all tests of a worker, started on first use; it ends with the worker. */
let running: Promise<ServerProcess> | undefined
const getServer = (): Promise<ServerProcess> => (running ??= startMariadb())

const SMALL_SETTINGS = [
  '--innodb-buffer-pool-size=16M',
  '--innodb-log-file-size=8M',
  '--innodb-flush-log-at-trx-commit=0',
  '--skip-innodb-doublewrite',
  '--max-connections=50',
  '--table-open-cache=400',
]

const startMariadb = async (): Promise<ServerProcess> => {
  const program = (await findProgram('mariadbd'))!
  return startServer('mariadb', {
    prepare: async (folder) => {
      const always = ['--no-defaults', `--datadir=${join(folder, 'data')}`, ...SMALL_SETTINGS]
      await initializeDatabase(program, folder, always)
      const tls = await createServerCertificate(folder)
      const own = [`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`, '--skip-networking']
      return [program, ...always, ...own, ...tls, '--performance-schema=ON', '--character-set-server=utf8mb4']
    },
    isReady: async (folder) => {
      const connection: Connection = await createConnection({ socketPath: join(folder, 'socket'), user: 'root' })
      await connection.query("update performance_schema.setup_consumers set enabled = 'YES' where name = 'statements_digest'")
      await connection.end()
    },
  })
}

/** Like `mariadb-install-db`, which needs programs of another package, without the help tables. */
const initializeDatabase = async (program: string, folder: string, settings: readonly string[]) => {
  const scripts = join(dirname(program), '../share/mysql')
  const system = ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql']
  const texts = await Promise.all(system.map((name) => readFile(join(scripts, name), 'utf8')))
  await mkdir(join(folder, 'data'))
  if (account.uid) await chown(join(folder, 'data'), account.uid, account.gid)
  const installed = run(program, [...settings, '--bootstrap', '--skip-networking'], { ...account, cwd: folder })
  installed.child.stdin!.on('error', () => {})
  installed.child.stdin!.end(['create database if not exists mysql;', 'use mysql;', 'set @auth_root_socket = null;', ...texts].join('\n'))
  await installed
}

/** A self-signed certificate. */
const createServerCertificate = async (folder: string): Promise<string[]> => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const own = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await run('openssl', ['req', ...own, ...named, '-keyout', key, '-out', certificate], { ...account, cwd: folder })
  return [`--ssl-key=${key}`, `--ssl-cert=${certificate}`]
}
