import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Recorded answers of an API. */
export interface Cassette {
  /** The header that every request must carry, except those to recordings marked as open. */
  readonly auth?: { readonly header: string; readonly value: string }
  readonly recordings: readonly Recording[]
  /** What is wrong with a recorded answer, e.g. by the vendor's API description; undefined if it is right. Called for each answer before it is sent. */
  readonly checkAnswer?: (answer: RecordedAnswer) => string | undefined
}

export interface RecordedAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: unknown
  /** The parameters of the request. */
  readonly query: Readonly<Record<string, string>>
  /** The parsed body of the request. */
  readonly request: Readonly<Record<string, unknown>>
  readonly requestHeaders: IncomingHttpHeaders
}

export interface Recording {
  readonly method?: string
  readonly path: string
  /** The parameters the request must have, e.g. of this page. Others are ignored. */
  readonly query?: Readonly<Record<string, string>>
  /** Fields the body of the request, JSON or a form, must have. */
  readonly request?: Readonly<Record<string, unknown>>
  /** Headers the request must have, by their names in lower case, e.g. one that names the operation. */
  readonly requestHeaders?: Readonly<Record<string, string | RegExp>>
  /** Needs no authentication: a login. */
  readonly open?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or text. A function gets the parsed body of the request, and its parameters. */
  readonly body: unknown
}

/** A wrong answer in place of the recorded one. */
export interface Fault {
  /** Of which path; without it, of every path. */
  readonly path?: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** How many requests are answered properly before. */
  readonly after?: number
  /** How many requests get the fault; all of them unless said. */
  readonly times?: number
}

export interface ReplayServer extends AsyncDisposable {
  readonly url: string
  /** `GET /api/card?page=1`, in order. */
  readonly requests: readonly string[]
  /** Requests for which there is no recording, and why; and recorded answers that `checkAnswer` found wrong. */
  readonly problems: readonly string[]
}

/** Serves recorded answers on a local port and checks method, path, parameters, body and authentication of every request. */
export const startReplay = async ({ auth, recordings, checkAnswer }: Cassette, faults: readonly Fault[] = []): Promise<ReplayServer> => {
  const requests: string[] = []
  const problems: string[] = []
  const counts = faults.map(() => 0)

  const findFault = (path: string): Fault | undefined =>
    faults.find((fault, i) => {
      if (fault.path !== undefined && fault.path !== path) return false
      counts[i]! += 1
      const number = counts[i]! - (fault.after ?? 0)
      return number > 0 && number <= (fault.times ?? Number.POSITIVE_INFINITY)
    })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://replay')
    const method = request.method ?? 'GET'
    const body = parseBody(await text(request), request.headers['content-type'])
    requests.push(`${method} ${url.pathname}${url.search}`)
    const send = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}) =>
      typeof value === 'string'
        ? response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(value)
        : response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
    const reject = (status: number, problem: string) => {
      problems.push(`${method} ${url.pathname}${url.search}: ${problem}`)
      send(status, { message: problem })
    }
    const fault = findFault(url.pathname)
    if (fault) return void send(fault.status, fault.body ?? { message: 'injected fault' }, fault.headers)
    const samePath = recordings.filter(({ path }) => path === url.pathname)
    if (samePath.length === 0) return reject(404, 'was not recorded')
    const sameMethod = samePath.filter((each) => (each.method ?? 'GET') === method)
    if (sameMethod.length === 0) return reject(405, 'was recorded with another method')
    const found = sameMethod.find(
      ({ query = {}, request: expected = {}, requestHeaders = {} }) =>
        Object.entries(query).every(([name, value]) => url.searchParams.get(name) === value) &&
        hasFields(body, expected) &&
        hasHeaders(request.headers, requestHeaders),
    )
    if (!found) return reject(400, 'was recorded with other parameters')
    if (auth && !found.open && request.headers[auth.header.toLowerCase()] !== auth.value) return reject(401, 'is not authenticated')
    const status = found.status ?? 200
    const query = Object.fromEntries(url.searchParams)
    const answered: unknown = typeof found.body === 'function' ? found.body(body, query) : found.body
    const asked = { query, request: body, requestHeaders: request.headers }
    const wrong = checkAnswer?.({ method, path: url.pathname, status, body: answered, ...asked })
    if (wrong !== undefined) return reject(422, wrong)
    send(status, answered, found.headers)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    problems,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => {
        server.close(done)
      })
    },
  }
}

const parseBody = (body: string, type = ''): Record<string, unknown> => {
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body))
  try {
    return JSON.parse(body || '{}')
  } catch {
    return {}
  }
}

const hasFields = (sent: Record<string, unknown>, expected: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(expected).every(([name, value]) => JSON.stringify(sent[name]) === JSON.stringify(value))

const hasHeaders = (sent: IncomingHttpHeaders, expected: Readonly<Record<string, string | RegExp>>): boolean =>
  Object.entries(expected).every(([name, value]) => {
    const found = String(sent[name] ?? '')
    return typeof value === 'string' ? found === value : value.test(found)
  })
