import { type LineageAddress, lineageAddress } from '../lineage/address.ts'

/** URL state of a resource page: the tab and its own state. */
export interface ResourceAddress extends LineageAddress {
  readonly tab?: string
  /** Filter of the columns tab. */
  readonly q?: string
  /** Opens the editor. */
  readonly edit?: string
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export const resourceAddress = (said: Record<string, unknown>): ResourceAddress => ({
  ...lineageAddress(said),
  tab: text(said.tab),
  q: text(said.q),
  edit: text(said.edit),
})
