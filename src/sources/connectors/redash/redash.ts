import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { mapConcurrently, readPages } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed, readListed } from '../bi/bi-client.ts'
import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import { fillParameters, joinUrl, type QueryDatabase, toItemQuery, toOwners, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce } from '../bi/listing.ts'
import { toViews, type View, ViewCounts } from '../bi/view-counts.ts'
import { REDASH_GRANTS, REDASH_SETTINGS, type RedashSettings } from './redash-settings.ts'

const PAGE_SIZE = 100
const EVENTS_PAGE_SIZE = 250

const queryKey = (id: number): string => `query/${id}`
const dashboardKey = (id: number): string => `dashboard/${id}`
const getId = (object: Shape): number => object.integer('id')

export const redash = defineConnector<RedashSettings>({
  name: 'redash',
  label: 'Redash',
  version: '1.0.0',
  settings: REDASH_SETTINGS,
  grants: REDASH_GRANTS,

  test: async (context) => {
    const api = new RedashApi(context)
    const user = (await api.get('/api/session')).object('user')
    const [queries, dashboards] = [await api.count('/api/queries'), await api.count('/api/dashboards')]
    return `Connected to Redash as ${user.text('name')}: ${queries} queries and ${dashboards} dashboards.`
  },

  async *discover(context) {
    const api = new RedashApi(context)
    const { url } = context.settings
    const databases = await api.listDatabases()
    const views = await api.countViews(context.log)
    for await (const query of listOnce(api.list('/api/queries'), getId))
      if (!query.optionalBoolean('is_archived')) yield* readQuery(query, url, databases, views)
    const read = async (listed: Shape): Promise<readonly Discovered[]> => {
      if (listed.optionalBoolean('is_archived')) return []
      const dashboard = await readListed(api.get(`/api/dashboards/${getId(listed)}`), dashboardKey(getId(listed)))
      return 'found' in dashboard ? readDashboard(dashboard.found, url, views) : dashboard.messages
    }
    const dashboards = listOnce(api.list('/api/dashboards'), getId)
    for await (const found of mapConcurrently(dashboards, CONCURRENT_REQUESTS, read)) yield* found
  },
})

interface Database extends QueryDatabase {
  readonly name: string
  /** Its SQL reads the results of other queries. */
  readonly isResults: boolean
}

class RedashApi {
  readonly #client: HttpClient

  constructor(context: RunContext<RedashSettings>) {
    this.#client = createBiClient('Redash', context.settings.url, context)
    this.#client.setHeader('authorization', `Key ${context.settings.api_key}`)
  }

  async get(path: string, query?: Readonly<Record<string, number | string>>): Promise<Shape> {
    return new Shape(await this.#client.get(path, query), `GET ${path}`)
  }

  list(path: string): AsyncGenerator<Shape, void> {
    return readPages(`Redash: GET ${path}`, async (_, page) => {
      const shape = await this.get(path, { page: page + 1, page_size: PAGE_SIZE, order: 'created_at' })
      return { items: shape.list('results'), total: shape.integer('count') }
    })
  }

  async count(path: string): Promise<number> {
    return (await this.get(path, { page: 1, page_size: 1 })).integer('count')
  }

  /** Undefined if this user is no administrator. */
  countViews(log: (line: string) => Promise<void>): Promise<ViewCounts | undefined> {
    return ViewCounts.read(this.#listEvents(), log)
  }

  /** Newest first. New events move the others to later pages: one may be listed twice, none is left out. */
  async *#listEvents(): AsyncGenerator<View, void> {
    const path = '/api/events'
    for (let page = 1; ; page += 1) {
      const shape = await this.get(path, { page, page_size: EVENTS_PAGE_SIZE })
      const events = shape.list('results')
      for (const event of events) yield toView(event)
      if (events.length === 0 || page * EVENTS_PAGE_SIZE >= shape.integer('count')) return
    }
  }

  /** Only administrators see how a data source is connected. */
  async listDatabases(): Promise<Map<number, Database>> {
    const databases = new Map<number, Database>()
    for (const source of (await this.get('/api/data_sources')).items()) {
      const id = getId(source)
      const options = (await findIfAllowed(this.get(`/api/data_sources/${id}`)))?.optionalObject('options')
      const names = ['dbname', 'db', 'database', 'projectId', 'catalog'].flatMap((name) => options?.optionalText(name) ?? [])
      const dialect = findEngineDialect(source.text('type'))
      const schema = options?.optionalText('schema') || DEFAULT_SCHEMAS[dialect ?? '']
      databases.set(id, { name: source.text('name'), isResults: source.text('type') === 'results', dialect, database: names[0], schema })
    }
    return databases
  }
}

const toView = (event: Shape): View => {
  const [type, id] = [event.optionalText('object_type'), String(event.at('object_id').value)]
  const isViewed = event.optionalText('action') === 'view' && /^\d+$/.test(id)
  const key = isViewed && type === 'query' ? queryKey(Number(id)) : isViewed && type === 'dashboard' ? dashboardKey(Number(id)) : undefined
  // Of a view without a user, the name is an API key.
  const user = event.optionalInteger('user_id') === undefined ? undefined : event.optionalText('user_name')
  return { key, at: event.optionalText('created_at'), user }
}

const describe = (object: Shape, key: string, url: string) => ({
  type: 'item' as const,
  key,
  title: (object.at('name').value === null ? '' : object.text('name')).slice(0, 500) || '(no name)',
  url,
  updated_at: object.optionalText('updated_at') ?? null,
  ...toOwners(object.optionalObject('user')?.optionalText('email')),
  ...toTags(object.optionalList('tags').map(({ value }) => String(value))),
})

const readQuery = (query: Shape, url: string, databases: ReadonlyMap<number, Database>, views: ViewCounts | undefined): Discovered[] => {
  const id = getId(query)
  const source = query.optionalInteger('data_source_id')
  const database = source === undefined ? undefined : databases.get(source)
  const definition = fillParameters(query.optionalText('query') ?? '')
  const others = database?.isResults
    ? [...definition.matchAll(/\b(?:cached_)?query_(\d+)/g)].map(([, other]) => queryKey(Number(other)))
    : []
  const made = toItemQuery(definition, database ?? {})
  return [
    {
      ...describe(query, queryKey(id), joinUrl(url, `/queries/${id}`)),
      description: query.optionalText('description') || null,
      entity_type: 'chart',
      native_type: 'query',
      facts: { data_source: database?.name ?? null, draft: query.optionalBoolean('is_draft') ?? false, ...(made ? {} : { definition }) },
      ...(made ? { query: made } : {}),
      ...toViews(views, queryKey(id)),
    },
    ...(others.length > 0 ? [{ type: 'lineage' as const, to: queryKey(id), from: [...new Set(others)].map((item) => ({ item })) }] : []),
  ]
}

const readDashboard = (dashboard: Shape, url: string, views: ViewCounts | undefined): Discovered[] => {
  const id = getId(dashboard)
  const key = dashboardKey(id)
  const slug = dashboard.optionalText('slug')
  const queries = dashboard
    .list('widgets')
    .flatMap((widget) => widget.optionalObject('visualization')?.optionalObject('query')?.integer('id') ?? [])
  return [
    {
      ...describe(dashboard, key, joinUrl(url, `/dashboards/${id}${slug ? `-${slug}` : ''}`)),
      entity_type: 'dashboard',
      facts: { draft: dashboard.optionalBoolean('is_draft') ?? false },
      ...toViews(views, key),
    },
    ...(queries.length > 0
      ? [{ type: 'lineage' as const, to: key, from: [...new Set(queries)].map((query) => ({ item: queryKey(query) })) }]
      : []),
  ]
}
