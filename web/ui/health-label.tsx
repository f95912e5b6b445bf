import type { HealthStatus } from '../api/types.ts'
import { t } from '../i18n/messages.ts'

const LABELS = {
  incident: [t('Open incident'), 'text-bad'],
  warning: [t('Needs attention'), 'text-warn'],
  ok: [t('Healthy'), 'text-good'],
  deprecated: [t('Deprecated'), 'text-warn'],
} as const

/** Health in words. Nothing while nothing is known. */
export const HealthLabel = ({ status, deprecated }: { status: HealthStatus; deprecated: boolean }) => {
  const kind = deprecated && status !== 'incident' ? 'deprecated' : status
  if (kind === 'unknown') return null
  const [label, look] = LABELS[kind]
  return <span className={look}>{label}</span>
}
