import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { formatBytes, formatCount } from '../ui/number.ts'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { runsQuery } from './queries.ts'
import { formatDuration, RUN_STATES } from './run-labels.ts'
import type { TabProps } from './tabs.ts'

type Run = Schemas['JobRun']
type Dataset = Run['inputs'][number]

/** The last runs of a job: when, how long, what they read and wrote. */
export const Runs = ({ view: { resource } }: TabProps) => {
  const runs = useInfiniteQuery(runsQuery(resource.id))
  if (runs.error) return <ErrorView error={runs.error} retry={() => void runs.refetch()} />
  if (!runs.data) return <Skeleton lines={6} />
  const all = runs.data.pages.flatMap(({ results }) => results)
  if (all.length === 0)
    return (
      <EmptyState icon={Play} title={t('No runs yet')}>
        {t('Runs appear here when the job reports them, e.g. over OpenLineage.')}
      </EmptyState>
    )
  const longest = Math.max(...all.map(({ duration_seconds }) => duration_seconds ?? 0), 1)
  return (
    <div className="grid gap-4">
      <ol className="divide-y divide-line rounded-lg border border-line">
        {all.map((run) => (
          <RunItem key={run.id} run={run} longest={longest} />
        ))}
      </ol>
      {runs.hasNextPage && (
        <div>
          <Button busy={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            {t('Show older')}
          </Button>
        </div>
      )}
    </div>
  )
}

const RunItem = ({ run, longest }: { run: Run; longest: number }) => {
  const { id, state, started_at, ended_at, duration_seconds, rows_written, bytes_written, error, inputs, outputs } = run
  const [label, tone] = RUN_STATES[state ?? 'UNKNOWN']
  return (
    <li className="grid gap-x-6 gap-y-1.5 px-3 py-2.5 text-sm md:grid-cols-[9rem_minmax(6rem,12rem)_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center gap-2 md:grid md:content-start md:justify-items-start">
        <Badge tone={tone}>{label}</Badge>
        <Link to="/r/$id" params={{ id }} className="hover:text-accent hover:underline">
          <RelativeTime at={started_at ?? ended_at} />
        </Link>
      </div>
      <div className="grid content-start gap-1">
        {duration_seconds !== null && (
          <>
            <span>{formatDuration(duration_seconds)}</span>
            <span aria-hidden className="block h-1.5 rounded-full bg-sunken">
              <span
                className={`block h-full rounded-full ${state === 'FAILED' ? 'bg-bad' : 'bg-accent'}`}
                style={{ width: `${Math.max(2, (100 * duration_seconds) / longest)}%` }}
              />
            </span>
          </>
        )}
        {rows_written !== null && (
          <span className="text-xs text-faint">
            {t('{n:# row|# rows} written', { n: rows_written })}
            {bytes_written !== null && ` · ${formatBytes(bytes_written)}`}
          </span>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-1">
        {error && (
          <p className="line-clamp-3 font-mono text-xs break-words text-bad" title={error} dir="auto">
            {error}
          </p>
        )}
        <Datasets label={t('Reads // of a run')} of={inputs} />
        <Datasets label={t('Writes // of a run')} of={outputs} />
      </div>
    </li>
  )
}

const MAX_DATASETS = 5

const Datasets = ({ label, of }: { label: string; of: readonly Dataset[] }) =>
  of.length > 0 && (
    <p className="flex items-baseline gap-x-3">
      <span className="w-16 shrink-0 text-xs text-faint">{label}</span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5">
        {of.slice(0, MAX_DATASETS).map(({ id, title, title_full, entity_type }) => (
          <span key={id} className="flex min-w-0 items-center gap-1.5">
            <Link
              to="/r/$id"
              params={{ id }}
              title={title_full}
              className="flex min-h-6 min-w-0 items-center gap-1.5 hover:text-accent hover:underline"
            >
              <EntityTypeIcon type={entity_type} size={14} />
              <span className="truncate" dir="auto">
                {title}
              </span>
            </Link>
            <TrustBadges id={id} size={13} />
          </span>
        ))}
        {of.length > MAX_DATASETS && <span className="text-xs text-faint">+{formatCount(of.length - MAX_DATASETS)}</span>}
      </span>
    </p>
  )
