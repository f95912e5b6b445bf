/** The content of an alert as stored until it is sent. */
export interface Alert {
  readonly phase: 'opened' | 'resolved' | 'notice'
  /** All items have the same upstream cause, which is the first item. */
  readonly together: boolean
  /** Furthest upstream first. */
  readonly items: readonly AlertItem[]
}

export interface AlertItem {
  /** Null for a notice about the workspace itself. Readers who cannot see the resource do not get the item. */
  readonly resource_id: string | null
  /** Its table. The downstream impact is computed when the alert is sent, with the reader's permissions. */
  readonly place?: string
  readonly title: string
  readonly lines: readonly string[]
  /** Path of its page, relative to `PUBLIC_URL`. */
  readonly path?: string
  /** The monitor whose chart is included. */
  readonly monitor?: string
}
