/** URL state of the page that adds an integration; without a type, the type is chosen first. */
export interface NewIntegrationSearch {
  readonly type?: string
}

export const parseNewIntegrationSearch = (search: Record<string, unknown>): NewIntegrationSearch => ({
  type: typeof search.type === 'string' && search.type !== '' ? search.type : undefined,
})
