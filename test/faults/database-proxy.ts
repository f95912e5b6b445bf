import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as socketTo } from 'node:net'

/** What happens to a statement on its way to the server. */
export type Fault =
  | 'pass'
  /** The connection is closed before the statement reaches the server. */
  | 'cut'
  /** The server runs it; the connection is closed before its response reaches the client. */
  | 'cut-answer'
  /** Nothing is forwarded in either direction, and nothing is closed. */
  | 'hang'
  /** The server rejects it with this SQLSTATE; the severity is in the language of the server. */
  | { readonly error: string; readonly severity?: string }
  | { readonly delayMs: number }

export interface DatabaseProxy extends AsyncDisposable {
  /** The URL of the same database through the proxy. */
  readonly url: string
  /** Decides about each statement; all pass until it is set. */
  onStatement: (text: string, application: string) => Fault
  /** All statements with the application_name of their connection, in order. */
  readonly statements: { readonly text: string; readonly application: string }[]
  /** The startup message of each client. */
  readonly startups: Record<string, string>[]
  /** Number of open connections. */
  open(): number
  /** Closes every connection. */
  cut(): void
  /** Every open connection becomes unresponsive; new ones work. */
  hang(): void
}

/** A loopback port that forwards to this Postgres and understands enough of its protocol to disturb single statements. */
export const createDatabaseProxy = async (databaseUrl: string): Promise<DatabaseProxy> => {
  const target = new URL(databaseUrl)
  const path = `${decodeURIComponent(target.hostname)}/.s.PGSQL.5432`
  const links = new Set<Link>()
  const server = createServer({ noDelay: true }, (caller) => {
    const link = new Link(caller, socketTo(path), proxy)
    links.add(link)
    caller.once('close', () => links.delete(link))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: DatabaseProxy = {
    url: `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`,
    onStatement: () => 'pass',
    statements: [],
    startups: [],
    open: () => links.size,
    cut: () => {
      for (const link of links) link.cut()
    },
    hang: () => {
      for (const link of links) link.hang()
    },
    [Symbol.asyncDispose]: async () => {
      for (const link of links) link.cut()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

const QUERY = 0x51
const PARSE = 0x50
const BIND = 0x42
const SYNC = 0x53

/** One client and its connection to the server. */
class Link {
  readonly #caller: Socket
  readonly #server: Socket
  readonly #proxy: DatabaseProxy
  readonly #prepared = new Map<string, string>()
  #application = ''
  #started = false
  #waiting = Buffer.alloc(0)
  #silent = false
  #delayed = false
  /** Messages up to the next Sync belong to a statement answered by the proxy. */
  #skipping = false
  #cutAnswer = false
  /** The last statement decided about, until its Sync. */
  #decided: string | undefined

  constructor(caller: Socket, server: Socket, proxy: DatabaseProxy) {
    this.#caller = caller
    this.#server = server
    this.#proxy = proxy
    caller.on('error', () => {}).on('close', () => this.cut())
    server.on('error', () => {}).on('close', () => this.#silent || this.cut())
    caller.on('data', (data) => this.#fromCaller(data))
    server.on('data', (data) => {
      if (this.#silent) return
      if (this.#cutAnswer) this.cut()
      else caller.write(data)
    })
  }

  cut(): void {
    this.#caller.destroy()
    this.#server.destroy()
  }

  hang(): void {
    this.#silent = true
  }

  #fromCaller(data: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, data])
    this.#read()
  }

  #read(): void {
    while (!this.#silent && !this.#delayed && !this.#caller.destroyed) {
      const head = this.#started ? 1 : 0
      if (this.#waiting.length < head + 4) return
      const length = head + this.#waiting.readInt32BE(head)
      if (this.#waiting.length < length) return
      const message = this.#waiting.subarray(0, length)
      this.#waiting = this.#waiting.subarray(length)
      if (!this.#started) this.#start(message)
      else if (!this.#take(message)) return
    }
  }

  #start(message: Buffer): void {
    this.#started = true
    const strings = message.subarray(8).toString().split('\0')
    const settings: Record<string, string> = {}
    for (let i = 0; i + 1 < strings.length && strings[i]; i += 2) settings[strings[i]!] = strings[i + 1]!
    this.#application = settings.application_name ?? ''
    this.#proxy.startups.push(settings)
    this.#server.write(message)
  }

  /** Returns whether the next message may be read immediately. */
  #take(message: Buffer): boolean {
    const type = message[0]
    if (this.#skipping) {
      if (type === SYNC) this.#skipping = false
      return true
    }
    const text = this.#textOf(message)
    if (type === SYNC) this.#decided = undefined
    if (text === undefined || text === this.#decided) return this.#pass(message)
    if (type !== QUERY) this.#decided = text
    const application = this.#application
    this.#proxy.statements.push({ text, application })
    const fault = this.#proxy.onStatement(text, application)
    if (fault === 'pass') return this.#pass(message)
    if (fault === 'cut') {
      this.cut()
      return false
    }
    if (fault === 'hang') {
      this.hang()
      return false
    }
    if (fault === 'cut-answer') {
      this.#cutAnswer = true
      return this.#pass(message)
    }
    if ('error' in fault) {
      this.#skipping = type !== QUERY
      this.#decided = undefined
      this.#caller.write(errorResponse(fault))
      return true
    }
    this.#delayed = true
    setTimeout(() => {
      this.#delayed = false
      this.#pass(message)
      this.#read()
    }, fault.delayMs)
    return false
  }

  #pass(message: Buffer): true {
    this.#server.write(message)
    return true
  }

  #textOf(message: Buffer): string | undefined {
    const strings = () => message.subarray(5).toString().split('\0')
    if (message[0] === QUERY) return strings()[0]
    if (message[0] === PARSE) {
      const [name = '', text = ''] = strings()
      this.#prepared.set(name, text)
      return text
    }
    if (message[0] === BIND) return this.#prepared.get(strings()[1] ?? '')
    return undefined
  }
}

/** ErrorResponse and ReadyForQuery, outside a transaction. */
const errorResponse = ({ error: code, severity = 'ERROR' }: { readonly error: string; readonly severity?: string }): Buffer => {
  const fields = Buffer.from(`S${severity}\0VERROR\0C${code}\0Mfault of a test\0\0`)
  const error = Buffer.alloc(5)
  error.write('E')
  error.writeInt32BE(4 + fields.length, 1)
  return Buffer.concat([error, fields, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])])
}
