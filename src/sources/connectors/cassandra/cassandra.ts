import { auth, Client, errors, policies, types } from 'cassandra-driver'
import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { compilePatterns, type Patterns } from '../patterns/name-patterns.ts'
import { nameKey } from '../stores/tables.ts'
import { readUserTypes, type TableRows, toKeyspace, toTable, toView } from './cassandra-items.ts'
import { CASSANDRA_GRANTS, CASSANDRA_SETTINGS, type CassandraSettings } from './cassandra-settings.ts'

const CONNECT_MS = 10_000
const READ_MS = 30_000
const PAGE_ROWS = 1_000
const DEFAULT_PORT = 9042
const SYSTEM_KEYSPACES = /^(system(_.*)?|dse_.*|solr_admin|OpsCenter)$/

export const cassandra = defineConnector<CassandraSettings>({
  name: 'cassandra',
  label: 'Apache Cassandra',
  version: '1.0.0',
  settings: CASSANDRA_SETTINGS,
  grants: CASSANDRA_GRANTS,

  test: ({ settings }) =>
    withClient(settings, async (client) => {
      const [local] = await read(client, 'local', "select release_version, cluster_name from system.local where key = 'local'")
      const keyspaces = await listKeyspaces(client, settings)
      const cluster = local?.optionalText('cluster_name')
      return `Cassandra ${local?.text('release_version') ?? ''}${cluster ? `, cluster ${cluster}` : ''}: ${keyspaces.length} keyspaces.`
    }),

  async *discover({ settings, progress }) {
    const client = await connect(settings)
    try {
      const patterns = compilePatterns(settings.include, settings.exclude)
      const keyspaces = await listKeyspaces(client, settings)
      for (const [done, keyspace] of keyspaces.entries()) {
        yield* readKeyspace(client, keyspace, patterns)
        await progress(done + 1, keyspaces.length)
      }
    } finally {
      await client.shutdown()
    }
  },
})

const connect = async ({ hosts, datacenter, user, password = '', ssl, ca }: CassandraSettings): Promise<Client> => {
  const contactPoints = hosts
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
  if (contactPoints.length === 0) throw new Error('The hosts must be host names or addresses, comma-separated.')
  const { DCAwareRoundRobinPolicy, RoundRobinPolicy } = policies.loadBalancing
  const client = new Client({
    contactPoints,
    applicationName: 'tablinum',
    ...(datacenter ? { localDataCenter: datacenter } : {}),
    ...(user ? { authProvider: new auth.PlainTextAuthProvider(user, password) } : {}),
    ...(ssl ? { sslOptions: { rejectUnauthorized: true, ...(ca ? { ca: [ca] } : {}) } } : {}),
    protocolOptions: { port: DEFAULT_PORT, maxVersion: types.protocolVersion.v4 },
    policies: { loadBalancing: datacenter ? new DCAwareRoundRobinPolicy(datacenter) : new RoundRobinPolicy() },
    pooling: { warmup: false, coreConnectionsPerHost: { [types.distance.local]: 1, [types.distance.remote]: 0 } },
    socketOptions: { connectTimeout: CONNECT_MS, readTimeout: READ_MS },
    queryOptions: { fetchSize: PAGE_ROWS, prepare: false },
    isMetadataSyncEnabled: false, // it is read here, as rows
    monitorReporting: { enabled: false },
  })
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.shutdown().catch(() => {})
    throw explainError(error)
  }
}

/** No server could be used: the reason of the first one says more. */
const explainError = (error: unknown): unknown => {
  const inner = error instanceof errors.NoHostAvailableError ? Object.values(error.innerErrors as object)[0] : undefined
  return inner instanceof Error ? new Error(inner.message, { cause: error }) : error
}

const withClient = async <T>(settings: CassandraSettings, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = await connect(settings)
  try {
    return await work(client)
  } finally {
    await client.shutdown()
  }
}

/** All rows, page by page. */
const read = async (client: Client, what: string, cql: string): Promise<Shape[]> => {
  try {
    const rows = await Array.fromAsync(await client.execute(cql))
    return rows.map((row) => new Shape({ ...row }, what))
  } catch (error) {
    throw explainError(error)
  }
}

const listKeyspaces = async (client: Client, { keyspace }: CassandraSettings): Promise<Shape[]> => {
  const all = await read(client, 'system_schema.keyspaces', 'select * from system_schema.keyspaces')
  const named = all.filter((row) => (keyspace ? row.text('keyspace_name') === keyspace : !SYSTEM_KEYSPACES.test(row.text('keyspace_name'))))
  if (keyspace && named.length === 0) throw new Error(`The keyspace ${keyspace} does not exist.`)
  return named.sort((a, b) => (a.text('keyspace_name') < b.text('keyspace_name') ? -1 : 1))
}

async function* readKeyspace(client: Client, row: Shape, patterns: Patterns): AsyncGenerator<Discovered, void> {
  const keyspace = row.text('keyspace_name')
  yield toKeyspace(row)
  const load = (table: string) =>
    read(client, `system_schema.${table}`, `select * from system_schema.${table} where keyspace_name = '${keyspace.replaceAll("'", "''")}'`)
  let all: Awaited<ReturnType<typeof load>>[]
  try {
    all = await Promise.all(['tables', 'views', 'columns', 'types', 'indexes'].map(load))
  } catch (error) {
    // An answer of the server concerns this keyspace only; a lost connection ends the sync.
    if (!(error instanceof errors.ResponseError)) throw error
    yield { type: 'unlisted', key: nameKey(keyspace), reason: `${keyspace}: ${error.message} What is known of it stays as it is.` }
    return
  }
  const [tables, views, columns, userTypes, indexes] = all as [Shape[], Shape[], Shape[], Shape[], Shape[]]
  const byTable = (rows: readonly Shape[]) => Map.groupBy(rows, (each) => each.text('table_name'))
  const [columnsOf, indexesOf, types] = [byTable(columns), byTable(indexes), readUserTypes(userTypes)]
  const rowsOf = (table: string): TableRows => ({ columns: columnsOf.get(table) ?? [], indexes: indexesOf.get(table) ?? [], types })
  const listed = new Set<string>()
  for (const table of sortByName(tables, 'table_name')) {
    const name = table.text('table_name')
    // Every table has columns: one without was dropped after it was listed.
    if (!patterns.matches(keyspace, name) || !columnsOf.has(name)) continue
    listed.add(name)
    yield* toTable(keyspace, table, rowsOf(name))
  }
  for (const view of sortByName(views, 'view_name')) {
    const name = view.text('view_name')
    if (!patterns.matches(keyspace, name) || !columnsOf.has(name)) continue
    const isBaseListed = listed.has(view.text('base_table_name'))
    for (const each of toView(keyspace, view, rowsOf(name))) if (each.type !== 'lineage' || isBaseListed) yield each
  }
}

const sortByName = (rows: readonly Shape[], name: string): Shape[] => [...rows].sort((a, b) => (a.text(name) < b.text(name) ? -1 : 1))
