/** URL state of the page that adds an integration; without a type, the type is chosen first. */
export interface NewIntegrationAddress {
  readonly type?: string
}

export const newIntegrationAddress = (said: Record<string, unknown>): NewIntegrationAddress => ({
  type: typeof said.type === 'string' && said.type !== '' ? said.type : undefined,
})
