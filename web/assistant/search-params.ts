/** URL state of the assistant. */
export interface AssistantSearch {
  /** The open conversation. */
  readonly c?: string
  /** The resource a new conversation is about. */
  readonly about?: string
}

const ID = /^[0-9a-f-]{36}$/i
const toId = (value: unknown): string | undefined => (typeof value === 'string' && ID.test(value) ? value : undefined)

export const parseAssistantSearch = (params: Record<string, unknown>): AssistantSearch => ({
  c: toId(params.c),
  about: toId(params.about),
})
