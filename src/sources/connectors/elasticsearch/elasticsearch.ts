import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { isObject } from '../../../../connector/src/protocol.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, explainDenied, findIfAllowed, findIfPresent, listIfPossible } from '../bi/bi-client.ts'
import { splitIntoBatches } from '../bi/listing.ts'
import { findUnchanged, toVersion, withVersion } from '../bi/versions.ts'
import { compilePatterns } from '../patterns/name-patterns.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { ELASTICSEARCH_GRANTS, ELASTICSEARCH_SETTINGS, type ElasticsearchSettings } from './elasticsearch-settings.ts'
import { readMappingFields } from './mappings.ts'

const CLUSTER = 'cluster'
const BATCH_INDICES = 20
const MAX_PATH = 3_000

/** An index or a data stream. */
interface Listed {
  readonly name: string
  readonly kind: 'index' | 'data stream'
  /** The index whose mapping it has, and the ID that distinguishes it from a deleted index of the same name. */
  readonly index: string
  readonly uuid: string | undefined
  readonly row_count?: number | undefined
  readonly byte_size?: number | undefined
  readonly aliases: readonly string[]
  readonly facts: Readonly<Record<string, unknown>>
}

export const elasticsearch = defineConnector<ElasticsearchSettings>({
  name: 'elasticsearch',
  label: 'Elasticsearch, OpenSearch',
  version: '1.0.0',
  settings: ELASTICSEARCH_SETTINGS,
  grants: ELASTICSEARCH_GRANTS,

  test: async (context) => {
    const api = new SearchApi(context)
    const { product, version, cluster } = await api.describe()
    return `Connected to ${product} ${version}, cluster ${cluster}: ${(await api.listIndices()).length} indices.`
  },

  async *discover(context) {
    const api = new SearchApi(context)
    const { product, version, cluster } = await api.describe()
    yield toContainerItem(CLUSTER, {
      entity_type: 'cluster',
      native_type: `${product} cluster`,
      title: cluster,
      facts: { version },
    })
    const patterns = compilePatterns(context.settings.include, context.settings.exclude)
    // Before the mappings: one that changes in between is read again by the next sync.
    const versions = await listIfPossible(api.listMappingVersions(), 'Elasticsearch: versions of mappings', context)
    const streams = await api.listStreams().catch((error: unknown) => explainDenied(error, '', NEEDED_RIGHT))
    if ('type' in streams) yield* readStreamKeys(context.state).map((key) => ({ ...streams, key }))
    const found = 'type' in streams ? [] : streams
    const listed = [...(await api.listIndices()), ...found].filter(({ name }) => patterns.matches(name))
    const versionOf = (each: Listed) => toVersion(each, versions?.get(each.index))
    const changed: Listed[] = []
    for (const each of listed) {
      const unchanged = findUnchanged(context, keyOf(each), versionOf(each), CLUSTER)
      if (unchanged) yield unchanged
      else changed.push(each)
    }
    let done = listed.length - changed.length
    for (const batch of splitByLength(changed)) {
      const mappings = await api.readMappings(batch.map(({ index }) => index))
      // An index that is not in the answer was deleted after it was listed.
      for (const each of batch) {
        const mapping = mappings.get(each.index)
        if (mapping) yield* withVersion(toItems(each, mapping), keyOf(each), versionOf(each))
      }
      done += batch.length
      await context.progress(done, listed.length)
    }
    yield { type: 'state', state: 'type' in streams ? context.state : { streams: found.map(keyOf).slice(0, MAX_STATE_STREAMS) } }
  },
})

const splitByLength = (listed: readonly Listed[]): Listed[][] =>
  splitIntoBatches(listed, BATCH_INDICES).flatMap((batch) =>
    batch.reduce((sum, { index }) => sum + index.length, 0) > MAX_PATH ? splitIntoBatches(batch, 5) : [batch],
  )

const NEEDED_RIGHT = 'Data streams need the right to list them, view_index_metadata or in OpenSearch indices:admin/data_stream/get.'
/** The state is one message of at most 1 MB. */
const MAX_STATE_STREAMS = 3_000

/** Keys of the data streams of the last sync. They look like those of indices; without this list, losing the right to list streams would make them stale. */
const readStreamKeys = (state: unknown): string[] =>
  isObject(state) && Array.isArray(state.streams) ? state.streams.filter((key): key is string => typeof key === 'string') : []

const keyOf = ({ name }: Listed): string => nameKey('index', name)

const toItems = (listed: Listed, mapping: Shape): Discovered[] => {
  const { name, kind, row_count, byte_size, aliases, facts } = listed
  const description = mapping.optionalObject('_meta')?.at('description').value
  return toTableItems(keyOf(listed), {
    native_type: kind,
    title: name,
    parent: CLUSTER,
    description: typeof description === 'string' ? description : '',
    fields: readMappingFields(mapping),
    row_count,
    byte_size,
    facts: { aliases, ...facts },
  })
}

class SearchApi {
  readonly #client: HttpClient

  constructor(context: RunContext<ElasticsearchSettings>) {
    const { url, api_key, user, password = '' } = context.settings
    this.#client = createBiClient('Elasticsearch', url, context)
    if (api_key) this.#client.setHeader('authorization', `ApiKey ${api_key}`)
    else if (user) this.#client.setHeader('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  }

  async #get(path: string, query?: Readonly<Record<string, string>>): Promise<Shape> {
    return new Shape(await this.#client.get(path, query), `GET ${path}`)
  }

  async describe(): Promise<{ product: string; version: string; cluster: string }> {
    const root = await this.#get('/')
    const version = root.object('version')
    const product = version.optionalText('distribution') === 'opensearch' ? 'OpenSearch' : 'Elasticsearch'
    return { product, version: version.text('number'), cluster: root.text('cluster_name') }
  }

  /** Hidden indices, among them those behind data streams, are left out. */
  async listIndices(): Promise<Listed[]> {
    const aliases = await findIfAllowed(this.#get('/_alias'))
    const rows = await this.#get('/_cat/indices', { format: 'json', bytes: 'b', h: 'index,uuid,status,docs.count,store.size' })
    return rows
      .items()
      .filter((row) => !row.text('index').startsWith('.'))
      .map((row): Listed => {
        const name = row.text('index')
        const names = aliases?.optionalObject(name)?.optionalObject('aliases')
        return {
          ...{ name, kind: 'index', index: name, uuid: row.optionalText('uuid') },
          row_count: row.optionalInteger('docs.count'),
          byte_size: row.optionalInteger('store.size'),
          aliases: Object.keys((names?.value as object) ?? {}).sort(),
          facts: row.optionalText('status') === 'close' ? { status: 'closed' } : {},
        }
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async listStreams(): Promise<Listed[]> {
    const found = await findIfPresent(this.#get('/_data_stream'))
    return (found?.list('data_streams') ?? [])
      .filter((stream) => stream.optionalBoolean('hidden') !== true)
      .flatMap((stream): Listed[] => {
        const indices = stream.list('indices')
        const last = indices.at(-1)
        if (!last) return []
        return [
          {
            ...{ name: stream.text('name'), kind: 'data stream', aliases: [] },
            ...{ index: last.text('index_name'), uuid: last.optionalText('index_uuid') },
            facts: {
              time_field: stream.optionalObject('timestamp_field')?.optionalText('name'),
              template: stream.optionalText('template'),
              indices: indices.length,
            },
          },
        ]
      })
  }

  /** A number for each index (hidden ones included) that rises when its mapping changes. Nothing else of the cluster state is requested. */
  async listMappingVersions(): Promise<ReadonlyMap<string, number>> {
    const state = await this.#get('/_cluster/state/metadata', { filter_path: 'metadata.indices.*.mapping_version' })
    const indices = state.optionalObject('metadata')?.optionalObject('indices')
    return new Map(Object.keys((indices?.value as object) ?? {}).map((index) => [index, indices!.object(index).integer('mapping_version')]))
  }

  async readMappings(indices: readonly string[]): Promise<Map<string, Shape>> {
    const path = `/${indices.map(encodeURIComponent).join(',')}/_mapping`
    const found = await this.#get(path, { ignore_unavailable: 'true', expand_wildcards: 'all' })
    return new Map(
      indices.flatMap((index) => {
        const answer = found.optionalObject(index)
        return answer ? [[index, answer.object('mappings')] as const] : []
      }),
    )
  }
}
