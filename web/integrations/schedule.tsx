import { t } from '../i18n/messages.ts'
import { Field, Input, Select } from '../ui/field.tsx'
import { TimezoneField } from '../ui/timezone-field.tsx'
import type { Integration } from './queries.ts'

type Schedule = Integration['schedule']

/** Default schedule of a new integration, so that the catalog does not become outdated. */
export const DEFAULT_SCHEDULE: Schedule = { interval_minutes: 1440 }

const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES
const INTERVALS: readonly number[] = [15, HOUR_MINUTES, 6 * HOUR_MINUTES, DAY_MINUTES]

const formatInterval = (minutes: number): string => {
  if (minutes === DAY_MINUTES) return t('Every day')
  if (minutes === HOUR_MINUTES) return t('Every hour')
  const hours = minutes / HOUR_MINUTES
  return Number.isInteger(hours) ? t('Every {n:# hour|# hours}', { n: hours }) : t('Every {n:# minute|# minutes}', { n: minutes })
}

/** The sync schedule as text. */
export const formatSyncSchedule = (schedule: Schedule): string => {
  if (schedule?.cron) return `${schedule.cron}, ${schedule.timezone ?? 'UTC'}`
  return schedule?.interval_minutes ? formatInterval(schedule.interval_minutes) : t('Manual')
}

interface ScheduleFieldProps {
  readonly value: Schedule
  readonly onChange: (schedule: Schedule) => void
  readonly error?: string[]
  readonly timezoneError?: string[]
}

/** Schedule field: manual, an interval, or a cron expression. */
export const ScheduleField = ({ value, onChange, error, timezoneError }: ScheduleFieldProps) => {
  const minutes = value?.interval_minutes
  const choices = [...new Set([...INTERVALS, ...(minutes ? [minutes] : [])])].sort((a, b) => a - b)
  const chosen = value?.cron === undefined ? String(minutes ?? '') : 'cron'
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <Field label={t('Sync')} error={value?.cron === undefined ? error : undefined}>
        {(props) => (
          <Select
            {...props}
            value={chosen}
            onChange={({ target }) => {
              if (target.value === 'cron') onChange({ cron: '0 3 * * *' })
              else onChange(target.value === '' ? null : { interval_minutes: Number(target.value) })
            }}
          >
            <option value="">{t('Manual')}</option>
            {choices.map((each) => (
              <option key={each} value={each}>
                {formatInterval(each)}
              </option>
            ))}
            <option value="cron">{t('Custom (cron)')}</option>
          </Select>
        )}
      </Field>
      {value?.cron !== undefined && (
        <Field label={t('Cron')} hint={t('Minute, hour, day, month and weekday.')} error={error}>
          {(props) => <Input {...props} value={value.cron} onChange={({ target }) => onChange({ ...value, cron: target.value })} />}
        </Field>
      )}
      {value?.cron !== undefined && (
        <TimezoneField value={value.timezone} onChange={(timezone) => onChange({ ...value, timezone })} error={timezoneError} />
      )}
    </div>
  )
}
