import { checkAgainst } from '../api-descriptions/api-description.ts'
import {
  type CannedResponse,
  createLoopbackServer,
  findRecording,
  type LoopbackServer,
  type RecordedRequest,
  type RecordedStatement,
} from './loopback.ts'

/**
 * Trino's client protocol (POST /v1/statement, then `nextUri` until there is none) as documented: queued responses without data, pages of data,
 * errors with status 200, cancellation with DELETE, transactions in headers.
 */
export interface TrinoServer extends LoopbackServer {
  /** Started statements, statements cancelled before their end, and open transactions. */
  readonly statements: string[]
  readonly cancelled: string[]
  readonly open: Set<string>
}

interface Options {
  readonly recorded: readonly RecordedStatement[]
  readonly users?: readonly string[]
  /** The host the server reports as its own. */
  readonly address?: string
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Number of first requests that are answered with "busy". */
  readonly busy?: number
}

const PAGE_ROWS = 2
const COUNTS = {
  ...{ totalSplits: 1, queuedSplits: 0, runningSplits: 0, completedSplits: 1, cpuTimeMillis: 1, wallTimeMillis: 1 },
  ...{ queuedTimeMillis: 1, elapsedTimeMillis: 1, processedRows: 0, processedBytes: 0, physicalInputBytes: 0 },
  ...{ physicalWrittenBytes: 0, peakMemoryBytes: 0, spilledBytes: 0 },
}

export const createTrinoServer = async ({ recorded, users = ['reader'], address, tls, busy = 0 }: Options): Promise<TrinoServer> => {
  const queries = new Map<string, string>()
  const statements: string[] = []
  const cancelled: string[] = []
  const open = new Set<string>()
  let refusals = busy

  const uri = ({ origin }: RecordedRequest, state: string, id: string, token: number) =>
    `${address ?? origin}/v1/statement/${state}/${id}/y5c1a/${token}`
  const respond = (request: RecordedRequest, id: string, state: string, more: object): CannedResponse => ({
    body: {
      id,
      infoUri: `${request.origin}/ui/query.html?${id}`,
      stats: { state, queued: state === 'QUEUED', scheduled: state !== 'QUEUED', nodes: 1, ...COUNTS },
      warnings: [],
      ...more,
    },
  })

  const begin = (request: RecordedRequest): CannedResponse => {
    const id = `20261115_0${10_000 + queries.size}_00001_abcde`
    const sql = request.body.toString('utf8')
    queries.set(id, sql)
    statements.push(sql)
    const transaction = String(request.headers['x-trino-transaction-id'] ?? 'NONE')
    if (transaction !== 'NONE' && !open.has(transaction)) return failed(request, id, `Unknown transaction: ${transaction}`)
    return respond(request, id, 'QUEUED', { nextUri: uri(request, 'queued', id, 1) })
  }

  const failed = (request: RecordedRequest, id: string, message: string): CannedResponse =>
    respond(request, id, 'FAILED', {
      error: {
        message,
        errorCode: 1,
        errorName: 'SYNTAX_ERROR',
        errorType: 'USER_ERROR',
        failureInfo: { type: 'x', message, suppressed: [], stack: [] },
      },
    })

  const go = (request: RecordedRequest, id: string, token: number): CannedResponse | undefined => {
    const sql = queries.get(id)!
    if (/^start transaction read only$/i.test(sql)) {
      open.add(`transaction-${id}`)
      return {
        ...respond(request, id, 'FINISHED', { updateType: 'START TRANSACTION' }),
        headers: { 'x-trino-started-transaction-id': `transaction-${id}` },
      }
    }
    if (/^rollback$/i.test(sql)) {
      open.delete(String(request.headers['x-trino-transaction-id']))
      return { ...respond(request, id, 'FINISHED', { updateType: 'ROLLBACK' }), headers: { 'x-trino-clear-transaction-id': 'true' } }
    }
    const { columns = [], rows = [], error, hangs } = findRecording(recorded, sql)
    if (hangs) return undefined
    if (error) return failed(request, id, error)
    const data = rows.slice(token * PAGE_ROWS, (token + 1) * PAGE_ROWS)
    const more = (token + 1) * PAGE_ROWS < rows.length
    return toRawJson(
      respond(request, id, more ? 'RUNNING' : 'FINISHED', {
        columns: columns.map(([name, type]) => ({ name, type, typeSignature: { rawType: type.replace(/\(.*/, ''), arguments: [] } })),
        ...(data.length > 0 ? { data } : {}),
        ...(more ? { nextUri: uri(request, 'executing', id, token + 1) } : {}),
      }),
    )
  }

  const server = await createLoopbackServer(
    (request) => {
      const { method, path, headers } = request
      if (refusals-- > 0) return { status: 503, body: 'Service Unavailable' }
      if (!users.includes(Buffer.from(String(headers['x-trino-user']), 'latin1').toString('utf8')))
        return { status: 401, headers: { 'www-authenticate': 'Basic realm="Trino"' }, body: 'Access Denied: Invalid credentials' }
      if (method === 'POST' && path === '/v1/statement') return begin(request)
      const [, state, id = '', token] = /^\/v1\/statement\/(queued|executing)\/(\w+)\/y5c1a\/(\d+)$/.exec(path) ?? []
      if (!state || !queries.has(id)) return { status: 404, body: 'Query not found' }
      if (method === 'DELETE') {
        cancelled.push(queries.get(id)!)
        return { status: 204 }
      }
      return state === 'queued'
        ? respond(request, id, 'RUNNING', { nextUri: uri(request, 'executing', id, 0) })
        : go(request, id, Number(token))
    },
    tls,
    checkAgainst('trino'),
  )
  return { ...server, statements, cancelled, open }
}

/** Numbers as Trino writes them, with all digits. */
const toRawJson = ({ body, ...respond }: CannedResponse): CannedResponse => ({
  ...respond,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `#${value}#` : value)).replaceAll(/"#(-?\d+)#"/g, '$1'),
})
