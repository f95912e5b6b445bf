import { Field, Input, Select } from '../ui/field.tsx'
import type { Integration } from './queries.ts'

type Schedule = Integration['schedule']

/** What a new source begins with: a catalog that is never synced again is soon wrong. */
export const DAILY: Schedule = { interval_minutes: 1440 }

const MINUTES: Record<number, string> = { 15: 'Every 15 minutes', 60: 'Every hour', 360: 'Every 6 hours', 1440: 'Every day' }
const HOUR = 60

const everyWords = (minutes: number): string =>
  MINUTES[minutes] ?? (minutes % HOUR === 0 ? `Every ${minutes / HOUR} hours` : `Every ${minutes} minutes`)

/** When a source is synced, for people. */
export const scheduleWords = (schedule: Schedule): string => {
  if (schedule?.cron) return `${schedule.cron}, UTC`
  return schedule?.interval_minutes ? everyWords(schedule.interval_minutes) : 'Only by hand'
}

interface ScheduleFieldProps {
  readonly value: Schedule
  readonly onChange: (schedule: Schedule) => void
  readonly error?: string[]
}

/** By hand, every so often, or as cron says. */
export const ScheduleField = ({ value, onChange, error }: ScheduleFieldProps) => {
  const minutes = value?.interval_minutes
  const choices = [...new Set([...Object.keys(MINUTES).map(Number), ...(minutes ? [minutes] : [])])].sort((a, b) => a - b)
  const chosen = value?.cron === undefined ? String(minutes ?? '') : 'cron'
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <Field label="Sync" error={value?.cron === undefined ? error : undefined}>
        {(props) => (
          <Select
            {...props}
            value={chosen}
            onChange={({ target }) => {
              if (target.value === 'cron') onChange({ cron: '0 3 * * *' })
              else onChange(target.value === '' ? null : { interval_minutes: Number(target.value) })
            }}
          >
            <option value="">Only by hand</option>
            {choices.map((each) => (
              <option key={each} value={each}>
                {everyWords(each)}
              </option>
            ))}
            <option value="cron">As cron says</option>
          </Select>
        )}
      </Field>
      {value?.cron !== undefined && (
        <Field label="Cron" hint="Minute, hour, day, month, weekday; UTC." error={error}>
          {(props) => <Input {...props} value={value.cron} onChange={({ target }) => onChange({ cron: target.value })} />}
        </Field>
      )}
    </div>
  )
}
