import type { HealthStatus } from '../../catalog/records/health.ts'

const WORDS: Readonly<Record<HealthStatus, string | undefined>> = {
  incident: 'Open incident',
  warning: 'Needs attention',
  ok: 'Healthy',
  unknown: undefined,
}

interface ShownHealth {
  readonly health: HealthStatus
  readonly deprecated: boolean
}

export const getHealthTone = ({ health, deprecated }: ShownHealth): 'good' | 'warn' | 'bad' =>
  health === 'incident' ? 'bad' : deprecated || health !== 'ok' ? 'warn' : 'good'

/** Health as text for previews in chats; undefined while it is unknown. Always in English, because the language of the readers is unknown. Pure. */
export const describeHealth = ({ health, deprecated }: ShownHealth): string | undefined =>
  health === 'incident' ? (deprecated ? `${WORDS.incident}, deprecated` : WORDS.incident) : deprecated ? 'Deprecated' : WORDS[health]

const TYPES: Readonly<Record<string, string>> = { glossary: 'Glossary term' }

export const describeType = (entity_type: string): string =>
  TYPES[entity_type] ?? entity_type.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

const MAX_LENGTH = 300

export const shortenText = (text: string, length = MAX_LENGTH): string => {
  const letters = [...text.slice(0, 2 * length)]
  return letters.length > length ? `${letters.slice(0, length).join('').trimEnd()}…` : text
}
