import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { jobQuery } from '../api/job.ts'
import { showServerText } from '../api/server-text.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { getLastLine, JobProgressBox } from '../ui/job-progress.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { cancelInstallation, type Driver, driversQuery, installDriver, invalidateDrivers } from './driver-queries.ts'
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
  const id = install.data?.id ?? driver.job?.id
  const { data: job } = useQuery(jobQuery(id))
  const completed = job?.status === 'COMPLETED'
  useEffect(() => {
    if (completed) void invalidateDrivers()
  }, [completed])
  if (id !== undefined && !job?.failed) return <JobProgressBox job={job} action={<CancelInstallation job={id} />} />
  const failure = install.error?.message ?? (job?.failed ? getLastLine(job)?.replace(/^Failed: /, '') : undefined)
  return (
    <Notice
      title={
        obstacle
          ? t('The driver for {source} is not installed.', { source: label })
          : t('The driver for {source} is not installed (about {megabytes} MB).', { source: label, megabytes })
      }
      action={
        obstacle === null && (
          <Button look="primary" icon={Download} busy={install.isPending} onClick={() => install.mutate()}>
            {failure ? t('Try again') : t('Install driver')}
          </Button>
        )
      }
    >
      {obstacle
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

const Notice = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-sunken p-3 text-sm">
    <div className="min-w-56 flex-1">
      <p className="font-medium">{title}</p>
      <p className="wrap-anywhere text-soft">{children}</p>
    </div>
    {action}
  </div>
)

const CancelInstallation = ({ job }: { job: string }) => {
  const cancel = useMutation({
    mutationFn: () => cancelInstallation(job),
    onError: (error) => showErrorToast(t('Couldn’t cancel the installation.'), error),
  })
  return (
    <Button small disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
      {cancel.isSuccess ? t('Cancelling…') : t('Cancel')}
    </Button>
  )
}
