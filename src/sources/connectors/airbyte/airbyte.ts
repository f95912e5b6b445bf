import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { readListed } from '../bi/bi-client.ts'
import { childKey, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce, loadOnce } from '../bi/listing.ts'
import { type JobRun, toLastRun, toRunItems, toTime } from '../orchestration/runs.ts'
import { describeSyncedTable, findDatabaseDialect, toNamedTable } from '../orchestration/synced-tables.ts'
import type { NamedTable } from '../orchestration/table-uri.ts'
import { AirbyteApi } from './airbyte-api.ts'
import { AIRBYTE_GRANTS, AIRBYTE_SETTINGS, type AirbyteSettings } from './airbyte-settings.ts'

const workspaceKey = (id: string): string => childKey('workspace', id)
const connectionKey = (id: string): string => childKey('connection', id)

export const airbyte = defineConnector<AirbyteSettings>({
  name: 'airbyte',
  label: 'Airbyte',
  version: '1.0.0',
  settings: AIRBYTE_SETTINGS,
  grants: AIRBYTE_GRANTS,

  test: async (context) => {
    const api = new AirbyteApi(context)
    await api.connect()
    const workspaces = await Array.fromAsync(api.list('/workspaces'))
    return `Connected to Airbyte: ${workspaces.length} workspaces.`
  },

  async *discover(context) {
    const api = new AirbyteApi(context)
    await api.connect()
    const load = async (path: string, id: string) =>
      new Map((await Array.fromAsync(api.list(path))).map((object) => [object.text(id), object]))
    const workspaces = await load('/workspaces', 'workspaceId')
    const [sources, destinations] = [await load('/sources', 'sourceId'), await load('/destinations', 'destinationId')]
    for (const [id, workspace] of workspaces)
      yield {
        type: 'item',
        key: workspaceKey(id),
        entity_type: 'job_group',
        title: workspace.text('name').slice(0, 500) || id,
        native_type: 'workspace',
      }
    const fields = new Map<string, Promise<Fields>>()
    const read = async (connection: Shape): Promise<readonly Discovered[]> => {
      const id = connection.text('connectionId')
      const ends = { source: sources.get(connection.text('sourceId')), destination: destinations.get(connection.text('destinationId')) }
      const loadFields = () => readFields(api, connection)
      const parts = await readListed(
        Promise.all([api.listJobs(id), loadOnce(fields, connection.text('sourceId'), loadFields)]),
        connectionKey(id),
      )
      if (!('found' in parts)) return parts.messages
      const parent = connection.optionalText('workspaceId')
      const group = parent !== undefined && workspaces.has(parent) ? workspaceKey(parent) : undefined
      return [...readConnection(connection, group, ends, parts.found[0]), ...readStreams(connection, ends, parts.found[1])]
    }
    const connections = listOnce(api.list('/connections'), (connection) => connection.text('connectionId'))
    for await (const found of mapConcurrently(connections, CONCURRENT_REQUESTS, read)) yield* found
  },
})

interface Ends {
  readonly source: Shape | undefined
  readonly destination: Shape | undefined
}

/** The names of the fields of each stream, by its name. */
type Fields = ReadonlyMap<string, readonly string[]>

const readFields = async (api: AirbyteApi, connection: Shape): Promise<Fields> => {
  const streams = (await api.findStreams(connection.text('sourceId'), connection.text('destinationId'))) ?? []
  return new Map(
    streams.map((stream) => [
      stream.text('streamName'),
      [...new Set(stream.optionalList('propertyFields').map((path) => String(path.items()[0]?.value ?? '')))].filter((name) => name !== ''),
    ]),
  )
}

const readConnection = (connection: Shape, parent: string | undefined, ends: Ends, jobs: readonly Shape[]): Discovered[] => {
  const id = connection.text('connectionId')
  const runs = jobs.map(readJob)
  const schedule = connection.optionalObject('schedule')
  return [
    {
      type: 'item',
      key: connectionKey(id),
      ...(parent === undefined ? {} : { parent }),
      entity_type: 'job',
      title: connection.text('name').slice(0, 500) || id,
      native_type: 'connection',
      ...toTags(connection.optionalList('tags').flatMap((tag) => tag.optionalText('name') ?? [])),
      facts: {
        status: connection.text('status'),
        schedule:
          schedule?.optionalText('cronExpression') ??
          schedule?.optionalText('basicTiming') ??
          schedule?.optionalText('scheduleType') ??
          null,
        source: ends.source?.optionalText('name') ?? null,
        source_type: ends.source?.optionalText('sourceType') ?? null,
        destination: ends.destination?.optionalText('name') ?? null,
        destination_type: ends.destination?.optionalText('destinationType') ?? null,
        ...toLastRun(runs),
      },
    },
    ...toRunItems(connectionKey(id), runs),
  ]
}

const ENDED = ['succeeded', 'failed', 'cancelled', 'incomplete']

const readJob = (job: Shape): JobRun => {
  const status = job.text('status')
  return {
    id: String(job.integer('jobId')),
    title: `${job.text('jobType')} ${job.integer('jobId')}`,
    status,
    started_at: toTime(job.optionalText('startTime')),
    ended_at: ENDED.includes(status) ? toTime(job.optionalText('lastUpdatedAt')) : undefined,
    facts: { rows: job.optionalInteger('rowsSynced') ?? null, bytes: job.optionalInteger('bytesSynced') ?? null },
  }
}

const readStreams = (connection: Shape, { source, destination }: Ends, fields: Fields): Discovered[] => {
  const type = source?.optionalText('sourceType') ?? 'stream'
  const dialect = findDatabaseDialect(source?.optionalText('sourceType') ?? '')
  const database = source?.optionalObject('configuration')?.optionalText('database')
  return (connection.optionalObject('configurations')?.optionalList('streams') ?? []).flatMap((stream) => {
    const name = stream.text('name')
    const namespace = stream.optionalText('namespace') ?? findOnlySchema(source)
    const known = fields.get(name) ?? []
    const chosen = stream.optionalList('selectedFields').flatMap((field) =>
      field
        .optionalList('fieldPath')
        .map(({ value }) => String(value))
        .slice(0, 1),
    )
    return describeSyncedTable({
      job: connectionKey(connection.text('connectionId')),
      path: namespace === undefined ? [name] : [namespace, name],
      native_type: type,
      origin: dialect === 'mysql' ? toNamedTable(dialect, namespace ?? database, name) : toNamedTable(dialect, database, namespace, name),
      target: findTarget(connection, destination, namespace, name),
      columns: [...new Set([...known, ...chosen])].map((field) => ({
        name: field,
        ...(chosen.length === 0 || chosen.includes(field) ? { target: field } : {}),
      })),
    })
  })
}

/** A source that reads one schema does not repeat it with every stream. */
const findOnlySchema = (source: Shape | undefined): string | undefined => {
  const schemas = source?.optionalObject('configuration')?.at('schemas').value
  return Array.isArray(schemas) && schemas.length === 1 && typeof schemas[0] === 'string' ? schemas[0] : undefined
}

const findTarget = (
  connection: Shape,
  destination: Shape | undefined,
  namespace: string | undefined,
  name: string,
): NamedTable | undefined => {
  const config = destination?.optionalObject('configuration')
  const find = (...names: readonly string[]) => names.map((each) => config?.optionalText(each)).find((value) => value)
  const dialect = findDatabaseDialect(destination?.optionalText('destinationType') ?? '')
  const standard = find('schema', 'dataset_id', 'default_schema')
  const definition = connection.optionalText('namespaceDefinition') ?? 'destination'
  const format = connection.optionalText('namespaceFormat') || '$' + '{SOURCE_NAMESPACE}'
  const schemas: Readonly<Record<string, string | undefined>> = {
    source: namespace ?? standard,
    custom_format: format.replaceAll('$' + '{SOURCE_NAMESPACE}', namespace ?? standard ?? ''),
  }
  const schema = schemas[definition] ?? standard
  const table = `${connection.optionalText('prefix') ?? ''}${name}`
  // MySQL and ClickHouse have no schemas: a namespace is a database there.
  return dialect === 'mysql' || dialect === 'clickhouse'
    ? toNamedTable(dialect, schema ?? find('database'), table)
    : toNamedTable(dialect, find('database', 'project_id'), schema, table)
}
