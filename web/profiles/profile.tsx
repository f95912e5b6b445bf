import { useMutation, useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { ColumnProfile } from '../../src/profiles/schema.ts'
import { api } from '../api/client.ts'
import { jobQuery } from '../api/job.ts'
import { queryClient } from '../api/query.ts'
import type { Schemas } from '../api/types.ts'
import type { TabProps } from '../resources/tabs.ts'
import { Button } from '../ui/button.tsx'
import { count } from '../ui/number.ts'
import { Answer, Empty } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { toldFailure } from '../ui/toast.tsx'
import { locale } from '../words/language.ts'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'
import { Bars, TopValues } from './figures.tsx'
import { PiiSuggestions } from './pii.tsx'
import { profileQuery } from './queries.ts'

/** Statistics of each column from the last profile. */
export const ProfileTab = ({ view }: TabProps) => {
  const { id, current_user_permissions } = view.resource
  const writes = current_user_permissions.write
  const profile = useQuery(profileQuery(id))
  const run = useProfiling(id)
  const button = writes && (
    <Button icon={Activity} busy={run.busy} onClick={run.begin}>
      {run.busy ? t('Profiling… {percent} %', { percent: run.progress }) : t('Profile now')}
    </Button>
  )
  return (
    <Answer of={profile}>
      {({ columns }) =>
        columns.length === 0 ? (
          <Empty icon={Activity} title={t('Not profiled yet')} action={button}>
            {t('A profile samples the source to compute null rates, distinct counts and common values.')}
          </Empty>
        ) : (
          <div className="grid gap-4">
            <div className="flex items-center gap-3">
              <p className="flex-1 text-sm text-faint">
                <Say words="{n:# row|# rows} read {when}" n={columns[0]!.rows_read} when={<When at={columns[0]!.profiled_at} />} />
              </p>
              {button}
            </div>
            {writes && <PiiSuggestions of={{ resource_id: id }} />}
            <ul className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3">
              {columns.map((column) => (
                <ColumnCard key={column.resource_id} {...column} />
              ))}
            </ul>
          </div>
        )
      }
    </Answer>
  )
}

/** Starts a profile job, tracks its progress and refetches the profile when it ends. */
const useProfiling = (id: string) => {
  const [job, setJob] = useState<string>()
  const watched = useQuery(jobQuery(job))
  const done = watched.data?.completed
  const begin = useMutation({
    mutationFn: () => api.post<Schemas['Job']>(`/resource/all/${id}/profile`, {}),
    onSuccess: (job) => setJob(job.id),
    onError: (error) => toldFailure(t('Couldn’t start profiling.'), error),
  })
  useEffect(() => {
    if (!job || !done) return
    setJob(undefined)
    if (watched.data?.failed) toldFailure(t('Profiling failed.'), new Error(watched.data.logs.trim().split('\n').at(-1)))
    void queryClient.invalidateQueries({ queryKey: ['resource', id] })
  }, [job, done, id, watched.data])
  return { begin: () => begin.mutate(), busy: begin.isPending || job !== undefined, progress: Math.round(watched.data?.progress ?? 0) }
}

const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const ColumnCard = ({
  name,
  native_type,
  null_percentage,
  distinct_values,
  distinct_approximate,
  min,
  max,
  mean,
  histogram,
  top_values,
  withheld,
}: ColumnProfile) => (
  <li className="grid content-start gap-2 rounded-lg border border-line p-3">
    <div className="flex items-baseline gap-2">
      <h2 className="min-w-0 flex-1 truncate font-medium" title={name}>
        {name}
      </h2>
      <span className="truncate font-mono text-xs text-faint">{native_type}</span>
    </div>
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      <Figure name={t('null')}>
        {null_percentage === null ? '—' : `${null_percentage % 1 === 0 ? count(null_percentage) : tenths.format(null_percentage)} %`}
      </Figure>
      <Figure name={t('distinct')}>
        {distinct_values === null ? '—' : `${distinct_approximate ? '≈ ' : ''}${count(distinct_values)}`}
      </Figure>
      {mean !== null && <Figure name={t('mean')}>{count(Math.round(mean * 100) / 100)}</Figure>}
      {min !== null && <Figure name={t('min')}>{min}</Figure>}
      {max !== null && <Figure name={t('max')}>{max}</Figure>}
    </dl>
    {withheld ? (
      <p className="text-xs text-faint">
        {withheld === 'pii'
          ? t('Personal data. No values are stored.')
          : t('Possible personal data. No values are stored until this is reviewed.')}
      </p>
    ) : histogram ? (
      <Bars of={histogram} />
    ) : (
      top_values && <TopValues of={top_values} />
    )}
  </li>
)

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex max-w-full gap-1">
    <dt className="text-faint">{name}</dt>
    <dd className="truncate font-medium">{children}</dd>
  </div>
)
