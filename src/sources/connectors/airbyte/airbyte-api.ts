import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { createBiClient, findIfPresent } from '../bi/bi-client.ts'
import { MAX_RUNS } from '../orchestration/runs.ts'
import type { ChangedRuns } from '../orchestration/saved-runs.ts'
import type { AirbyteSettings } from './airbyte-settings.ts'

const PAGE_SIZE = 100
const MAX_PAGES = 10_000

/** The public API of Airbyte, of the cloud or of a server. */
export class AirbyteApi {
  readonly #client: HttpClient
  readonly #settings: AirbyteSettings

  constructor(context: RunContext<AirbyteSettings>) {
    this.#settings = context.settings
    this.#client = createBiClient('Airbyte', context.settings.url, context)
  }

  /** Tokens of applications expire within minutes. */
  async connect(): Promise<void> {
    const { client_id, client_secret, user, password } = this.#settings
    if (client_id && client_secret) {
      await this.#signIn()
      this.#client.renewWith(() => this.#signIn())
    } else if (user && password) this.#client.setHeader('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
    else throw new Error('Airbyte needs a client ID and its secret, or a user and a password.')
  }

  async #signIn(): Promise<void> {
    const { client_id, client_secret } = this.#settings
    const body = { client_id, client_secret, 'grant-type': 'client_credentials' }
    const answer = new Shape(await this.#client.login('/applications/token', { body }), 'POST /applications/token')
    this.#client.setHeader('authorization', `Bearer ${answer.text('access_token')}`)
  }

  /** All pages. `next` names a further one whenever a page is full: only after such a page the next one may be empty. */
  async *list(path: string, query: Readonly<Record<string, string>> = {}): AsyncGenerator<Shape, void> {
    for (let offset = 0, page = 0, isFull = false; page < MAX_PAGES; page += 1) {
      const answer = await this.#get(path, { ...query, limit: PAGE_SIZE, offset })
      const items = answer.list('data')
      if (items.length === 0 && isFull) return
      if (items.length === 0 && page > 0)
        throw new Error(`Airbyte: GET ${path}: page ${page + 1} is empty, although page ${page} announced it.`)
      yield* items
      offset += items.length
      isFull = items.length >= PAGE_SIZE
      if (!answer.optionalText('next')) return
    }
    throw new Error(`Airbyte: GET ${path} has more than ${MAX_PAGES} pages.`)
  }

  /** The jobs of a connection, newest first. */
  async listJobs(connectionId: string): Promise<Shape[]> {
    return (await this.#get('/jobs', { connectionId, limit: MAX_RUNS, offset: 0, orderBy: 'createdAt|DESC' })).list('data')
  }

  /** Its jobs, by their connections. */
  readonly changedRuns: ChangedRuns = {
    list: (since) => this.#listChangedConnections(since),
    exceed: async (since, limit) => (await this.#get('/jobs', { updatedAtStart: since, limit: 1, offset: limit })).list('data').length > 0,
  }

  async *#listChangedConnections(updatedAtStart: string): AsyncGenerator<string, void> {
    for await (const job of this.list('/jobs', { updatedAtStart, orderBy: 'createdAt|ASC' })) yield job.text('connectionId')
  }

  /** The streams of a source with their fields; undefined if Airbyte does not know them. */
  async findStreams(sourceId: string, destinationId: string): Promise<Shape[] | undefined> {
    const answer = await findIfPresent(this.#get('/streams', { sourceId, destinationId }))
    return Array.isArray(answer?.value) ? answer.items() : answer?.list('streams') // older servers return an object
  }

  async #get(path: string, query: Readonly<Record<string, string | number>>): Promise<Shape> {
    return new Shape(await this.#client.get(path, query), `GET ${path}`)
  }
}
