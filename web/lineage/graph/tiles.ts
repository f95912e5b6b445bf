import { buildStrokes, type PaintJob, paintTile } from './paint.ts'
import type { Size, Transform } from './view.ts'

const TILE_SIZE = 512 // CSS pixels: larger tiles take more of a frame, smaller ones more bookkeeping
const PREPAINT_MARGIN = 160 // margin painted ahead, a little per frame

/** A paint job at one scale; when it changes, all tiles are outdated. */
interface PaintSheet {
  readonly painting: PaintJob
  readonly k: number
  readonly ratio: number
  readonly lines: string
}

interface Tile {
  readonly canvas: HTMLCanvasElement
  sheet?: PaintSheet
  /** Remaining paint steps. */
  rest?: Iterator<undefined, void>
}

interface TileSlot {
  readonly name: string
  readonly x: number
  readonly y: number
  /** Distance from the screen. */
  readonly distance: number
}

export interface Viewport {
  readonly painting: PaintJob
  /** On whole device pixels, or the tile would be blurred. */
  readonly view: Transform
  readonly size: Size
  readonly ratio: number
  /** No other work is due in this frame. */
  readonly idle: boolean
}

/**
 * The canvas as tiles on a moving layer: panning paints only the tiles that come near. With one canvas that was shifted and repainted at its
 * edges, copying took 12 ms in every other frame with 5,000 boxes.
 */
export const createTiles = (layer: HTMLElement) => {
  const tiles = new Map<string, Tile>()
  let sheet: PaintSheet | undefined

  const isOld = ({ name }: TileSlot): boolean => {
    const tile = tiles.get(name)
    return sheet === undefined || tile?.sheet !== sheet || tile.rest !== undefined
  }

  const paint = ({ painting, view: { k }, ratio, idle }: Viewport, slots: readonly TileSlot[]): void => {
    const side = getTileSide(ratio)
    // Strokes are built for the extent of all these tiles, so that tiles painted later reuse them.
    const [left, top] = [Math.min(...slots.map(({ x }) => x)), Math.min(...slots.map(({ y }) => y))]
    const [right, bottom] = [Math.max(...slots.map(({ x }) => x)) + side, Math.max(...slots.map(({ y }) => y)) + side]
    const strokes = buildStrokes(painting, { x: -left, y: -top, k }, { width: right - left, height: bottom - top }, ratio)
    const lines = strokes.map(({ width, curves }) => `${width} ${curves.length > 0}`).join()
    if (sheet?.lines !== lines) sheet = { painting, k, ratio, lines }
    const old = slots.filter(isOld)
    const seen = old.filter(({ distance }) => distance === 0)
    const needed = new Set(slots.map(({ name }) => name))
    for (const { name, x, y, distance } of seen.length > 0 || !idle ? seen : old.slice(0, 1)) {
      const tile = tiles.get(name) ?? unneeded(needed) ?? { canvas: layer.appendChild(document.createElement('canvas')) }
      tiles.set(name, tile)
      if (tile.sheet !== sheet) {
        placeTile(tile.canvas, x, y, side, ratio)
        const ctx = tile.canvas.getContext('2d')!
        tile.rest = paintTile(ctx, painting, strokes, { x: -x, y: -y, k }, { width: side, height: side }, ratio)
        tile.sheet = sheet
      }
      let done = false
      do done = tile.rest!.next().done === true
      while (!done && distance === 0)
      if (done) tile.rest = undefined
    }
    while (tiles.size > needed.size) unneeded(needed)!.canvas.remove()
  }

  /** Reuses the canvas of a tile that is off screen. */
  const unneeded = (needed: ReadonlySet<string>): Tile | undefined => {
    for (const [name, { canvas }] of tiles)
      if (!needed.has(name)) {
        tiles.delete(name)
        return { canvas }
      }
    return undefined
  }

  /** Paints all visible tiles and one tile of the margin. True while there is more to paint. */
  return (look: Viewport): boolean => {
    const { painting, view, size, ratio } = look
    if (sheet?.painting !== painting || sheet.k !== view.k || sheet.ratio !== ratio) sheet = undefined
    const slots = findTileSlots(view, size, getTileSide(ratio))
    if (slots.some(isOld)) paint(look, slots)
    layer.style.transform = `translate(${view.x}px, ${view.y}px)`
    return slots.some(isOld)
  }
}

/** A whole number of device pixels, so that tiles join without a seam. */
const getTileSide = (ratio: number): number => Math.round(TILE_SIZE * ratio) / ratio

const placeTile = (canvas: HTMLCanvasElement, x: number, y: number, side: number, ratio: number): void => {
  const pixels = Math.round(side * ratio)
  if (canvas.width !== pixels) Object.assign(canvas, { width: pixels, height: pixels })
  Object.assign(canvas.style, { position: 'absolute', left: `${x}px`, top: `${y}px`, width: `${side}px`, height: `${side}px` })
}

/** Tiles needed for the view, nearest first. */
const findTileSlots = ({ x, y }: Transform, { width, height }: Size, side: number): TileSlot[] => {
  const slots: TileSlot[] = []
  const first = (at: number) => Math.floor((-at - PREPAINT_MARGIN) / side)
  for (let column = first(x); column * side + x < width + PREPAINT_MARGIN; column++)
    for (let row = first(y); row * side + y < height + PREPAINT_MARGIN; row++) {
      const [left, top] = [column * side + x, row * side + y]
      const distance = Math.max(0, left - width + 1, 1 - left - side, top - height + 1, 1 - top - side)
      slots.push({ name: `${column} ${row}`, x: column * side, y: row * side, distance })
    }
  return slots.sort((a, b) => a.distance - b.distance)
}
