import type { ReactNode } from 'react'
import type { Job } from '../api/job.ts'
import { t } from '../i18n/messages.ts'

/** The last line of its log, without the time. */
export const getLastLine = (job: Job | undefined): string | undefined =>
  job?.logs
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^\S+Z /, '')

/** Progress of a job. */
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
