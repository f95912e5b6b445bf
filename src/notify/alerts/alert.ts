/** What an alert says, as it is kept until it is sent: what it is about now, in words of that moment. */
export interface Alert {
  readonly phase: 'opened' | 'resolved' | 'notice'
  /** All of it follows from the first. */
  readonly together: boolean
  /** The uppermost first. */
  readonly items: readonly AlertItem[]
}

export interface AlertItem {
  /** What it is about; nothing for a notice about the workspace itself. Readers who may not see it are not told. */
  readonly resource_id: string | null
  /** Its table: what is made from it is found when the alert is sent, as its reader may see it. */
  readonly place?: string
  readonly title: string
  readonly lines: readonly string[]
  /** Where to look at it, under `PUBLIC_URL`. */
  readonly path?: string
  /** Whose measurements are drawn. */
  readonly monitor?: string
}
