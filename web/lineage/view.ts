/** Pan and zoom of the graph: a graph point is at `x * k + view.x` on screen. */
export interface View {
  readonly x: number
  readonly y: number
  readonly k: number
}
export interface Size {
  readonly width: number
  readonly height: number
}
/** A rectangle of the graph. */
export interface Part {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

const NEAREST = 2
const FARTHEST = 0.01
/** Below this scale boxes are drawn on the canvas, since their text would be unreadable. */
export const READABLE = 0.45

export const zoomAt = ({ x, y, k }: View, factor: number, px: number, py: number): View => {
  const next = Math.min(NEAREST, Math.max(FARTHEST, k * factor))
  return { x: px - ((px - x) * next) / k, y: py - ((py - y) * next) / k, k: next }
}

export const centredOn = (x: number, y: number, k: number, { width, height }: Size): View => ({
  x: width / 2 - x * k,
  y: height / 2 - y * k,
  k,
})

/** Fits the whole graph, at a scale of at most 1. */
export const fitted = (drawing: Size, size: Size, around = 40): View => {
  const k = Math.max(
    FARTHEST,
    Math.min(1, (size.width - 2 * around) / Math.max(1, drawing.width), (size.height - 2 * around) / Math.max(1, drawing.height)),
  )
  return centredOn(drawing.width / 2, drawing.height / 2, k, size)
}

export const partOf = ({ x, y, k }: View, { width, height }: Size, beyond = 0): Part => ({
  x0: -x / k - beyond,
  y0: -y / k - beyond,
  x1: (width - x) / k + beyond,
  y1: (height - y) / k + beyond,
})
