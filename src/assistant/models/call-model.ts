import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../platform/context/context.ts'
import { toCount } from '../../platform/core/json-value.ts'
import { parseAllowlist } from '../../platform/outbound/address-policy.ts'
import { OutboundError, openOutbound, readBeginning, toOutboundError } from '../../platform/outbound/post.ts'
import { parseRetryAfter } from '../../platform/outbound/retry-after.ts'
import type { Provider } from '../settings/schema.ts'
import { type AssistantSettingsRow, openKey } from '../settings/settings.ts'
import { ANTHROPIC } from './anthropic.ts'
import { ModelProtocolError, type ModelRequest, type Protocol, type ToolUse, type Usage } from './model.ts'
import { OPENAI } from './openai.ts'
import { readEventData } from './read-events.ts'

const PROTOCOLS: Readonly<Record<Provider, Protocol>> = { openai: OPENAI, anthropic: ANTHROPIC }

/** The model did not answer. The message is for the people who asked; `detail`, what the server said, is for admins. */
export class ModelError extends Error {
  readonly detail: string | undefined

  constructor(message: string, detail?: string) {
    super(message)
    this.detail = detail
  }
}

export interface ModelResponse {
  readonly text: string
  readonly calls: readonly ToolUse[]
  /** The model reached its limit before the end. */
  readonly cut: boolean
}

export interface ModelCallOptions {
  readonly signal: AbortSignal
  readonly onText?: (text: string) => void
  /** Called once, also if the call fails after the model began to answer. */
  readonly onUsage?: (usage: Usage) => void
}

const MAX_OUTPUT_CHARS = 100_000
const RETRY_MS = 500
const MAX_RETRY_MS = 20_000

/** One response of the configured model. */
export const callModel = async (
  ctx: Context,
  settings: AssistantSettingsRow,
  request: Omit<ModelRequest, 'model'>,
  options: ModelCallOptions,
): Promise<ModelResponse> => {
  const key = await openKey(ctx, settings)
  if (key === undefined) throw new ModelError('The API key of the language model cannot be decrypted. Ask an admin to enter it again.')
  const protocol = PROTOCOLS[settings.provider]
  const body = JSON.stringify(protocol.body({ ...request, model: settings.model }))
  const idle = new IdleTimeout(settings.timeout_seconds * 1000)
  const signal = AbortSignal.any([options.signal, idle.signal])
  try {
    const response = await openResponse(ctx, `${settings.url}${protocol.path}`, { headers: protocol.headers(key), body, signal })
    return await readResponse(response, protocol, body, idle, options)
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    if (idle.signal.aborted) throw new ModelError(`The language model did not respond within ${settings.timeout_seconds} seconds.`)
    if (error instanceof ModelError) throw error
    if (error instanceof ModelProtocolError) throw new ModelError('The language model sent an invalid response.', error.message)
    throw new ModelError('The language model cannot be reached.', toOutboundError(error).message)
  } finally {
    idle.stop()
  }
}

const openResponse = async (
  { runtime }: Context,
  url: string,
  { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<IncomingMessage> => {
  const allowed = parseAllowlist(runtime.webhookAllow)
  const all = { 'content-type': 'application/json', accept: 'text/event-stream', 'user-agent': 'Tablinum', ...headers }
  for (let attempt = 1; ; attempt += 1) {
    const response = await openOutbound(url, { headers: all, body, allowed, signal })
    const { statusCode: status = 0 } = response
    if (status >= 200 && status < 300) return response
    const detail = describeResponse(status, await readBeginning(response))
    const pause = parseRetryAfter(response.headers['retry-after']) ?? RETRY_MS
    if (attempt === 2 || !isTemporary(status) || pause > MAX_RETRY_MS) throw new ModelError(describeStatus(status), detail)
    await sleep(pause, undefined, { signal })
  }
}

const isTemporary = (status: number): boolean => status === 429 || status >= 500

const describeStatus = (status: number): string => {
  if (status === 401 || status === 403)
    return `The language model rejected the API key (${status}). Ask an admin to check the settings of the assistant.`
  if (status === 404) return 'The language model was not found (404). Ask an admin to check the settings of the assistant.'
  if (status === 429) return 'The language model is busy (429). Try again later.'
  if (isTemporary(status)) return `The language model failed (${status}). Try again later.`
  return `The language model rejected the request (${status}).`
}

/** The message of the server, without anything that looks like a key. */
const describeResponse = (status: number, body: string): string => {
  const [, message] = /"message"\s*:\s*"((?:[^"\\]|\\.){1,500})/.exec(body) ?? []
  return `${status}: ${(message ?? body.slice(0, 300)).replace(/\b[\w-]{20,}\b/g, '•••')}`
}

const readResponse = async (
  response: IncomingMessage,
  protocol: Protocol,
  body: string,
  idle: IdleTimeout,
  { onText, onUsage }: ModelCallOptions,
): Promise<ModelResponse> => {
  const parse = protocol.createParser()
  const calls: ToolUse[] = []
  const reported: Partial<Usage>[] = []
  let text = ''
  let written = 0
  let end: { readonly cut: boolean } | undefined
  let isLast = false
  try {
    for await (const data of readEventData(idle.watch(response))) {
      for (const event of parse(data)) {
        if (event.type === 'text') {
          text += event.text
          onText?.(event.text)
        } else if (event.type === 'call') calls.push(event.call)
        else if (event.type === 'usage') reported.push(event.usage)
        else if (event.type === 'end') end = event
        else isLast = true
        written += event.type === 'text' ? event.text.length : event.type === 'call' ? event.call.arguments.length : 0
      }
      if (written > MAX_OUTPUT_CHARS) throw new ModelProtocolError('the response is too long')
      if (isLast) break
    }
    if (!end) throw new ModelProtocolError('the response ended early')
    return { text, calls, cut: end.cut }
  } finally {
    response.destroy()
    onUsage?.(completeUsage(reported, body, written))
  }
}

/** Not every server reports what was used, and none does if the response is interrupted: then it is estimated. */
const CHARS_PER_TOKEN = 3
const completeUsage = (reported: readonly Partial<Usage>[], body: string, written: number): Usage => {
  const { input_tokens, output_tokens } = Object.assign({}, ...reported) as Partial<Usage>
  return {
    input_tokens: toCount(input_tokens) ?? Math.ceil(body.length / CHARS_PER_TOKEN),
    output_tokens: Math.max(toCount(output_tokens) ?? 0, Math.floor(written / (4 * CHARS_PER_TOKEN))),
  }
}
/** Aborts when nothing has arrived for a while. */
class IdleTimeout {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#controller.abort(new OutboundError('The connection timed out.')), ms)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#timer.refresh()
      yield chunk
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
