import { isObject } from '../../platform/core/json-value.ts'
import { type ModelEvent, type ModelMessage, ModelProtocolError, type ModelRequest, type Protocol, parseJson } from './model.ts'

const MAX_OUTPUT_TOKENS = 8_000

/** The Messages API of Anthropic. Pure. */
export const ANTHROPIC: Protocol = {
  path: '/v1/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== null && { 'x-api-key': key }) }),
  body: ({ model, system, messages, tools }: ModelRequest) => ({
    model,
    max_tokens: MAX_OUTPUT_TOKENS,
    system,
    messages: messages.map(toWireMessage),
    ...(tools.length > 0 && { tools: tools.map(({ name, description, input }) => ({ name, description, input_schema: input })) }),
    stream: true,
  }),
  createParser: () => {
    const calls = new Map<number, { id: string; name: string; arguments: string }>()
    let reason: string | undefined
    return (data): ModelEvent[] => {
      const event = parseJson(data) as WireEvent
      if (event.type === 'message_start') return [{ type: 'usage', usage: toUsage(event.message?.usage) }]
      if (event.type === 'content_block_start' && event.content_block?.type === 'tool_use') {
        const { id = '', name = '' } = event.content_block
        calls.set(event.index ?? calls.size, { id, name, arguments: '' })
      }
      if (event.type === 'content_block_delta' && event.delta?.text) return [{ type: 'text', text: event.delta.text }]
      if (event.type === 'content_block_delta' && event.delta?.partial_json !== undefined) {
        const call = calls.get(event.index ?? -1)
        if (!call) throw new ModelProtocolError('arguments of an unknown tool call')
        call.arguments += event.delta.partial_json
      }
      if (event.type === 'content_block_stop') {
        const call = calls.get(event.index ?? -1)
        calls.delete(event.index ?? -1)
        if (call) return [{ type: 'call', call }]
      }
      if (event.type === 'message_delta') {
        reason = event.delta?.stop_reason ?? reason
        return [{ type: 'usage', usage: toUsage(event.usage) }]
      }
      if (event.type === 'message_stop') return [{ type: 'end', cut: reason === 'max_tokens' }, { type: 'last' }]
      if (event.type === 'error') throw new ModelProtocolError('the model reported an error')
      return []
    }
  },
}

interface WireUsage {
  readonly input_tokens?: number
  readonly cache_creation_input_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly output_tokens?: number
}
interface WireEvent {
  readonly type?: string
  readonly index?: number
  readonly message?: { readonly usage?: WireUsage }
  readonly content_block?: { readonly type?: string; readonly id?: string; readonly name?: string }
  readonly delta?: { readonly text?: string; readonly partial_json?: string; readonly stop_reason?: string | null }
  readonly usage?: WireUsage
}

const toUsage = (usage: WireUsage = {}) => ({
  ...(usage.input_tokens !== undefined && {
    input_tokens: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
  }),
  ...(usage.output_tokens !== undefined && { output_tokens: usage.output_tokens }),
})

const toWireMessage = (message: ModelMessage): object => {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool')
    return {
      role: 'user',
      content: message.outputs.map(({ id, text, failed }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: text,
        ...(failed && { is_error: true }),
      })),
    }
  return {
    role: 'assistant',
    content: [
      ...(message.text ? [{ type: 'text', text: message.text }] : []),
      ...message.calls.map(({ id, name, arguments: args }) => ({ type: 'tool_use', id, name, input: toInput(args) })),
    ],
  }
}

/** The protocol takes back only objects; what the model wrote instead was answered with an error. */
const toInput = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
