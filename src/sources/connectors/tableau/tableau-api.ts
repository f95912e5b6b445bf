import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { readPages } from '../../../../connector/src/paging.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient } from '../bi/bi-client.ts'
import type { TableauSettings } from './tableau-settings.ts'

const REST = '/api/3.10' // Tableau 2020.4; later versions accept it
const GRAPHQL = '/api/metadata/graphql'
const REST_PAGE_SIZE = 1000
const GRAPHQL_PAGE_SIZE = 100
const MAX_PAGES = 100_000

/** A list of the Metadata API: `nodes` are the fields that are read of each object. */
export interface Connection {
  readonly name: string
  readonly nodes: string
  readonly filter?: object
}

/** The parts of the APIs that are read: lists of the REST API, and those of the Metadata API (GraphQL). */
export class TableauApi {
  readonly #client: HttpClient
  readonly #log: RunContext['log']
  readonly #logged = new Set<string>()
  readonly site: string
  /** False after an answer that did not contain everything: nothing may then be treated as missing. */
  complete = true

  private constructor(client: HttpClient, site: string, log: RunContext['log']) {
    this.#client = client
    this.site = site
    this.#log = log
  }

  static async connect(context: RunContext<TableauSettings>): Promise<TableauApi> {
    const { url, site, token_name, token_secret } = context.settings
    const client = createBiClient('Tableau', url, context)
    const path = `${REST}/auth/signin`
    const body = {
      credentials: { personalAccessTokenName: token_name, personalAccessTokenSecret: token_secret, site: { contentUrl: site } },
    }
    const signIn = async () => {
      const credentials = new Shape(await client.login(path, { body }), `POST ${path}`).object('credentials')
      client.setHeader('x-tableau-auth', credentials.text('token'))
      return credentials.object('site').text('id')
    }
    const id = await signIn()
    client.renewWith(async () => {
      await signIn()
    })
    return new TableauApi(client, id, context.log)
  }

  /** `projects` with the objects `project`, `views` with `view`, … */
  listRest(list: string, object: string, query: Readonly<Record<string, string>> = {}): AsyncGenerator<Shape, void> {
    const path = `${REST}/sites/${this.site}/${list}`
    return readPages(`Tableau: GET ${path}`, async (_, page) => {
      const shape = new Shape(await this.#client.get(path, { ...query, pageSize: REST_PAGE_SIZE, pageNumber: page + 1 }), `GET ${path}`)
      return { items: shape.object(list).optionalList(object), total: shape.object('pagination').integer('totalAvailable') }
    })
  }

  async countRest(list: string): Promise<number> {
    const path = `${REST}/sites/${this.site}/${list}`
    const shape = new Shape(await this.#client.get(path, { pageSize: 1, pageNumber: 1 }), `GET ${path}`)
    return shape.object('pagination').integer('totalAvailable')
  }

  /** The pages of a list of the Metadata API. */
  async *listPages(connection: Connection): AsyncGenerator<Shape[], void> {
    const what = `Tableau: ${connection.name}`
    let after: string | null = null
    let count = 0
    let size = GRAPHQL_PAGE_SIZE
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { shape, isCut } = await this.#query(connection, size, after)
      if (isCut && size > 1) {
        size = Math.ceil(size / 4) // the answer had too many nodes
        continue
      }
      if (isCut) await this.#reportIncomplete(`${what}: an object has more parts than Tableau returns at once.`)
      const nodes = shape.list('nodes')
      yield nodes
      count += nodes.length
      const info = shape.object('pageInfo')
      if (!info.optionalBoolean('hasNextPage')) {
        const total = shape.optionalInteger('totalCount') ?? 0
        if (count < total) await this.#reportIncomplete(`${what}: only ${count} of ${total} were listed.`)
        return
      }
      if (nodes.length === 0) throw new Error(`${what}: page ${page} is empty, but there are more.`)
      after = info.text('endCursor')
    }
    throw new Error(`${what} has more than ${MAX_PAGES} pages.`)
  }

  async *list(connection: Connection): AsyncGenerator<Shape, void> {
    for await (const page of this.listPages(connection)) yield* page
  }

  async #query({ name, nodes, filter }: Connection, first: number, after: string | null) {
    const type = `${name[0]!.toUpperCase()}${name.slice(1).replace(/sConnection$/, '')}_Filter`
    const [declared, used] = filter ? [`, $filter: ${type}`, ', filter: $filter'] : ['', '']
    const query = `query ${name}($first: Int, $after: String${declared}) {
      ${name}(first: $first, after: $after${used}) { nodes { ${nodes} } pageInfo { hasNextPage endCursor } totalCount }
    }`
    const variables = { first, after, ...(filter ? { filter } : {}) }
    const answer = new Shape(await this.#client.post(GRAPHQL, { operationName: name, query, variables }), `POST ${GRAPHQL} (${name})`)
    const isCut = await this.#readErrors(answer)
    return { shape: answer.object('data').object(name), isCut }
  }

  /** Warnings come with the data. Returns whether the answer was cut off. */
  async #readErrors(answer: Shape): Promise<boolean> {
    let isCut = false
    for (const error of answer.optionalList('errors')) {
      const message = error.optionalText('message') ?? 'unknown error'
      const extensions = error.optionalObject('extensions')
      const code = extensions?.optionalText('code')
      if (code === 'NODE_LIMIT_EXCEEDED') isCut = true
      else if (answer.at('data').missing || extensions?.optionalText('severity') !== 'WARNING') throw new Error(`Tableau: ${message}`)
      // The other warnings say that something is left out, e.g. while the index is built.
      else await this.#reportIncomplete(`Tableau: ${message}`)
    }
    return isCut
  }

  async #reportIncomplete(message: string): Promise<void> {
    this.complete = false
    if (!this.#logged.has(message)) await this.#log(`${message} Nothing is treated as missing.`)
    this.#logged.add(message)
  }
}
