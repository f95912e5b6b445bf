import { useState } from 'react'
import { api } from '../api/client.ts'
import { locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, Field, Input, Switch } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TimezoneField } from '../ui/timezone-field.tsx'
import type { NotificationSettings } from './shared/queries.ts'
import { SettingsRow } from './shared/rows.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

type QuietHoursValue = NonNullable<NotificationSettings['quiet_hours']>

const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
const formatDay = (day: number): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(MONDAY + (day - 1) * DAY_MS)
const DAYS = [1, 2, 3, 4, 5, 6, 7]

const createDefault = (): QuietHoursValue => ({
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  days: DAYS,
  from: '20:00',
  to: '08:00',
  except_critical: true,
})

/** When no messages are sent: on or off, and a form for the hours. */
export const QuietHours = ({ settings: { quiet_hours } }: { settings: NotificationSettings }) => {
  const [editing, setEditing] = useState(false)
  const turnOff = useSettingsMutation({
    perform: () => api.patch('/notification/settings', { quiet_hours: null }),
    staleKeys: ['notification-settings'],
    done: t('Saved'),
    failed: t('Not saved.'),
  })
  return (
    <SettingsRow
      title={t('Quiet hours')}
      about={
        quiet_hours
          ? t('{days}, {from} to {to} ({timezone})', {
              ...quiet_hours,
              days: quiet_hours.days.map(formatDay).join(', '),
            })
          : t('Hold messages back at night or on weekends. They are sent afterwards.')
      }
      actions={
        <>
          {quiet_hours && (
            <Button small look="quiet" onClick={() => setEditing(true)}>
              {t('Edit')}
            </Button>
          )}
          <Switch
            label={t('Quiet hours')}
            checked={quiet_hours !== null}
            disabled={turnOff.isPending}
            onChange={(on) => (on ? setEditing(true) : turnOff.mutate())}
          />
        </>
      }
    >
      {editing && <EditQuietHours before={quiet_hours ?? createDefault()} onClose={() => setEditing(false)} />}
    </SettingsRow>
  )
}

const EditQuietHours = ({ before, onClose }: { before: QuietHoursValue; onClose: () => void }) => {
  const [value, setValue] = useState(before)
  const change = (edit: Partial<QuietHoursValue>) => setValue({ ...value, ...edit })
  const { timezone, days, from, to, except_critical } = value
  const write = useSettingsMutation({
    perform: () => api.patch('/notification/settings', { quiet_hours: value }),
    staleKeys: ['notification-settings'],
    done: t('Saved'),
    onSuccess: onClose,
  })
  return (
    <FormDialog title={t('Quiet hours')} submit={t('Save')} onClose={onClose} write={write}>
      {(errors) => (
        <>
          <fieldset className="grid gap-1">
            <legend className="mb-1 text-sm font-medium">{t('Starts on')}</legend>
            <div className="flex flex-wrap gap-x-4 gap-y-1">
              {DAYS.map((day) => (
                <label key={day} className="flex min-h-7 items-center gap-1.5 text-sm">
                  <Checkbox
                    checked={days.includes(day)}
                    onChange={() => change({ days: DAYS.filter((each) => days.includes(each) !== (each === day)) })}
                  />
                  {formatDay(day)}
                </label>
              ))}
            </div>
            {errors['quiet_hours.days'] && (
              <p className="text-xs text-bad first-letter:uppercase">{errors['quiet_hours.days'].join(' ')}</p>
            )}
          </fieldset>
          <div className="grid grid-cols-2 gap-3">
            <Field label={t('From // a time of day')} error={errors['quiet_hours.from']}>
              {(props) => (
                <Input
                  {...props}
                  type="time"
                  required
                  data-autofocus
                  value={from}
                  onChange={({ target }) => change({ from: target.value })}
                />
              )}
            </Field>
            <Field label={t('To // a time of day')} error={errors['quiet_hours.to']} hint={t('On the next day if it is not later.')}>
              {(props) => <Input {...props} type="time" required value={to} onChange={({ target }) => change({ to: target.value })} />}
            </Field>
          </div>
          <TimezoneField value={timezone} onChange={(zone = 'UTC') => change({ timezone: zone })} error={errors['quiet_hours.timezone']} />
          <label className="flex min-h-7 items-center gap-2 text-sm">
            <Checkbox checked={except_critical} onChange={() => change({ except_critical: !except_critical })} />
            {t('Send critical incidents anyway')}
          </label>
        </>
      )}
    </FormDialog>
  )
}
