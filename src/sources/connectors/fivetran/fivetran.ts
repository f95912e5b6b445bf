import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { type HttpClient, HttpError } from '../../../../connector/src/http.ts'
import { mapConcurrently, readPagesByToken } from '../../../../connector/src/paging.ts'
import { isObject } from '../../../../connector/src/protocol.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed, findIfPresent, readListed } from '../bi/bi-client.ts'
import { childKey, toOwners } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce } from '../bi/listing.ts'
import { toTime } from '../orchestration/runs.ts'
import { describeSyncedTable, findDatabaseDialect, type SyncedColumn, toNamedTable } from '../orchestration/synced-tables.ts'
import { FIVETRAN_GRANTS, FIVETRAN_SETTINGS, type FivetranSettings } from './fivetran-settings.ts'

const PAGE_SIZE = 1000

const getId = (object: Shape): string => object.text('id')
const groupKey = (id: string): string => childKey('group', id)
const connectionKey = (id: string): string => childKey('connection', id)

export const fivetran = defineConnector<FivetranSettings>({
  name: 'fivetran',
  label: 'Fivetran',
  version: '1.0.0',
  settings: FIVETRAN_SETTINGS,
  grants: FIVETRAN_GRANTS,

  test: async (context) => {
    const groups = await Array.fromAsync(new FivetranApi(context).list('/v1/groups'))
    return `Connected to Fivetran: ${groups.length} destinations.`
  },

  async *discover(context) {
    const api = new FivetranApi(context)
    const users = await api.listUsers()
    const groups = await Array.fromAsync(listOnce(api.list('/v1/groups'), getId))
    for (const [done, group] of groups.entries()) {
      await context.progress(done, groups.length)
      yield* discoverGroup(api, group, users)
    }
  },
})

async function* discoverGroup(api: FivetranApi, group: Shape, users: ReadonlyMap<string, string>): AsyncGenerator<Discovered, void> {
  const id = getId(group)
  const destination = await findIfAllowed(api.get(`/v1/destinations/${encodeURIComponent(id)}`))
  yield {
    type: 'item',
    key: groupKey(id),
    entity_type: 'job_group',
    title: group.text('name').slice(0, 500) || id,
    native_type: 'destination',
    facts: { service: destination?.optionalText('service') ?? null, region: destination?.optionalText('region') ?? null },
  }
  const connections = listOnce(api.list(`/v1/groups/${encodeURIComponent(id)}/connections`), getId)
  const read = async (connection: Shape): Promise<readonly Discovered[]> => {
    const key = connectionKey(getId(connection))
    const schemas = await readListed(api.readSchemas(connection), key)
    if (!('found' in schemas)) return schemas.messages
    return [readConnection(connection, id, users), ...readSchemas(connection, schemas.found, destination)]
  }
  for await (const found of mapConcurrently(connections, CONCURRENT_REQUESTS, read)) yield* found
}

interface SourceTable {
  readonly schema: string
  readonly name: string
  readonly target: readonly [schema: string, table: string]
  readonly columns: readonly SyncedColumn[]
}

class FivetranApi {
  readonly #client: HttpClient

  constructor(context: RunContext<FivetranSettings>) {
    const { url, api_key, api_secret } = context.settings
    this.#client = createBiClient('Fivetran', url, context)
    this.#client.setHeader('authorization', `Basic ${Buffer.from(`${api_key}:${api_secret}`).toString('base64')}`)
    this.#client.setHeader('accept', 'application/json;version=2')
  }

  /** The `data` of the answer. */
  async get(path: string, query?: Readonly<Record<string, string | number>>): Promise<Shape> {
    return new Shape(await this.#client.get(path, query), `GET ${path}`).object('data')
  }

  list(path: string): AsyncGenerator<Shape, void> {
    return readPagesByToken(`Fivetran: GET ${path}`, async (cursor) => {
      const page = await this.get(path, { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) })
      return { items: page.list('items'), next: page.optionalText('next_cursor') }
    })
  }

  /** E-mail addresses by ID; empty if the key may not read users. */
  async listUsers(): Promise<Map<string, string>> {
    const users = await findIfAllowed(Array.fromAsync(this.list('/v1/users')))
    return new Map((users ?? []).map((user) => [getId(user), user.optionalText('email') ?? '']))
  }

  /** The tables that are synced. A connection that has not synced yet has none. */
  async readSchemas(connection: Shape): Promise<SourceTable[]> {
    const path = `/v1/connections/${encodeURIComponent(getId(connection))}/schemas`
    const schemas = await this.get(path).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 404) return undefined
      throw error
    })
    if (!schemas) return []
    const tables = listEntries(schemas, 'schemas')
      .filter(isEnabled)
      .flatMap(([schema, config]) => listEntries(config, 'tables').map(([name, table]) => ({ schema, config, name, table })))
      .filter(({ name, table }) => isEnabled([name, table]))
    const read = async ({ schema, config, name, table }: (typeof tables)[number]): Promise<SourceTable> => ({
      schema,
      name,
      target: [config.text('name_in_destination'), table.text('name_in_destination')],
      columns: await this.#readColumns(`${path}/${encodeURIComponent(schema)}/tables/${encodeURIComponent(name)}/columns`, table),
    })
    return Array.fromAsync(mapConcurrently(tables, CONCURRENT_REQUESTS, read))
  }

  /** Schemas contain only columns whose settings somebody changed; the others are listed for tables that support it. */
  async #readColumns(path: string, table: Shape): Promise<SyncedColumn[]> {
    const listed = (table.optionalBoolean('supports_columns_config') ?? true) ? await findIfPresent(this.get(path)) : undefined
    const columns = listed ?? table
    return listEntries(columns, 'columns').map(([name, column]) => ({
      name,
      ...(isEnabled([name, column]) ? { target: column.optionalText('name_in_destination') ?? name } : {}),
    }))
  }
}

type Entry = readonly [name: string, value: Shape]

/** The entries of an object; none if it is absent. */
const listEntries = (shape: Shape, name: string): Entry[] => {
  const inner = shape.optionalObject(name)
  return inner && isObject(inner.value) ? Object.keys(inner.value).map((key) => [key, inner.object(key)] as const) : []
}

const isEnabled = ([, config]: Entry): boolean => config.optionalBoolean('enabled') ?? true

const readConnection = (connection: Shape, group: string, users: ReadonlyMap<string, string>): Discovered => {
  const id = getId(connection)
  const status = connection.optionalObject('status')
  const [succeeded, failed] = [toTime(connection.optionalText('succeeded_at')), toTime(connection.optionalText('failed_at'))]
  const last = [succeeded, failed]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)
  return {
    type: 'item',
    key: connectionKey(id),
    parent: groupKey(group),
    entity_type: 'job',
    title: connection.text('schema').slice(0, 500) || id,
    url: `https://fivetran.com/dashboard/connections/${encodeURIComponent(id)}`,
    native_type: connection.text('service'),
    ...toOwners(users.get(connection.optionalText('connected_by') ?? '')),
    updated_at: last ?? null,
    facts: {
      paused: connection.optionalBoolean('paused') ?? false,
      sync_frequency_minutes: connection.optionalInteger('sync_frequency') ?? null,
      setup_state: status?.optionalText('setup_state') ?? null,
      sync_state: status?.optionalText('sync_state') ?? null,
      ...(last ? { last_run: { state: last === succeeded ? 'COMPLETED' : 'FAILED', ended_at: last } } : {}),
    },
  }
}

/** Database, project or catalog, as the settings of the databases name it. */
const findDatabase = (object: Shape | undefined): string | undefined => {
  const config = object?.optionalObject('config')
  return ['database', 'project_id', 'catalog', 'db'].map((name) => config?.optionalText(name)).find((name) => name)
}

const readSchemas = (connection: Shape, tables: readonly SourceTable[], destination: Shape | undefined): Discovered[] => {
  const service = connection.text('service')
  const [from, to] = [findDatabaseDialect(service), findDatabaseDialect(destination?.optionalText('service') ?? '')]
  const [source, target] = [findDatabase(connection), findDatabase(destination)]
  return tables.flatMap((table) =>
    describeSyncedTable({
      job: connectionKey(getId(connection)),
      path: [table.schema, table.name],
      native_type: service,
      origin: from === 'mysql' ? toNamedTable(from, table.schema, table.name) : toNamedTable(from, source, table.schema, table.name),
      target: toNamedTable(to, target, ...table.target),
      columns: table.columns,
    }),
  )
}
