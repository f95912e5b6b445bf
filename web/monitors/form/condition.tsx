import { pluralize, t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { formatCount } from '../../ui/number.ts'
import type { Monitor, Replay } from '../queries.ts'

/** Draft of a condition: automatic limits, or manual ones as typed. */
export interface ConditionDraft {
  readonly automatic: boolean
  readonly sensitivity: number
  readonly min: string
  readonly max: string
}

export const DEFAULT_CONDITION: ConditionDraft = { automatic: true, sensitivity: 5, min: '', max: '' }

/** Checks count what should not be there. */
export const NONE_ALLOWED: ConditionDraft = { ...DEFAULT_CONDITION, automatic: false, max: '0' }

export const toConditionDraft = (monitor: Monitor): ConditionDraft => ({
  automatic: monitor.condition_auto_sensitivity !== null,
  sensitivity: monitor.condition_auto_sensitivity ?? DEFAULT_CONDITION.sensitivity,
  min: monitor.condition_manual_min?.toString() ?? '',
  max: monitor.condition_manual_max?.toString() ?? '',
})

export const parseNumber = (text: string): number | null => (text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text))

export const toSettings = ({ automatic, sensitivity, min, max }: ConditionDraft) =>
  automatic
    ? { condition_auto_sensitivity: sensitivity, condition_manual_min: null, condition_manual_max: null }
    : { condition_auto_sensitivity: null, condition_manual_min: parseNumber(min), condition_manual_max: parseNumber(max) }

/** Manual limits need at least one value, and the minimum must not exceed the maximum. */
export const isComplete = ({ automatic, min, max }: ConditionDraft): boolean => {
  const [lowest, highest] = [parseNumber(min), parseNumber(max)]
  return automatic || ((lowest !== null || highest !== null) && (lowest === null || highest === null || lowest <= highest))
}

const SENSITIVITY_LABELS = [
  '', // sensitivity starts at 1
  t('Least sensitive'),
  t('Very low'),
  t('Low'),
  t('Slightly low'),
  t('Balanced'),
  t('Slightly high'),
  t('Moderately high'),
  t('High'),
  t('Very high'),
  t('Most sensitive'),
]

interface ConditionFieldsProps {
  readonly value: ConditionDraft
  readonly onChange: (value: ConditionDraft) => void
  readonly unit: string
}

export const ConditionFields = ({ value, onChange, unit }: ConditionFieldsProps) => (
  <fieldset className="grid gap-3">
    <legend className="mb-1 text-sm font-medium">{t('Expected range')}</legend>
    <div className="flex flex-wrap gap-4 text-sm">
      {([true, false] as const).map((automatic) => (
        <label key={String(automatic)} className="inline-flex items-center gap-2">
          <input
            type="radio"
            name="limits"
            className="accent-accent-fill"
            checked={value.automatic === automatic}
            onChange={() => onChange({ ...value, automatic })}
          />
          {automatic ? t('Automatic') : t('Manual')}
        </label>
      ))}
    </div>
    {value.automatic ? (
      <Field
        label={t('Sensitivity')}
        hint={t('{sensitivity} of 10: {meaning}. Each step roughly doubles the number of alerts.', {
          sensitivity: value.sensitivity,
          meaning: SENSITIVITY_LABELS[value.sensitivity]!,
        })}
      >
        {(props) => (
          <input
            {...props}
            type="range"
            min={1}
            max={10}
            value={value.sensitivity}
            onChange={({ target }) => onChange({ ...value, sensitivity: Number(target.value) })}
            className="w-full accent-accent-fill"
          />
        )}
      </Field>
    ) : (
      <div className="grid grid-cols-2 gap-3">
        {(['min', 'max'] as const).map((side) => (
          <Field key={side} label={`${side === 'min' ? t('Minimum') : t('Maximum')}${unit && `,${unit}`}`}>
            {(props) => (
              <Input
                {...props}
                type="number"
                step="any"
                placeholder={t('no limit')}
                value={value[side]}
                onChange={({ target }) => onChange({ ...value, [side]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    )}
  </fieldset>
)

/** Which past measurements a condition would have flagged. */
export const ReplaySummary = ({ of }: { of: Replay }) => (
  <p className="text-sm text-soft" aria-live="polite">
    {of.measurements === 0 ? t('No measurements to test against yet.') : <ReplayText of={of} />}
  </p>
)

const ReplayText = ({ of: { measurements, learning, outside, incidents } }: { of: Replay }) => {
  const opened = incidents.length === 0 ? t('no incidents') : pluralize(incidents.length, 'incident')
  const messages = {
    n: measurements,
    incidents: <strong className="font-semibold text-ink">{opened}</strong>,
    outside,
    learning: formatCount(learning),
  }
  if (outside > 0 && learning > 0)
    return (
      <Trans
        message="Over the last {n:# measurement|# measurements}, this would have opened {incidents} ({outside:# anomaly|# anomalies}). The first {learning} would have been used for learning."
        {...messages}
      />
    )
  if (outside > 0)
    return (
      <Trans
        message="Over the last {n:# measurement|# measurements}, this would have opened {incidents} ({outside:# anomaly|# anomalies})."
        {...messages}
      />
    )
  if (learning > 0)
    return (
      <Trans
        message="Over the last {n:# measurement|# measurements}, this would have opened {incidents}. The first {learning} would have been used for learning."
        {...messages}
      />
    )
  return <Trans message="Over the last {n:# measurement|# measurements}, this would have opened {incidents}." {...messages} />
}
