import { connect, type Socket } from 'node:net'

/** A load generator on plain sockets: on two cores a full HTTP client would use a third of the CPU time that is to be measured. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly failures: number
}

export interface LoadRequest {
  readonly path: string
  readonly method?: string
  readonly body?: string
}

export interface LoadOptions {
  readonly port: number
  readonly token?: string
  readonly connections?: number
  readonly seconds?: number
  readonly warmUpSeconds?: number
  /** Measures until this promise settles, instead of for a number of seconds. */
  readonly until?: Promise<unknown>
  /** Returns the next request of a connection. */
  readonly next: (i: number) => LoadRequest
}

export const runLoad = async ({
  port,
  token,
  connections = 20,
  seconds = 6,
  warmUpSeconds = 2,
  until,
  next,
}: LoadOptions): Promise<LoadResult> => {
  const times: number[] = []
  let failures = 0
  let i = 0
  const begin = performance.now() + warmUpSeconds * 1000
  let end = until ? Number.POSITIVE_INFINITY : begin + seconds * 1000
  const stop = () => {
    end = performance.now()
  }
  until?.then(stop, stop)
  const one = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const request = createRequester(socket, port, token)
    while (performance.now() < end) {
      const sent = performance.now()
      const status = await request(next(i++))
      const now = performance.now()
      if (sent >= begin && now <= end) {
        times.push(now - sent)
        if (status >= 400) failures += 1
      }
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, one))
  times.sort((a, b) => a - b)
  const at = (q: number) => times[Math.min(times.length - 1, Math.floor(times.length * q))] ?? Number.NaN
  return {
    perSecond: (1000 * times.length) / (end - begin),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: times.at(-1) ?? Number.NaN,
    failures,
  }
}

/** Sends one request after the other on one socket and returns the status. Supports only responses with Content-Length. */
const createRequester = (socket: Socket, port: number, token: string | undefined) => {
  const head = `Host: 127.0.0.1:${port}\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}`
  let missing = 0
  let status = 0
  let resolveStatus: (status: number) => void = () => {}
  let rejectStatus: (error: Error) => void = () => {}
  let header = ''
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk.length
    if (missing === 0) {
      header += chunk.toString('latin1', 0, Math.min(chunk.length, 4096))
      const stop = header.indexOf('\r\n\r\n')
      if (stop < 0) return
      status = Number(header.slice(9, 12))
      missing = Number(/content-length: *(\d+)/i.exec(header)?.[1] ?? 0)
      rest = chunk.length - (stop + 4 - (header.length - Math.min(chunk.length, 4096)))
      header = ''
    }
    missing -= rest
    if (missing <= 0) {
      missing = 0
      resolveStatus(status)
    }
  })
  socket.on('error', (error) => rejectStatus(error))
  return ({ path, method = 'GET', body }: LoadRequest): Promise<number> =>
    new Promise((resolve, reject) => {
      resolveStatus = resolve
      rejectStatus = reject
      const length = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      socket.write(`${method} ${path} HTTP/1.1\r\n${head}${length}\r\n${body ?? ''}`)
    })
}
