/** Which type of source is about to be added; absent: one is chosen first. */
export interface NewIntegrationAddress {
  readonly type?: string
}

export const newIntegrationAddress = (said: Record<string, unknown>): NewIntegrationAddress => ({
  type: typeof said.type === 'string' && said.type !== '' ? said.type : undefined,
})
