/** Data of a measurement chart. */
export interface ChartPoint {
  readonly created_at: string
  readonly value: number
  readonly lower_threshold: number | null
  readonly upper_threshold: number | null
  readonly outside: boolean
  /** Marked as expected. */
  readonly normal?: boolean
}

export interface Series {
  /** Seconds, lower, upper, value: uPlot paints bands with their series, so the value comes last to be on top. */
  readonly data: [number[], (number | null)[], (number | null)[], number[]]
  /** Range of the y axis: values and limits, with padding. */
  readonly range: readonly [least: number, most: number]
  /** Indexes in `data` of anomalies. */
  readonly outside: readonly number[]
  /** Spans, in seconds, without limits yet. */
  readonly learning: readonly (readonly [from: number, to: number])[]
}

const Y_PADDING = 0.08

export const toSeries = (points: readonly ChartPoint[]): Series => {
  const sorted = points.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
  const seconds = sorted.map(({ created_at }) => Date.parse(created_at) / 1000)
  const shown = sorted.flatMap(({ value, lower_threshold, upper_threshold }) =>
    [value, lower_threshold, upper_threshold].filter((number) => number !== null),
  )
  const [lowest, highest] = [shown.reduce((a, b) => Math.min(a, b), Infinity), shown.reduce((a, b) => Math.max(a, b), -Infinity)]
  const air = (highest - lowest || Math.abs(highest) || 1) * Y_PADDING
  const range = shown.length === 0 ? ([0, 1] as const) : ([lowest - air, highest + air] as const)
  // With a limit on one side only, the band extends past the edge of the chart.
  const [below, above] = [range[0] - 10 * air, range[1] + 10 * air]
  const unlimited = (point: ChartPoint) => point.lower_threshold === null && point.upper_threshold === null
  return {
    data: [
      seconds,
      sorted.map((point) => (unlimited(point) ? null : (point.lower_threshold ?? below))),
      sorted.map((point) => (unlimited(point) ? null : (point.upper_threshold ?? above))),
      sorted.map(({ value }) => value),
    ],
    range,
    outside: sorted.flatMap(({ outside, normal }, i) => (outside && !normal ? [i] : [])),
    learning: findSpans(sorted.map(unlimited), seconds),
  }
}

const findSpans = (is: readonly boolean[], seconds: readonly number[]): [number, number][] => {
  const stretches: [number, number][] = []
  for (let from = 0; from < is.length; from++) {
    if (!is[from]) continue
    let to = from
    while (is[to + 1]) to++
    stretches.push([seconds[from]!, seconds[Math.min(to + 1, seconds.length - 1)]!])
    from = to
  }
  return stretches
}
