import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { readPagesByToken } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed } from '../bi/bi-client.ts'
import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import type { QueryDatabase } from '../bi/item-parts.ts'
import { readUntilEmpty } from '../bi/listing.ts'
import type { GrafanaSettings } from './grafana-settings.ts'

export const SEARCH_PAGE_SIZE = 1000
const METADATA_PAGE_SIZE = 500
const DASHBOARD_GROUP = 'dashboard.grafana.app'
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

export const getUid = (object: Shape): string => object.text('uid')

export interface DataSource extends QueryDatabase {
  readonly name: string
}

/** The HTTP API of one organization. */
export class GrafanaApi {
  readonly #client: HttpClient

  constructor(context: RunContext<GrafanaSettings>) {
    this.#client = createBiClient('Grafana', context.settings.url, context)
    this.#client.setHeader('authorization', `Bearer ${context.settings.token}`)
  }

  async get(path: string, query?: Readonly<Record<string, number | string>>): Promise<Shape> {
    return new Shape(await this.#client.get(path, query), `GET ${path}`)
  }

  async search(type: 'dash-db' | 'dash-folder', page: number): Promise<Shape[]> {
    return (await this.get('/api/search', { type, limit: SEARCH_PAGE_SIZE, page })).items()
  }

  list(type: 'dash-db' | 'dash-folder'): AsyncGenerator<Shape, void> {
    return readUntilEmpty('Grafana: GET /api/search', getUid, (page) => this.search(type, page))
  }

  /** By UID and by name: old dashboards refer to them by name. The default one is under the empty name. */
  async listDataSources(): Promise<Map<string, DataSource> | undefined> {
    const listed = await findIfAllowed(this.get('/api/datasources'))
    if (!listed) return undefined
    const sources = new Map<string, DataSource>()
    for (const source of listed.items()) {
      const options = source.optionalObject('jsonData')
      const dialect = findEngineDialect(source.text('type'))
      const names = ['database', 'defaultDatabase', 'defaultProject', 'catalog'].flatMap((name) => options?.optionalText(name) || [])
      const database = source.optionalText('database') || names[0]
      const found = { name: source.text('name'), dialect, database, schema: DEFAULT_SCHEMAS[dialect ?? ''] }
      for (const key of [getUid(source), found.name, ...(source.optionalBoolean('isDefault') ? [''] : [])]) sources.set(key, found)
    }
    return sources
  }

  /** E-mail addresses by login. */
  async listEmails(): Promise<Map<string, string>> {
    const users = await findIfAllowed(this.get('/api/org/users'))
    return new Map((users?.items() ?? []).map((user) => [user.text('login'), user.optionalText('email') ?? '']))
  }

  /**
   * The versions of all dashboards that this token sees, by UID, from the Kubernetes-style API of Grafana 12 and later; undefined if the server
   * does not have it. Only metadata is requested: whole dashboards would be hundreds of megabytes.
   */
  async findVersions(): Promise<ReadonlyMap<string, string> | undefined> {
    const groups = (await this.get('/apis')).optionalList('groups')
    const group = groups.find((each) => each.optionalText('name') === DASHBOARD_GROUP)
    const version = group?.optionalObject('preferredVersion')?.optionalText('version')
    const namespace = version && (await this.get('/api/frontend/settings')).optionalText('namespace')
    if (!namespace) return undefined
    const path = `/apis/${DASHBOARD_GROUP}/${encodeURIComponent(version)}/namespaces/${encodeURIComponent(namespace)}/dashboards`
    const versions = new Map<string, string>()
    for await (const metadata of this.#listMetadata(path)) versions.set(metadata.text('name'), metadata.text('resourceVersion'))
    return versions
  }

  #listMetadata(path: string): AsyncGenerator<Shape, void> {
    return readPagesByToken(`Grafana: GET ${path}`, async (token) => {
      const query = { limit: METADATA_PAGE_SIZE, ...(token === undefined ? {} : { continue: token }) }
      const page = new Shape(await this.#client.send(path, { query, headers: { accept: METADATA_ONLY } }), `GET ${path}`)
      return { items: page.list('items').map((each) => each.object('metadata')), next: page.object('metadata').optionalText('continue') }
    })
  }
}
