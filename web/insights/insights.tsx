import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, Download, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNames } from '../api/names.ts'
import { useOwnerOptions, useTeamOptions } from '../api/picker-options.ts'
import { useBootstrap } from '../api/session.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Menu } from '../ui/menu.tsx'
import { formatApprox, formatBytes, formatCount, formatPercent } from '../ui/number.ts'
import { Page, Section } from '../ui/page.tsx'
import { type Option, Picker } from '../ui/picker.tsx'
import { QueryView, Skeleton } from '../ui/states.tsx'
import { Groups } from './groups.tsx'
import { buildCsvUrl, insightsQuery, type MetricName, type Numbers, trendsQuery } from './queries.ts'
import { type InsightsSearch, toScopeParams } from './search-params.ts'
import type { TrendLine } from './trend-chart.tsx'

const TrendChart = lazy(async () => ({ default: (await import('./trend-chart.tsx')).TrendChart }))
const route = getRouteApi('/insights')

/** How well the catalog is documented, owned, used and trusted, now and over 90 days. */
export const InsightsPage = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/insights' })
  const by = address.by ?? 'integration'
  return (
    <Page
      title={t('Insights')}
      about={t('Documentation, ownership, health and usage of what you can see, without archived resources.')}
      actions={
        <Menu
          label={t('Download as CSV')}
          trigger={(props) => (
            <button type="button" {...props} className={buttonClass()}>
              <Download aria-hidden size={15} /> {t('CSV')}
            </button>
          )}
          align="end"
          items={[
            { label: t('Numbers'), onSelect: () => location.assign(buildCsvUrl(address, '/insights')) },
            { label: t('Trends'), onSelect: () => location.assign(buildCsvUrl(address, '/insights/trends')) },
            { label: t('Comparison'), onSelect: () => location.assign(buildCsvUrl(address, '/insights/groups', by)) },
          ]}
        />
      }
    >
      <ScopePicker address={address} onChange={(scope) => void navigate({ search: { by: address.by, ...scope } })} />
      <QueryView of={useQuery(insightsQuery(address))} loading={<Skeleton lines={8} />}>
        {(insights) => <NumberCards of={insights} address={address} />}
      </QueryView>
      <Groups address={address} by={by} onBy={(next) => void navigate({ search: { ...address, by: next } })} />
    </Page>
  )
}

type Scope = Pick<InsightsSearch, 'team' | 'source' | 'owner'>

/** Everything, or one team, source or owner. */
const ScopePicker = ({ address, onChange }: { address: InsightsSearch; onChange: (scope: Scope) => void }) => {
  const { integrations, teams } = useBootstrap()
  const [open, setOpen] = useState(false)
  const owners = useOwnerOptions(open)
  const teamOptions = useTeamOptions()
  const { team, source, owner } = address
  const chosen = team ?? source ?? owner
  const name = useNames(chosen ? [chosen] : [])
  const picker = (
    field: keyof Scope,
    label: string,
    options: { readonly options: readonly Option[]; readonly onSearch?: (typed: string) => void },
  ) => (
    <Picker
      label={label}
      onOpen={() => setOpen(true)}
      {...options}
      single
      chosen={chosen ? [chosen] : []}
      onToggle={(id) => onChange({ [field]: id === chosen ? undefined : id })}
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('plain', true)}>
          {label}
          {address[field] && <span className="max-w-40 truncate text-accent">{name(address[field])?.name ?? '…'}</span>}
          <ChevronDown aria-hidden size={14} />
        </button>
      )}
    />
  )
  return (
    <search className="flex flex-wrap items-center gap-2">
      {picker('source', t('Source'), { options: integrations.map(({ id, name }) => ({ id, label: name })) })}
      {teams.length > 0 && picker('team', t('Team'), teamOptions)}
      {picker('owner', t('Owner'), owners)}
      {chosen && (
        <button type="button" className={buttonClass('quiet', true)} onClick={() => onChange({})}>
          <X aria-hidden size={14} /> {t('Whole workspace')}
        </button>
      )}
    </search>
  )
}

type Metric = Schemas['Insights']['metrics'][number]

const NumberCards = ({ of: { metrics, usage, incidents }, address }: { of: Schemas['Insights']; address: InsightsSearch }) => {
  const byName = new Map(metrics.map((metric) => [metric.name, metric]))
  const get = (name: MetricName): Metric | undefined => byName.get(name)
  const tables = get('tables')!
  const columns = get('columns')
  const trends = useQuery(trendsQuery(address))
  const scope = toScopeParams(address)
  const since = incidents.since
  return (
    <div className="grid gap-x-6 gap-y-8 lg:grid-cols-2">
      <Card
        title={t('Documentation')}
        chart={<Trend trends={trends.data} label={t('Described tables and columns over time')} percent lines={DOCUMENTATION_LINES} />}
      >
        <Share label={t('Described tables')} metric={get('tables_described')} of={tables} />
        {columns && <Share label={t('Described columns')} metric={get('columns_described')} of={columns} />}
        {columns && <Share label={t('Columns with glossary terms')} metric={get('columns_with_terms')} of={columns} />}
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
        <Figure label={t('Open now')} search={{ status: undefined, ...scope }} value={formatCount(incidents.open)} />
        <Figure label={t('Opened')} search={{ status: 'all', opened_since: since, ...scope }} value={formatCount(incidents.opened)} />
        <Figure label={t('Resolved')} search={{ status: 'all', resolved_since: since, ...scope }} value={formatCount(incidents.resolved)} />
        <Figure label={t('Median time to resolve')} value={formatHours(incidents.median_hours_to_resolve)} />
      </Card>
      <Card title={t('Usage')} chart={<Trend trends={trends.data} label={t('Queries of tables over time')} lines={USAGE_LINES} />}>
        <Figure label={t('Queries in 24 h')} value={formatCount(usage.queries)} />
        <Figure label={t('Page views in 90 days')} value={formatCount(usage.views)} />
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
  hours === null ? '—' : hours < 48 ? t('{n} h', { n: Math.round(hours * 10) / 10 }) : t('{n:# day|# days}', { n: Math.round(hours / 24) })

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

type IncidentSearch = { readonly status?: 'all' } & Readonly<Record<string, string | undefined>>

const Figure = ({ label, value, search }: { label: string; value: string; search?: IncidentSearch }) => (
  <div className="flex items-center justify-between gap-3 text-sm">
    <dt>{label}</dt>
    <dd className="tabular-nums">
      {search ? (
        <Link to="/incidents" search={search} className="inline-flex min-h-6 items-center text-accent hover:underline">
          {value}
          <span className="sr-only"> {label}</span>
        </Link>
      ) : (
        value
      )}
    </dd>
  </div>
)

type NumberName = keyof Numbers
interface LineConfig {
  readonly label: string
  readonly color: string
  readonly value: NumberName
  /** Shown as its share of this number. */
  readonly of?: NumberName
}

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

interface TrendProps {
  readonly trends: Schemas['InsightTrends'] | undefined
  readonly label: string
  readonly lines: readonly LineConfig[]
  readonly percent?: boolean
}

const formatWholePercent = (n: number): string => formatPercent(Math.round(n * 10) / 10)

const Trend = ({ trends, label, lines, percent = false }: TrendProps) => {
  const data = useMemo(() => {
    const days = trends?.days ?? []
    const drawn = lines
      .map(
        ({ value, of, ...line }): TrendLine => ({
          ...line,
          values: days.map(({ numbers }) => {
            const [n, all] = [numbers[value], of === undefined ? undefined : numbers[of]]
            if (n === undefined || (of !== undefined && !all)) return null
            return all === undefined ? n : (100 * n) / all
          }),
        }),
      )
      .filter(({ values }) => values.some((each) => each !== null))
    return { days: days.map(({ day }) => day), lines: drawn }
  }, [trends, lines])
  if (!trends) return <Skeleton lines={4} />
  if (data.days.length < 2)
    return (
      <p className="grid h-40 place-items-center text-center text-sm text-faint">
        {trends.counted === 'nothing'
          ? t('No trends for guests.')
          : t('The trend appears here from tomorrow: the numbers are recorded once a day.')}
      </p>
    )
  return <TrendChart label={label} {...data} {...(percent ? { format: formatWholePercent, max: 100 } : { format: formatApprox })} />
}

const IncidentChart = ({ incidents }: { incidents: Schemas['InsightTrends']['incidents'] }) => {
  const data = useMemo(
    () => ({
      days: incidents.map(({ day }) => day),
      lines: [
        { label: t('Opened'), color: 'bad-fill', values: incidents.map(({ opened }) => opened) },
        { label: t('Resolved'), color: 'good', values: incidents.map(({ resolved }) => resolved) },
      ],
    }),
    [incidents],
  )
  return <TrendChart label={t('Incidents opened and resolved each day')} {...data} format={formatApprox} bars />
}
