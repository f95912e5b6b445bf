import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { readPages } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfAllowed } from '../bi/bi-client.ts'
import { DEFAULT_SCHEMAS, findEngineDialect } from '../bi/engines.ts'
import { loadOnce } from '../bi/listing.ts'
import { inlineCards, type NativeQuery, readNativeQuery } from './metabase-query.ts'
import type { MetabaseSettings } from './metabase-settings.ts'

const PAGE_SIZE = 500
const MAX_INCLUDED_DEPTH = 5
const MODELS = new Set(['card', 'dataset', 'metric', 'dashboard'])

/** A database as Metabase knows it. */
export interface MetabaseDatabase {
  readonly name: string
  readonly dialect?: string
  /** Its name in the server, which only administrators of Metabase see. */
  readonly database?: string
  readonly schema?: string
}

export interface MetabaseTable {
  /** From the database, if known, down to the table. */
  readonly path: readonly string[]
  readonly dialect?: string
  readonly fields: ReadonlyMap<number, string>
}

/** The parts of the API that are read. What is the same for many questions is requested once. */
export class MetabaseApi {
  readonly #client: HttpClient
  readonly #databases = new Map<number, Promise<MetabaseDatabase | undefined>>()
  readonly #tables = new Map<number, Promise<MetabaseTable | undefined>>()
  readonly #emails = new Map<number, Promise<string | undefined>>()

  private constructor(client: HttpClient) {
    this.#client = client
  }

  static async connect(context: RunContext<MetabaseSettings>): Promise<MetabaseApi> {
    const { url, api_key, user, password } = context.settings
    const client = createBiClient('Metabase', url, context)
    if (api_key) client.setHeader('x-api-key', api_key)
    else {
      if (!user || !password) throw new Error('Enter an API key, or a user and a password.')
      const session = new Shape(await client.login('/api/session', { body: { username: user, password } }), 'POST /api/session')
      client.setHeader('x-metabase-session', session.text('id'))
    }
    return new MetabaseApi(client)
  }

  get(path: string): Promise<Shape> {
    return this.#client.get(path).then((value) => new Shape(value, `GET ${path}`))
  }

  /** Questions and dashboards of a collection. Everything in it is listed: to ask for a kind that the version does not have (metrics in old ones) is an error. */
  async *listCollection(id: string): AsyncGenerator<Shape, void> {
    const path = `/api/collection/${id}/items`
    const items = readPages(`Metabase: GET ${path}`, async (offset) => {
      const page = new Shape(await this.#client.get(path, { limit: PAGE_SIZE, offset }), `GET ${path}`)
      return { items: page.list('data'), total: page.integer('total') }
    })
    for await (const item of items) if (MODELS.has(item.text('model'))) yield item
  }

  findDatabase(id: number): Promise<MetabaseDatabase | undefined> {
    return loadOnce(this.#databases, id, async () => {
      const database = await this.#find(`/api/database/${id}`)
      if (!database) return undefined
      const dialect = findEngineDialect(database.text('engine'))
      const details = database.optionalObject('details')
      const names = ['dbname', 'db', 'project-id-from-credentials', 'project-id', 'catalog', 'service-name'].flatMap(
        (name) => details?.optionalText(name) ?? [],
      )
      const schema = details?.optionalText('schema') ?? DEFAULT_SCHEMAS[dialect ?? '']
      return { name: database.text('name'), dialect, database: names[0], schema }
    })
  }

  findTable(id: number): Promise<MetabaseTable | undefined> {
    return loadOnce(this.#tables, id, async () => {
      const table = await this.#find(`/api/table/${id}/query_metadata`)
      if (!table) return undefined
      const database = await this.findDatabase(table.integer('db_id'))
      const path = [database?.database, table.optionalText('schema'), table.text('name')]
      return {
        path: path.filter((part): part is string => part !== undefined && part !== ''),
        dialect: database?.dialect,
        fields: new Map(table.list('fields').map((field) => [field.integer('id'), field.text('name')])),
      }
    })
  }

  /** The e-mail address of a user, which only administrators of Metabase see. */
  findEmail(id: number): Promise<string | undefined> {
    return loadOnce(this.#emails, id, async () => (await this.#find(`/api/user/${id}`))?.optionalText('email'))
  }

  /** The SQL of a native question with that of the questions it includes; undefined if one of them is made in the editor. */
  async resolveSql(query: NativeQuery, depth = 0): Promise<string | undefined> {
    if (depth > MAX_INCLUDED_DEPTH) return undefined
    const included = new Map<number, string | undefined>()
    for (const id of query.cards) {
      const card = await this.#find(`/api/card/${id}`)
      const inner = card && readNativeQuery(card.object('dataset_query'))
      included.set(id, inner && (await this.resolveSql(inner, depth + 1)))
    }
    return inlineCards(query, included)
  }

  #find(path: string): Promise<Shape | undefined> {
    return findIfAllowed(this.get(path))
  }
}
