/** URL state of documents and glossary terms. */
export interface DocumentAddress {
  /** Opens the editor. */
  readonly edit?: string
}

export interface GlossaryAddress extends DocumentAddress {
  /** Part of a name. */
  readonly q?: string
  /** The selected term, shown next to the list. */
  readonly term?: string
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.slice(0, 200) : undefined)

export const documentAddress = (said: Record<string, unknown>): DocumentAddress => ({ edit: text(said.edit) })
export const glossaryAddress = (said: Record<string, unknown>): GlossaryAddress => ({
  q: text(said.q),
  term: text(said.term),
  edit: text(said.edit),
})
