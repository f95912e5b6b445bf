import { Client } from 'pg'

/** The server does not meet the requirements; checked before anything is opened on it. */
export class ServerLimitError extends Error {}

/** How many connections the server allows for this role and database. */
export const findConnectionLimit = async (url: string): Promise<number> => {
  const client = await openClient(url)
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

const POOLED_CLIENTS = 8 // more than the processes a pooler runs behind one port: each has its own server connections
const ROUNDS = 5
const FULL_POOLER_TIMEOUT_MS = 3_000

/**
 * A pooler that assigns another server to every transaction or statement (PgBouncer with `pool_mode = transaction` or `statement`) breaks
 * prepared statements, notifications and advisory locks. Detected by alternating between connections: each must keep its server process, and
 * no two may share one. A pooler that prefers the most recently used server assigns it to two connections; one that prefers the least recently
 * used one assigns another server to the same connection. Returns whether there is a pooler at all.
 */
export const rejectTransactionPooling = async (url: string): Promise<boolean> => {
  await using clients = new AsyncDisposableStack()
  const pids = new Map<Client, number>()
  const first = clients.adopt(await openClient(url), closeQuietly)
  pids.set(first, await getBackendPid(first))
  const pooled = await isPooled(first)
  for (let i = 1; i < (pooled ? POOLED_CLIENTS : 2); i += 1) {
    const client = clients.adopt(await openClient(url, FULL_POOLER_TIMEOUT_MS), closeQuietly)
    const pid = await getBackendPid(client).catch(() => undefined)
    if (pid === undefined) break // it waits for a server although the other connections are idle: each keeps its own
    if ([...pids.values()].includes(pid)) throw new ServerLimitError(TRANSACTION_POOLING_MESSAGE)
    pids.set(client, pid)
  }
  for (let round = 0; round < (pooled ? ROUNDS : 1); round += 1)
    for (const [client, pid] of pids)
      if ((await getBackendPid(client)) !== pid || (await getBackendPid(client)) !== pid)
        throw new ServerLimitError(TRANSACTION_POOLING_MESSAGE)
  return pooled
}

/** How many connections a pooler provides at the same time, up to `max`. Connections others use at the moment are not included. */
export const measurePoolerCapacity = async (url: string, max: number): Promise<number> => {
  await using clients = new AsyncDisposableStack()
  for (let count = 0; count < max; count += 1) {
    const client = clients.adopt(await openClient(url, FULL_POOLER_TIMEOUT_MS), closeQuietly)
    const connected = await getBackendPid(client).then(
      () => true,
      () => false,
    )
    if (!connected) return count
  }
  return max
}

const TRANSACTION_POOLING_MESSAGE =
  'DATABASE_URL points to a connection pooler in transaction mode, which Tablinum does not support. Set pool_mode = session for this database, or connect to Postgres directly.'

/** Behind a pooler, the actual server process differs from the one reported at connection. */
const isPooled = async (client: Client): Promise<boolean> =>
  (client as unknown as { processID: number }).processID !== (await getBackendPid(client))

const getBackendPid = async (client: Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

const openClient = async (url: string, queryTimeoutMs = 10_000): Promise<Client> => {
  const client = new Client({
    connectionString: url,
    application_name: 'tablinum start',
    connectionTimeoutMillis: 10_000,
    query_timeout: queryTimeoutMs,
  })
  client.on('error', () => {}) // reported by the running statement
  await client.connect()
  return client
}

const closeQuietly = (client: Client): Promise<void> => client.end().catch(() => {})
