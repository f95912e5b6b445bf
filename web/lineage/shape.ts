import { BOX_WIDTH } from './layout.ts'

/** The measures of a box, and the curve of a link: the same on the canvas, in the page and in a file. */
export const HEAD = 46
export const ROW = 28 // large enough to press, also a little smaller than life
export const ROWS_END = 5
export { BOX_WIDTH } from './layout.ts'

export interface Curve {
  readonly x1: number
  readonly y1: number
  /** How far the curve leaves and comes in level. */
  readonly reach: number
  readonly x2: number
  readonly y2: number
  /** Gaps between boxes that it passes through on its way: where a rank begins, and at which height. */
  readonly via: readonly { readonly x: number; readonly y: number }[]
}

const NO_VIA: Curve['via'] = []

export const curveOf = (from: { x: number; y: number }, to: { x: number; y: number }, via: Curve['via'] = NO_VIA): Curve => {
  const [x1, x2] = [from.x + BOX_WIDTH, to.x]
  // One that goes back swings out at both sides.
  const reach = x2 > x1 ? Math.min(Math.max(36, (x2 - x1) / 2), 260) : 90
  return { x1, y1: from.y, reach, x2, y2: to.y, via }
}

/** Where on the curve, from 0 to 1. */
const at = ({ x1, y1, reach, x2, y2 }: Curve, t: number): readonly [x: number, y: number] => {
  const u = 1 - t
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
  return [a * x1 + b * (x1 + reach) + c * (x2 - reach) + d * x2, (a + b) * y1 + (c + d) * y2]
}

/** The same in parts without gaps: what a canvas and a file draw one after the other. */
export const partsOf = (curve: Curve): readonly Curve[] => {
  if (curve.via.length === 0) return [curve]
  const parts: Curve[] = []
  let from = { x: curve.x1 - BOX_WIDTH, y: curve.y1 }
  for (const gap of curve.via) {
    parts.push(curveOf(from, gap))
    from = gap
  }
  return [...parts, curveOf(from, { x: curve.x2, y: curve.y2 })]
}

const STEPS = 24

export const distanceTo = (curve: Curve, x: number, y: number): number => {
  let least = Number.POSITIVE_INFINITY
  for (const part of partsOf(curve))
    for (let i = 0; i <= STEPS; i++) {
      const [px, py] = at(part, i / STEPS)
      least = Math.min(least, Math.hypot(px - x, py - y))
    }
  for (const gap of curve.via) if (x >= gap.x && x <= gap.x + BOX_WIDTH) least = Math.min(least, Math.abs(gap.y - y))
  return least
}
