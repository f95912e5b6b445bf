import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { readPagesByToken } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfPresent } from '../bi/bi-client.ts'
import type { IcebergSettings } from './iceberg-settings.ts'

const SEPARATOR = '\u001f' // between the levels of a namespace

/** The REST API that catalogs of Iceberg have in common. */
export class IcebergApi {
  readonly #client: HttpClient
  readonly #context: RunContext<IcebergSettings>
  #prefix = ''

  private constructor(context: RunContext<IcebergSettings>) {
    this.#context = context
    this.#client = createBiClient('The Iceberg catalog', context.settings.url, context)
  }

  static async connect(context: RunContext<IcebergSettings>): Promise<IcebergApi> {
    const api = new IcebergApi(context)
    await api.#signIn()
    const { warehouse } = context.settings
    const config = new Shape(await api.#client.get('/v1/config', { warehouse: warehouse || undefined }), 'GET /v1/config')
    const prefix = config.optionalObject('overrides')?.optionalText('prefix') ?? config.optionalObject('defaults')?.optionalText('prefix')
    api.#prefix = prefix ? `/${prefix.split('/').map(encodeURIComponent).join('/')}` : ''
    return api
  }

  async #signIn(): Promise<void> {
    const { token, client_id, client_secret = '', login_url, scope } = this.#context.settings
    if (token) this.#client.setHeader('authorization', `Bearer ${token}`)
    if (token || !client_id) return
    const client = login_url ? createBiClient('The sign-in', new URL(login_url).origin, this.#context) : this.#client
    const path = login_url ? new URL(login_url).pathname : '/v1/oauth/tokens'
    const renew = async () => {
      const form = { grant_type: 'client_credentials', client_id, client_secret, scope }
      const answer = new Shape(await client.login(path, { form }), `POST ${path}`)
      this.#client.setHeader('authorization', `Bearer ${answer.text('access_token')}`)
    }
    await renew()
    this.#client.renewWith(renew)
  }

  async get(path: string, query?: Readonly<Record<string, string | undefined>>): Promise<Shape> {
    return new Shape(await this.#client.get(`/v1${this.#prefix}${path}`, query), `GET /v1${path}`)
  }

  /** Each after its parent, at any depth. */
  async *listNamespaces(parent: readonly string[] = []): AsyncGenerator<string[], void> {
    const query: Record<string, string> = parent.length > 0 ? { parent: parent.join(SEPARATOR) } : {}
    for await (const namespace of this.#list('/namespaces', 'namespaces', query)) {
      const levels = namespace.items().map((level) => (typeof level.value === 'string' ? level.value : level.fail('text')))
      // Some catalogs ignore `parent` and list everything again.
      if (levels.length !== parent.length + 1) continue
      yield levels
      yield* this.listNamespaces(levels)
    }
  }

  listTables(namespace: readonly string[]): AsyncGenerator<Shape, void> {
    return this.#list(`${toPath(namespace)}/tables`, 'identifiers')
  }

  /** Catalogs need not have views. */
  async listViews(namespace: readonly string[]): Promise<Shape[]> {
    return (await findIfPresent(Array.fromAsync(this.#list(`${toPath(namespace)}/views`, 'identifiers')))) ?? []
  }

  #list(path: string, items: string, query: Readonly<Record<string, string>> = {}): AsyncGenerator<Shape, void> {
    return readPagesByToken(`GET /v1${path}`, async (pageToken = '') => {
      const page = await this.get(path, { ...query, pageToken })
      return { items: page.list(items), next: page.optionalText('next-page-token') }
    })
  }
}

export const toPath = (namespace: readonly string[]): string => `/namespaces/${encodeURIComponent(namespace.join(SEPARATOR))}`
