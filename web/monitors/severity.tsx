import { t } from '../i18n/messages.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Select } from '../ui/field.tsx'
import type { Severity } from './severity-param.ts'

const SEVERITIES: Record<Severity, { readonly label: string; readonly tone: Tone }> = {
  low: { label: t('Low // severity'), tone: 'neutral' },
  medium: { label: t('Medium // severity'), tone: 'neutral' },
  high: { label: t('High // severity'), tone: 'warn' },
  critical: { label: t('Critical // severity'), tone: 'bad' },
}
export const USUAL_SEVERITY: Severity = 'medium'

export const formatSeverity = (severity: Severity): string => SEVERITIES[severity].label
export const SEVERITY_NAMES = Object.fromEntries(Object.entries(SEVERITIES).map(([id, { label }]) => [id, label]))
/** Only severities that differ from the usual one are shown in lists. */
export const SeverityBadge = ({ of }: { of: Severity }) =>
  of === USUAL_SEVERITY ? null : (
    <Badge tone={SEVERITIES[of].tone}>
      <span className="sr-only">{t('Severity')}: </span>
      {SEVERITIES[of].label}
    </Badge>
  )

export const SeveritySelect = ({ value, onChange, ...props }: { id?: string; value: Severity; onChange: (severity: Severity) => void }) => (
  <Select fit aria-label={t('Severity')} {...props} value={value} onChange={({ target }) => onChange(target.value as Severity)}>
    {Object.entries(SEVERITY_NAMES).map(([id, label]) => (
      <option key={id} value={id}>
        {label}
      </option>
    ))}
  </Select>
)
