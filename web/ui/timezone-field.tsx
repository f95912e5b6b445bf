import { t } from '../i18n/messages.ts'
import { Field, Select } from './field.tsx'

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

interface TimezoneFieldProps {
  /** Absent: UTC. */
  readonly value: string | undefined
  readonly onChange: (timezone: string | undefined) => void
  readonly error?: string[]
}

/** Selects an IANA time zone; UTC and the browser's own come first. */
export const TimezoneField = ({ value = 'UTC', onChange, error }: TimezoneFieldProps) => (
  <Field label={t('Time zone')} error={error}>
    {(props) => (
      <Select {...props} fit value={value} onChange={({ target }) => onChange(target.value === 'UTC' ? undefined : target.value)}>
        {[...new Set(['UTC', OWN_ZONE, value, ...ZONES])].map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </Select>
    )}
  </Field>
)
