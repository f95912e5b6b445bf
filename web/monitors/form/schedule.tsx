import { t } from '../../i18n/messages.ts'
import { Field, Select } from '../../ui/field.tsx'
import { TimezoneField } from '../../ui/timezone-field.tsx'
import { DAYS } from '../metrics.ts'
import type { Monitor } from '../queries.ts'

type Schedule = Monitor['schedule']
const HOUR_INTERVALS = [1, 3, 6, 12]
const HOURS_OF_DAY = Array.from({ length: 24 }, (_, hour) => hour)

export const DEFAULT_SCHEDULE: Schedule = { cadence: 'daily', hour: 3, day: null, frequency: 24 }

const getRhythm = ({ cadence, frequency }: Schedule): string => (cadence === 'hourly' ? `${frequency}` : cadence)
const toSchedule = (rhythm: string, { hour, day, timezone }: Schedule): Schedule => {
  if (rhythm === 'daily') return { cadence: 'daily', hour, day: null, frequency: 24, timezone }
  if (rhythm === 'weekly') return { cadence: 'weekly', hour, day: day ?? 1, frequency: 168, timezone }
  return { cadence: 'hourly', hour: 0, day: null, frequency: Number(rhythm), timezone }
}

interface ScheduleFieldsProps {
  readonly value: Schedule
  readonly onChange: (value: Schedule) => void
  /** Also several times a day. */
  readonly hourly?: boolean
}

export const ScheduleFields = ({ value, onChange, hourly = true }: ScheduleFieldsProps) => (
  <div className="flex flex-wrap gap-3">
    <Field label={t('Frequency')}>
      {(props) => (
        <Select {...props} fit value={getRhythm(value)} onChange={({ target }) => onChange(toSchedule(target.value, value))}>
          {(hourly ? HOUR_INTERVALS : []).map((hours) => (
            <option key={hours} value={hours}>
              {hours === 1 ? t('Every hour') : t('Every {hours} hours', { hours })}
            </option>
          ))}
          <option value="daily">{t('Daily')}</option>
          <option value="weekly">{t('Weekly')}</option>
        </Select>
      )}
    </Field>
    {value.cadence === 'weekly' && (
      <Field label={t('On // which weekday')}>
        {(props) => (
          <Select {...props} fit value={value.day ?? 0} onChange={({ target }) => onChange({ ...value, day: Number(target.value) })}>
            {DAYS.map((day, i) => (
              <option key={day} value={i}>
                {day}
              </option>
            ))}
          </Select>
        )}
      </Field>
    )}
    {value.cadence !== 'hourly' && (
      <Field label={t('At // which hour of the day')}>
        {(props) => (
          <Select {...props} fit value={value.hour} onChange={({ target }) => onChange({ ...value, hour: Number(target.value) })}>
            {HOURS_OF_DAY.map((hour) => (
              <option key={hour} value={hour}>
                {String(hour).padStart(2, '0')}:00
              </option>
            ))}
          </Select>
        )}
      </Field>
    )}
    <TimezoneField value={value.timezone} onChange={(timezone) => onChange({ ...value, timezone })} />
  </div>
)
