import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useId, useMemo, useState } from 'react'
import type { ProfileHistory } from '../../src/observability/profiles/schema.ts'
import { t } from '../i18n/messages.ts'
import type { TrendLine } from '../insights/trend-chart.tsx'
import { cx } from '../ui/cx.ts'
import { formatApprox, formatPercent } from '../ui/number.ts'
import { QueryView } from '../ui/states.tsx'
import { profileHistoryQuery } from './queries.ts'

const TrendChart = lazy(async () => ({ default: (await import('../insights/trend-chart.tsx')).TrendChart }))

type Point = ProfileHistory['points'][number]

interface HistoryChartProps {
  readonly label: string
  readonly points: readonly Point[]
  readonly value: (point: Point) => number | null
  readonly color: string
  readonly format: (value: number) => string
  readonly max?: number
}

const HistoryChart = ({ label, points, value, color, format, max }: HistoryChartProps) => {
  const days = useMemo(() => points.map(({ day }) => day), [points])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other arguments are the same for all points of a chart
  const lines = useMemo((): TrendLine[] => [{ label, color, values: points.map(value) }], [points])
  return (
    <Suspense fallback={<div className="h-44" />}>
      <TrendChart label={label} days={days} lines={lines} format={format} max={max} />
    </Suspense>
  )
}

const MIN_POINTS = 2 // one point is no history

/** Rows of the table at each profile. */
export const RowCountHistory = ({ id }: { id: string }) => {
  const { data } = useQuery(profileHistoryQuery(id))
  const points = useMemo(() => data?.points.filter(({ row_count }) => row_count !== null) ?? [], [data])
  if (points.length < MIN_POINTS) return null
  return (
    <section aria-label={t('Rows over time')} className="max-w-3xl">
      <h2 className="mb-1 text-sm font-semibold">{t('Rows over time')}</h2>
      <HistoryChart label={t('Rows')} points={points} value={({ row_count }) => row_count} color="accent" format={formatApprox} />
    </section>
  )
}

/** Nulls and distinct values of a column at each profile, loaded when opened. */
export const ColumnHistory = ({ id, name }: { id: string; name: string }) => {
  const [open, setOpen] = useState(false)
  const panel = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={panel}
        aria-label={t('History of {name}', { name })}
        className="flex items-center gap-1 text-xs text-accent hover:underline"
        onClick={() => setOpen(!open)}
      >
        {t('History')} <ChevronDown aria-hidden size={13} className={cx(open && 'rotate-180')} />
      </button>
      <div id={panel}>{open && <ColumnCharts id={id} />}</div>
    </div>
  )
}

export const ColumnCharts = ({ id }: { id: string }) => (
  <QueryView of={useQuery(profileHistoryQuery(id))}>
    {({ points }) =>
      points.length < MIN_POINTS ? (
        <p className="text-xs text-faint">{t('History appears here after the second day with a profile.')}</p>
      ) : (
        <div className="grid gap-2 pt-1">
          <HistoryChart
            label={t('Null share')}
            points={points}
            value={({ null_percentage }) => null_percentage}
            color="warn"
            format={formatPercent}
            max={100}
          />
          <HistoryChart
            label={t('Distinct values')}
            points={points}
            value={({ distinct_values }) => distinct_values}
            color="accent"
            format={formatApprox}
          />
        </div>
      )
    }
  </QueryView>
)
