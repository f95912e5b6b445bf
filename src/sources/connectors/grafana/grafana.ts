import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed, readListed } from '../bi/bi-client.ts'
import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import { childKey, joinUrl, type QueryDatabase, toItemQuery, toOwners, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listParentsFirst, loadOnce, readUntilEmpty } from '../bi/listing.ts'
import { GRAFANA_GRANTS, GRAFANA_SETTINGS, type GrafanaSettings } from './grafana-settings.ts'
import { expandMacros, findTargetSql, joinQueries } from './grafana-sql.ts'

const PAGE_SIZE = 1000

const folderKey = (uid: string): string => `folder/${uid}`
const dashboardKey = (uid: string): string => `dashboard/${uid}`
const getUid = (object: Shape): string => object.text('uid')

export const grafana = defineConnector<GrafanaSettings>({
  name: 'grafana',
  label: 'Grafana',
  version: '1.0.0',
  settings: GRAFANA_SETTINGS,
  grants: GRAFANA_GRANTS,

  test: async (context) => {
    const api = new GrafanaApi(context)
    const organization = (await api.get('/api/org')).text('name')
    const first = (await api.search('dash-db', 1)).length
    const count = first < PAGE_SIZE ? String(first) : `more than ${PAGE_SIZE}`
    return `Connected to Grafana, organization ${organization}: ${count} dashboards.`
  },

  async *discover(context) {
    const discovery = new GrafanaDiscovery(new GrafanaApi(context), context.settings.url)
    yield* discovery.run(context)
  },
})

interface DataSource extends QueryDatabase {
  readonly name: string
}

class GrafanaApi {
  readonly #client: HttpClient

  constructor(context: RunContext<GrafanaSettings>) {
    this.#client = createBiClient('Grafana', context.settings.url, context)
    this.#client.setHeader('authorization', `Bearer ${context.settings.token}`)
  }

  async get(path: string, query?: Readonly<Record<string, number | string>>): Promise<Shape> {
    return new Shape(await this.#client.get(path, query), `GET ${path}`)
  }

  async search(type: 'dash-db' | 'dash-folder', page: number): Promise<Shape[]> {
    return (await this.get('/api/search', { type, limit: PAGE_SIZE, page })).items()
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
}

class GrafanaDiscovery {
  readonly #api: GrafanaApi
  readonly #url: string
  readonly #folders = new Set<string>()
  readonly #libraryPanels = new Map<string, Promise<Shape | undefined>>()
  #sources: ReadonlyMap<string, DataSource> = new Map()
  #emails: ReadonlyMap<string, string> = new Map()

  constructor(api: GrafanaApi, url: string) {
    this.#api = api
    this.#url = url
  }

  async *run({ log }: Pick<RunContext, 'log'>): AsyncGenerator<Discovered, void> {
    const sources = await this.#api.listDataSources()
    if (sources) this.#sources = sources
    else await log('Grafana: the token may not see data sources, so that panels have no lineage. It needs datasources:read.')
    this.#emails = await this.#api.listEmails()
    yield* this.#readFolders()
    for await (const found of mapConcurrently(this.#api.list('dash-db'), CONCURRENT_REQUESTS, (each) => this.#read(getUid(each))))
      yield* found
  }

  async *#readFolders(): AsyncGenerator<Discovered, void> {
    const all = new Map<string, Shape>()
    for await (const folder of this.#api.list('dash-folder')) all.set(getUid(folder), folder)
    for (const { id, object: folder, parent } of listParentsFirst(all, (each) => each.optionalText('folderUid'))) {
      const path = folder.optionalText('url')
      this.#folders.add(id)
      yield {
        type: 'item',
        key: folderKey(id),
        ...(parent === undefined ? {} : { parent: folderKey(parent) }),
        entity_type: 'dashboard_group',
        native_type: 'folder',
        title: folder.text('title') || '(no name)',
        url: path ? new URL(path, this.#url).href : null,
      }
    }
  }

  async #read(uid: string): Promise<readonly Discovered[]> {
    const key = dashboardKey(uid)
    const loaded = await readListed(this.#api.get(`/api/dashboards/uid/${encodeURIComponent(uid)}`), key)
    if (!('found' in loaded)) return loaded.messages
    const [dashboard, meta] = [loaded.found.object('dashboard'), loaded.found.object('meta')]
    const folder = meta.optionalText('folderUid')
    const parent = folder && this.#folders.has(folder) ? { parent: folderKey(folder) } : {}
    const path = meta.optionalText('url')
    const url = path ? new URL(path, this.#url).href : joinUrl(this.#url, `/d/${uid}`)
    const creator = meta.optionalText('createdBy')
    const owners = toOwners(creator === undefined ? undefined : (this.#emails.get(creator) ?? creator))
    const found: Discovered[] = []
    const panels: string[] = []
    for (const panel of listPanels(dashboard)) {
      const id = panel.optionalInteger('id')
      const panelKey = childKey(key, `panel/${id}`)
      if (id === undefined || panels.includes(panelKey)) continue
      panels.push(panelKey)
      found.push({
        ...{ type: 'item', key: panelKey, parent: key, entity_type: 'chart', url: `${url}?viewPanel=${id}`, ...owners },
        ...(await this.#readPanel(panel)),
      })
    }
    found.unshift({
      ...{ type: 'item', key, ...parent, entity_type: 'dashboard', title: dashboard.text('title').slice(0, 500) || '(no name)', url },
      description: dashboard.optionalText('description') || null,
      updated_at: meta.optionalText('updated') ?? null,
      ...owners,
      ...toTags(dashboard.optionalList('tags').map(({ value }) => String(value))),
    })
    if (panels.length > 0) found.push({ type: 'lineage', to: key, from: panels.map((item) => ({ item })) })
    return found
  }

  async #readPanel(panel: Shape) {
    const library = panel.optionalObject('libraryPanel')?.optionalText('uid')
    const shown = (library && panel.at('targets').missing && (await this.#findLibraryPanel(library))) || panel
    const queries = shown.optionalList('targets').flatMap((target) => {
      const source = this.#findSource(target.at('datasource')) ?? this.#findSource(shown.at('datasource'))
      const sql = source?.dialect === undefined ? undefined : findTargetSql(target)
      return source && sql ? [{ source, sql: expandMacros(sql) }] : []
    })
    const [first] = queries
    // A panel with several databases is read from the first.
    const query =
      first && toItemQuery(joinQueries(queries.filter(({ source }) => source === first.source).map(({ sql }) => sql)), first.source)
    return {
      title: (panel.optionalText('title') || shown.optionalText('title') || '(no name)').slice(0, 500),
      description: panel.optionalText('description') || null,
      native_type: shown.optionalText('type') ?? null,
      facts: { data_source: first?.source.name ?? this.#findSource(shown.at('datasource'))?.name ?? null },
      ...(query ? { query } : {}),
    }
  }

  /** `{uid, type}`, before version 8.3 a name or null. */
  #findSource(datasource: Shape): DataSource | undefined {
    const { value } = datasource
    if (value === undefined) return undefined
    return this.#sources.get(typeof value === 'string' ? value : datasource.missing ? '' : (datasource.optionalText('uid') ?? ''))
  }

  #findLibraryPanel(uid: string): Promise<Shape | undefined> {
    return loadOnce(this.#libraryPanels, uid, async () => {
      const element = await findIfAllowed(this.#api.get(`/api/library-elements/${encodeURIComponent(uid)}`))
      return element?.object('result').object('model')
    })
  }
}

/** Also those in collapsed rows; rows, texts and links show no data. */
const listPanels = (dashboard: Shape): Shape[] =>
  dashboard
    .optionalList('panels')
    .flatMap((panel) => [panel, ...panel.optionalList('panels')])
    .filter((panel) => !['row', 'text', 'dashlist', 'news', 'welcome'].includes(panel.optionalText('type') ?? ''))
