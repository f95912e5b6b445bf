import { type Painting, paintTile, strokesOf } from './paint.ts'
import type { Size, View } from './view.ts'

const TILE = 512 // pixels of the page, about: larger takes more of a frame, smaller has more to keep
const AHEAD = 160 // beyond the edges: painted a little a frame, before it is seen

/** One look of everything: another painting, another scale or other lines make all tiles old. */
interface Sheet {
  readonly painting: Painting
  readonly k: number
  readonly ratio: number
  readonly lines: string
}

interface Tile {
  readonly canvas: HTMLCanvasElement
  sheet?: Sheet
  /** What is still to be painted on it. */
  rest?: Iterator<undefined, void>
}

interface Place {
  readonly name: string
  readonly x: number
  readonly y: number
  /** From the screen. */
  readonly distance: number
}

export interface Look {
  readonly painting: Painting
  /** On whole pixels of the screen: a tile between two of them would be blurred. */
  readonly view: View
  readonly size: Size
  readonly ratio: number
  /** Nothing else is to be done in this frame. */
  readonly idle: boolean
}

/**
 * The canvas in tiles that stand still on a layer, and the layer moves: a step aside paints only what comes near. When one canvas was
 * moved on and its edges painted, every other frame with 5,000 boxes took 12 ms for copying it.
 */
export const tilesOn = (layer: HTMLElement) => {
  const tiles = new Map<string, Tile>()
  let sheet: Sheet | undefined

  const isOld = ({ name }: Place): boolean => {
    const tile = tiles.get(name)
    return sheet === undefined || tile?.sheet !== sheet || tile.rest !== undefined
  }

  const paint = ({ painting, view: { k }, ratio, idle }: Look, places: readonly Place[]): void => {
    const side = sideOf(ratio)
    // Of all these tiles, to their ends: what comes near later has then what is there.
    const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))]
    const [right, bottom] = [Math.max(...places.map(({ x }) => x)) + side, Math.max(...places.map(({ y }) => y)) + side]
    const strokes = strokesOf(painting, { x: -left, y: -top, k }, { width: right - left, height: bottom - top }, ratio)
    const lines = strokes.map(({ width, curves }) => `${width} ${curves.length > 0}`).join()
    if (sheet?.lines !== lines) sheet = { painting, k, ratio, lines }
    const old = places.filter(isOld)
    const seen = old.filter(({ distance }) => distance === 0)
    const needed = new Set(places.map(({ name }) => name))
    for (const { name, x, y, distance } of seen.length > 0 || !idle ? seen : old.slice(0, 1)) {
      const tile = tiles.get(name) ?? unneeded(needed) ?? { canvas: layer.appendChild(document.createElement('canvas')) }
      tiles.set(name, tile)
      if (tile.sheet !== sheet) {
        put(tile.canvas, x, y, side, ratio)
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

  /** Takes a canvas away from where nobody looks. */
  const unneeded = (needed: ReadonlySet<string>): Tile | undefined => {
    for (const [name, { canvas }] of tiles)
      if (!needed.has(name)) {
        tiles.delete(name)
        return { canvas }
      }
    return undefined
  }

  /** Paints what is on screen, and of what is around it a tile at a time. True while there is more to paint. */
  return (look: Look): boolean => {
    const { painting, view, size, ratio } = look
    if (sheet?.painting !== painting || sheet.k !== view.k || sheet.ratio !== ratio) sheet = undefined
    const places = placesNear(view, size, sideOf(ratio))
    if (places.some(isOld)) paint(look, places)
    layer.style.transform = `translate(${view.x}px, ${view.y}px)`
    return places.some(isOld)
  }
}

/** A whole number of the screen's pixels, so that tiles meet without a seam. */
const sideOf = (ratio: number): number => Math.round(TILE * ratio) / ratio

const put = (canvas: HTMLCanvasElement, x: number, y: number, side: number, ratio: number): void => {
  const pixels = Math.round(side * ratio)
  if (canvas.width !== pixels) Object.assign(canvas, { width: pixels, height: pixels })
  Object.assign(canvas.style, { position: 'absolute', left: `${x}px`, top: `${y}px`, width: `${side}px`, height: `${side}px` })
}

/** Where tiles are needed, the nearest first. */
const placesNear = ({ x, y }: View, { width, height }: Size, side: number): Place[] => {
  const places: Place[] = []
  const first = (at: number) => Math.floor((-at - AHEAD) / side)
  for (let column = first(x); column * side + x < width + AHEAD; column++)
    for (let row = first(y); row * side + y < height + AHEAD; row++) {
      const [left, top] = [column * side + x, row * side + y]
      const distance = Math.max(0, left - width + 1, 1 - left - side, top - height + 1, 1 - top - side)
      places.push({ name: `${column} ${row}`, x: column * side, y: row * side, distance })
    }
  return places.sort((a, b) => a.distance - b.distance)
}
