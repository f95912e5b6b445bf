import { BOX_WIDTH } from './layout.ts'

/** Box dimensions and link curves, shared by canvas, DOM and export. */
export const HEADER_HEIGHT = 46
export const ROW_HEIGHT = 28 // large enough to press, also slightly zoomed out
export const ROWS_END = 5
export { BOX_WIDTH } from './layout.ts'

export interface Curve {
  readonly x1: number
  readonly y1: number
  /** Length of the horizontal start and end of the curve. */
  readonly reach: number
  readonly x2: number
  readonly y2: number
  /** Gaps between boxes the curve passes through: start of the rank and height. */
  readonly via: readonly { readonly x: number; readonly y: number }[]
}

const NO_VIA: Curve['via'] = []

export const computeCurve = (from: { x: number; y: number }, to: { x: number; y: number }, via: Curve['via'] = NO_VIA): Curve => {
  const [x1, x2] = [from.x + BOX_WIDTH, to.x]
  // A backward link swings out on both sides.
  const reach = x2 > x1 ? Math.min(Math.max(36, (x2 - x1) / 2), 260) : 90
  return { x1, y1: from.y, reach, x2, y2: to.y, via }
}

/** Point on the curve, from 0 to 1. */
const pointAt = ({ x1, y1, reach, x2, y2 }: Curve, t: number): readonly [x: number, y: number] => {
  const u = 1 - t
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
  return [a * x1 + b * (x1 + reach) + c * (x2 - reach) + d * x2, (a + b) * y1 + (c + d) * y2]
}

/** The curve split at its gaps, as canvas and export draw it. */
export const splitCurve = (curve: Curve): readonly Curve[] => {
  if (curve.via.length === 0) return [curve]
  const parts: Curve[] = []
  let from = { x: curve.x1 - BOX_WIDTH, y: curve.y1 }
  for (const gap of curve.via) {
    parts.push(computeCurve(from, gap))
    from = gap
  }
  return [...parts, computeCurve(from, { x: curve.x2, y: curve.y2 })]
}

const DISTANCE_SAMPLES = 24

export const distanceTo = (curve: Curve, x: number, y: number): number => {
  let least = Number.POSITIVE_INFINITY
  for (const part of splitCurve(curve))
    for (let i = 0; i <= DISTANCE_SAMPLES; i++) {
      const [px, py] = pointAt(part, i / DISTANCE_SAMPLES)
      least = Math.min(least, Math.hypot(px - x, py - y))
    }
  for (const gap of curve.via) if (x >= gap.x && x <= gap.x + BOX_WIDTH) least = Math.min(least, Math.abs(gap.y - y))
  return least
}
