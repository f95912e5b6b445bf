import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { newId } from '../../src/platform/core/id.ts'
import { type Contract, type Document, loadContract, loadOpenApi } from '../support/contract.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import type { TestApp, TestResponse } from '../support/test-app.ts'
import { createFuzzExamples } from './fuzz-examples.ts'
import { FuzzIds } from './fuzz-ids.ts'
import { type FuzzRecord, newFuzzRecord, operationOf } from './fuzz-record.ts'
import { type FuzzRequest, invalidRequest, type Operation, validRequest } from './fuzz-requests.ts'
import type { ExistingValues, Schema } from './fuzz-values.ts'

export interface FuzzOptions {
  readonly seed: number
  /** Invalid requests to each operation; valid ones are half as many. */
  readonly runs: number
  /** Where the app reads files of sources. */
  readonly filesFolder: string
  /** A webhook receiver. */
  readonly url: string
  /** How many requests wait for their response at once. With more than one, a seed does not repeat a run exactly. */
  readonly inFlight?: number
  /** To continue another one. */
  readonly record?: FuzzRecord
}

/** A channel for PagerDuty or Opsgenie without an address of its own is tested against the real service. Covered by notify-routing.test.ts. */
const NEVER_SENT = ['post /api/v1/notification/channels/{notification_channel_id}/test']

/** Creates before reads, so that there is something to read; deletes last. */
const ORDER = ['post', 'get', 'put', 'patch', 'delete']

/** The rounds of a run have the same document. */
const contracts = new WeakMap<Document, Contract>()
const contractOf = (document: Document): Contract => {
  const contract = contracts.get(document) ?? loadContract(document, { optimize: true })
  contracts.set(document, contract)
  return contract
}

/** Sends valid and invalid requests to operations of the document, and finds what is wrong with the responses. */
export class Fuzzer {
  readonly record: FuzzRecord
  readonly #app: TestApp
  readonly #options: FuzzOptions
  readonly #document: Document
  readonly #contract: Contract
  readonly #ids: FuzzIds
  readonly #existing: ExistingValues

  private constructor(app: TestApp, document: Document, options: FuzzOptions) {
    this.#app = app
    this.#options = options
    this.record = options.record ?? newFuzzRecord()
    this.#document = document
    this.#contract = contractOf(document)
    this.#ids = new FuzzIds(document)
    this.#existing = {
      ids: this.#ids.everywhere,
      named: () => undefined,
      texts: { url: options.url },
      resolve: (ref) => document.components.schemas[ref.split('/').at(-1)!] as Schema,
    }
  }

  static async create(app: TestApp, options: FuzzOptions): Promise<Fuzzer> {
    const fuzzer = new Fuzzer(app, await loadOpenApi(app.fastify), options)
    await recordWrites(app.db)
    await createFuzzExamples(app, fuzzer.#ids, options.filesFolder)
    return fuzzer
  }

  get operations(): Operation[] {
    return Object.entries(this.#document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => {
          const {
            parameters = [],
            requestBody,
            security,
          } = operation as unknown as Pick<Operation, 'parameters'> & {
            requestBody?: { content: Record<string, { schema: Schema }> }
            security?: unknown[]
          }
          const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
          const open = security?.length === 0
          return { method, path, parameters, open, ...(content ? { body: { type: type!, schema: content.schema } } : {}) }
        }),
      )
      .filter(({ method, path }) => !NEVER_SENT.includes(`${method} ${path}`))
      .filter(({ path }) => path.includes('{') || !this.#document.paths[path]?.get?.responses[200]?.content?.['text/event-stream'])
      .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
  }

  /** What is wrong with the responses of this operation. */
  async drive(operation: Operation): Promise<string[]> {
    const problems: string[] = []
    const { token } = await this.#app.createUser('admin') // independent of whatever the requests do to tokens and users
    const rejected: FuzzRequest[] = []
    const began = performance.now()
    const requests = this.#generate(operation)
    this.record.generatingMs += performance.now() - began
    await this.#forEach(requests, async (request) => {
      const response = await this.#exchange(operation, request, token, problems)
      if (!response) return
      this.#count(operation, request, response)
      if (response.status >= 400) rejected.push(request)
      else if (!request.misrouted) {
        this.#ids.learn(operation, response)
        if (operation.method === 'post' && !request.defect) await this.#twice(operation, request, token, problems)
      }
    })
    await this.#findChangesBy(operation, rejected, token, problems)
    return problems
  }

  async #forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
    const queue = items.values()
    const workThrough = async () => {
      for (const item of queue) await work(item)
    }
    await Promise.all(Array.from({ length: this.#options.inFlight ?? 1 }, workThrough))
  }

  #generate(operation: Operation): FuzzRequest[] {
    const ids = this.#ids
    const near: ExistingValues = {
      ...this.#existing,
      ids: ids.near(operation.path),
      named: (name) => ids.named(operation.path, name),
    }
    const inPath = (name: string) => ids.inPath(operation.path, name)
    const { runs } = this.#options
    const seed = this.#options.seed + hashOperation(operation)
    return [
      ...fc.sample(validRequest(operation, near, inPath), { seed, numRuns: Math.ceil(runs / 2) }),
      ...fc.sample(invalidRequest(operation, near, inPath), { seed, numRuns: runs }),
    ]
  }

  /** Sends a request and adds what is wrong with its response to the problems. No response: undefined. */
  async #exchange(operation: Operation, request: FuzzRequest, token: string, problems: string[]): Promise<TestResponse | undefined> {
    const response = await this.#send(operation, request, token).catch((error: Error) => error)
    const began = performance.now()
    const problem = response instanceof Error ? response.message : this.#check(operation, request, response)
    this.record.checkingMs += performance.now() - began
    if (problem) problems.push(describeRequest(operation, request, problem))
    return response instanceof Error ? undefined : response
  }

  async #send(operation: Operation, { url, headers, payload }: FuzzRequest, token: string): Promise<TestResponse> {
    const began = performance.now()
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS)
    })
    const injected = this.#app.fastify.inject({
      method: operation.method.toUpperCase() as 'GET',
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      payload,
    })
    const {
      statusCode: status,
      headers: responseHeaders,
      body: text,
    } = await Promise.race([injected, silence]).finally(() => {
      clearTimeout(timer)
      this.#recordTime(operation, performance.now() - began)
    })
    this.record.statuses[status] = (this.record.statuses[status] ?? 0) + 1
    const json = String(responseHeaders['content-type'] ?? '').includes('application/json') && text !== ''
    return { status, headers: responseHeaders as TestResponse['headers'], text, body: json ? JSON.parse(text) : undefined }
  }

  #recordTime({ method, path }: Operation, ms: number): void {
    this.record.requests += 1
    const times = operationOf(this.record, `${method} ${path}`)
    times.requests += 1
    times.ms += ms
    times.longestMs = Math.max(times.longestMs, ms)
  }

  /** What is wrong with a response, if anything. */
  #check(operation: Operation, { misrouted }: FuzzRequest, response: TestResponse): string | undefined {
    if (response.status >= 500) return `${response.status} ${response.text}`
    if (response.status === 401 && !operation.open) return 'the caller was locked out'
    const rejected = response.status >= 400
    if (rejected && typeof response.body?.code !== 'string')
      return `not in the one shape of errors: ${response.status} ${response.text.slice(0, 300)}`
    return misrouted ? undefined : this.#contract(operation.method, operation.path, response)
  }

  #count({ method, path }: Operation, { defect }: FuzzRequest, { status }: TestResponse): void {
    const { answers } = operationOf(this.record, `${method} ${path}`)
    const kind = `${defect ? 'bad' : 'good'} ${status}`
    answers[kind] = (answers[kind] ?? 0) + 1
  }

  /** A POST sent twice with one key is executed once and returns the same response, except for fields returned only once. */
  async #twice(operation: Operation, request: FuzzRequest, token: string, problems: string[]): Promise<void> {
    const keyed = { ...request, headers: { ...request.headers, 'idempotency-key': newId() } }
    const first = await this.#exchange(operation, keyed, token, problems)
    const second = await this.#exchange(operation, keyed, token, problems)
    if (!first || !second || first.status >= 400) return
    const shownOnce = this.#findShownOnce(operation)
    const shown = ({ status, body }: TestResponse) =>
      JSON.stringify([status, body], (key, value) => (shownOnce.includes(key) ? undefined : value))
    if (shown(first) !== shown(second))
      problems.push(describeRequest(operation, keyed, `the second time: ${first.text}, and then ${second.text}`))
  }

  #findShownOnce({ method, path }: Operation): readonly string[] {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    const route = this.#app.routes.find((each) => each.url === url && each.method === method.toUpperCase())
    return route?.config?.shown_once ?? []
  }

  /** Sends rejected requests again on their own: afterwards nothing may have changed. Requests accepted now are left out, and the rest sent again. */
  async #findChangesBy(operation: Operation, rejected: FuzzRequest[], token: string, problems: string[]): Promise<void> {
    if (rejected.length === 0) return
    await this.#forgetWrites()
    const before = await this.#countWrites()
    const again: FuzzRequest[] = []
    await this.#forEach(rejected, async (request) => {
      const response = await this.#exchange(operation, request, token, problems)
      if (response && response.status >= 400) again.push(request)
    })
    if (again.length < rejected.length) return this.#findChangesBy(operation, again, token, problems)
    if ((await this.#countWrites()) === before) return
    for (const request of rejected) {
      const before = await this.#countWrites()
      const { status } = await this.#send(operation, request, token)
      if ((await this.#countWrites()) === before) continue
      problems.push(describeRequest(operation, request, `${status}, and the database was changed`))
      return
    }
    problems.push(`${operation.method} ${operation.path}: what was refused changed the database the second time it was sent`)
  }

  /** The records of writes, which would be counted again for every operation. */
  async #forgetWrites(): Promise<void> {
    await sql`truncate fuzz.writes`.execute(this.#app.db)
  }

  async #countWrites(): Promise<string> {
    const { rows } = await sql`select table_name, count(*) as writes from fuzz.writes group by table_name
      union all select 'import_lines', count(*) from import_lines order by table_name`.execute(this.#app.db)
    return JSON.stringify(rows, null, 1)
  }
}

/**
 * Usage counters, rate limits and stored responses: these change with every request. The end of a download is recorded after its response;
 * its start is in `activities`.
 */
const HOUSEKEEPING = [
  'tokens',
  'rate_windows',
  'idempotency_responses',
  'resource_views',
  'worker_heartbeats',
  'sessions',
  'sign_in_tries',
  'backups',
  'import_lines', // staged until the file is known to be right; what is left of them is counted
]

/**
 * Triggers record each row that a committed transaction wrote, whatever it wrote. Comparing the rows of all tables before and after every
 * operation would take half of the time of all requests.
 */
const recordWrites = async (db: TestApp['db']): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker') and table_name <> all(${HOUSEKEEPING}::text[])
  `.execute(db)
  await sql
    .raw(`
      create schema fuzz;
      create table fuzz.writes (table_name text not null);
      create function fuzz.record_write() returns trigger language plpgsql as
        $$ begin insert into fuzz.writes values (tg_table_name); return null; end $$;
      ${rows.map(({ name }) => `${RECORD_ROWS.replace('TABLE', name)}${RECORD_TRUNCATE.replace('TABLE', name)}`).join('')}
    `)
    .execute(db)
}
const RECORD_ROWS =
  'create trigger record_write after insert or update or delete on TABLE for each row execute function fuzz.record_write();'
const RECORD_TRUNCATE = 'create trigger record_truncate after truncate on TABLE for each statement execute function fuzz.record_write();'

/** Each operation has its own seed, so that a new route does not change the requests of the others. */
const hashOperation = ({ method, path }: Operation): number => createHash('sha256').update(`${method} ${path}`).digest().readUInt16BE()

const describeRequest = ({ method }: Operation, { url, headers, payload = '', defect }: FuzzRequest, response: string): string =>
  `${method.toUpperCase()} ${url.slice(0, 400)} ${JSON.stringify(headers).slice(0, 200)} ${String(payload).slice(0, 600)} (${defect ?? 'good'}) → ${response}`
