import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { UnlistedMessage } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { explainDenied, readListed } from '../bi/bi-client.ts'
import { childKey, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce, loadOnce } from '../bi/listing.ts'
import { type JobRun, toLastRun, toRunItems, toTime } from '../orchestration/runs.ts'
import { SavedRuns } from '../orchestration/saved-runs.ts'
import { AirbyteApi } from './airbyte-api.ts'
import { AIRBYTE_GRANTS, AIRBYTE_SETTINGS, type AirbyteSettings } from './airbyte-settings.ts'
import { connectionKey, type Ends, type Fields, readStreams } from './airbyte-streams.ts'

const workspaceKey = (id: string): string => childKey('workspace', id)

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
    const fields = new Map<string, Promise<Fields | UnlistedMessage>>()
    const savedRuns = await SavedRuns.load(context, api.changedRuns)
    const read = async (connection: Shape): Promise<readonly Discovered[]> => {
      const id = connection.text('connectionId')
      const ends = { source: sources.get(connection.text('sourceId')), destination: destinations.get(connection.text('destinationId')) }
      const loadFields = () => readFields(api, connection)
      const listRuns = async () => (await api.listJobs(id)).map(readJob)
      const parts = await readListed(
        Promise.all([savedRuns.read(id, listRuns), loadOnce(fields, connection.text('sourceId'), loadFields)]),
        connectionKey(id),
      )
      if (!('found' in parts)) return parts.messages
      const parent = connection.optionalText('workspaceId')
      const group = parent !== undefined && workspaces.has(parent) ? workspaceKey(parent) : undefined
      const [runs, known] = parts.found
      const streams = readStreams(connection, ends, 'type' in known ? [] : known)
      return [
        ...readConnection(connection, group, ends, runs),
        ...streams,
        ...('type' in known ? toUnlistedColumns(streams, known.reason) : []),
      ]
    }
    const connections = listOnce(api.list('/connections'), (connection) => connection.text('connectionId'))
    for await (const found of mapConcurrently(connections, CONCURRENT_REQUESTS, read)) yield* found
    yield { type: 'state', state: await savedRuns.toState() }
  },
})

/** The fields of the streams of a connection, or the message that this user may not list them. */
const readFields = async (api: AirbyteApi, connection: Shape): Promise<Fields | UnlistedMessage> => {
  const loading = api.findStreams(connection.text('sourceId'), connection.text('destinationId'))
  const streams = (await loading.catch((error: unknown) => explainDenied(error, '', 'Fields of streams need it.'))) ?? []
  if ('type' in streams) return streams
  return streams.map((stream) => ({
    name: stream.text('streamName'),
    namespace: stream.optionalText('streamnamespace'),
    fields: [...new Set(stream.optionalList('propertyFields').map((path) => String(path.items()[0]?.value ?? '')))].filter(
      (name) => name !== '',
    ),
  }))
}

/** Reports that the columns of these streams could not be listed, so that those of the last sync stay. */
const toUnlistedColumns = (streams: readonly Discovered[], reason: string): Discovered[] =>
  streams.flatMap((each) => (each.type === 'item' && each.entity_type === 'table' ? { type: 'unlisted', key: each.key, reason } : []))

const readConnection = (connection: Shape, parent: string | undefined, ends: Ends, runs: readonly JobRun[]): Discovered[] => {
  const id = connection.text('connectionId')
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

/** A job that is `incomplete` is tried again. */
const ENDED = ['succeeded', 'failed', 'cancelled']

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
