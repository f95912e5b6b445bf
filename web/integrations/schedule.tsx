import { Field, Input, Select } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import type { Integration } from './queries.ts'

type Schedule = Integration['schedule']

/** Default schedule of a new integration, so that the catalog does not become outdated. */
export const DAILY: Schedule = { interval_minutes: 1440 }

const HOUR = 60
const DAY = 24 * HOUR
const USUAL: readonly number[] = [15, HOUR, 6 * HOUR, DAY]

const everyWords = (minutes: number): string => {
  if (minutes === DAY) return t('Every day')
  if (minutes === HOUR) return t('Every hour')
  const hours = minutes / HOUR
  return Number.isInteger(hours) ? t('Every {n:# hour|# hours}', { n: hours }) : t('Every {n:# minute|# minutes}', { n: minutes })
}

/** The sync schedule as text. */
export const scheduleWords = (schedule: Schedule): string => {
  if (schedule?.cron) return `${schedule.cron}, UTC`
  return schedule?.interval_minutes ? everyWords(schedule.interval_minutes) : t('Manual')
}

interface ScheduleFieldProps {
  readonly value: Schedule
  readonly onChange: (schedule: Schedule) => void
  readonly error?: string[]
}

/** Schedule field: manual, an interval, or a cron expression. */
export const ScheduleField = ({ value, onChange, error }: ScheduleFieldProps) => {
  const minutes = value?.interval_minutes
  const choices = [...new Set([...USUAL, ...(minutes ? [minutes] : [])])].sort((a, b) => a - b)
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
                {everyWords(each)}
              </option>
            ))}
            <option value="cron">{t('Custom (cron)')}</option>
          </Select>
        )}
      </Field>
      {value?.cron !== undefined && (
        <Field label={t('Cron')} hint={t('Minute, hour, day, month and weekday, in UTC.')} error={error}>
          {(props) => <Input {...props} value={value.cron} onChange={({ target }) => onChange({ cron: target.value })} />}
        </Field>
      )}
    </div>
  )
}
