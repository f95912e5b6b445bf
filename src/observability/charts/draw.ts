import { timeTicks, valueTicks } from './axes.ts'
import { Canvas, type Color, type Point } from './canvas.ts'
import { measureText, textStrokes } from './font.ts'
import { encodePng } from './png.ts'

/** Draws measurements as a line over their expected range, with dots where they are outside. Pure. */
export interface ChartPoint {
  readonly at: Date
  readonly value: number
  readonly lower: number | null
  readonly upper: number | null
  readonly outside: boolean
}

const SCALE = 2 // pixels per point, for sharp output on high-resolution screens
const WIDTH = 600
const HEIGHT = 200
const MARGIN = { left: 12, right: 16, top: 14, bottom: 26 }
const TEXT = 7.5
const WHITE: Color = [255, 255, 255]
const BAND: Color = [222, 234, 251]
const LINE: Color = [37, 99, 235]
const ALARM: Color = [220, 38, 38]
const GRID: Color = [233, 236, 240]
const INK: Color = [92, 100, 112]

export const drawChart = (series: readonly ChartPoint[], unit: '' | '%' | 'h' = ''): Buffer => {
  const canvas = new Canvas(WIDTH * SCALE, HEIGHT * SCALE, WHITE)
  const range = computeValueRange(series)
  const ticks = valueTicks(range.from, range.to, 4, unit)
  const left = MARGIN.left + Math.max(...ticks.map(({ label }) => measureText(label, TEXT)), 10) + 8
  const [first, last] = [series[0]?.at.getTime() ?? 0, series.at(-1)?.at.getTime() ?? 0]
  const x = (at: number): number =>
    SCALE * (last === first ? (left + WIDTH - MARGIN.right) / 2 : left + ((WIDTH - MARGIN.right - left) * (at - first)) / (last - first))
  const y = (value: number): number =>
    SCALE * (HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.bottom - MARGIN.top) * (value - range.from)) / (range.to - range.from))
  const clamped = (value: number): number => Math.max(SCALE * MARGIN.top, Math.min(SCALE * (HEIGHT - MARGIN.bottom), y(value)))

  for (const band of splitBands(series))
    canvas.band(
      band.map(({ at, lower, upper }) => ({
        x: x(at.getTime()),
        top: upper === null ? SCALE * MARGIN.top : clamped(upper),
        bottom: lower === null ? SCALE * (HEIGHT - MARGIN.bottom) : clamped(lower),
      })),
      BAND,
    )
  for (const { at, label } of ticks) {
    canvas.strokes(
      [
        [
          { x: SCALE * left, y: y(at) },
          { x: SCALE * (WIDTH - MARGIN.right), y: y(at) },
        ],
      ],
      SCALE * 0.5,
      GRID,
    )
    drawText(canvas, label, left - 8 - measureText(label, TEXT), y(at) / SCALE + TEXT / 2)
  }
  if (series.length > 1) drawTimeLabels(canvas, timeTicks(first, last, 7), x)

  const points = series.map(({ at, value }): Point => ({ x: x(at.getTime()), y: y(value) }))
  if (points.length > 0) canvas.strokes([points], SCALE * 1.6, LINE)
  if (points.length < 40) for (const point of points) canvas.dot(point, SCALE * 2, LINE)
  for (const [i, { outside }] of series.entries())
    if (outside) {
      canvas.dot(points[i]!, SCALE * 5, WHITE)
      canvas.dot(points[i]!, SCALE * 3.6, ALARM)
    }
  return encodePng(canvas)
}

const drawText = (canvas: Canvas, text: string, x: number, baseline: number): void =>
  canvas.strokes(textStrokes(text, x * SCALE, baseline * SCALE, TEXT * SCALE), SCALE * 0.85, INK)

const drawTimeLabels = (canvas: Canvas, ticks: ReturnType<typeof timeTicks>, x: (at: number) => number): void => {
  let end = 0
  for (const { at, label } of ticks) {
    const width = measureText(label, TEXT)
    const begin = Math.min(x(at) / SCALE - width / 2, WIDTH - 4 - width)
    if (begin < end + 10) continue
    drawText(canvas, label, begin, HEIGHT - 9)
    end = begin + width
  }
}

/** All values and only the nearby limits are shown: distant limits would flatten the line. */
const computeValueRange = (series: readonly ChartPoint[]): { from: number; to: number } => {
  const values = series.map(({ value }) => value)
  const [lowest, highest] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 1]
  const spread = highest - lowest || Math.abs(highest) || 1
  const limits = series.flatMap(({ lower, upper }) => [lower, upper]).filter((limit) => limit !== null)
  const near = limits.filter((limit) => limit >= lowest - 1.5 * spread && limit <= highest + 1.5 * spread)
  const [from, to] = [Math.min(lowest, ...near), Math.max(highest, ...near)]
  const pad = (to - from || spread) * 0.08
  return { from: from >= 0 && from - pad < 0 ? 0 - pad * 0.2 : from - pad, to: to + pad }
}

/** The sections with limits. */
const splitBands = (series: readonly ChartPoint[]): ChartPoint[][] => {
  const bands: ChartPoint[][] = []
  let open: ChartPoint[] | undefined
  for (const each of series) {
    if (each.lower === null && each.upper === null) open = undefined
    else if (open) open.push(each)
    else {
      open = [each]
      bands.push(open)
    }
  }
  return bands.filter((band) => band.length > 1)
}
