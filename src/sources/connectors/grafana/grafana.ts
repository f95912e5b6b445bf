import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { findIfAllowed, listIfPossible, readListed } from '../bi/bi-client.ts'
import { childKey, joinUrl, toItemQuery, toOwners, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listParentsFirst, loadOnce } from '../bi/listing.ts'
import { findUnchanged, toVersion, withVersion } from '../bi/versions.ts'
import { type DataSource, GrafanaApi, getUid, SEARCH_PAGE_SIZE } from './grafana-api.ts'
import { GRAFANA_GRANTS, GRAFANA_SETTINGS, type GrafanaSettings } from './grafana-settings.ts'
import { expandMacros, findTargetSql, joinQueries } from './grafana-sql.ts'

const folderKey = (uid: string): string => `folder/${uid}`
const dashboardKey = (uid: string): string => `dashboard/${uid}`

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
    const count = first < SEARCH_PAGE_SIZE ? String(first) : `more than ${SEARCH_PAGE_SIZE}`
    return `Connected to Grafana, organization ${organization}: ${count} dashboards.`
  },

  async *discover(context) {
    yield* new GrafanaDiscovery(new GrafanaApi(context), context).run()
  },
})

class GrafanaDiscovery {
  readonly #api: GrafanaApi
  readonly #context: RunContext<GrafanaSettings>
  readonly #url: string
  readonly #folders = new Set<string>()
  readonly #libraryPanels = new Map<string, Promise<Shape | undefined>>()
  #sources: ReadonlyMap<string, DataSource> = new Map()
  #emails: ReadonlyMap<string, string> = new Map()

  constructor(api: GrafanaApi, context: RunContext<GrafanaSettings>) {
    this.#api = api
    this.#context = context
    this.#url = context.settings.url
  }

  async *run(): AsyncGenerator<Discovered, void> {
    const sources = await this.#api.listDataSources()
    if (sources) this.#sources = sources
    else await this.#context.log('Grafana: the token may not see data sources, so that panels have no lineage. It needs datasources:read.')
    this.#emails = await this.#api.listEmails()
    yield* this.#readFolders()
    // Before the dashboards: one that changes in between is read again by the next sync.
    const versions = await listIfPossible(this.#api.findVersions(), 'Grafana: versions of dashboards', this.#context)
    const sourcesVersion = toVersion([...this.#sources])
    const read = (listed: Shape) => this.#readListed(listed, toVersion(versions?.get(getUid(listed)), listed.value, sourcesVersion))
    for await (const found of mapConcurrently(this.#api.list('dash-db'), CONCURRENT_REQUESTS, read)) yield* found
  }

  async #readListed(listed: Shape, version: string | undefined): Promise<readonly Discovered[]> {
    const key = dashboardKey(getUid(listed))
    const unchanged = findUnchanged(this.#context, key, version, this.#findFolder(listed.optionalText('folderUid')))
    if (unchanged) return [unchanged]
    const { messages, isWhole } = await this.#read(getUid(listed))
    return isWhole ? withVersion(messages, key, version) : messages
  }

  #findFolder(uid: string | undefined): string | undefined {
    return uid && this.#folders.has(uid) ? folderKey(uid) : undefined
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

  /** `isWhole`: no panel is from the library. Library panels change without a new version of the dashboard. */
  async #read(uid: string): Promise<{ messages: readonly Discovered[]; isWhole: boolean }> {
    const key = dashboardKey(uid)
    const loaded = await readListed(this.#api.get(`/api/dashboards/uid/${encodeURIComponent(uid)}`), key)
    if (!('found' in loaded)) return { ...loaded, isWhole: false }
    const [dashboard, meta] = [loaded.found.object('dashboard'), loaded.found.object('meta')]
    const folder = this.#findFolder(meta.optionalText('folderUid'))
    const parent = folder === undefined ? {} : { parent: folder }
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
    return { messages: found, isWhole: listPanels(dashboard).every((panel) => panel.at('libraryPanel').missing) }
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
