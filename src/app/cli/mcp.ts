import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { getServerOptions, SERVER_OPTIONS } from './server-options.ts'

const HELP = `Usage: tablinum mcp --url <address> [--token <token>]

Serves the tools of a Tablinum server over standard input and output, for desktop clients that
start their MCP servers themselves. Everything is answered by the server at the address.

  --url     the address of the server, e.g. https://catalog.example.com (or TABLINUM_URL)
  --token   an API token (or TABLINUM_TOKEN, which keeps it out of the list of processes)
  --help
`

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'serve the tools of a server to a desktop client (MCP over stdio)',
  help: HELP,
  run: async (args) => {
    const { url, token } = getServerOptions(parseArgs({ args: [...args], options: SERVER_OPTIONS }).values)
    const proxy = new StdioProxy(new URL(`${new URL(url).pathname.replace(/\/(?:mcp\/?)?$/, '')}/mcp`, url), token, (message) =>
      process.stdout.write(`${JSON.stringify(message)}\n`),
    )
    const pending = new Set<Promise<void>>()
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue
      const work = proxy.forward(line)
      pending.add(work)
      void work.finally(() => pending.delete(work))
    }
    await Promise.all(pending)
    return 0
  },
}

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly uri?: string
    readonly requestId?: string | number
    readonly _meta?: Record<string, unknown>
  }
  readonly result?: { readonly protocolVersion?: string }
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion'

/** Sends each message to the server and writes what it answers. It knows nothing of the tools, so it never lags behind the server. */
class StdioProxy {
  readonly #url: URL
  readonly #token: string
  readonly #write: (message: unknown) => void
  /** The version that `initialize` agreed on; newer clients state it with every message. */
  #version: string | undefined
  readonly #running = new Map<string | number, AbortController>()

  constructor(url: URL, token: string, write: (message: unknown) => void) {
    this.#url = url
    this.#token = token
    this.#write = write
  }

  async forward(line: string): Promise<void> {
    const message = parseMessage(line)
    if (!message) return this.#write(toError(null, -32_700, 'The message is not valid JSON.'))
    const { id, method, params } = message
    if (method === 'notifications/cancelled' && params?.requestId !== undefined) this.#running.get(params.requestId)?.abort()
    const abort = new AbortController()
    if (id !== undefined) this.#running.set(id, abort)
    try {
      await this.#send(line, message, abort.signal)
    } catch (error) {
      if (id !== undefined && !abort.signal.aborted) this.#write(toError(id, -32_603, `Cannot reach ${this.#url.host}: ${describe(error)}`))
    } finally {
      if (id !== undefined) this.#running.delete(id)
    }
  }

  async #send(line: string, message: Message, signal: AbortSignal): Promise<void> {
    const response = await fetch(this.#url, { method: 'POST', headers: this.#headers(message), body: line, signal })
    const type = response.headers.get('content-type') ?? ''
    const text = await response.text()
    const answers = type.startsWith('text/event-stream') ? parseEvents(text) : type.startsWith('application/json') ? [JSON.parse(text)] : []
    for (const answer of answers) {
      if (answer.jsonrpc === undefined) {
        // An error of the server, e.g. 401: it is not a message of the protocol.
        if (message.id !== undefined) this.#write(toError(message.id, -32_603, `${answer.detail ?? response.statusText}`))
        continue
      }
      if (message.method === 'initialize') this.#version = (answer as Message).result?.protocolVersion
      this.#write(answer)
    }
    if (answers.length === 0 && message.id !== undefined)
      this.#write(toError(message.id, -32_603, `The server responded with status ${response.status}.`))
  }

  #headers({ method, params }: Message): Record<string, string> {
    const stated = params?._meta?.[VERSION_META]
    const version = typeof stated === 'string' ? stated : this.#version
    const name = params?.name ?? params?.uri
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.#token}`,
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...(stated !== undefined && method !== undefined && { 'mcp-method': method }),
      ...(stated !== undefined && name !== undefined && { 'mcp-name': encodeHeader(name) }),
    }
  }
}

const parseMessage = (line: string): Message | undefined => {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

const parseEvents = (text: string): Record<string, unknown>[] =>
  text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join('\n')
    return data === '' ? [] : [JSON.parse(data)]
  })

/** Header values are ASCII; others are sent as the protocol prescribes. */
const encodeHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

const toError = (id: string | number | null, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })

const describe = (error: unknown): string => {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}
