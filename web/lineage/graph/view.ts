/** Pan and zoom of the graph: a graph point is at `x * k + view.x` on screen. */
export interface Transform {
  readonly x: number
  readonly y: number
  readonly k: number
}
export interface Size {
  readonly width: number
  readonly height: number
}
/** A rectangle of the graph. */
export interface Rect {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

const MAX_SCALE = 2
const MIN_SCALE = 0.01
/** Below this scale boxes are drawn on the canvas, since their text would be unreadable. */
export const MIN_READABLE_SCALE = 0.45

export const zoomAt = ({ x, y, k }: Transform, factor: number, px: number, py: number): Transform => {
  const next = Math.min(MAX_SCALE, Math.max(MIN_SCALE, k * factor))
  return { x: px - ((px - x) * next) / k, y: py - ((py - y) * next) / k, k: next }
}

export const centerOn = (x: number, y: number, k: number, { width, height }: Size): Transform => ({
  x: width / 2 - x * k,
  y: height / 2 - y * k,
  k,
})

/** Fits the whole graph, at a scale of at most 1. */
export const fitTransform = (layout: Size, size: Size, around = 40): Transform => {
  const k = Math.max(
    MIN_SCALE,
    Math.min(1, (size.width - 2 * around) / Math.max(1, layout.width), (size.height - 2 * around) / Math.max(1, layout.height)),
  )
  return centerOn(layout.width / 2, layout.height / 2, k, size)
}

export const getVisiblePart = ({ x, y, k }: Transform, { width, height }: Size, beyond = 0): Rect => ({
  x0: -x / k - beyond,
  y0: -y / k - beyond,
  x1: (width - x) / k + beyond,
  y1: (height - y) / k + beyond,
})
