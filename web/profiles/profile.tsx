import { useMutation, useQuery } from '@tanstack/react-query'
import { Activity, ShieldQuestion } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { PiiSuggestion } from '../../src/profiles/pii-schema.ts'
import type { ColumnProfile } from '../../src/profiles/schema.ts'
import { api } from '../api/client.ts'
import { jobQuery } from '../api/job.ts'
import { queryClient } from '../api/query.ts'
import type { Schemas } from '../api/types.ts'
import type { TabProps } from '../resources/tabs.ts'
import { Button } from '../ui/button.tsx'
import { count, several } from '../ui/number.ts'
import { Answer, Empty } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { toldFailure } from '../ui/toast.tsx'
import { Bars, TopValues } from './figures.tsx'
import { profileQuery, suggestionsQuery } from './queries.ts'

/** What the values of each column look like, as they were when they were profiled. */
export const ProfileTab = ({ view }: TabProps) => {
  const { id, current_user_permissions } = view.resource
  const writes = current_user_permissions.write
  const profile = useQuery(profileQuery(id))
  const run = useProfiling(id)
  const button = writes && (
    <Button icon={Activity} busy={run.busy} onClick={run.begin}>
      {run.busy ? `Profiling… ${run.progress} %` : 'Profile now'}
    </Button>
  )
  return (
    <Answer of={profile}>
      {({ columns }) =>
        columns.length === 0 ? (
          <Empty icon={Activity} title="Not profiled yet" action={button}>
            A profile reads a sample from the source: how much is missing, how many values there are, and which.
          </Empty>
        ) : (
          <div className="grid gap-4">
            <div className="flex items-center gap-3">
              <p className="flex-1 text-sm text-faint">
                {several(columns[0]!.rows_read, 'row')} read <When at={columns[0]!.profiled_at} />
              </p>
              {button}
            </div>
            {writes && <Suggestions table={id} />}
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

/** A profile in a background job: begun, watched, and shown when it is over. */
const useProfiling = (id: string) => {
  const [job, setJob] = useState<string>()
  const watched = useQuery(jobQuery(job))
  const done = watched.data?.completed
  const begin = useMutation({
    mutationFn: () => api.post<Schemas['Job']>(`/resource/all/${id}/profile`, {}),
    onSuccess: (job) => setJob(job.id),
    onError: (error) => toldFailure('The profile was not begun.', error),
  })
  useEffect(() => {
    if (!job || !done) return
    setJob(undefined)
    if (watched.data?.failed) toldFailure('The profile did not finish.', new Error(watched.data.logs.trim().split('\n').at(-1)))
    void queryClient.invalidateQueries({ queryKey: ['resource', id] })
  }, [job, done, id, watched.data])
  return { begin: () => begin.mutate(), busy: begin.isPending || job !== undefined, progress: Math.round(watched.data?.progress ?? 0) }
}

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
      <h3 className="min-w-0 flex-1 truncate font-medium" title={name}>
        {name}
      </h3>
      <span className="truncate font-mono text-xs text-faint">{native_type}</span>
    </div>
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      <Figure name="empty">{null_percentage === null ? '—' : `${null_percentage.toFixed(null_percentage % 1 === 0 ? 0 : 1)} %`}</Figure>
      <Figure name="different">{distinct_values === null ? '—' : `${distinct_approximate ? '≈ ' : ''}${count(distinct_values)}`}</Figure>
      {mean !== null && <Figure name="mean">{count(Math.round(mean * 100) / 100)}</Figure>}
      {min !== null && <Figure name="from">{min}</Figure>}
      {max !== null && <Figure name="to">{max}</Figure>}
    </dl>
    {withheld ? (
      <p className="text-xs text-faint">
        {withheld === 'pii' ? 'Personal data: no value is kept.' : 'May be personal data: no value is kept until somebody decides.'}
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

/** Columns that may hold personal data, with the reason; a person decides. */
const Suggestions = ({ table }: { table: string }) => {
  const { data } = useQuery(suggestionsQuery(table))
  const decide = useMutation({
    mutationFn: ({ id, way }: { id: string; way: 'accept' | 'reject' }) => api.post<PiiSuggestion>(`/pii/suggestions/${id}/${way}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['resource', table] }),
    onError: (error) => toldFailure('Not decided.', error),
  })
  if (!data || data.results.length === 0) return null
  return (
    <section aria-label="May be personal data" className="rounded-lg border border-warn bg-warn-soft/40">
      {data.results.map(({ id, resource_title, class: looks, confidence, evidence }) => (
        <div key={id} className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm last:border-0">
          <ShieldQuestion aria-hidden size={16} className="text-warn" />
          <p className="min-w-0 flex-1">
            <span className="font-medium">{resource_title}</span> looks like {looks.replaceAll('_', ' ')}: {Math.round(confidence * 100)} %
            sure, {evidence.matched} of {evidence.checked} values
            {evidence.name && `, and its name says “${evidence.name}”`}
          </p>
          <Button small busy={decide.isPending} onClick={() => decide.mutate({ id, way: 'accept' })}>
            Mark it
          </Button>
          <Button small look="quiet" busy={decide.isPending} onClick={() => decide.mutate({ id, way: 'reject' })}>
            It is not
          </Button>
        </div>
      ))}
    </section>
  )
}
