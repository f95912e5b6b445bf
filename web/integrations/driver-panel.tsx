import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type Job, jobQuery } from '../api/job.ts'
import { showServerText } from '../api/server-text.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { CancelJob, getLastLine, JobProgressBox } from '../ui/job-progress.tsx'
import { type Driver, driversQuery, installDriver, invalidateDrivers } from './driver-queries.ts'
import type { IntegrationTypeRecord } from './queries.ts'

/** Shown where a source needs a driver that is not installed: an admin installs it here. */
export const DriverPanel = ({ type }: { type: IntegrationTypeRecord }) => {
  const manages = useCan('server.manage')
  const drivers = useQuery({ ...driversQuery, enabled: manages && type.missing_package !== null })
  if (type.missing_package === null) return null
  const driver = drivers.data?.find(({ integration_types }) => integration_types.includes(type.type))
  if (driver) return <InstallDriver driver={driver} />
  if (manages && drivers.isPending) return null
  return (
    <Notice title={t('The driver for {source} is not installed.', { source: type.label })}>
      {drivers.error ? drivers.error.message : t('An admin can install it.')}
    </Notice>
  )
}

const InstallDriver = ({ driver }: { driver: Driver }) => {
  const { name, label, megabytes, obstacle } = driver
  const install = useMutation({ mutationFn: () => installDriver(name) })
  const [listed, setListed] = useState(driver.job?.id) // the list no longer has it when it has ended
  if (driver.job && driver.job.id !== listed) setListed(driver.job.id)
  const id = install.data?.id ?? listed
  const { data: job } = useQuery(jobQuery(id))
  const isElsewhere = useMissingAfter(job)
  if (job?.status === 'COMPLETED' && !isElsewhere) return null
  if (id !== undefined && !job?.completed)
    return <JobProgressBox job={job} action={<CancelJob job={id} failure={t('Couldn’t cancel the installation.')} />} />
  const failure = install.error?.message ?? (job?.failed ? getLastLine(job)?.replace(/^Failed: /, '') : undefined)
  return (
    <Notice
      title={
        isElsewhere
          ? t('The driver for {source} was installed on another machine.', { source: label })
          : obstacle
            ? t('The driver for {source} is not installed.', { source: label })
            : t('The driver for {source} is not installed (about {megabytes} MB).', { source: label, megabytes })
      }
      action={
        obstacle === null && (
          <Button look={isElsewhere ? 'plain' : 'primary'} icon={Download} busy={install.isPending} onClick={() => install.mutate()}>
            {failure ? t('Try again') : t('Install driver')}
          </Button>
        )
      }
    >
      {isElsewhere
        ? t('Share the data folder between the servers, or install the driver on each.')
        : obstacle
          ? showServerText(obstacle, driver.translatable ?? undefined)
          : t('npm downloads it to this server, in the version that this release was tested with.')}
      {failure && (
        <span role="alert" className="mt-1 block wrap-anywhere text-bad">
          {failure}
        </span>
      )}
    </Notice>
  )
}

/** Whether the server that answers is still without the driver after the job has completed: then another machine ran it. */
const useMissingAfter = (job: Job | undefined): boolean => {
  const completed = job?.status === 'COMPLETED' ? job.id : undefined
  const [checked, setChecked] = useState<string>()
  useEffect(() => {
    if (completed !== undefined) void invalidateDrivers().then(() => setChecked(completed))
  }, [completed])
  return completed !== undefined && checked === completed
}

const Notice = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-sunken p-3 text-sm">
    <div className="min-w-56 flex-1">
      <p className="font-medium">{title}</p>
      <p className="wrap-anywhere text-soft">{children}</p>
    </div>
    {action}
  </div>
)
