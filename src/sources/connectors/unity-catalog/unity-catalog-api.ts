import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { readPagesByToken } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient } from '../bi/bi-client.ts'
import { listOnce } from '../bi/listing.ts'
import type { UnityCatalogSettings } from './unity-catalog-settings.ts'

const ROOT = '/api/2.1/unity-catalog'
const PAGE_SIZE = 50 // the most that Databricks returns of tables with their columns

type Query = Readonly<Record<string, string>>

/** The REST API of Unity Catalog: that of Databricks, which the open-source server has in common with it. */
export class UnityCatalogApi {
  readonly #client: HttpClient

  constructor(context: RunContext<UnityCatalogSettings>) {
    const { url, token } = context.settings
    this.#client = createBiClient('Unity Catalog', url, context)
    if (token) this.#client.setHeader('authorization', `Bearer ${token}`)
  }

  listCatalogs(): AsyncGenerator<Shape, void> {
    return this.#list('catalogs', {})
  }

  getCatalog(name: string): Promise<Shape> {
    return this.#get(`/catalogs/${encodeURIComponent(name)}`, { include_browse: 'true' })
  }

  listSchemas(catalog: string): AsyncGenerator<Shape, void> {
    return this.#list('schemas', { catalog_name: catalog })
  }

  /** With their columns, and without primary and foreign keys. */
  listTables(catalog: string, schema: string): AsyncGenerator<Shape, void> {
    return this.#list('tables', { catalog_name: catalog, schema_name: schema })
  }

  getTable(...name: readonly string[]): Promise<Shape> {
    return this.#get(`/tables/${encodeURIComponent(name.join('.'))}`, { include_browse: 'true' })
  }

  async #get(path: string, query: Query): Promise<Shape> {
    return new Shape(await this.#client.get(`${ROOT}${path}`, query), `GET ${path}`)
  }

  #list(items: string, query: Query): AsyncGenerator<Shape, void> {
    return listOnce(this.#listPages(items, query), (each) => each.text('name'))
  }

  #listPages(items: string, query: Query): AsyncGenerator<Shape, void> {
    return readPagesByToken(`GET /${items}`, async (token) => {
      const paging: Query = token === undefined ? {} : { page_token: token }
      const page = await this.#get(`/${items}`, { ...query, include_browse: 'true', max_results: String(PAGE_SIZE), ...paging })
      return { items: readItems(page, items), next: page.optionalText('next_page_token') }
    })
  }
}

/** Databricks leaves out a list that is empty; with other fields in its place, the API has changed. */
const readItems = (page: Shape, items: string): Shape[] => {
  const others = Object.keys(page.value ?? {}).filter((name) => name !== 'next_page_token')
  return others.length === 0 ? [] : page.list(items)
}
