import type { Histogram, TopValues as Values } from '../../src/observability/profiles/schema.ts'
import { t } from '../i18n/messages.ts'
import { formatCount } from '../ui/number.ts'

/** Histogram of numbers or dates with bins of equal width. */
export const HistogramBars = ({ of }: { of: Histogram }) => {
  const maxCount = Math.max(1, ...of.map((bin) => bin.count))
  const labels = of.map(({ from, to, count: n }) => t('{from} to {to}: {n}', { from, to, n }))
  return (
    <div role="img" aria-label={t('Value distribution. {bars}', { bars: labels.join('; ') })} className="flex h-12 items-end gap-px">
      {of.map(({ from, to, count: n }) => (
        <span
          key={from}
          title={`${from} – ${to}: ${formatCount(n)}`}
          className="min-h-px flex-1 rounded-t-xs bg-accent-fill"
          style={{ height: `${(n / maxCount) * 100}%` }}
        />
      ))}
    </div>
  )
}

const MAX_VALUES = 5

/** The most frequent values. */
export const TopValues = ({ of }: { of: Values }) => {
  const maxCount = Math.max(1, ...of.map((each) => each.count))
  return (
    <ul className="grid gap-1 text-xs">
      {of.slice(0, MAX_VALUES).map(({ value, count: n }) => (
        <li key={value} className="relative flex justify-between gap-3 overflow-hidden rounded px-1.5 py-0.5">
          <span aria-hidden className="absolute inset-y-0 start-0 bg-accent-soft" style={{ width: `${(n / maxCount) * 100}%` }} />
          <span className="relative truncate" dir="auto">
            {value === '' ? t('(empty string)') : value}
          </span>
          <span className="relative text-soft tabular-nums">{formatCount(n)}</span>
        </li>
      ))}
    </ul>
  )
}
