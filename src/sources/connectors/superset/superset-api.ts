import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { readPages } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed } from '../bi/bi-client.ts'
import { findEngineDialect } from '../bi/engines.ts'
import { loadOnce } from '../bi/listing.ts'
import { type View, ViewCounts } from '../bi/view-counts.ts'
import type { SupersetDataset } from './superset-query.ts'
import type { SupersetSettings } from './superset-settings.ts'

const PAGE_SIZE = 100

export const chartKey = (id: number): string => `chart/${id}`
export const dashboardKey = (id: number): string => `dashboard/${id}`

/** The parts of the API that are read. Datasets and databases are requested once. */
export class SupersetApi {
  readonly #client: HttpClient
  readonly #datasets = new Map<number, Promise<SupersetDataset | undefined>>()
  readonly #databases = new Map<number, Promise<{ name?: string; engine?: string }>>()

  private constructor(client: HttpClient) {
    this.#client = client
  }

  static async connect(context: RunContext<SupersetSettings>): Promise<SupersetApi> {
    const { url, user, password, provider } = context.settings
    const client = createBiClient('Superset', url, context)
    const path = '/api/v1/security/login'
    const signIn = async () => {
      const login = new Shape(await client.login(path, { body: { username: user, password, provider, refresh: true } }), `POST ${path}`)
      client.setHeader('authorization', `Bearer ${login.text('access_token')}`)
    }
    await signIn()
    client.renewWith(signIn) // tokens are valid for fifteen minutes
    return new SupersetApi(client)
  }

  /** All objects of `chart`, `dashboard`, …, in a stable order. */
  list(path: string, order?: string): AsyncGenerator<Shape, void> {
    return readPages(`Superset: GET ${path}`, async (_, page) => {
      const { items, total } = await this.#readPage(path, page, order)
      return { items, total }
    })
  }

  async count(path: string): Promise<number> {
    return (await this.#readPage(path, 0)).total
  }

  async #readPage(path: string, page: number, order?: string): Promise<{ items: Shape[]; total: number }> {
    const q = `(page:${page},page_size:${PAGE_SIZE}${order ? `,order_column:${order},order_direction:asc` : ''})`
    const shape = new Shape(await this.#client.get(path, { q }), `GET ${path}`)
    return { items: shape.list('result'), total: shape.integer('count') }
  }

  async get(path: string): Promise<Shape> {
    return new Shape(await this.#client.get(path), `GET ${path}`).object('result')
  }

  /** E-mail addresses by user ID. Empty if this user may not see them. */
  async listOwners(): Promise<Map<number, string>> {
    const emails = new Map<number, string>()
    const read = async () => {
      for await (const owner of this.list('/api/v1/chart/related/owners')) {
        const email = owner.optionalObject('extra')?.optionalText('email')
        if (email) emails.set(owner.integer('value'), email)
      }
    }
    await findIfAllowed(read())
    return emails
  }

  /** Views of the last day. Undefined if this user may not read the log, or it is off. */
  countViews(log: (line: string) => Promise<void>): Promise<ViewCounts | undefined> {
    return ViewCounts.read(this.#listEvents(), log)
  }

  /** What browsers report, newest first. New events move the others to later pages: one may be listed twice, none is left out. */
  async *#listEvents(): AsyncGenerator<View, void> {
    const path = '/api/v1/log/'
    for (let page = 0; ; page += 1) {
      const q = `(page:${page},page_size:${PAGE_SIZE},order_column:dttm,order_direction:desc,filters:!((col:action,opr:eq,value:log)))`
      const shape = new Shape(await this.#client.get(path, { q }), `GET ${path}`)
      const events = shape.list('result')
      for (const event of events) yield toView(event)
      if (events.length === 0 || (page + 1) * PAGE_SIZE >= shape.integer('count')) return
    }
  }

  /** When datasets were changed, by ID: pages of many are cheaper than the datasets themselves. Empty if this user may not list them. */
  async listDatasetChanges(): Promise<Map<number, string>> {
    const changes = new Map<number, string>()
    const read = async () => {
      for await (const dataset of this.list('/api/v1/dataset/', 'table_name')) {
        const changed = dataset.optionalText('changed_on_utc')
        if (changed) changes.set(dataset.integer('id'), changed)
      }
    }
    await findIfAllowed(read())
    return changes
  }

  findDataset(id: number): Promise<SupersetDataset | undefined> {
    return loadOnce(this.#datasets, id, () => this.#loadDataset(id))
  }

  async #loadDataset(id: number): Promise<SupersetDataset | undefined> {
    const path = `/api/v1/dataset/${id}`
    const dataset = await findIfAllowed(this.#client.get(path, { include_rendered_sql: 'true' }))
    if (dataset === undefined) return undefined
    const shape = new Shape(dataset, `GET ${path}`).object('result')
    const database = shape.object('database')
    const { name, engine } = await this.#findDatabase(database.integer('id'))
    const columns = shape.optionalList('columns')
    return {
      name: shape.text('table_name'),
      table: shape.text('table_name'),
      schema: shape.optionalText('schema'),
      database: shape.optionalText('catalog') ?? name,
      dialect: findEngineDialect(database.optionalText('backend') ?? engine ?? ''),
      sql: shape.optionalText('rendered_sql') || shape.optionalText('sql') || undefined,
      columns: columns.filter((column) => !column.optionalText('expression')).map((column) => column.text('column_name')),
      expressions: new Map([
        ...columns.map((column) => [column.text('column_name'), column.optionalText('expression') ?? ''] as const),
        ...shape.optionalList('metrics').map((metric) => [metric.text('metric_name'), metric.optionalText('expression') ?? ''] as const),
      ]),
    }
  }

  #findDatabase(id: number): Promise<{ name?: string; engine?: string }> {
    return loadOnce(this.#databases, id, () => this.#loadDatabase(id))
  }

  /** Only the name of the database is taken from the connection string. Since version 2.1 it has its own endpoint. */
  async #loadDatabase(id: number): Promise<{ name?: string; engine?: string }> {
    for (const path of [`/api/v1/database/${id}/connection`, `/api/v1/database/${id}`]) {
      const uri = (await findIfAllowed(this.get(path)))?.optionalText('sqlalchemy_uri')
      if (uri !== undefined) return parseUri(uri)
    }
    return {}
  }
}

/** The events by which Superset itself knows what a user viewed recently. */
const toView = (event: Shape): View => {
  const [, name] = /"event_name": ?"(mount_dashboard|mount_explorer)"/.exec(event.optionalText('json') ?? '') ?? []
  const [dashboard, chart] = [event.optionalInteger('dashboard_id'), event.optionalInteger('slice_id')]
  const key =
    name === 'mount_dashboard' && dashboard ? dashboardKey(dashboard) : name === 'mount_explorer' && chart ? chartKey(chart) : undefined
  const at = event.optionalText('dttm')
  return { key, at: at && !/Z|[+-]\d\d:?\d\d$/.test(at) ? `${at}Z` : at, user: event.optionalObject('user')?.optionalText('username') }
}

const parseUri = (uri: string): { name?: string; engine?: string } => {
  const [, engine, host = '', name = ''] = /^([^:]+):\/\/([^/?]*)\/?([^/?]*)/.exec(uri) ?? []
  // The project of BigQuery is in place of the host.
  const database = engine === 'bigquery' ? host : name
  return { ...(engine ? { engine } : {}), ...(database ? { name: decodeURIComponent(database) } : {}) }
}
