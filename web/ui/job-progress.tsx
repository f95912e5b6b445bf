import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { cancelJob, type Job, jobQuery } from '../api/job.ts'
import { t } from '../i18n/messages.ts'
import { Button } from './button.tsx'
import { showErrorToast } from './toast.tsx'

interface JobProgressProps {
  readonly job: string
  /** Called when it has finished or failed. */
  readonly onFinished: (job: Job) => void
  readonly action?: ReactNode
}

/** Progress of a job, updated by the event stream. */
export const JobProgress = ({ job: id, onFinished, action }: JobProgressProps) => {
  const { data: job } = useQuery(jobQuery(id))
  const finished = job !== undefined && job.completed !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once
  useEffect(() => {
    if (finished) onFinished(job)
  }, [finished])
  return <JobProgressBox job={job} action={action} />
}

/** The last line of its log, without the time. */
export const getLastLine = (job: Job | undefined): string | undefined =>
  job?.logs // events of the stream come without logs
    ?.trim()
    .split('\n')
    .at(-1)
    ?.replace(/^\S+Z /, '')

export const JobProgressBox = ({ job, action }: { job: Job | undefined; action?: ReactNode }) => {
  const percent = job?.progress ?? 0
  return (
    <div className="grid gap-1.5 rounded-lg border border-line bg-raised p-3">
      <div className="flex flex-wrap items-baseline gap-2 text-sm">
        <span className="font-medium">{job?.title ?? t('Queued')}</span>
        <span className="min-w-0 flex-1 truncate text-xs text-faint">{getLastLine(job)}</span>
        <span className="tabular-nums">{percent} %</span>
        {action}
      </div>
      <div
        role="progressbar"
        aria-label={t('Progress')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div className="h-full rounded-full bg-accent-fill transition-[width]" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

/** The action of a job that can be cancelled. `failure`: said where that did not succeed. */
export const CancelJob = ({ job, failure }: { job: string; failure: string }) => {
  const cancel = useMutation({ mutationFn: () => cancelJob(job), onError: (error) => showErrorToast(failure, error) })
  return (
    <Button small disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
      {cancel.isSuccess ? t('Cancelling…') : t('Cancel')}
    </Button>
  )
}
