import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, isApiError } from '../../api/client.ts'
import type { Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { DEFAULT_SCHEDULE, ScheduleFields } from '../../monitors/form/schedule.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyableCommand } from '../../ui/copyable-command.tsx'
import { Field, Input, Switch } from '../../ui/field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'

type Settings = Schemas['BackupSchedule']

const PATH = '/server/backups/schedule'
const REFRESH_MS = 60_000
const MAX_KEEP = 365

const scheduleQuery = queryOptions({
  queryKey: ['backup-schedule'],
  queryFn: ({ signal }) => api.get<Settings>(PATH, { signal }),
  refetchInterval: REFRESH_MS,
})

const CRON = '0 3 * * *  cd /srv/tablinum && npx tablinum backup "/backups/$(date +\\%F).backup"'

/** Backups that the server makes by itself. Without a folder for them, the line for cron. */
export const BackupSchedule = () => {
  const { data } = useQuery(scheduleQuery)
  if (!data) return null
  if (data.folder === null && data.schedule === null)
    return (
      <>
        <p className="text-soft">
          <Trans
            message="For scheduled backups, set {variable} to a folder on the server and restart it. Or every night, from cron:"
            variable={<code className="font-mono text-xs">TABLINUM_BACKUPS</code>}
          />
        </p>
        <CopyableCommand text={CRON} label={t('Copy the line for cron')} />
      </>
    )
  return <ScheduleForm key={JSON.stringify([data.schedule, data.keep])} settings={data} />
}

const toFields = ({ schedule }: Settings): Schemas['Monitor']['schedule'] => {
  if (!schedule) return { ...DEFAULT_SCHEDULE, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  return { ...schedule, timezone: schedule.timezone ?? undefined }
}

const ScheduleForm = ({ settings }: { settings: Settings }) => {
  const on = settings.schedule !== null
  const [schedule, setSchedule] = useState(() => toFields(settings))
  const [keep, setKeep] = useState(String(settings.keep))
  const staleKeys = ['backup-schedule', 'backups']
  const save = useSettingsMutation({
    perform: () => {
      const { cadence, hour, day, timezone } = schedule
      return api.put<Settings>(PATH, { cadence, hour, keep: Number(keep), ...(day !== null && { day }), ...(timezone && { timezone }) })
    },
    staleKeys,
    done: t('Saved'),
  })
  const turnOff = useSettingsMutation({ perform: () => api.delete(PATH), staleKeys, done: t('Saved'), failed: t('Not saved.') })
  const errors = isApiError(save.error) ? save.error.errors : {}
  return (
    <form
      aria-label={t('Scheduled backups')}
      className="grid gap-3 border-y border-line py-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label className="flex items-start gap-2">
        <Switch
          label={t('Scheduled backups')}
          checked={on}
          disabled={save.isPending || turnOff.isPending}
          onChange={(next) => (next ? save.mutate() : turnOff.mutate())}
        />
        <span className="min-w-0 wrap-anywhere">
          <Trans
            message="Scheduled backups: the server makes them by itself, in {folder}. Copy them to another machine."
            folder={<code className="font-mono text-xs">{settings.folder ?? '–'}</code>}
          />
        </span>
      </label>
      {on && (
        <>
          <div className="flex flex-wrap gap-3">
            <ScheduleFields value={schedule} onChange={setSchedule} hourly={false} />
            <Field label={t('Keep the last // number of backups')} error={errors.keep}>
              {(props) => (
                <Input
                  {...props}
                  type="number"
                  required
                  min={1}
                  max={MAX_KEEP}
                  className="w-20"
                  value={keep}
                  onChange={({ target }) => setKeep(target.value)}
                />
              )}
            </Field>
          </div>
          <p className="text-xs text-faint">{t('When a new backup is complete, older scheduled ones are removed. Other backups stay.')}</p>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button type="submit" small busy={save.isPending}>
              {t('Save')}
            </Button>
            <Times settings={settings} />
          </div>
        </>
      )}
      {save.error && (
        <p role="alert" className="text-bad">
          {save.error.message}
        </p>
      )}
    </form>
  )
}

/** When the last one was made, or why not, and when the next one is due. */
const Times = ({ settings: { last, next_run_at } }: { settings: Settings }) => (
  <p className="flex flex-wrap gap-x-4 gap-y-1 text-soft">
    {last?.status === 'completed' && (
      <span className="text-good">
        <Trans message="Last backup completed {when}" when={<RelativeTime at={last.started_at} />} />
      </span>
    )}
    {last?.status === 'running' && <span>{t('A backup is running')}</span>}
    {last?.status === 'failed' && (
      <span className="text-bad">
        <Trans message="Last backup failed {when}" when={<RelativeTime at={last.started_at} />} />
        {last.error && `: ${last.error}`}
      </span>
    )}
    {next_run_at && (
      <span>
        <Trans message="Next backup {when}" when={<RelativeTime at={next_run_at} />} />
      </span>
    )}
  </p>
)
