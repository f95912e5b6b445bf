import { queryOptions, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api, buildUrl } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CopyableCommand } from '../../ui/copyable-command.tsx'
import { formatBytes, formatCount } from '../../ui/number.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { SettingsRow } from '../shared/rows.tsx'
import { BackupSchedule } from './backup-schedule.tsx'

const RUNNING_REFRESH_MS = 2_000

const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: ({ signal }) => api.get<Schemas['Backups']>('/server/backups', { signal }),
  refetchInterval: ({ state }) => (state.data?.results.some(({ status }) => status === 'running') ? RUNNING_REFRESH_MS : false),
})

/** The last backups, a new one as a download, the schedule, and the command for a restore. */
export const Backups = () => {
  const results = useQuery(backupsQuery).data?.results
  return (
    <SettingsRow
      title={t('Backup')}
      about={t('The whole workspace in one file, made while Tablinum runs. Secrets stay encrypted; store their key separately.')}
      actions={
        <a
          href={buildUrl('/server/backups/file')}
          download
          className={buttonClass('plain', true)}
          onClick={() => setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['backups'] }), RUNNING_REFRESH_MS)}
        >
          <Download aria-hidden size={15} /> {t('Download backup')}
        </a>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        {results?.length === 0 && <p className="text-soft">{t('No backups yet. Make one before every upgrade, and regularly.')}</p>}
        {results && results.length > 0 && (
          <ul aria-label={t('Last backups')} className="grid gap-1">
            {results.slice(0, 5).map((backup) => (
              <BackupLine key={backup.id} backup={backup} />
            ))}
          </ul>
        )}
        <BackupSchedule />
        <p className="text-soft">{t('Restore into an empty database:')}</p>
        <CopyableCommand text="npx tablinum restore monday.backup" label={t('Copy the command to restore')} />
      </div>
    </SettingsRow>
  )
}

const BackupLine = ({ backup }: { backup: Schemas['Backup'] }) => {
  const { method, status, created_by_name, started_at, row_count, byte_size, error, removed_at } = backup
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <RelativeTime at={started_at} />
      {status === 'running' && <Badge>{t('Running')}</Badge>}
      {status === 'failed' && <Badge tone="bad">{t('Not completed')}</Badge>}
      {byte_size !== null && <span className="tabular-nums">{formatBytes(byte_size)}</span>}
      {row_count !== null && <span className="text-faint tabular-nums">{t('{n} rows', { n: formatCount(row_count) })}</span>}
      <span className="text-faint">
        {method === 'command' ? t('Command line') : method === 'schedule' ? t('Scheduled') : (created_by_name ?? t('Download'))}
      </span>
      {removed_at && <Badge>{t('Removed')}</Badge>}
      {error && method === 'schedule' && <span className="basis-full text-bad wrap-anywhere">{error}</span>}
    </li>
  )
}
