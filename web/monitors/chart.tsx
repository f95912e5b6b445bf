import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { locale } from '../i18n/language.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import 'uplot/dist/uPlot.min.css'
import { Button } from '../ui/button.tsx'
import { toCssColor, useDark } from '../ui/theme.ts'
import { formatDates } from './axis-dates.ts'
import { formatFigure, formatLimits } from './format.ts'
import { type ChartPoint, type Series, toSeries } from './series.ts'

interface ChartProps {
  readonly points: readonly ChartPoint[]
  readonly unit: string
  readonly label: string
  readonly height?: number
}

const dateTimeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** Measurements with their expected range; anomalies are red. Drag to zoom. */
export const Chart = ({ points, unit, label, height = 260 }: ChartProps) => {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [at, setAt] = useState<number>()
  const [zoomed, setZoomed] = useState(false)
  const dark = useDark()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors depend on the theme
  useEffect(() => {
    const series = toSeries(points)
    const hooks = {
      draw: [(u: uPlot) => drawOutside(u, series)],
      drawClear: [(u: uPlot) => drawLearning(u, series)],
      setCursor: [(u: uPlot) => setAt(u.cursor.idx ?? undefined)],
      setScale: [(u: uPlot, key: string) => key === 'x' && setZoomed(isZoomed(u))],
    }
    const width = box.current!.clientWidth
    const drawn = new uPlot({ ...buildOptions(series, unit), hooks, width, height }, series.data, box.current!)
    plot.current = drawn
    const watch = new ResizeObserver(([entry]) => drawn.setSize({ width: entry!.contentRect.width, height }))
    watch.observe(box.current!)
    return () => {
      watch.disconnect()
      drawn.destroy()
    }
  }, [points, unit, height, dark])

  const shown = at === undefined ? undefined : points.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))[at]
  return (
    <figure className="min-w-0">
      <div ref={box} role="img" aria-label={label} className="w-full overflow-hidden" style={{ height }} />
      <figcaption className="flex min-h-8 flex-wrap items-center gap-x-3 text-xs text-soft" aria-hidden={!zoomed}>
        {shown ? <PointDetails of={shown} unit={unit} /> : <Legend learning={points.some(isLearning)} />}
        <span className="flex-1" />
        {zoomed && (
          <Button small look="quiet" onClick={() => plot.current?.setData(plot.current.data)}>
            {t('Show all')}
          </Button>
        )}
      </figcaption>
    </figure>
  )
}

const isLearning = ({ lower_threshold, upper_threshold }: ChartPoint): boolean => lower_threshold === null && upper_threshold === null

const PointDetails = ({ of, unit }: { of: ChartPoint; unit: string }) => {
  const usual = formatLimits(of.lower_threshold, of.upper_threshold, unit)
  const when = dateTimeFormat.format(new Date(of.created_at))
  const value = <strong className={of.outside ? 'text-bad' : 'text-ink'}>{formatFigure(of.value, unit)}</strong>
  return (
    <span>
      {usual ? (
        <Trans message="{when}: {value} (expected {limits})" when={when} value={value} limits={usual} />
      ) : (
        <Trans message="{when}: {value} (still learning)" when={when} value={value} />
      )}
    </span>
  )
}

const Legend = ({ learning }: { learning: boolean }) => (
  <>
    <span className="inline-flex items-center gap-1.5">
      <span className="h-0.5 w-4 bg-accent-fill" /> {t('Measured')}
    </span>
    <span className="inline-flex items-center gap-1.5">
      <span className="h-3 w-4 rounded-xs border border-line bg-accent-soft" /> {t('Expected range')}
    </span>
    <span className="inline-flex items-center gap-1.5">
      <span className="size-2 rounded-full bg-bad-fill" /> {t('Anomaly')}
    </span>
    {learning && (
      <span className="inline-flex items-center gap-1.5">
        <span className="h-3 w-4 rounded-xs bg-hover" /> {t('Learning')}
      </span>
    )}
    <span className="text-faint max-md:hidden">{t('Drag to zoom')}</span>
  </>
)

const isZoomed = (u: uPlot): boolean => {
  const [seconds] = u.data
  const { min, max } = u.scales.x!
  return seconds.length > 1 && (min! > seconds[0]! || max! < seconds.at(-1)!)
}

const VALUE_SERIES = 3
const DAY_SECONDS = 86_400 // padding around a single point, for which the axis would otherwise span years

const buildOptions = ({ range }: Series, unit: string): Omit<uPlot.Options, 'width' | 'height'> => {
  const axis = {
    stroke: toCssColor('faint'),
    grid: { stroke: toCssColor('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  const limit = { stroke: toCssColor('line-strong'), width: 1, dash: [3, 3], points: { show: false } }
  return {
    padding: [10, 12, 0, 0],
    legend: { show: false },
    fmtDate: formatDates,
    cursor: { y: false, drag: { x: true, y: false }, points: { size: (_, series) => (series === VALUE_SERIES ? 8 : 0) } },
    scales: {
      x: { range: (u, from, to) => (u.data[0].length === 1 ? [u.data[0][0]! - DAY_SECONDS, u.data[0][0]! + DAY_SECONDS] : [from, to]) },
      y: { range: [...range] },
    },
    axes: [
      { ...axis, grid: { show: false }, gap: 6 },
      {
        ...axis,
        size: (_, values) => 22 + 7 * Math.max(0, ...(values ?? []).map((text) => text.length)),
        values: (_, all) => all.map((n) => formatFigure(n, unit)),
      },
    ],
    series: [{}, limit, limit, { stroke: toCssColor('accent-fill'), width: 1.75, points: { size: 5, fill: toCssColor('accent-fill') } }],
    bands: [{ series: [2, 1], fill: toCssColor('accent-soft') }],
  }
}

const drawLearning = (u: uPlot, { learning }: Series): void => {
  const { left, top, width, height } = u.bbox
  u.ctx.save()
  u.ctx.beginPath()
  u.ctx.rect(left, top, width, height)
  u.ctx.clip()
  u.ctx.fillStyle = toCssColor('hover')
  for (const [from, to] of learning) {
    const [x, end] = [u.valToPos(from, 'x', true), u.valToPos(to, 'x', true)]
    u.ctx.fillRect(x, top, Math.max(end - x, 4), height)
  }
  u.ctx.restore()
}

const DOT_RADIUS = 4

const drawOutside = (u: uPlot, { data: [seconds, , , values], outside }: Series): void => {
  const { min, max } = u.scales.x!
  u.ctx.save()
  u.ctx.fillStyle = toCssColor('bad-fill')
  u.ctx.strokeStyle = toCssColor('bg')
  u.ctx.lineWidth = 1.5 * devicePixelRatio
  for (const i of outside) {
    if (seconds[i]! < min! || seconds[i]! > max!) continue
    u.ctx.beginPath()
    u.ctx.arc(u.valToPos(seconds[i]!, 'x', true), u.valToPos(values[i]!, 'y', true), DOT_RADIUS * devicePixelRatio, 0, 2 * Math.PI)
    u.ctx.fill()
    u.ctx.stroke()
  }
  u.ctx.restore()
}
