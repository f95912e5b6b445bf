import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** What the model says in one response. Texts are streamed in small pieces. */
export interface Turn {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly usage?: { readonly input: number; readonly output: number } | null
  readonly stop?: 'length'
  /** Called after the text: the response continues when it resolves. */
  readonly hold?: () => Promise<unknown>
}

/** A response that is not one: a status with a body, bytes as they are, or none at all. */
export type Script =
  | Turn
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | { readonly raw: string }

export interface ModelServerRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the body of either protocol
  readonly body: any
}

/** A language model on loopback that follows a script and speaks the wire protocols of OpenAI (chat completions) and Anthropic (messages). */
export interface ModelServer extends AsyncDisposable {
  readonly url: string
  readonly requests: ModelServerRequest[]
  /** The next responses; a function gets the request. */
  readonly script: (Script | ((request: ModelServerRequest) => Script))[]
}

export const createModelServer = async (): Promise<ModelServer> => {
  const requests: ModelServerRequest[] = []
  const script: ModelServer['script'] = []
  const server = createServer(async (incoming, response) => {
    const request = { path: incoming.url!, headers: incoming.headers, body: await json(incoming) }
    requests.push(request)
    const next = script.shift() ?? { text: 'I do not know.' }
    await answer(response, request, typeof next === 'function' ? next(request) : next)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script,
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const answer = async (response: ServerResponse, { path }: ModelServerRequest, turn: Script): Promise<void> => {
  if ('status' in turn) {
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
    response.end(JSON.stringify(turn.body ?? { error: { message: `status ${turn.status}` } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('raw' in turn) return void response.end(turn.raw)
  await (path.endsWith('/chat/completions') ? writeOpenAi : writeAnthropic)(response, turn)
  response.end()
}

/** Splits characters of several bytes too, as networks do. */
const write = async (response: ServerResponse, text: string): Promise<void> => {
  const bytes = Buffer.from(text)
  const middle = Math.floor(bytes.length / 2)
  response.write(bytes.subarray(0, middle))
  await new Promise(setImmediate)
  response.write(bytes.subarray(middle))
}
const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g) ?? []

const writeOpenAi = async (response: ServerResponse, { text = '', calls = [], usage, stop, hold }: Turn): Promise<void> => {
  const send = (choice: object | null, more: object = {}) =>
    write(
      response,
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: choice ? [{ index: 0, ...choice }] : [], ...more })}\n\n`,
    )
  await send({ delta: { role: 'assistant', content: '' }, finish_reason: null })
  for (const piece of pieces(text)) await send({ delta: { content: piece }, finish_reason: null })
  await hold?.()
  for (const [index, { name, arguments: args }] of calls.entries()) {
    const written = typeof args === 'string' ? args : JSON.stringify(args)
    await send({
      delta: { tool_calls: [{ index, id: `call_${index}_${name}`, type: 'function', function: { name, arguments: '' } }] },
      finish_reason: null,
    })
    for (const piece of pieces(written))
      await send({ delta: { tool_calls: [{ index, function: { arguments: piece } }] }, finish_reason: null })
  }
  await send({ delta: {}, finish_reason: stop ?? (calls.length > 0 ? 'tool_calls' : 'stop') })
  if (usage !== null)
    await send(null, { usage: { prompt_tokens: usage?.input ?? 100, completion_tokens: usage?.output ?? 20, total_tokens: 0 } })
  await write(response, 'data: [DONE]\n\n')
}

const writeAnthropic = async (response: ServerResponse, { text = '', calls = [], usage, stop, hold }: Turn): Promise<void> => {
  const send = (type: string, data: object = {}) => write(response, `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  await send('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { input_tokens: usage?.input ?? 100, output_tokens: 1 },
    },
  })
  await send('ping')
  let index = 0
  if (text) {
    await send('content_block_start', { index, content_block: { type: 'text', text: '' } })
    for (const piece of pieces(text)) await send('content_block_delta', { index, delta: { type: 'text_delta', text: piece } })
    await send('content_block_stop', { index })
    index += 1
  }
  await hold?.()
  for (const { name, arguments: args } of calls) {
    await send('content_block_start', { index, content_block: { type: 'tool_use', id: `toolu_${index}`, name, input: {} } })
    for (const piece of ['', ...pieces(typeof args === 'string' ? args : JSON.stringify(args))])
      await send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } })
    await send('content_block_stop', { index })
    index += 1
  }
  const stop_reason = stop ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn'
  await send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage?.output ?? 20 } })
  await send('message_stop')
}
