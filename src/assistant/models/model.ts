import type { TObject } from 'typebox'

/** A conversation as every model understands it; each provider translates it to its own protocol. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly input: TObject
}

export interface ToolUse {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it, which may not be valid. */
  readonly arguments: string
}

export interface ToolOutput {
  readonly id: string
  readonly text: string
  readonly failed: boolean
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolUse[] }
  | { readonly role: 'tool'; readonly outputs: readonly ToolOutput[] }

export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
}

export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
}

/** What a response consists of, in the order in which it arrives. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: ToolUse }
  | { readonly type: 'usage'; readonly usage: Partial<Usage> }
  /** The response is complete; `cut` if the model reached its limit of tokens. Only its usage may follow. */
  | { readonly type: 'end'; readonly cut: boolean }
  | { readonly type: 'last' }

/** How a provider is called. `parse` gets the data of each server-sent event; it is created for each response. */
export interface Protocol {
  readonly path: string
  readonly headers: (key: string | null) => Record<string, string>
  readonly body: (request: ModelRequest) => object
  readonly createParser: () => (data: string) => readonly ModelEvent[]
}

/** The response of the model was not what its protocol promises. */
export class ModelProtocolError extends Error {}

export const parseJson = (data: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    throw new ModelProtocolError('an event is not valid JSON')
  }
  if (typeof value !== 'object' || value === null) throw new ModelProtocolError('an event is not an object')
  return value as Record<string, unknown>
}
