import { statfs } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import type { Config } from '../../platform/config/config.ts'
import { CliError, type Command } from './command.ts'
import { formatMegabytes } from './progress.ts'

const HELP = `Usage: tablinum doctor

Checks an installation: settings, database, grants, migrations, connections, clock, disk and the key of
the secrets. Changes nothing. Uses the settings and the database of the server.

  --help

Exits with code 1 if a check failed; warnings do not count.
`

interface Finding {
  readonly level: 'ok' | 'warning' | 'failed'
  readonly check: string
  readonly detail: string
}
type Check = (installation: Installation) => Promise<Omit<Finding, 'check'>>

interface Installation {
  readonly config: Config
  readonly url: string
  readonly client: Client
}

const ok = (detail: string) => ({ level: 'ok', detail }) as const
const warning = (detail: string) => ({ level: 'warning', detail }) as const
const failed = (detail: string) => ({ level: 'failed', detail }) as const

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'check settings, database, connections, clock, disk and keys',
  help: HELP,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
    if (positionals.length > 0) throw new CliError('Expected no arguments. Run with --help for details.')
    // See backup.ts.
    const [{ default: pg }, { reportErrors, connectToDatabase }] = await Promise.all([import('pg'), import('./database.ts')])
    let failures = 0
    const code = await reportErrors(async () => {
      await using database = await connectToDatabase({ shared: true, create: false })
      const client = new pg.Client({ connectionString: database.url, application_name: 'tablinum doctor', connectionTimeoutMillis: 10_000 })
      client.on('error', () => {}) // the running query reports it
      await client.connect()
      try {
        for (const [check, run] of Object.entries(CHECKS)) {
          const { level, detail } = await run({ ...database, client }).catch((error: Error) => failed(error.message))
          process.stdout.write(`${level.padEnd(8)} ${check}: ${detail}\n`)
          if (level === 'failed') failures += 1
        }
      } finally {
        await client.end()
      }
    })
    return code || (failures > 0 ? 1 : 0)
  },
}

const checkVersions: Check = async ({ client }) => {
  const [{ PRODUCT_VERSION }, { MIN_POSTGRES_VERSION }] = await Promise.all([
    import('../../platform/config/product-version.ts'),
    import('../../platform/db/migrate.ts'),
  ])
  const { rows } = await client.query(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  )
  const versions = `Tablinum ${PRODUCT_VERSION}, Node ${process.versions.node}, Postgres ${rows[0].version}`
  return rows[0].number < MIN_POSTGRES_VERSION * 10_000
    ? failed(`${versions}; Postgres ${MIN_POSTGRES_VERSION} or newer is required.`)
    : ok(versions)
}

const checkSettings: Check = async ({ config }) => {
  const { findConfigWarnings } = await import('../../platform/config/config.ts')
  const warnings = findConfigWarnings(config)
  return warnings.length > 0 ? warning(warnings.join(' ')) : ok('valid')
}

const EXTENSIONS = ['pg_trgm', 'fuzzystrmatch', 'unaccent']

const checkGrants: Check = async ({ client }) => {
  const { rows: missing } = await client.query(
    `select name, e.oid is not null as installed, a.name is not null as available
     from unnest($1::text[]) wanted (name) left join pg_extension e on e.extname = wanted.name left join pg_available_extensions a using (name)
     where e.oid is null order by name`,
    [EXTENSIONS],
  )
  const unavailable = missing.filter(({ available }) => !available).map(({ name }) => name)
  if (unavailable.length > 0)
    return failed(`The server does not have the extensions ${unavailable.join(', ')}. Install its contrib package.`)
  const { rows } = await client.query(
    `select current_user as role, current_database() as name, has_database_privilege(current_database(), 'create') as database, has_schema_privilege('public', 'create') as schema`,
  )
  const { role, name, database, schema } = rows[0]
  if (!schema) return failed(`The role ${role} cannot create tables. Run: grant create on schema public to ${role}`)
  if (!database) return failed(`The role ${role} cannot create schemas and extensions. Run: grant create on database ${name} to ${role}`)
  return ok(`the role ${role} can create tables, schemas and extensions`)
}

const checkMigrations: Check = async ({ client }) => {
  const { readMigrations } = await import('../../platform/db/migrate.ts')
  const known = (await readMigrations()).map(({ name }) => name)
  const { rows: there } = await client.query(`select to_regclass('public.migrations') is not null as found`)
  if (!there[0].found) return warning('The database is empty; the first start creates the schema.')
  const { rows } = await client.query('select name from migrations order by name')
  const applied = rows.map(({ name }) => name as string)
  const newer = applied.filter((name) => !known.includes(name))
  if (newer.length > 0)
    return failed(`The database was migrated by a newer version (${newer.at(-1)}). Start that version, or restore a backup.`)
  const pending = known.filter((name) => !applied.includes(name))
  return pending.length > 0 ? warning(`${pending.length} pending; the next start applies them.`) : ok(`all ${known.length} applied`)
}

const checkBackgroundMigrations: Check = async ({ client }) => {
  const { rows: there } = await client.query(`select to_regclass('public.background_migrations') is not null as found`)
  if (!there[0].found) return ok('none')
  const { rows } = await client.query(
    `select name, rows_done::float8 as done, greatest(rows_total, rows_done)::float8 as total, error from background_migrations
     where finished_at is null order by created_at, name`,
  )
  if (rows.length === 0) return ok('all finished')
  const describe = ({ name, done, total, error }: (typeof rows)[number]) =>
    `${name}: ${total ? `${done} of about ${total} rows` : 'waiting'}${error ? `, failed: ${error}` : ''}`
  const list = rows.map(describe).join('; ')
  return rows.some(({ error }) => error) ? warning(list) : ok(`running: ${list}`)
}

const checkConnections: Check = async ({ config, url }) => {
  const [{ computeConnectionBudget }, { findConnectionLimit }, { queueConnections }] = await Promise.all([
    import('../../platform/config/connection-budget.ts'),
    import('../../platform/db/server-limits.ts'),
    import('../../platform/queue/classes.ts'),
  ])
  const needed = computeConnectionBudget({ ...config, queue: queueConnections(config.workers) })
  const limit = await findConnectionLimit(url)
  const numbers = `this process may open ${needed}, the server allows ${limit}`
  return needed > limit ? failed(`${numbers}. Lower TABLINUM_POOL, or raise max_connections.`) : ok(numbers)
}

const checkReplicas: Check = async ({ config, client }) => {
  if (config.replicaUrls.length === 0) return ok('none')
  const { default: pg } = await import('pg')
  const CLUSTER = `(select system_identifier from pg_control_system())::text || current_database() as cluster`
  const { rows } = await client.query(`select ${CLUSTER}, pg_current_wal_flush_lsn()::text as position`)
  const describe = async (url: string): Promise<{ well: boolean; text: string }> => {
    const name = new URL(url).host
    const replica = new pg.Client({ connectionString: url, application_name: 'tablinum doctor', connectionTimeoutMillis: 10_000 })
    replica.on('error', () => {})
    try {
      await replica.connect()
      const { rows: found } = await replica.query(
        `select ${CLUSTER}, pg_is_in_recovery() as standby,
           greatest(pg_wal_lsn_diff($1::text::pg_lsn, coalesce(pg_last_wal_replay_lsn(), '0/0')), 0)::float8 as behind`,
        [rows[0].position],
      )
      const { cluster, standby, behind } = found[0]
      if (cluster !== rows[0].cluster) return { well: false, text: `${name} is not a copy of the database at DATABASE_URL` }
      if (!standby) return { well: false, text: `${name} is not in recovery` }
      return { well: true, text: `${name} is ${behind} bytes behind` }
    } catch (error) {
      return { well: false, text: `${name} cannot be reached: ${(error as Error).message}` }
    } finally {
      await replica.end().catch(() => {})
    }
  }
  const all = await Promise.all(config.replicaUrls.map(describe))
  const text = all.map((each) => each.text).join('; ')
  return all.every(({ well }) => well) ? ok(text) : warning(`${text}. The primary answers instead.`)
}

const MAX_SKEW_MS = 5_000

const checkClock: Check = async ({ client }) => {
  const before = Date.now()
  const { rows } = await client.query(`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`)
  const skew = rows[0].now - (before + Date.now()) / 2
  const text = `${Math.abs(skew / 1000).toFixed(1)} s from the clock of the database`
  return Math.abs(skew) > MAX_SKEW_MS ? warning(`${text}. Synchronize it, e.g. with NTP.`) : ok(text)
}

const MIN_FREE_BYTES = 1024 ** 3

const checkDisk: Check = async ({ config, client }) => {
  const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes')
  const size = `the database has ${formatMegabytes(rows[0].bytes)}`
  const disk = await statfs(config.dataFolder).catch(() => undefined)
  if (!disk) return ok(size)
  const free = disk.bavail * disk.bsize
  const text = `${size}, ${config.dataFolder} has ${formatMegabytes(free)} free`
  return free < MIN_FREE_BYTES ? warning(`${text}. Less than 1 GB is left.`) : ok(text)
}

const checkKeys: Check = async ({ config, client }) => {
  const used = new Map<string, number>()
  // Every table with secrets has the ID of their key in such a column.
  const { rows: columns } = await client.query(
    `select quote_ident(table_name) as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name in ('secret_key', 'secrets_key') order by 1`,
  )
  for (const { table, column } of columns) {
    const { rows } = await client.query(
      `select ${column} as key, count(*)::int as count from ${table} where ${column} is not null group by 1`,
    )
    for (const { key, count } of rows) used.set(key, (used.get(key) ?? 0) + count)
  }
  if (used.size === 0) return ok('no secrets are stored yet')
  const { Keyring } = await import('../../platform/secrets/keyring.ts')
  const keys = (await new Keyring(config).keys()).map(({ id }) => id)
  const lost = [...used].filter(([key]) => !keys.includes(key)).reduce((sum, [, count]) => sum + count, 0)
  const all = [...used.values()].reduce((sum, count) => sum + count, 0)
  return lost > 0
    ? failed(`${lost} of ${all} stored secrets were encrypted with another key. Restore the previous TABLINUM_SECRET_KEY or secret.key.`)
    : ok(`${all} stored secret${all === 1 ? '' : 's'} can be decrypted`)
}

const CHECKS: Readonly<Record<string, Check>> = {
  versions: checkVersions,
  settings: checkSettings,
  grants: checkGrants,
  migrations: checkMigrations,
  'background migrations': checkBackgroundMigrations,
  connections: checkConnections,
  replicas: checkReplicas,
  clock: checkClock,
  disk: checkDisk,
  keys: checkKeys,
}
