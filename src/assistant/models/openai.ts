import { type ModelEvent, type ModelMessage, ModelProtocolError, type ModelRequest, type Protocol, parseJson } from './model.ts'

/** Chat completions, as OpenAI defined them and Ollama, vLLM, LiteLLM and others serve them. Pure. */
export const OPENAI: Protocol = {
  path: '/chat/completions',
  headers: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
  body: ({ model, system, messages, tools }: ModelRequest) => ({
    model,
    messages: [{ role: 'system', content: system }, ...messages.flatMap(toWireMessages)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({ type: 'function', function: { name, description, parameters: input } })),
    }),
    stream: true,
    stream_options: { include_usage: true },
  }),
  createParser: () => {
    const calls = new Map<number, { id: string; name: string; arguments: string }>()
    return (data) => {
      if (data === '[DONE]') return [{ type: 'last' }]
      const chunk = parseJson(data) as Chunk
      if (chunk.error) throw new ModelProtocolError('the model reported an error')
      const events: ModelEvent[] = []
      const [choice] = chunk.choices ?? []
      if (choice?.delta?.content) events.push({ type: 'text', text: choice.delta.content })
      for (const part of choice?.delta?.tool_calls ?? []) {
        const index = part.index ?? calls.size
        const call = calls.get(index) ?? { id: '', name: '', arguments: '' }
        call.id ||= part.id ?? ''
        call.name += part.function?.name ?? ''
        call.arguments += part.function?.arguments ?? ''
        calls.set(index, call)
      }
      if (choice?.finish_reason) {
        for (const [index, call] of calls) events.push({ type: 'call', call: { ...call, id: call.id || `call_${index}` } })
        calls.clear()
        events.push({ type: 'end', cut: choice.finish_reason === 'length' })
      }
      if (chunk.usage)
        events.push({ type: 'usage', usage: { input_tokens: chunk.usage.prompt_tokens, output_tokens: chunk.usage.completion_tokens } })
      return events
    }
  },
}

interface Chunk {
  readonly error?: unknown
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null
      readonly tool_calls?: readonly {
        readonly index?: number
        readonly id?: string
        readonly function?: { readonly name?: string; readonly arguments?: string }
      }[]
    }
    readonly finish_reason?: string | null
  }[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
}

const toWireMessages = (message: ModelMessage): object[] => {
  if (message.role === 'user') return [{ role: 'user', content: message.text }]
  if (message.role === 'tool') return message.outputs.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
  const tool_calls = message.calls.map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args } }))
  return [{ role: 'assistant', content: message.text || null, ...(tool_calls.length > 0 && { tool_calls }) }]
}
