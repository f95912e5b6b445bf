/** An image in memory with antialiased shapes. Pure arithmetic, so the result is the same on every machine. */
export type Color = readonly [red: number, green: number, blue: number]
export interface Point {
  readonly x: number
  readonly y: number
}

export class Canvas {
  readonly width: number
  readonly height: number
  /** RGB, row by row. */
  readonly pixels: Uint8Array
  readonly #mask: Float32Array

  constructor(width: number, height: number, [red, green, blue]: Color) {
    this.width = width
    this.height = height
    this.pixels = Buffer.alloc(width * height * 3, Buffer.from([red, green, blue]))
    this.#mask = new Float32Array(width * height)
  }

  /** Draws lines through these points. They share one mask, so that crossings do not get darker. */
  strokes(lines: readonly (readonly Point[])[], thickness: number, color: Color, opacity = 1): void {
    const box = new Box(this)
    for (const points of lines) {
      if (points.length === 1) this.#segment(points[0]!, points[0]!, thickness, box)
      for (let i = 1; i < points.length; i += 1) this.#segment(points[i - 1]!, points[i]!, thickness, box)
    }
    this.#applyMask(box, color, opacity)
  }

  dot({ x, y }: Point, radius: number, color: Color): void {
    this.strokes([[{ x, y }]], radius * 2, color)
  }

  /** Fills the area between two lines, given by their heights at each x. */
  band(points: readonly { readonly x: number; readonly top: number; readonly bottom: number }[], color: Color): void {
    for (let i = 1; i < points.length; i += 1) {
      const [from, to] = [points[i - 1]!, points[i]!]
      const end = i === points.length - 1 ? Math.ceil(to.x) : Math.ceil(to.x) - 1
      for (let x = Math.max(0, Math.ceil(from.x)); x <= Math.min(end, this.width - 1); x += 1) {
        const part = to.x === from.x ? 0 : Math.min(1, (x - from.x) / (to.x - from.x))
        this.#column(x, from.top + (to.top - from.top) * part, from.bottom + (to.bottom - from.bottom) * part, color)
      }
    }
  }

  #column(x: number, top: number, bottom: number, color: Color): void {
    for (let y = Math.max(0, Math.floor(top)); y <= Math.min(this.height - 1, Math.ceil(bottom)); y += 1) {
      const covered = Math.min(bottom, y + 1) - Math.max(top, y)
      if (covered > 0) this.#blend(y * this.width + x, color, Math.min(1, covered))
    }
  }

  /** Computes the coverage of each pixel by a thick line with round ends, from the distance of the pixel to the line. */
  #segment(a: Point, b: Point, thickness: number, box: Box): void {
    const reach = thickness / 2 + 1
    const [left, right] = box.includeX(Math.min(a.x, b.x) - reach, Math.max(a.x, b.x) + reach)
    const [top, bottom] = box.includeY(Math.min(a.y, b.y) - reach, Math.max(a.y, b.y) + reach)
    const [dx, dy] = [b.x - a.x, b.y - a.y]
    const length = dx * dx + dy * dy
    for (let y = top; y <= bottom; y += 1)
      for (let x = left; x <= right; x += 1) {
        const [px, py] = [x + 0.5 - a.x, y + 0.5 - a.y]
        const along = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length))
        const distance = Math.sqrt((px - along * dx) ** 2 + (py - along * dy) ** 2) // hypot is ten times slower
        const covered = Math.max(0, Math.min(1, thickness / 2 + 0.5 - distance))
        const at = y * this.width + x
        if (covered > this.#mask[at]!) this.#mask[at] = covered
      }
  }

  #applyMask({ left, right, top, bottom }: Box, color: Color, opacity: number): void {
    for (let y = top; y <= bottom; y += 1)
      for (let at = y * this.width + left; at <= y * this.width + right; at += 1) {
        const covered = this.#mask[at]!
        if (covered === 0) continue
        this.#blend(at, color, covered * opacity)
        this.#mask[at] = 0
      }
  }

  #blend(at: number, color: Color, part: number): void {
    for (let i = 0; i < 3; i += 1) {
      const before = this.pixels[at * 3 + i]!
      this.pixels[at * 3 + i] = Math.round(before + (color[i]! - before) * part)
    }
  }
}

/** The bounding box of what was drawn, clipped to the image. */
class Box {
  left: number
  right = -1
  top: number
  bottom = -1
  readonly #canvas: Canvas

  constructor(canvas: Canvas) {
    this.#canvas = canvas
    this.left = canvas.width
    this.top = canvas.height
  }

  includeX(from: number, to: number): [number, number] {
    const [left, right] = [Math.max(0, Math.floor(from)), Math.min(this.#canvas.width - 1, Math.ceil(to))]
    this.left = Math.min(this.left, left)
    this.right = Math.max(this.right, right)
    return [left, right]
  }

  includeY(from: number, to: number): [number, number] {
    const [top, bottom] = [Math.max(0, Math.floor(from)), Math.min(this.#canvas.height - 1, Math.ceil(to))]
    this.top = Math.min(this.top, top)
    this.bottom = Math.max(this.bottom, bottom)
    return [top, bottom]
  }
}
