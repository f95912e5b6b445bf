import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { CliError, type Command } from './command.ts'
import { getServerOptions, SERVER_OPTIONS, type ServerOptions } from './server-options.ts'

const HELP = `Usage: tablinum selftest --url <address> [--token <token>] [--requests <n>]

Checks a running server as its clients see it: access, writing, search, history, permissions, and how long
requests take. Creates a database with a table and a token of its own, and deletes them at the end.

  --url       the address of the server, e.g. https://catalog.example.com (or TABLINUM_URL)
  --token     an API token that can write (or TABLINUM_TOKEN, which keeps it out of the list of processes)
  --requests  requests of each kind to measure, four at a time (default 100)
  --help

Exits with code 1 if a check failed.
`

const OPTIONS = { ...SERVER_OPTIONS, requests: { type: 'string', default: '100' } } as const
const CONCURRENCY = 4
const MAX_REQUESTS = 10_000

export const selftestCommand: Command = {
  name: 'selftest',
  summary: 'check a running server, and measure it',
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const requests = Number(values.requests)
    if (!Number.isInteger(requests) || requests < 1 || requests > MAX_REQUESTS)
      throw new CliError(`--requests must be a whole number from 1 to ${MAX_REQUESTS}.`)
    return new Selftest(new Api(getServerOptions(values)), requests).run()
  },
}

interface ApiAnswer {
  readonly status: number
  readonly etag: string | null
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
}
interface ApiRequest {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** Another token; null: none. */
  readonly token?: string | null
}

class Api {
  readonly #base: string
  readonly #token: string

  constructor({ url, token }: ServerOptions) {
    this.#base = `${url.replace(/\/+$/, '')}/api/v1`
    this.#token = token
  }

  async call(method: string, path: string, { body, headers, token = this.#token }: ApiRequest = {}): Promise<ApiAnswer> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    }).catch((error: Error) => {
      throw new CliError(`Cannot reach ${this.#base}: ${(error.cause as Error | undefined)?.message ?? error.message}`)
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, etag: response.headers.get('etag'), body: isJson && text ? JSON.parse(text) : text }
  }
}

class Selftest {
  readonly #api: Api
  readonly #requests: number
  /** Found by nothing but these resources. */
  readonly #word = `selftest${randomUUID().replaceAll('-', '')}`
  #failures = 0

  constructor(api: Api, requests: number) {
    this.#api = api
    this.#requests = requests
  }

  async run(): Promise<number> {
    await this.#expect('access', 'a request without a token is rejected', 401, () =>
      this.#api.call('GET', '/resource/catalog', { token: null }),
    )
    const database = await this.#expect('write', 'a database is created', 201, () =>
      this.#api.call('POST', '/database/databases', { body: { title: this.#word } }),
    )
    if (database.status !== 201) return 1
    try {
      await this.#checkContract(database)
      await this.#checkPermissions()
      await this.#measure(database.body.id)
    } finally {
      await this.#remove(database.body.id)
    }
    return this.#failures > 0 ? 1 : 0
  }

  async #checkContract({ etag, body: { id } }: ApiAnswer): Promise<void> {
    const table = { body: { title: `${this.#word} table`, parent_id: id }, headers: { 'idempotency-key': this.#word } }
    const first = await this.#expect('write', 'a table is created below it', 201, () => this.#api.call('POST', '/table/tables', table))
    const again = await this.#api.call('POST', '/table/tables', table)
    this.#report('write', 'the same request with its Idempotency-Key creates no other', again.body.id === first.body.id, again)
    const description = { body: { description: 'Changed.' } }
    const edit = (ifMatch: string) => this.#api.call('PATCH', `/resource/all/${id}`, { ...description, headers: { 'if-match': ifMatch } })
    await this.#expect('write', 'an edit of an outdated record is rejected', 412, () => edit('"outdated"'))
    await this.#expect('write', 'an edit of the current record is saved', 200, () => edit(etag ?? ''))
    await this.#expect('write', 'an invalid edit is rejected', 400, () =>
      this.#api.call('PATCH', `/resource/all/${id}`, { body: { title: 5 } }),
    )
    const versions = await this.#api.call('GET', `/resource/all/${id}/versions`)
    this.#report('history', 'both versions are recorded', versions.body.count === 2, versions)
    const found = await this.#api.call('GET', `/search?q=${this.#word}`)
    this.#report('search', 'both are found at once', found.body.results?.length === 2, found)
    const listed = await this.#api.call('GET', `/resource/catalog?search_term=${this.#word}`)
    this.#report('lists', 'both are listed and counted', listed.body.count === 2, listed)
  }

  async #checkPermissions(): Promise<void> {
    const body = { name: `Self-test ${this.#word.slice(-8)}`, scope: 'read' }
    const created = await this.#expect('permissions', 'a token that can only read is created', 201, () =>
      this.#api.call('POST', '/auth/tokens', { body }),
    )
    const { id, token } = created.body
    if (created.status !== 201) return
    await this.#expect('permissions', 'it can read', 200, () => this.#api.call('GET', '/resource/catalog?page_size=1', { token }))
    await this.#expect('permissions', 'it cannot write', 403, () =>
      this.#api.call('POST', '/database/databases', { token, body: { title: this.#word } }),
    )
    await this.#expect('permissions', 'it can be revoked', 204, () => this.#api.call('DELETE', `/auth/tokens/${id}`))
    await this.#expect('permissions', 'it is rejected from then on', 401, () => this.#api.call('GET', '/resource/catalog', { token }))
  }

  async #measure(id: string): Promise<void> {
    const kinds: Readonly<Record<string, (i: number) => Promise<ApiAnswer>>> = {
      read: () => this.#api.call('GET', `/resource/all/${id}`),
      list: (i) => this.#api.call('GET', `/resource/catalog?page_size=20&page=${1 + (i % 5)}`),
      search: (i) => this.#api.call('GET', `/search?q=${SEARCHES[i % SEARCHES.length]}`),
      edit: (i) => this.#api.call('PATCH', `/resource/all/${id}`, { body: { description: `Changed ${i}.` } }),
    }
    for (const [kind, request] of Object.entries(kinds)) {
      const times = await this.#time(request)
      const at = (share: number) => `${times[Math.ceil(times.length * share) - 1]!.toFixed(1)} ms`
      process.stdout.write(`load     ${kind}: p50 ${at(0.5)}, p95 ${at(0.95)} (${times.length} requests, ${CONCURRENCY} at a time)\n`)
    }
  }

  /** Milliseconds of each request, sorted. */
  async #time(request: (i: number) => Promise<ApiAnswer>): Promise<number[]> {
    const times: number[] = []
    let next = 0
    let rejected = 0
    const work = async () => {
      for (let i = next++; i < this.#requests; i = next++) {
        const began = performance.now()
        const { status } = await request(i)
        times.push(performance.now() - began)
        if (status >= 400) rejected += 1
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    if (rejected > 0) this.#report('load', `${rejected} of ${this.#requests} requests were rejected`, false)
    return times.toSorted((a, b) => a - b)
  }

  /** Deleted resources are in the trash for 90 days; only admins can empty it. */
  async #remove(id: string): Promise<void> {
    await this.#expect('clean-up', 'the database and its table are deleted', 204, () => this.#api.call('DELETE', `/resource/all/${id}`))
    const { status } = await this.#api.call('DELETE', `/trash/${id}`)
    if (status !== 204)
      process.stdout.write(`note     “${this.#word}” stays in the trash for 90 days: only admins can delete it permanently.\n`)
  }

  async #expect(area: string, what: string, status: number, request: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
    const answer = await request()
    this.#report(area, what, answer.status === status, answer)
    return answer
  }

  #report(area: string, what: string, passed: boolean, answer?: ApiAnswer): void {
    if (!passed) this.#failures += 1
    const got = passed || !answer ? '' : ` (status ${answer.status}${answer.body?.detail ? `: ${answer.body.detail}` : ''})`
    process.stdout.write(`${passed ? 'ok    ' : 'failed'}   ${area}: ${what}${got}\n`)
  }
}

const SEARCHES = ['orders', 'custmer', 'revenue by day', 'a', 'selftest']
