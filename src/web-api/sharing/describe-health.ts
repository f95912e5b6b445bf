import type { HealthStatus } from '../../catalog/records/health.ts'

/** Health in words, for previews in chats. Pure. In English: whoever fetches a preview does not say who reads it. */
const WORDS: Readonly<Record<HealthStatus, string>> = {
  incident: 'Open incident',
  warning: 'Needs attention',
  ok: 'Healthy',
  unknown: 'Health unknown',
}

export const describeHealth = ({ health, deprecated }: { readonly health: HealthStatus; readonly deprecated: boolean }): string =>
  health === 'incident' ? (deprecated ? `${WORDS.incident}, deprecated` : WORDS.incident) : deprecated ? 'Deprecated' : WORDS[health]
