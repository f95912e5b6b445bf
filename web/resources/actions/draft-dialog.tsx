import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { type Job, jobQuery } from '../../api/job.ts'
import { queryClient } from '../../api/query-client.ts'
import { useBootstrap } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { showErrorToast } from '../../ui/toast.tsx'

interface DraftDialogProps {
  readonly resource_id: string
  readonly onClose: () => void
}

/** Starts drafts of missing descriptions and shows their progress. They appear among the suggested changes. */
export const DraftDialog = ({ resource_id, onClose }: DraftDialogProps) => {
  const hasModel = useBootstrap().settings.assistant
  const [useModel, setUseModel] = useState(false)
  const start = useMutation({
    mutationFn: () => api.post<Job>('/ai/drafts', { resource_id, use_model: useModel }),
    onError: (error) => showErrorToast(t('Couldn’t start.'), error),
  })
  const { data: job } = useQuery(jobQuery(start.data?.id))
  const isDone = job?.completed != null
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: ['change-suggestions'] })
  }, [isDone])
  const cancel = useMutation({
    mutationFn: () => api.post(`/background_jobs/${start.data!.id}/cancel`),
    onError: (error) => showErrorToast(t('Couldn’t cancel.'), error),
  })
  const isRunning = start.data !== undefined && !isDone
  return (
    <Dialog
      title={t('Draft descriptions')}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t('Close')}
          </Button>
          {isRunning ? (
            <Button busy={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
              {t('Cancel drafts')}
            </Button>
          ) : (
            !isDone && (
              <Button look="primary" busy={start.isPending} onClick={() => start.mutate()}>
                {t('Start')}
              </Button>
            )
          )}
        </>
      }
    >
      <div className="grid gap-3 text-sm">
        <p>
          {t(
            'Missing descriptions are drafted from lineage that passes values on unchanged, and from names that say something. You accept, edit or reject each draft; nothing is published by itself.',
          )}
        </p>
        {hasModel && !start.data && (
          <label className="flex items-center gap-2">
            <Checkbox checked={useModel} onChange={({ target }) => setUseModel(target.checked)} />
            {t('Also ask the language model. It counts towards your daily limit.')}
          </label>
        )}
        {start.data && (
          <div role="status" className="grid gap-1">
            <progress className="w-full" max={100} value={job?.progress ?? 0} aria-label={t('Progress')} />
            {isDone && <p>{lastLine(job.logs)}</p>}
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** Without the time at its start. */
const lastLine = (logs: string): string => (logs.trim().split('\n').at(-1) ?? '').replace(/^\S+Z /, '')
