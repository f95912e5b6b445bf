import { lazy, useMemo } from 'react'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { formatApprox, formatPercent } from '../ui/number.ts'
import { Skeleton } from '../ui/states.tsx'
import type { Numbers } from './queries.ts'
import type { TrendLine } from './trend-chart.tsx'

const TrendChart = lazy(async () => ({ default: (await import('./trend-chart.tsx')).TrendChart }))

type NumberName = keyof Numbers
export interface LineConfig {
  readonly label: string
  readonly color: string
  readonly value: NumberName
  /** Shown as its share of this number. */
  readonly of?: NumberName
}

interface TrendProps {
  readonly trends: Schemas['InsightTrends'] | undefined
  readonly label: string
  readonly lines: readonly LineConfig[]
  readonly percent?: boolean
}

const formatWholePercent = (n: number): string => formatPercent(Math.round(n * 10) / 10)

/** Numbers over time, as lines. */
export const Trend = ({ trends, label, lines, percent = false }: TrendProps) => {
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
          ? t('Guests see no trends.')
          : t('The trend appears here from tomorrow: the numbers are recorded once a day.')}
      </p>
    )
  return <TrendChart label={label} {...data} {...(percent ? { format: formatWholePercent, max: 100 } : { format: formatApprox })} />
}

/** Incidents of each day, as bars. */
export const IncidentChart = ({ incidents }: { incidents: Schemas['InsightTrends']['incidents'] }) => {
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
