import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Select } from '../ui/field.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { type PiiTarget, profileSchedulePath, profileScheduleQuery } from './queries.ts'

const HOUR = 3 // UTC, when most sources are idle

/** Whether a table, or all tables of an integration, are profiled regularly. */
export const ProfileScheduleSelect = ({ of }: { of: PiiTarget }) => {
  const { data } = useQuery(profileScheduleQuery(of))
  const save = useMutation({
    mutationFn: (cadence: string) =>
      cadence === 'off' ? api.delete(profileSchedulePath(of)) : api.put(profileSchedulePath(of), { cadence, hour: HOUR }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['profile-schedule'] }),
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  if (!data) return null
  return (
    <label className="flex flex-wrap items-center gap-x-2 text-sm">
      <span className="text-soft">{t('Profile automatically')}</span>
      <Select
        small
        fit
        disabled={save.isPending}
        value={data.schedule?.cadence ?? 'off'}
        onChange={({ target }) => save.mutate(target.value)}
      >
        <option value="off">{t('Off')}</option>
        <option value="daily">{t('Daily')}</option>
        <option value="weekly">{t('Weekly')}</option>
      </Select>
      {data.next_run_at && (
        <span className="text-xs text-faint">
          <Trans message="Next {when}" when={<RelativeTime at={data.next_run_at} />} />
        </span>
      )}
    </label>
  )
}
