import { Client } from 'pg'

/** What must be true of the server before anything is opened on it. */
export class ServerLimitError extends Error {}

/** How many connections the server leaves to this role and database. */
export const findConnectionLimit = async (url: string): Promise<number> => {
  const client = await open(url)
  try {
    const { rows } = await client.query<{ limit: number }>(`
      select least(
        current_setting('max_connections')::int
          - case when (select rolsuper from pg_roles where rolname = current_user) then 0
            else current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0) end,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as limit`)
    return rows[0]!.limit
  } finally {
    await client.end()
  }
}

const HELD = 8 // connections; a pooler that gives servers out by transaction has rarely more idle ones when a process starts

/**
 * A pooler that gives every transaction another server (PgBouncer with `pool_mode = transaction`) breaks prepared statements, notifications
 * and advisory locks. It is recognised by two open connections that have the same server process.
 */
export const refuseTransactionPooling = async (url: string): Promise<void> => {
  const clients: Client[] = []
  try {
    const first = await open(url)
    clients.push(first)
    const pid = await pidOf(first)
    for (let i = 0; i < HELD; i += 1) {
      const other = await open(url)
      clients.push(other)
      await other.query('begin')
      if ((await pidOf(other)) !== pid) {
        if (i === 0 && (await pidOf(first)) === pid && !(await isPooled(first))) return // the usual case, in five statements
        continue
      }
      throw new ServerLimitError(
        'DATABASE_URL leads to a connection pooler in transaction mode, which Tablinum cannot use. Set pool_mode = session for this database, or connect to Postgres directly.',
      )
    }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

/** Behind a pooler the server process is not the one the connection was greeted with. */
const isPooled = async (client: Client): Promise<boolean> =>
  (client as unknown as { processID: number }).processID !== (await pidOf(client))

const pidOf = async (client: Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

const open = async (url: string): Promise<Client> => {
  const client = new Client({
    connectionString: url,
    application_name: 'tablinum start',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  })
  client.on('error', () => {}) // whoever uses it gets the error with their statement
  await client.connect()
  return client
}
