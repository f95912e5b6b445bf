import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { GraphLayout } from './graph-layout.ts'
import type { PaintJob } from './paint.ts'
import { BOX_WIDTH } from './shape.ts'
import { createTiles } from './tiles.ts'
import { centerOn, fitTransform, getVisiblePart, MIN_READABLE_SCALE, type Rect, type Size, type Transform, zoomAt } from './view.ts'

const PADDING = 48
const VISIBLE_STEP = 160 // graph pixels the view moves before the visible boxes are recomputed

/** Imperative handle of the graph view. */
export interface GraphHandle {
  readonly fit: () => void
  readonly zoom: (factor: number) => void
  /** Brings a box into view, centered if it was outside. */
  readonly show: (id: string) => void
  /** Centers the view on a graph point. */
  readonly centre: (x: number, y: number) => void
  /** Moves only as far as needed to show a box that is partly outside. */
  readonly keep: (id: string) => void
  readonly pan: (dx: number, dy: number) => void
  readonly zoomAt: (factor: number, px: number, py: number) => void
  readonly now: () => Transform
  readonly size: () => Size
  readonly watch: (listener: () => void) => () => void
}

/** The view of a new layout that keeps a box, or else the start, at its place on screen. */
const keepAnchored = (anchor: string | undefined, before: GraphLayout, now: GraphLayout, { x, y, k }: Transform, size: Size): Transform => {
  const spot = ({ scene, placed }: GraphLayout) => {
    const i = scene.indexById.get(anchor ?? '') ?? scene.boxes.findIndex(({ start }) => start)
    return i < 0 ? undefined : { x: placed.x[i]!, y: placed.y[i]! }
  }
  const [from, to] = [spot(before), spot(now)]
  return from && to ? { x: x + (from.x - to.x) * k, y: y + (from.y - to.y) * k, k } : getInitialTransform(now, size)
}

/** The area rendered as DOM elements: the screen plus a margin, rounded so that it changes rarely. */
const getRenderedPart = (view: Transform, size: Size): Rect | undefined => {
  if (view.k < MIN_READABLE_SCALE) return undefined
  const { x0, y0, x1, y1 } = getVisiblePart(view, size, VISIBLE_STEP / 2)
  const snapped = (n: number) => Math.round(n / VISIBLE_STEP) * VISIBLE_STEP
  return { x0: snapped(x0), y0: snapped(y0), x1: snapped(x1), y1: snapped(y1) }
}

const isSamePart = (a: Rect | undefined, b: Rect | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.x0 === b.x0 && a.y0 === b.y0 && a.x1 === b.x1 && a.y1 === b.y1)

/** The box with most links. */
const findHub = ({ boxes, links, indexById }: GraphLayout['scene']): number => {
  const counts = new Array<number>(boxes.length).fill(0)
  for (const { from, to } of links) for (const id of [from, to]) counts[indexById.get(id)!]! += 1
  return counts.indexOf(Math.max(...counts))
}

const SMALL_SCALE = MIN_READABLE_SCALE * 1.2

const NARROW_MARGIN = 12
/** On a phone: room for the buttons at the sides of the boxes. */
const PHONE_MARGIN = 20

/** Initial view: the whole graph if readable, else the start node. */
const getInitialTransform = ({ scene, placed }: GraphLayout, size: Size, scale = size.width < 500 ? 0.8 : 0.9): Transform => {
  const isPhone = size.width < 500
  const all = isPhone ? fitTransform(placed, size, PHONE_MARGIN) : fitTransform(placed, size)
  const chosen = scene.boxes.findIndex((box) => box.start)
  if (all.k >= (isPhone ? SMALL_SCALE : 0.72) || (chosen < 0 && scene.links.length === 0)) return all
  const start = chosen < 0 ? findHub(scene) : chosen
  const { x, y, k } = centerOn(placed.x[start]! + BOX_WIDTH / 2, placed.y[start]! + 23, scale, size)
  // Do not show empty space past the edges.
  const inside = (at: number, whole: number, space: number) =>
    whole * k + 2 * PADDING <= space ? (space - whole * k) / 2 : Math.min(PADDING, Math.max(space - PADDING - whole * k, at))
  return { x: inside(x, placed.width, size.width), y: inside(y, placed.height, size.height), k }
}

/** The whole diagram if its names are not too small then. Else what is around its start or, without one, its hub, with no box cut off at the left. */
const getFittedTransform = (layout: GraphLayout, size: Size): Transform => {
  const { scene, placed } = layout
  const wide = fitTransform(placed, size)
  const all = wide.k < SMALL_SCALE ? fitTransform(placed, size, NARROW_MARGIN) : wide
  if (all.k >= MIN_READABLE_SCALE || scene.links.length === 0) return all
  const view = getInitialTransform(layout, size, SMALL_SCALE)
  const left = -view.x / view.k
  const cut = placed.x.find((x) => x < left && x + BOX_WIDTH > left)
  return cut === undefined ? view : { ...view, x: NARROW_MARGIN - cut * view.k }
}

/** View after the depth changed: the whole graph, or as much as fits with readable names. */
const getScopeTransform = (layout: GraphLayout, size: Size): Transform => {
  const all = fitTransform(layout.placed, size)
  return all.k >= MIN_READABLE_SCALE ? all : getInitialTransform(layout, size, SMALL_SCALE)
}

/**
 * Panning and zooming do not wait for React: the link and box layers are moved in one frame and re-rendered only when other boxes come on
 * screen. `anchor` is the box that keeps its position when the layout changes. When `scope` (depth, direction, level) changes, the graph
 * opens with its initial view: the whole graph if it is `fitted`.
 */
export const useView = (
  painting: PaintJob,
  anchor: RefObject<string | undefined>,
  scope: string | undefined,
  fitted: boolean,
  box: RefObject<HTMLElement | null>,
  links: RefObject<HTMLElement | null>,
  layer: RefObject<HTMLElement | null>,
) => {
  const view = useRef<Transform>({ x: 0, y: 0, k: 1 })
  const size = useRef<Size>({ width: 0, height: 0 })
  const latest = useRef(painting)
  const frame = useRef(0)
  const watchers = useRef(new Set<() => void>())
  const [part, setPart] = useState<Rect>()
  const shown = useRef<GraphLayout>(undefined)
  const tiles = useRef<ReturnType<typeof createTiles>>(undefined)
  const boxesAt = useRef<Rect>(undefined)

  const draw = useCallback(() => {
    cancelAnimationFrame(frame.current)
    frame.current = 0
    const [lines, boxes] = [links.current, layer.current]
    if (!lines || !boxes || size.current.width === 0) return
    tiles.current ??= createTiles(lines)
    const ratio = Math.min(2, devicePixelRatio || 1)
    const { k } = view.current
    const [x, y] = [Math.round(view.current.x * ratio) / ratio, Math.round(view.current.y * ratio) / ratio]
    const next = getRenderedPart(view.current, size.current)
    const idle = isSamePart(boxesAt.current, next) // creating boxes and painting in the same frame would drop frames
    boxesAt.current = next
    setPart((before) => (isSamePart(before, next) ? before : next))
    const more = tiles.current({ painting: latest.current, view: { x, y, k }, size: size.current, ratio, idle })
    if (more) frame.current = requestAnimationFrame(draw)
    // Two elements: the outer one is only translated, which needs no repaint of the boxes.
    boxes.style.transform = `translate(${x}px, ${y}px)`
    const inner = boxes.firstElementChild as HTMLElement
    const scale = `scale(${k})`
    if (inner.style.transform !== scale) inner.style.transform = scale
    for (const listener of watchers.current) listener()
  }, [links, layer])
  const soon = useCallback(() => {
    frame.current ||= requestAnimationFrame(draw)
  }, [draw])
  const set = useCallback(
    (next: Transform) => {
      view.current = next
      soon()
    },
    [soon],
  )

  useEffect(() => {
    const outer = box.current!
    const look = () => {
      const before = size.current
      size.current = { width: outer.clientWidth, height: outer.clientHeight }
      if (before.width === 0 && size.current.width > 0 && shown.current)
        view.current = (fitted ? getFittedTransform : getInitialTransform)(shown.current, size.current)
      draw()
    }
    const watch = new ResizeObserver(look)
    watch.observe(outer)
    return () => {
      watch.disconnect()
      cancelAnimationFrame(frame.current)
      frame.current = 0
    }
  }, [box, draw, fitted])

  // New layout: move the view with the anchor before the visible boxes are computed, or boxes would be created twice.
  const [moved, setMoved] = useState<{ layout: GraphLayout; scope?: string; view?: Transform }>({ layout: painting.layout, scope })
  if (moved.layout !== painting.layout) {
    const opens = scope !== undefined && scope !== moved.scope
    const next =
      size.current.width === 0
        ? undefined
        : opens
          ? (fitted ? getFittedTransform : getScopeTransform)(painting.layout, size.current)
          : keepAnchored(anchor.current, moved.layout, painting.layout, view.current, size.current)
    setMoved({ layout: painting.layout, scope: scope ?? moved.scope, view: next })
    if (next) setPart(getRenderedPart(next, size.current))
  }
  useEffect(() => {
    if (shown.current !== moved.layout && moved.view) view.current = moved.view
    latest.current = painting
    shown.current = painting.layout
    soon()
  }, [painting, moved, soon])

  const [stage] = useState<GraphHandle>(() => ({
    fit: () => shown.current && set(fitTransform(shown.current.placed, size.current)),
    zoom: (factor) => set(zoomAt(view.current, factor, size.current.width / 2, size.current.height / 2)),
    zoomAt: (factor, px, py) => set(zoomAt(view.current, factor, px, py)),
    pan: (dx, dy) => set({ ...view.current, x: view.current.x + dx, y: view.current.y + dy }),
    centre: (x, y) => set(centerOn(x, y, view.current.k, size.current)),
    show: (id) => {
      const i = shown.current?.scene.indexById.get(id)
      if (shown.current === undefined || i === undefined) return
      const [x, y] = [shown.current.placed.x[i]!, shown.current.placed.y[i]!]
      const seen = getVisiblePart(view.current, size.current, -20)
      const inside = x >= seen.x0 && x + BOX_WIDTH <= seen.x1 && y >= seen.y0 && y + 46 <= seen.y1
      if (!inside || view.current.k < MIN_READABLE_SCALE)
        set(centerOn(x + BOX_WIDTH / 2, y + 23, Math.max(view.current.k, 0.8), size.current))
    },
    keep: (id) => {
      const i = shown.current?.scene.indexById.get(id)
      if (shown.current === undefined || i === undefined) return
      const { x, y, k } = view.current
      const into = (from: number, long: number, space: number) => Math.max(PADDING - from, Math.min(0, space - PADDING - long - from))
      const dx = into(shown.current.placed.x[i]! * k + x, BOX_WIDTH * k, size.current.width)
      const dy = into(shown.current.placed.y[i]! * k + y, 46 * k, size.current.height)
      if (dx !== 0 || dy !== 0) set({ x: x + dx, y: y + dy, k })
    },
    now: () => view.current,
    size: () => size.current,
    watch: (listener) => {
      watchers.current.add(listener)
      return () => void watchers.current.delete(listener)
    },
  }))
  return { stage, part }
}
