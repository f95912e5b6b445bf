import { toCssColor } from '../../ui/theme.ts'
import type { GraphLayout } from './graph-layout.ts'
import { BOX_WIDTH, type Curve, splitCurve } from './shape.ts'
import type { TracedPath } from './trace.ts'
import { getVisiblePart, MIN_READABLE_SCALE, type Rect, type Size, type Transform } from './view.ts'

export interface ThemeColors {
  readonly ink: string
  readonly soft: string
  readonly faint: string
  readonly line: string
  readonly strong: string
  readonly accent: string
  readonly fill: string
  readonly raised: string
  readonly bg: string
  readonly mark: string
}

/** Colors of the current theme, for canvas and export. */
export const getThemeColors = (): ThemeColors => ({
  ink: toCssColor('ink'),
  soft: toCssColor('soft'),
  faint: toCssColor('faint'),
  line: toCssColor('line'),
  strong: toCssColor('line-strong'),
  accent: toCssColor('accent'),
  fill: toCssColor('accent-fill'),
  raised: toCssColor('raised'),
  bg: toCssColor('sunken'),
  mark: toCssColor('mark'),
})

export interface PaintJob {
  readonly layout: GraphLayout
  readonly tracedPath?: TracedPath
  /** Column-level curves of the traced path. */
  readonly segments: readonly Curve[]
  readonly chosen_link?: string
  /** Boxes that match the search. */
  readonly found?: ReadonlySet<string>
  readonly inks: ThemeColors
}

// With this many links on screen, lines become hairlines: one-pixel lines are drawn directly, thicker ones are filled as areas, which is slow
// when thousands cross. Without a GPU, 900 curves took 28 ms of CPU and now take 8.
const HAIRLINE_MIN_LINKS = 150
// Dashes cost per dash, also off screen: 1,000 tall links took a second per frame. Zoomed out they are not visible.
const DASHED_TALLEST = 1200
const LINE_MARGIN = 20 // graph pixels around a line for its arrowhead and width
const MAX_DASHED = 60 // more dashed links would be noise and take half the frame
const LINKS_PER_STEP = 60 // links per step: one to two milliseconds
const DASHES = { manual: [6, 4], indirect: [1.5, 4] } as const

const isOnScreen = ({ x1, y1, reach, x2, y2, via }: Curve, part: Rect): boolean => {
  if (Math.min(x1, x2 - reach) > part.x1 || Math.max(x1 + reach, x2) < part.x0) return false
  let [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)]
  for (const { y } of via) {
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return top < part.y1 && bottom > part.y0
}

/**
 * Paints part of the canvas in steps of some links: a generator, so that the work can span several frames. Boxes are painted only when they
 * are too small for text.
 */
export function* paintTile(
  ctx: CanvasRenderingContext2D,
  painting: PaintJob,
  strokes: readonly Stroke[],
  { x, y, k }: Transform,
  size: Size,
  ratio: number,
): Generator<undefined, void> {
  const part = getVisiblePart({ x, y, k }, size, LINE_MARGIN)
  ctx.resetTransform()
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
  ctx.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y)
  for (const each of strokes) {
    const curves = each.curves.filter((curve) => isOnScreen(curve, part))
    for (let from = 0; from < curves.length; from += LINKS_PER_STEP) {
      stroke(ctx, { ...each, curves: curves.slice(from, from + LINKS_PER_STEP) }, part)
      yield
    }
  }
  ctx.globalAlpha = 1
  if (k < MIN_READABLE_SCALE) paintBoxes(ctx, painting, part)
}

export interface Stroke {
  readonly curves: readonly Curve[]
  readonly ink: string
  readonly alpha: number
  readonly width: number
  readonly dash: readonly number[]
  readonly near: boolean
  readonly heads: boolean
}

/** Visible links grouped by line style, highlighted ones last. The line width depends on their number. */
export const buildStrokes = (
  { layout, tracedPath, segments, chosen_link, inks }: PaintJob,
  view: Transform,
  size: Size,
  ratio: number,
): Stroke[] => {
  const part = getVisiblePart(view, size, LINE_MARGIN)
  const { links } = layout.scene
  const near = view.k >= MIN_READABLE_SCALE
  const plain: Curve[] = []
  const dashed: Record<'manual' | 'indirect', Curve[]> = { manual: [], indirect: [] }
  const bright: Curve[] = [...segments]
  const brightDashed: Curve[] = []
  for (let i = 0; i < links.length; i++) {
    const curve = layout.curves[i]!
    if (!isOnScreen(curve, part)) continue
    const { id, only_manual: manual, indirect } = links[i]!
    const dashes = near && Math.abs(curve.y2 - curve.y1) < DASHED_TALLEST
    if (id === chosen_link || (tracedPath?.links.has(id) && segments.length === 0)) (manual && dashes ? brightDashed : bright).push(curve)
    else if (manual && dashes) dashed.manual.push(curve)
    else if (indirect && dashes) dashed.indirect.push(curve)
    else plain.push(curve)
  }
  if (dashed.manual.length + brightDashed.length > MAX_DASHED) {
    for (const curve of dashed.manual.splice(0)) plain.push(curve)
    for (const curve of brightDashed.splice(0)) bright.push(curve)
  }
  const wide = (of: readonly Curve[], width: number) => (of.length > HAIRLINE_MIN_LINKS ? Math.min(width, 1 / ratio) : width) / view.k
  const dash = (kind: keyof typeof DASHES) => DASHES[kind].map((n) => n / Math.max(view.k, MIN_READABLE_SCALE))
  const thin = {
    ink: inks.strong,
    alpha: tracedPath ? 0.28 : near ? 0.7 : 0.4,
    width: wide(plain, near ? 1.4 : 0.9),
    near,
    heads: near && !tracedPath,
  }
  const thick = { ink: inks.accent, alpha: 1, width: wide(bright, near ? 2 : 1.4), near, heads: near }
  return [
    { ...thin, curves: plain, dash: [] },
    { ...thin, curves: dashed.manual, dash: dash('manual') },
    { ...thin, curves: dashed.indirect, dash: dash('indirect') },
    { ...thick, curves: bright, dash: [] },
    { ...thick, curves: brightDashed, dash: dash('manual') },
  ]
}

const stroke = (ctx: CanvasRenderingContext2D, { curves, ink, alpha, width, dash, near, heads }: Stroke, part: Rect): void => {
  if (curves.length === 0) return
  ctx.strokeStyle = ctx.fillStyle = ink
  ctx.globalAlpha = alpha
  ctx.lineWidth = width
  ctx.setLineDash([...dash])
  ctx.beginPath()
  for (const curve of curves) {
    ctx.moveTo(curve.x1, curve.y1)
    // Zoomed out the gaps are not visible, and one curve costs a quarter of its parts.
    for (const { x1, y1, reach, x2, y2 } of near ? splitCurve(curve) : [curve]) {
      ctx.lineTo(x1, y1)
      ctx.bezierCurveTo(x1 + reach, y1, x2 - reach, y2, x2, y2)
    }
  }
  ctx.stroke()
  if (!heads) return
  ctx.beginPath()
  for (const { x2, y2 } of curves) {
    if (x2 < part.x0 || x2 - 7 > part.x1 || y2 < part.y0 || y2 > part.y1) continue
    // Not closed, since fill closes it: `closePath` scans the whole path each time.
    ctx.moveTo(x2, y2)
    ctx.lineTo(x2 - 7, y2 - 4)
    ctx.lineTo(x2 - 7, y2 + 4)
  }
  ctx.fill()
}

const paintBoxes = (ctx: CanvasRenderingContext2D, { layout, tracedPath, found, inks }: PaintJob, part: Rect): void => {
  const { boxes } = layout.scene
  const { x, y } = layout.placed
  for (let i = 0; i < boxes.length; i++) {
    const { id, height, start } = boxes[i]!
    const [left, top] = [x[i]!, y[i]!]
    if (left > part.x1 || left + BOX_WIDTH < part.x0 || top > part.y1 || top + height < part.y0) continue
    const bright = found ? found.has(id) : tracedPath?.boxes.has(id)
    ctx.fillStyle = start ? inks.fill : bright ? inks.accent : found || tracedPath ? inks.line : inks.strong
    ctx.fillRect(left, top, BOX_WIDTH, height)
  }
}
