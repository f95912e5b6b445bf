const WIDTH = 48
const HEIGHT = 10
const PADDING = 1.5

/** A small line of values over time; nothing is drawn if all values are equal. */
export const TrendLine = ({ of, className }: { of: readonly (number | null)[] | undefined; className?: string }) => {
  const values = (of ?? []).filter((value) => value !== null)
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  if (values.length < 2 || lowest === highest) return null
  const x = (i: number) => PADDING + (i / (values.length - 1)) * (WIDTH - 2 * PADDING)
  const y = (value: number) => HEIGHT - PADDING - ((value - lowest) / (highest - lowest)) * (HEIGHT - 2 * PADDING)
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={className}>
      <polyline
        points={values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        strokeWidth={1.25}
        strokeLinejoin="round"
        className="stroke-accent-fill"
      />
    </svg>
  )
}
