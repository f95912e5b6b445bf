import { t } from '../i18n/messages.ts'
import type { Monitor } from './queries.ts'

const WIDTH = 120
const HEIGHT = 26
const PADDING = 3

/** Small chart of the last measurements; anomalies are red. */
export const Sparkline = ({ of }: { of: Monitor['recent'] }) => {
  if (!of || of.length < 2) return <span className="block text-xs text-faint">{of?.length === 1 ? t('1 value') : t('No data')}</span>
  const values = of.map(({ value }) => value)
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const x = (i: number) => PADDING + (i / (of.length - 1)) * (WIDTH - 2 * PADDING)
  const y = (value: number) =>
    highest === lowest ? HEIGHT / 2 : HEIGHT - PADDING - ((value - lowest) / (highest - lowest)) * (HEIGHT - 2 * PADDING)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-6.5 w-30 max-w-full">
      <polyline
        points={of.map(({ value }, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        strokeWidth={1.25}
        strokeLinejoin="round"
        className="stroke-accent-fill"
      />
      {of.map(
        ({ created_at, value, outside }, i) =>
          outside && <circle key={created_at} cx={x(i)} cy={y(value)} r={2.5} className="fill-bad-fill" />,
      )}
    </svg>
  )
}
