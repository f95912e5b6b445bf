import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity, ChevronRight, TriangleAlert } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { cx } from '../ui/cx.ts'
import { Editable } from '../ui/editable.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Section, useTitle } from '../ui/page.tsx'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { ConflictDialog } from './conflict.tsx'
import { MonitorSettings } from './form/settings.tsx'
import { explainLimits, formatFigure } from './format.ts'
import { Chart } from './lazy-chart.tsx'
import { Measurements } from './measurements.tsx'
import { getMetric } from './metrics.ts'
import { MoreMenu } from './more-menu.tsx'
import { type Measurement, type Monitor, measurementsQuery, monitorQuery } from './queries.ts'
import { StatusBadge } from './rows.tsx'
import { RunNow } from './run.tsx'
import { RANGES, type RangeName } from './search-params.ts'
import { useEditMonitor } from './use-edit.ts'

const route = getRouteApi('/monitors/$id')

/** Page of one monitor: status, chart, measurements and settings. */
export const MonitorPage = () => {
  const { id } = route.useParams()
  const monitor = useQuery(monitorQuery(id))
  return (
    <>
      {monitor.data === undefined && <h1 className="sr-only">{t('Monitor')}</h1>}
      <QueryView of={monitor} loading={<Skeleton lines={8} className="max-w-3xl p-8" />}>
        {(monitor) => <MonitorView key={id} monitor={monitor} />}
      </QueryView>
    </>
  )
}

const MonitorView = ({ monitor }: { monitor: Monitor }) => {
  useTitle(monitor.name)
  const writes = useCan('monitors.write')
  const editing = useEditMonitor(monitor)
  const named = useRef(monitor)
  const measurements = useQuery(measurementsQuery(monitor.id))
  return (
    <div className="h-full overflow-auto">
      <div className="mx-auto grid w-full max-w-[86rem] grid-cols-1 gap-x-10 gap-y-6 px-4 py-5 md:px-8 xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          <header className="grid grid-cols-1 gap-1.5">
            <MonitorBreadcrumbs monitor={monitor} />
            <div className="flex flex-wrap items-start gap-2">
              <h1 className="min-w-0 flex-1 basis-64 text-xl font-semibold break-words">
                <Editable
                  label={t('name')}
                  editable={writes}
                  value={monitor.name}
                  onBegin={() => {
                    named.current = monitor
                  }}
                  onSave={(name) => name && editing.save({ name }, named.current)}
                />
              </h1>
              <RunNow monitor={monitor} />
              {writes && <MoreMenu monitor={monitor} />}
            </div>
            <StatusLine monitor={monitor} last={measurements.data?.results[0]} />
          </header>
          <QueryView of={measurements} loading={<Skeleton lines={6} className="min-h-160 content-start" />}>
            {({ results }) => <MonitorHistory monitor={monitor} of={results} writes={writes} />}
          </QueryView>
        </div>
        <aside aria-label={t('Settings')} className="min-w-0">
          <MonitorSettings monitor={monitor} writes={writes} save={editing.save} />
        </aside>
      </div>
      <ConflictDialog editing={editing} />
    </div>
  )
}

const MonitorBreadcrumbs = ({ monitor: { target, display_metadata } }: { monitor: Monitor }) => (
  <nav aria-label={t('Breadcrumbs')} className="flex min-w-0 items-center gap-1 text-xs text-faint">
    <Link to="/monitors" className="hover:text-ink hover:underline">
      {t('Monitors')}
    </Link>
    <ChevronRight aria-hidden size={12} className="shrink-0" />
    <Link
      to="/r/$id"
      params={{ id: target }}
      search={{ tab: 'monitors' }}
      className="flex min-w-0 items-center gap-1 hover:text-ink hover:underline"
    >
      <EntityTypeIcon type={display_metadata.target.entity_type} size={13} />
      <span className="truncate" dir="auto">
        {display_metadata.target.label}
      </span>
      <TrustBadges id={target} size={13} />
    </Link>
  </nav>
)

/** Status line: status, last value and the explanation of its limits. */
const StatusLine = ({ monitor, last }: { monitor: Monitor; last: Measurement | undefined }) => {
  const { status, last_error_message, last_measurement_value, last_incident, metric_type, next_run_at } = monitor
  const explanation = last && explainLimits(last, getMetric(metric_type).unit)?.replace(/\.$/, '')
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <StatusBadge of={monitor} />
        {last_measurement_value !== null && (
          <span>
            <strong className="font-semibold text-ink">{formatFigure(last_measurement_value, getMetric(metric_type).unit)}</strong>
            {last && (
              <>
                {' · '}
                <RelativeTime at={last.created_at} />
              </>
            )}
            {explanation && ` · ${explanation}`}
          </span>
        )}
        {next_run_at && (
          <span className="text-faint">
            <Trans message="next run {when}" when={<RelativeTime at={next_run_at} />} />
          </span>
        )}
        {status === 'incident' && last_incident && (
          <Link to="/incidents/$id" params={{ id: last_incident }} className="font-medium text-accent hover:underline">
            {t('View incident')}
          </Link>
        )}
      </p>
      {status === 'error' && last_error_message && (
        <p role="alert" className="flex items-start gap-2 rounded-lg bg-warn-soft p-3 text-sm text-warn">
          <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">{t('Last run failed: {why}', { why: last_error_message })}</span>
        </p>
      )}
    </div>
  )
}

const DAY_MS = 86_400_000
/** Counted back from the newest measurement, so that a paused monitor still shows its history. */
const filterByRange = (of: readonly Measurement[], range: RangeName): readonly Measurement[] => {
  if (range === 'all' || of.length === 0) return of
  const since = Date.parse(of[0]!.created_at) - Number(range) * DAY_MS
  return of.filter(({ created_at }) => Date.parse(created_at) >= since)
}

const MonitorHistory = ({ monitor, of, writes }: { monitor: Monitor; of: readonly Measurement[]; writes: boolean }) => {
  const { range = '90' } = route.useSearch()
  const { unit } = getMetric(monitor.metric_type)
  const shown = useMemo(() => filterByRange(of, range), [of, range])
  const points = useMemo(() => shown.map((each) => ({ ...each, normal: each.marked === 'normal' })), [shown])
  if (of.length === 0)
    return (
      <EmptyState icon={Activity} title={t('No measurements yet')}>
        {monitor.metric_type === 'pushed' ? (
          <Trans
            message="Send a value with {call}"
            call={<code className="font-mono text-xs break-all">POST /api/v1/monitor/measurements</code>}
          />
        ) : (
          t('Run it now or wait for the next scheduled run.')
        )}
      </EmptyState>
    )
  const outside = points.filter((point) => point.outside && !point.normal).length
  return (
    <>
      <Section title={t('History')} actions={<RangeLinks chosen={range} />}>
        <Chart
          points={points}
          unit={unit}
          label={t('{name}: {n:# measurement|# measurements}, {outside} anomalous. The table below lists them all.', {
            name: monitor.name,
            n: points.length,
            outside,
          })}
        />
      </Section>
      <Section title={t('Measurements')}>
        <Measurements of={shown} unit={unit} writes={writes} />
      </Section>
    </>
  )
}

const RangeLinks = ({ chosen }: { chosen: RangeName }) => (
  <nav aria-label={t('Time range')} className="flex gap-0.5">
    {(Object.keys(RANGES) as RangeName[])
      .toSorted((a, b) => (a === 'all' ? 1 : b === 'all' ? -1 : Number(a) - Number(b)))
      .map((name) => (
        <Link
          key={name}
          from="/monitors/$id"
          to="."
          search={{ range: name === '90' ? undefined : name }}
          replace
          aria-current={name === chosen ? 'page' : undefined}
          className={cx('rounded-md px-2 py-1 text-xs', name === chosen ? 'bg-hover font-medium text-ink' : 'text-soft hover:bg-hover')}
        >
          {RANGES[name]}
        </Link>
      ))}
  </nav>
)
