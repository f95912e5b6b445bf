/** URL state of documents and glossary terms. */
export interface DocumentSearch {
  /** Opens the editor. */
  readonly edit?: string
}

export interface GlossarySearch extends DocumentSearch {
  /** Part of a name. */
  readonly q?: string
  /** The selected term, shown next to the list. */
  readonly term?: string
}

const toBoundedText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 200) : undefined

export const parseDocumentSearch = (params: Record<string, unknown>): DocumentSearch => ({ edit: toBoundedText(params.edit) })
export const parseGlossarySearch = (params: Record<string, unknown>): GlossarySearch => ({
  q: toBoundedText(params.q),
  term: toBoundedText(params.term),
  edit: toBoundedText(params.edit),
})
