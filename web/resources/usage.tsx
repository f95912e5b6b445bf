import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import type { TrendLine } from '../insights/trend-chart.tsx'
import { formatApprox } from '../ui/number.ts'
import { QueryView } from '../ui/states.tsx'
import { exampleQueriesQuery, usageQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

const TrendChart = lazy(async () => ({ default: (await import('../insights/trend-chart.tsx')).TrendChart }))

type Usage = Schemas['ResourceUsage']

/** How often the resource is used, in its source and here, and by whom. */
export const UsageTab = ({ view: { resource } }: TabProps) => (
  <QueryView of={useQuery(usageQuery(resource.id))}>
    {(usage) => (
      <div className="grid gap-8">
        <div className="grid gap-8 lg:grid-cols-2">
          <UsesChart usage={usage} />
          <ViewsChart usage={usage} />
        </div>
        <div className="grid gap-8 lg:grid-cols-2">
          <TopUsers users={usage.top_users} />
          {resource.entity_type === 'table' && <TopQueries id={resource.id} />}
        </div>
      </div>
    )}
  </QueryView>
)

interface DayChartProps {
  readonly title: string
  readonly hint: string
  readonly usage: Usage
  readonly value: (day: Usage['days'][number]) => number | null
  readonly color: string
}

const DayChart = ({ title, hint, usage, value, color }: DayChartProps) => {
  const days = useMemo(() => usage.days.map(({ day }) => day), [usage])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other arguments do not change
  const lines = useMemo((): TrendLine[] => [{ label: title, color, values: usage.days.map(value) }], [usage])
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="font-semibold">{title}</h2>
      <p className="mb-2 text-xs text-faint">{hint}</p>
      <Suspense fallback={<div className="h-44" />}>
        <TrendChart label={title} days={days} lines={lines} format={formatApprox} bars />
      </Suspense>
    </section>
  )
}

const UsesChart = ({ usage }: { usage: Usage }) => (
  <DayChart title={t('Uses in the source')} hint={t('Per day, last 90 days')} usage={usage} value={({ uses }) => uses} color="accent" />
)

const ViewsChart = ({ usage }: { usage: Usage }) => (
  <DayChart
    title={t('Page views')}
    hint={t('Per day, last 90 days. Each person counts once a day.')}
    usage={usage}
    value={({ viewers }) => viewers}
    color="good"
  />
)

const TopUsers = ({ users }: { users: Usage['top_users'] }) => (
  <section aria-label={t('Top users')}>
    <h2 className="mb-2 font-semibold">{t('Top users')}</h2>
    {users.length === 0 ? (
      <p className="text-sm text-soft">{t('The source has not reported who uses it.')}</p>
    ) : (
      <ul className="divide-y divide-line rounded-lg border border-line">
        {users.map(({ name, queries, executions }) => (
          <li key={name} className="flex items-baseline gap-3 px-3 py-1.5 text-sm">
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {name}
            </span>
            {queries !== null && (
              <span className="text-xs text-faint" title={t('How often these queries were run, by anyone: {n}', { n: executions ?? 0 })}>
                {t('{n:# query|# queries}', { n: queries })}
              </span>
            )}
          </li>
        ))}
      </ul>
    )}
  </section>
)

const MAX_QUERIES = 5

const TopQueries = ({ id }: { id: string }) => {
  const queries = useQuery(exampleQueriesQuery(id))
  return (
    <section aria-label={t('Top queries')} className="min-w-0">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h2 className="font-semibold">{t('Top queries')}</h2>
        {queries.data && queries.data.results.length > 0 && (
          <Link
            to="/r/$id"
            from="/r/$id"
            params={(before) => before}
            search={{ tab: 'queries' }}
            className="text-sm text-accent hover:underline"
          >
            {t('All queries')}
          </Link>
        )}
      </div>
      <QueryView of={queries}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="text-sm text-soft">{t('No queries yet')}</p>
          ) : (
            <ul className="divide-y divide-line rounded-lg border border-line">
              {results.slice(0, MAX_QUERIES).map(({ id, title, executions }) => (
                <li key={id} className="flex items-baseline gap-3 px-3 py-1.5 text-sm">
                  <Link to="/r/$id" params={{ id }} className="min-w-0 flex-1 truncate hover:text-accent hover:underline" dir="auto">
                    {title}
                  </Link>
                  <span className="text-xs text-faint">{t('{n:# run|# runs} // of a query', { n: executions })}</span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}
