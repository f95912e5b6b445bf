/** Which part of the drawing is on screen: a point of it stands at `x * k + view.x`. */
export interface View {
  readonly x: number
  readonly y: number
  readonly k: number
}
export interface Size {
  readonly width: number
  readonly height: number
}
/** A part of the drawing. */
export interface Part {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

const NEAREST = 2
const FARTHEST = 0.01
/** Below this the boxes are drawn on the canvas: their words could not be read. */
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

/** All of it, but never larger than life. */
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
