/** The content of an alert as stored until it is sent. */
export interface Alert {
  readonly phase: 'opened' | 'acknowledged' | 'resolved' | 'changed' | 'notice'
  /** All items have the same upstream cause, which is the first item. */
  readonly same_cause: boolean
  /** Furthest upstream first. */
  readonly items: readonly AlertItem[]
  /** Of a message to a notification channel: the closed teams whose resources it may name; null for all. */
  readonly closed_teams?: readonly string[] | null
}

export interface AlertItem {
  /** Null for a notice about the workspace itself. Readers who cannot see the resource do not get the item. */
  readonly resource_id: string | null
  /** Its table. The downstream impact is computed when the alert is sent, with the reader's permissions. */
  readonly table_id?: string
  readonly resource_title?: string
  readonly severity?: string
  /** The incident, and the event the item is about. */
  readonly incident?: string
  readonly activity?: string
  readonly title: string
  readonly lines: readonly string[]
  /** Path of its page, relative to `PUBLIC_URL`. */
  readonly path?: string
  /** Of placeholders of message templates. */
  readonly values?: Readonly<Record<string, string>>
  /** The monitor whose chart is included. */
  readonly monitor?: string
}
