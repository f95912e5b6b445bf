import { useMutation, useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../api/client.ts'
import { type Job, jobQuery } from '../api/job.ts'
import { queryClient } from '../api/query-client.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { type Monitor, monitorQuery } from './queries.ts'
import { invalidateMonitors } from './use-edit.ts'

/** Runs the monitor now; progress comes from the event stream. */
export const RunNow = ({ monitor: { id, metric_type } }: { monitor: Monitor }) => {
  const may = useCan('monitors.run') && metric_type !== 'pushed'
  const run = useMutation({
    mutationFn: () => api.post<Job>('/monitor/monitors/run', { monitors: [id] }),
    onError: (error) => showErrorToast(t('Couldn’t start the run.'), error),
  })
  const job = useQuery(jobQuery(run.data?.id))
  const status = run.data ? (job.data?.status ?? run.data.status) : undefined
  const going = run.isPending || status === 'PENDING' || status === 'RUNNING'
  useCommand('monitors.run', () => run.mutate(), may && !going)
  useEffect(() => {
    if (status !== 'COMPLETED' && status !== 'FAILED') return
    invalidateMonitors(id)
    void queryClient.fetchQuery({ ...monitorQuery(id), staleTime: 0 }).then(({ status }) => {
      if (status === 'error') showErrorToast(t('Run failed'), new Error(t('See the error above the chart.')))
      else showToast(t('Run complete'))
    })
  }, [status, id])
  if (!may) return null
  return (
    <Button icon={Play} busy={going} onClick={() => run.mutate()}>
      {going ? (
        <span aria-live="polite">
          {status === 'RUNNING' ? t('Measuring… {percent} %', { percent: job.data?.progress ?? 0 }) : t('Queued…')}
        </span>
      ) : (
        t('Run now')
      )}
    </Button>
  )
}
