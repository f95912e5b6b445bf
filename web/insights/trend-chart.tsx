import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { locale } from '../i18n/language.ts'
import { formatDates } from '../monitors/axis-dates.ts'
import { toCssColor, useDark } from '../ui/theme.ts'

export interface TrendLine {
  readonly label: string
  /** A color of styles.css. */
  readonly color: string
  /** One value for each day; null: unknown. */
  readonly values: readonly (number | null)[]
}

interface TrendChartProps {
  readonly label: string
  /** Days as `2026-11-17`, oldest first. */
  readonly days: readonly string[]
  readonly lines: readonly TrendLine[]
  readonly format: (value: number) => string
  /** The highest value of the axis, e.g. 100 for percentages. */
  readonly max?: number
  /** Bars instead of lines: for events of a day. */
  readonly bars?: boolean
}

const HEIGHT = 160
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3]] as const // the lines can be told apart without their colors
/** Between two labels of the axis: whole numbers, because everything shown is a count or a percentage. */
const STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat()
const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Numbers over time. The values below the pointer are in the legend. */
export const TrendChart = ({ label, days, lines, format, max, bars = false }: TrendChartProps) => {
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const dark = useDark()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors depend on the theme
  useEffect(() => {
    const width = box.current!.clientWidth
    const data = [days.map((day) => Date.parse(day) / 1000), ...lines.map(({ values }) => [...values])] as uPlot.AlignedData
    const hooks = { setCursor: [(u: uPlot) => setAt(u.cursor.idx ?? undefined)] }
    const drawn = new uPlot({ ...buildOptions(lines, format, max, bars), hooks, width, height: HEIGHT }, data, box.current!)
    const watch = new ResizeObserver(([entry]) => drawn.setSize({ width: entry!.contentRect.width, height: HEIGHT }))
    watch.observe(box.current!)
    return () => {
      watch.disconnect()
      drawn.destroy()
    }
  }, [days, lines, format, max, bars, dark])
  const shown = at ?? days.length - 1
  return (
    <figure className="min-w-0">
      <div ref={box} role="img" aria-label={label} className="w-full overflow-hidden" style={{ height: HEIGHT }} />
      <figcaption className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-soft">
        {lines.map((line, i) => {
          const value = line.values[shown]
          return (
            <span key={line.label} className="inline-flex items-center gap-1.5">
              <svg aria-hidden width="18" height="6">
                <line
                  x1="0"
                  y1="3"
                  x2="18"
                  y2="3"
                  strokeWidth="2.5"
                  strokeDasharray={bars ? undefined : DASHES[i]?.join(' ')}
                  stroke={`var(--color-${line.color})`}
                />
              </svg>
              {line.label}
              {value !== null && value !== undefined && <strong className="font-medium text-ink tabular-nums">{format(value)}</strong>}
            </span>
          )
        })}
        {at !== undefined && days[at] && <span className="text-faint">{dayFormat.format(new Date(days[at]))}</span>}
      </figcaption>
    </figure>
  )
}

const buildOptions = (
  lines: readonly TrendLine[],
  format: (value: number) => string,
  max: number | undefined,
  bars: boolean,
): Omit<uPlot.Options, 'width' | 'height'> => {
  const axis = {
    stroke: toCssColor('faint'),
    grid: { stroke: toCssColor('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  const top = (most: number | null) => max ?? Math.max(most ?? 0, 1) * 1.05
  return {
    padding: [8, 18, 0, 0], // half of the last date is right of its point
    legend: { show: false },
    fmtDate: formatDates,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_, __, most) => [0, top(most)] } },
    axes: [
      { ...axis, grid: { show: false }, gap: 6 },
      {
        ...axis,
        incrs: STEPS,
        size: (_, values) => 22 + 7 * Math.max(0, ...(values ?? []).map((text) => text.length)),
        values: (_, all) => all.map(format),
      },
    ],
    series: [
      {},
      ...lines.map(({ color }, i) => ({
        stroke: toCssColor(color),
        width: bars ? 0 : 2,
        dash: bars ? undefined : [...DASHES[i % DASHES.length]!],
        ...(bars ? { fill: toCssColor(color), paths: uPlot.paths.bars!({ size: [0.7, 12], align: i === 0 ? -1 : 1 }) } : {}),
        points: { show: false },
      })),
    ],
  }
}
