import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { formatApprox, formatBytes, formatCount, formatPercent } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { Skeleton } from '../ui/states.tsx'
import { narrowFilter } from './narrow-filter.ts'
import { type MetricName, trendsQuery } from './queries.ts'
import { type InsightsSearch, toScopeParams } from './search-params.ts'
import { IncidentChart, type LineConfig, Trend } from './trends.tsx'

type Metric = Schemas['Insights']['metrics'][number]

/** The numbers of a scope with their trends. */
export const NumberCards = ({ of: { metrics, usage, incidents }, address }: { of: Schemas['Insights']; address: InsightsSearch }) => {
  const byName = new Map(metrics.map((metric) => [metric.name, metric]))
  const get = (name: MetricName): Metric | undefined => byName.get(name)
  const tables = get('tables')!
  const columns = get('columns')
  const trends = useQuery(trendsQuery(address))
  const scope = toScopeParams(address)
  const since = incidents.since
  const resolved = { status: 'all', resolved_since: since, ...scope }
  const used = (field: string) => ({ filter: narrowFilter(tables.filter, { operator: 'gt', field, value: 0 }), sort: 'usage' })
  return (
    <div className="grid gap-x-6 gap-y-8 lg:grid-cols-2">
      <Card
        title={t('Documentation')}
        chart={<Trend trends={trends.data} label={t('Described tables and columns over time')} percent lines={DOCUMENTATION_LINES} />}
      >
        <Share label={t('Described tables')} metric={get('tables_described')} of={tables} />
        {columns && <Share label={t('Described columns')} metric={get('columns_described')} of={columns} />}
        {columns && <Share label={t('Columns with glossary terms')} metric={get('columns_with_terms')} of={columns} />}
        {columns && <Share label={t('Columns marked as PII')} metric={get('columns_pii')} of={columns} neutral />}
      </Card>
      <Card
        title={t('Ownership')}
        chart={<Trend trends={trends.data} label={t('Owned and verified tables over time')} percent lines={OWNERSHIP_LINES} />}
      >
        <Share label={t('Tables with owners')} metric={get('tables_owned')} of={tables} />
        <Share label={t('Verified tables')} metric={get('tables_verified')} of={tables} />
        <Share label={t('Deprecated tables')} metric={get('tables_deprecated')} of={tables} neutral />
      </Card>
      <Card title={t('Health')} chart={<Trend trends={trends.data} label={t('Health of tables over time')} lines={HEALTH_LINES} />}>
        <Share label={t('Open incident')} metric={get('tables_incident')} of={tables} neutral />
        <Share label={t('Needs attention')} metric={get('tables_warning')} of={tables} neutral />
        <Share label={t('Healthy')} metric={get('tables_ok')} of={tables} neutral />
        <Share label={t('Not monitored')} metric={get('tables_unknown')} of={tables} neutral />
      </Card>
      <Card title={t('Incidents, 90 days')} chart={trends.data && <IncidentChart incidents={trends.data.incidents} />}>
        <Figure label={t('Open now')} to="/incidents" search={scope} value={formatCount(incidents.open)} />
        <Figure
          label={t('Opened')}
          to="/incidents"
          search={{ status: 'all', opened_since: since, ...scope }}
          value={formatCount(incidents.opened)}
        />
        <Figure label={t('Resolved')} to="/incidents" search={resolved} value={formatCount(incidents.resolved)} />
        <Figure
          label={t('Median time to resolve')}
          to="/incidents"
          search={resolved}
          value={formatHours(incidents.median_hours_to_resolve)}
        />
      </Card>
      <Card title={t('Usage')} chart={<Trend trends={trends.data} label={t('Queries of tables over time')} lines={USAGE_LINES} />}>
        <Figure label={t('Queries in 24 h')} to="/search" search={used('external_usage')} value={formatCount(usage.queries)} />
        <Figure label={t('Page views in 90 days')} to="/search" search={used('internal_usage')} value={formatCount(usage.views)} />
      </Card>
      <Card
        title={t('Cleaning up')}
        chart={<Trend trends={trends.data} label={t('Unused and missing tables over time')} lines={CLEANING_LINES} />}
      >
        <Share label={t('Tables')} metric={tables} of={tables} neutral plain />
        <Share label={t('Unused tables')} metric={get('tables_unused')} of={tables} neutral />
        <Share label={t('No longer in source')} metric={get('tables_stale')} of={tables} neutral />
      </Card>
    </div>
  )
}

const formatHours = (hours: number | null): string =>
  hours === null
    ? '—'
    : hours < 1
      ? t('{min} min', { min: Math.max(1, Math.floor(hours * 60)) })
      : hours < 48
        ? t('{n} h', { n: Math.round(hours * 10) / 10 })
        : t('{n:# day|# days}', { n: Math.round(hours / 24) })

const Card = ({ title, chart, children }: { title: string; chart: ReactNode; children: ReactNode }) => (
  <Section title={title} className="min-w-0">
    <div className="grid gap-4 rounded-lg border border-line bg-raised p-4">
      <dl className="grid gap-2">{children}</dl>
      <div className="min-h-44">
        <Suspense fallback={<Skeleton lines={4} />}>{chart}</Suspense>
      </div>
    </div>
  </Section>
)

/** A count with its share, a bar, and a link to the list behind it. */
const Share = ({
  label,
  metric,
  of,
  neutral = false,
  plain = false,
}: {
  label: string
  metric: Metric | undefined
  of: Metric
  /** More of it is not better. */
  neutral?: boolean
  /** Without its share. */
  plain?: boolean
}) => {
  if (!metric) return null
  const percent = of.count === 0 ? 0 : (100 * metric.count) / of.count
  const size = [
    ...(metric.rows ? [t('{n} rows', { n: formatApprox(metric.rows) })] : []),
    ...(metric.bytes ? [formatBytes(metric.bytes)] : []),
  ].join(' · ')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
      <dt className="min-w-0 text-sm">
        {label}
        {size && <span className="ms-2 text-xs text-faint">{size}</span>}
      </dt>
      <dd className="text-sm tabular-nums">
        <Link to="/search" search={{ filter: metric.filter }} className="inline-flex min-h-6 items-center text-accent hover:underline">
          {formatCount(metric.count)}
          <span className="sr-only"> {label}</span>
        </Link>
        {!plain && <span className="inline-block w-16 text-end text-soft">{formatPercent(Math.round(percent * 10) / 10)}</span>}
      </dd>
      {!plain && (
        <dd aria-hidden className="col-span-2 h-1 overflow-hidden rounded-full bg-hover">
          <span
            className={cx('block h-full rounded-full', neutral ? 'bg-line-strong' : 'bg-accent-fill')}
            style={{ width: `${percent}%` }}
          />
        </dd>
      )}
    </div>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly to: '/incidents' | '/search'
  readonly search: Readonly<Record<string, string | undefined>>
}

/** A number that is no share, and a link to the list behind it. */
const Figure = ({ label, value, to, search }: FigureProps) => (
  <div className="flex items-center justify-between gap-3 text-sm">
    <dt>{label}</dt>
    <dd className="tabular-nums">
      <Link to={to} search={search} className="inline-flex min-h-6 items-center text-accent hover:underline">
        {value}
        <span className="sr-only"> {label}</span>
      </Link>
    </dd>
  </div>
)

const DOCUMENTATION_LINES: readonly LineConfig[] = [
  { label: t('Tables'), color: 'accent-fill', value: 'tables_described', of: 'tables' },
  { label: t('Columns'), color: 'good', value: 'columns_described', of: 'columns' },
]
const OWNERSHIP_LINES: readonly LineConfig[] = [
  { label: t('With owners'), color: 'accent-fill', value: 'tables_owned', of: 'tables' },
  { label: t('Verified'), color: 'good', value: 'tables_verified', of: 'tables' },
]
const HEALTH_LINES: readonly LineConfig[] = [
  { label: t('Open incident'), color: 'bad-fill', value: 'tables_incident' },
  { label: t('Needs attention'), color: 'warn', value: 'tables_warning' },
  { label: t('Healthy'), color: 'good', value: 'tables_ok' },
]
const USAGE_LINES: readonly LineConfig[] = [{ label: t('Queries in 24 h'), color: 'accent-fill', value: 'queries' }]
const CLEANING_LINES: readonly LineConfig[] = [
  { label: t('Unused'), color: 'accent-fill', value: 'tables_unused' },
  { label: t('No longer in source'), color: 'warn', value: 'tables_stale' },
]
