import { type LineageAddress, lineageAddress } from '../lineage/address.ts'

/** What the address of a resource's page says: the tab, and inside it what it shows. */
export interface ResourceAddress extends LineageAddress {
  readonly tab?: string
  /** A filter of the columns. */
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
