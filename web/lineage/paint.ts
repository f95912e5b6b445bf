import { colour } from '../ui/theme.ts'
import type { Drawing } from './drawing.ts'
import { BOX_WIDTH, type Curve, partsOf } from './shape.ts'
import type { Lit } from './trace.ts'
import { type Part, partOf, READABLE, type Size, type View } from './view.ts'

export interface Inks {
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

/** The colours of the theme on screen, as a canvas and a file need them. */
export const inksNow = (): Inks => ({
  ink: colour('ink'),
  soft: colour('soft'),
  faint: colour('faint'),
  line: colour('line'),
  strong: colour('line-strong'),
  accent: colour('accent'),
  fill: colour('accent-fill'),
  raised: colour('raised'),
  bg: colour('sunken'),
  mark: colour('mark'),
})

export interface Painting {
  readonly drawing: Drawing
  readonly lit?: Lit
  /** The curves of the way, where it runs finer than the links. */
  readonly ways: readonly Curve[]
  readonly chosen_link?: string
  /** Boxes that what was typed is found in. */
  readonly found?: ReadonlySet<string>
  readonly inks: Inks
}

const CHUNK = 200 // curves in one stroke: a path of thousands that cross is slow to fill in
// Dashes cost by their number, on screen or not: 1,000 tall links took a second a frame. From afar nobody sees them.
const DASHED_TALLEST = 1200
const MOST_DASHED = 60 // more of them at once are noise, and half of the frame
const DASHES = { manual: [6, 4], indirect: [1.5, 4] } as const

const onScreen = ({ x1, y1, reach, x2, y2, via }: Curve, part: Part): boolean => {
  if (Math.min(x1, x2 - reach) > part.x1 || Math.max(x1 + reach, x2) < part.x0) return false
  let [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)]
  for (const { y } of via) {
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return top < part.y1 && bottom > part.y0
}

/** The whole canvas: links always, boxes when they are too small for words. */
export const paint = (ctx: CanvasRenderingContext2D, painting: Painting, view: View, size: Size, ratio: number): void => {
  const { drawing, lit, ways, chosen_link, inks } = painting
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  ctx.clearRect(0, 0, size.width, size.height)
  ctx.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y)
  const part = partOf(view, size, 20)
  const { links } = drawing.scene
  const near = view.k >= READABLE
  const plain: Curve[] = []
  const dashed: Record<'manual' | 'indirect', Curve[]> = { manual: [], indirect: [] }
  const bright: Curve[] = [...ways]
  const brightDashed: Curve[] = []
  for (let i = 0; i < links.length; i++) {
    const curve = drawing.curves[i]!
    if (!onScreen(curve, part)) continue
    const { id, manual, indirect } = links[i]!
    const dashes = near && Math.abs(curve.y2 - curve.y1) < DASHED_TALLEST
    if (id === chosen_link || (lit?.links.has(id) && ways.length === 0)) (manual && dashes ? brightDashed : bright).push(curve)
    else if (manual && dashes) dashed.manual.push(curve)
    else if (indirect && dashes) dashed.indirect.push(curve)
    else plain.push(curve)
  }
  if (dashed.manual.length + brightDashed.length > MOST_DASHED) {
    plain.push(...dashed.manual.splice(0))
    bright.push(...brightDashed.splice(0))
  }
  ctx.lineCap = 'butt'
  ctx.strokeStyle = ctx.fillStyle = inks.strong
  ctx.globalAlpha = lit ? 0.28 : near ? 0.7 : 0.4
  const dash = (kind: keyof typeof DASHES) => DASHES[kind].map((n) => n / Math.max(view.k, READABLE))
  const thin = { width: (near ? 1.4 : 0.9) / view.k, near, heads: near && !lit }
  stroke(ctx, plain, thin)
  for (const kind of ['manual', 'indirect'] as const) stroke(ctx, dashed[kind], { ...thin, dash: dash(kind) })
  ctx.strokeStyle = ctx.fillStyle = inks.accent
  ctx.globalAlpha = 1
  const thick = { width: (near ? 2 : 1.4) / view.k, near, heads: near }
  stroke(ctx, bright, thick)
  stroke(ctx, brightDashed, { ...thick, dash: dash('manual') })
  if (!near) paintBoxes(ctx, painting, part)
}

interface Pen {
  readonly width: number
  readonly dash?: readonly number[]
  readonly near: boolean
  readonly heads: boolean
}

const stroke = (ctx: CanvasRenderingContext2D, curves: readonly Curve[], { width, dash = [], near, heads }: Pen): void => {
  ctx.lineWidth = width
  ctx.setLineDash([...dash])
  for (let i = 0; i < curves.length; i += CHUNK) {
    ctx.beginPath()
    for (const curve of curves.slice(i, i + CHUNK)) {
      ctx.moveTo(curve.x1, curve.y1)
      // From afar the gaps are not seen, and a curve costs a quarter of its parts.
      for (const { x1, y1, reach, x2, y2 } of near ? partsOf(curve) : [curve]) {
        ctx.lineTo(x1, y1)
        ctx.bezierCurveTo(x1 + reach, y1, x2 - reach, y2, x2, y2)
      }
    }
    ctx.stroke()
  }
  ctx.setLineDash([])
  if (!heads) return
  ctx.beginPath()
  for (const { x2, y2 } of curves) {
    ctx.moveTo(x2, y2)
    ctx.lineTo(x2 - 7, y2 - 4)
    ctx.lineTo(x2 - 7, y2 + 4)
    ctx.closePath()
  }
  ctx.fill()
}

const paintBoxes = (ctx: CanvasRenderingContext2D, { drawing, lit, found, inks }: Painting, part: Part): void => {
  const { boxes } = drawing.scene
  const { x, y } = drawing.placed
  for (let i = 0; i < boxes.length; i++) {
    const { id, height, start } = boxes[i]!
    const [left, top] = [x[i]!, y[i]!]
    if (left > part.x1 || left + BOX_WIDTH < part.x0 || top > part.y1 || top + height < part.y0) continue
    const bright = found ? found.has(id) : lit?.boxes.has(id)
    ctx.fillStyle = start ? inks.fill : bright ? inks.accent : found || lit ? inks.line : inks.strong
    ctx.fillRect(left, top, BOX_WIDTH, height)
  }
}
