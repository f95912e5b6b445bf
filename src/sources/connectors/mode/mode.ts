import { type Discovered, defineConnector, type RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed, readListed } from '../bi/bi-client.ts'
import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import { childKey, fillParameters, joinUrl, type QueryDatabase, toItemQuery, toOwners, toUsage } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce, loadOnce, readUntilEmpty } from '../bi/listing.ts'
import { findUnchanged, toVersion, withVersion } from '../bi/versions.ts'
import { MODE_GRANTS, MODE_SETTINGS, type ModeSettings } from './mode-settings.ts'

const collectionKey = (token: string): string => `collection/${token}`
const reportKey = (token: string): string => `report/${token}`
const getToken = (object: Shape): string => object.text('token')

export const mode = defineConnector<ModeSettings>({
  name: 'mode',
  label: 'Mode',
  version: '1.0.0',
  settings: MODE_SETTINGS,
  grants: MODE_GRANTS,

  test: async (context) => {
    const api = new ModeApi(context)
    const workspace = await api.get('')
    const collections = await api.listCollections()
    return `Connected to Mode, workspace ${workspace.optionalText('name') ?? context.settings.workspace}: ${collections.length} collections.`
  },

  async *discover(context) {
    const api = new ModeApi(context)
    const discovery = new ModeDiscovery(api, context, await api.listDatabases(), await api.listDefinitions())
    const collections = await api.listCollections()
    const seen = new Set<string>()
    for (const [done, collection] of collections.entries()) {
      const token = getToken(collection)
      yield {
        type: 'item',
        key: collectionKey(token),
        entity_type: 'dashboard_group',
        native_type: 'collection',
        title: collection.text('name').slice(0, 500) || '(no name)',
        description: collection.optionalText('description') || null,
        url: joinUrl(context.settings.url, `/${context.settings.workspace}/spaces/${token}`),
      }
      const reports = listOnce(api.listReports(token), getToken, seen)
      for await (const found of mapConcurrently(reports, CONCURRENT_REQUESTS, (report) => discovery.read(report, collectionKey(token))))
        yield* found
      await context.progress(done + 1, collections.length)
    }
  },
})

interface Database extends QueryDatabase {
  readonly name: string
}

class ModeApi {
  readonly #client: HttpClient
  readonly #base: string
  readonly #emails = new Map<string, Promise<string | undefined>>()

  constructor(context: RunContext<ModeSettings>) {
    const { url, workspace, token, token_secret } = context.settings
    this.#base = `/api/${encodeURIComponent(workspace)}`
    this.#client = createBiClient('Mode', url, context)
    this.#client.setHeader('accept', 'application/hal+json')
    this.#client.setHeader('authorization', `Basic ${Buffer.from(`${token}:${token_secret}`).toString('base64')}`)
  }

  /** Below the workspace. */
  get(path: string, query?: Readonly<Record<string, number | string>>): Promise<Shape> {
    return this.#get(`${this.#base}${path}`, query)
  }

  async #get(path: string, query?: Readonly<Record<string, number | string>>): Promise<Shape> {
    return new Shape(await this.#client.get(path, query), `GET ${path}`)
  }

  async #listEmbedded(path: string, name: string, query?: Readonly<Record<string, number | string>>): Promise<Shape[]> {
    return (await this.get(path, query)).object('_embedded').list(name)
  }

  async listCollections(): Promise<Shape[]> {
    const all = await Array.fromAsync(
      readUntilEmpty('Mode: collections', getToken, (page) => this.#listEmbedded('/spaces', 'spaces', { filter: 'all', page })),
    )
    return all.filter((collection) => collection.optionalText('state') !== 'soft_deleted')
  }

  listReports(collection: string): AsyncGenerator<Shape, void> {
    const path = `/spaces/${encodeURIComponent(collection)}/reports`
    return readUntilEmpty(`Mode: GET ${path}`, getToken, (page) =>
      this.#listEmbedded(path, 'reports', { order: 'asc', order_by: 'created_at', page }),
    )
  }

  listQueries(report: string): Promise<Shape[]> {
    return this.#listEmbedded(`/reports/${encodeURIComponent(report)}/queries`, 'queries')
  }

  async listDatabases(): Promise<Map<number, Database>> {
    const sources = (await findIfAllowed(this.#listEmbedded('/data_sources', 'data_sources'))) ?? []
    return new Map(
      sources.map((source) => {
        const dialect = findEngineDialect(source.optionalText('adapter') ?? '')
        const database = source.optionalText('database') || undefined
        return [source.integer('id'), { name: source.text('name'), dialect, database, schema: DEFAULT_SCHEMAS[dialect ?? ''] }]
      }),
    )
  }

  /** SQL that queries include as `{{ @name }}`. */
  async listDefinitions(): Promise<Map<string, string>> {
    const definitions = (await findIfAllowed(this.#listEmbedded('/definitions', 'definitions'))) ?? []
    return new Map(definitions.map((definition) => [definition.text('name'), definition.optionalText('source') ?? '']))
  }

  /** `href` is the address of a user, which comes from a report: only its name is used. */
  findEmail(href: string): Promise<string | undefined> {
    const user = href.split('/').at(-1) ?? ''
    return loadOnce(this.#emails, user, async () =>
      (await findIfAllowed(this.#get(`/api/${encodeURIComponent(user)}`)))?.optionalText('email'),
    )
  }
}

class ModeDiscovery {
  readonly #api: ModeApi
  readonly #context: RunContext<ModeSettings>
  readonly #databases: ReadonlyMap<number, Database>
  readonly #definitions: ReadonlyMap<string, string>
  readonly #databasesVersion: string | undefined
  readonly #definitionsVersion: string | undefined

  constructor(
    api: ModeApi,
    context: RunContext<ModeSettings>,
    databases: ReadonlyMap<number, Database>,
    definitions: ReadonlyMap<string, string>,
  ) {
    this.#api = api
    this.#context = context
    this.#databases = databases
    this.#definitions = definitions
    this.#databasesVersion = toVersion([...databases])
    this.#definitionsVersion = toVersion([...definitions])
  }

  async read(report: Shape, parent: string): Promise<readonly Discovered[]> {
    if (report.optionalBoolean('archived')) return []
    const token = getToken(report)
    const key = reportKey(token)
    const version = this.#readVersion(report, parent)
    // Only the text of a query shows whether it includes definitions, which have times of change of their own.
    const withDefinitions = toVersion(version, this.#definitionsVersion)
    const unchanged = findUnchanged(this.#context, key, version, parent) ?? findUnchanged(this.#context, key, withDefinitions, parent)
    if (unchanged) return [unchanged]
    const { messages, includes } = await this.#readReport(report, parent)
    return withVersion(messages, key, includes ? withDefinitions : version)
  }

  /** Undefined if Mode does not say when it was edited. */
  #readVersion(report: Shape, parent: string): string | undefined {
    const [edited, saved] = [report.optionalText('edited_at'), report.optionalText('last_saved_at')]
    const listed = ['updated_at', 'name', 'description', 'query_count'].map((name) => report.at(name).value ?? null)
    return toVersion(edited ?? saved, saved ?? null, listed, parent, this.#databasesVersion)
  }

  /** `includes`: its SQL contains definitions. */
  async #readReport(report: Shape, parent: string): Promise<{ messages: readonly Discovered[]; includes: boolean }> {
    const token = getToken(report)
    const key = reportKey(token)
    const queries = await readListed(this.#api.listQueries(token), key)
    if (!('found' in queries)) return { ...queries, includes: false }
    const includes = queries.found.some((query) => DEFINITION.test(query.optionalText('raw_query') ?? ''))
    const creator = report.optionalObject('_links')?.optionalObject('creator')?.optionalText('href')
    const owners = toOwners(creator === undefined ? undefined : await this.#api.findEmail(creator))
    const url = joinUrl(this.#context.settings.url, `/${this.#context.settings.workspace}/reports/${token}`)
    const toKey = (query: Shape) => childKey(key, `query/${getToken(query)}`)
    const charts = queries.found.map((query): Discovered => {
      const source = query.optionalInteger('data_source_id')
      const database = source === undefined ? undefined : this.#databases.get(source)
      const definition = expandSql(query.optionalText('raw_query') ?? '', this.#definitions)
      const made = toItemQuery(definition, database ?? {})
      return {
        type: 'item',
        key: toKey(query),
        parent: key,
        entity_type: 'chart',
        native_type: 'query',
        title: query.optionalText('name')?.slice(0, 500) || '(no name)',
        url: `${url}/details/queries/${getToken(query)}`,
        ...owners,
        facts: { data_source: database?.name ?? null, ...(made ? {} : { definition }) },
        ...(made ? { query: made } : {}),
      }
    })
    const from = queries.found.map((query) => ({ item: toKey(query) }))
    const messages: Discovered[] = [
      {
        type: 'item',
        key,
        parent,
        entity_type: 'dashboard',
        native_type: 'report',
        title: report.optionalText('name')?.slice(0, 500) || '(no name)',
        description: report.optionalText('description') || null,
        url,
        updated_at: report.optionalText('edited_at') ?? report.optionalText('updated_at') ?? null,
        ...owners,
        ...toUsage(report.optionalInteger('view_count'), report.optionalText('created_at')),
      },
      ...charts,
      ...(from.length > 0 ? [{ type: 'lineage' as const, to: key, from }] : []),
    ]
    return { messages, includes }
  }
}

const DEFINITION = /\{\{\s*@\w/
const MAX_INCLUDED_DEPTH = 5

/** Liquid is left out: forms, tags and parameters. Definitions are put in place. */
const expandSql = (sql: string, definitions: ReadonlyMap<string, string>, depth = 0): string => {
  const plain = sql.replace(/\{%-?\s*form\s*-?%\}.*?\{%-?\s*endform\s*-?%\}/gs, '').replace(/\{%.*?%\}/gs, '')
  const included = plain.replace(/\{\{\s*@(\w+)[^}]*\}\}/g, (_, name: string) => {
    const inner = definitions.get(name)
    return inner === undefined || depth >= MAX_INCLUDED_DEPTH ? 'null' : `(${expandSql(inner, definitions, depth + 1)})`
  })
  return fillParameters(included)
}
