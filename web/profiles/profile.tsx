import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ColumnProfile } from '../../src/observability/profiles/schema.ts'
import { api } from '../api/client.ts'
import { jobQuery } from '../api/job.ts'
import { queryClient } from '../api/query-client.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import type { TabProps } from '../resources/tabs.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { ColumnHistory, RowCountHistory } from './history.tsx'
import { PiiSuggestions } from './pii.tsx'
import { profileQuery } from './queries.ts'
import { ProfileScheduleSelect } from './schedule-select.tsx'
import { Statistics } from './statistics.tsx'

/** Statistics of each column from the last profile. */
export const ProfileTab = ({ view }: TabProps) => {
  const { id, entity_type, integration, stale, current_user_permissions } = view.resource
  const tableId = entity_type === 'table' ? id : undefined
  const writes = current_user_permissions.write
  const profile = useQuery(profileQuery(id))
  const run = useProfileJob(id)
  const button = writes && (
    <Button icon={Activity} busy={run.busy} onClick={run.begin}>
      {run.busy ? t('Profiling… {percent} %', { percent: run.progress }) : t('Profile now')}
    </Button>
  )
  return (
    <QueryView of={profile}>
      {({ columns }) =>
        columns.length === 0 ? (
          <div className="grid gap-6">
            <EmptyState icon={Activity} title={t('Not profiled yet')} action={button}>
              {t('A profile samples the source to compute null rates, distinct counts and common values.')}
            </EmptyState>
            {tableId && <RowCountHistory id={tableId} />}
          </div>
        ) : (
          <div className="grid gap-4">
            <div className="flex flex-wrap items-center gap-3">
              <p className="flex-1 text-sm text-faint">
                {columns[0]!.source === 'openlineage' ? (
                  <Trans
                    message="{n:# row|# rows} counted {when}, reported by {run}"
                    n={columns[0]!.rows_read}
                    when={<RelativeTime at={columns[0]!.profiled_at} />}
                    run={<ReportingRun id={columns[0]!.reported_by} />}
                  />
                ) : (
                  <Trans
                    message="{n:# row|# rows} read {when}"
                    n={columns[0]!.rows_read}
                    when={<RelativeTime at={columns[0]!.profiled_at} />}
                  />
                )}
              </p>
              {writes && tableId && integration && !stale && <ProfileScheduleSelect of={{ resource_id: tableId }} />}
              {button}
            </div>
            {tableId && <RowCountHistory id={tableId} />}
            {writes && <PiiSuggestions of={{ resource_id: id }} />}
            <ul className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3">
              {columns.map((column) => (
                <ColumnCard key={column.resource_id} {...column} />
              ))}
            </ul>
          </div>
        )
      }
    </QueryView>
  )
}

/** The run of the pipeline that counted, if it is still there and can be seen. */
const ReportingRun = ({ id }: { id: string | null }) =>
  id ? (
    <Link to="/r/$id" params={{ id }} className="text-accent hover:underline">
      {t('a run // of a pipeline, that reported a profile')}
    </Link>
  ) : (
    t('OpenLineage')
  )

/** Starts a profile job, tracks its progress and refetches the profile when it ends. */
const useProfileJob = (id: string) => {
  const [job, setJob] = useState<string>()
  const watched = useQuery(jobQuery(job))
  const done = watched.data?.completed
  const start = useMutation({
    mutationFn: () => api.post<Schemas['Job']>(`/resource/all/${id}/profile`, {}),
    onSuccess: (job) => setJob(job.id),
    onError: (error) => showErrorToast(t('Couldn’t start profiling.'), error),
  })
  useEffect(() => {
    if (!job || !done) return
    setJob(undefined)
    if (watched.data?.failed) showErrorToast(t('Profiling failed.'), new Error(watched.data.logs.trim().split('\n').at(-1)))
    void queryClient.invalidateQueries({ queryKey: ['resource', id] })
  }, [job, done, id, watched.data])
  return { begin: () => start.mutate(), busy: start.isPending || job !== undefined, progress: Math.round(watched.data?.progress ?? 0) }
}

const ColumnCard = (column: ColumnProfile) => (
  <li className="grid content-start gap-2 rounded-lg border border-line p-3">
    <div className="flex items-baseline gap-2">
      <h2 className="min-w-0 flex-1 truncate font-medium" title={column.name}>
        {column.name}
      </h2>
      <span className="truncate font-mono text-xs text-faint">{column.native_type}</span>
    </div>
    <Statistics of={column} />
    <ColumnHistory id={column.resource_id} name={column.name} />
  </li>
)
