import { type RefObject, useEffect, useRef } from 'react'
import type { GraphHandle } from './use-view.ts'

interface Gestures {
  /** The wheel scrolls the page; zooming needs Ctrl or a pinch. */
  readonly embedded: boolean
  readonly onHover: (id: string | undefined) => void
  /** Click on the background, in coordinates of the container. */
  readonly onPress: (x: number, y: number) => void
  readonly onJoin: (from: string, to: string) => void
  /** Draws the pending link from a box to the pointer. */
  readonly onLine: (line: { from: string; x: number; y: number } | undefined) => void
}

const DRAG_THRESHOLD = 4 // pixels before a press counts as a drag

const findBoxAt = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-box]')?.dataset.box ?? undefined) : undefined

/** Drag to pan, wheel or pinch to zoom, drag from a box's port to add a link. */
export const useGestures = (box: RefObject<HTMLElement | null>, stage: GraphHandle, gestures: Gestures): void => {
  const latest = useRef(gestures)
  useEffect(() => {
    latest.current = gestures
  })
  useEffect(() => {
    const around = box.current!
    const fingers = new Map<number, { x: number; y: number }>()
    let moved = 0
    let joining: string | undefined
    const toPoint = (event: { clientX: number; clientY: number }) => {
      const { left, top } = around.getBoundingClientRect()
      return { x: event.clientX - left, y: event.clientY - top }
    }
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('[data-still]')) return
      fingers.set(event.pointerId, toPoint(event))
      moved = 0
      joining = (event.target as Element).closest<HTMLElement>('[data-port]')?.dataset.port
      if (joining) around.setPointerCapture(event.pointerId)
    }
    const move = (event: PointerEvent) => {
      const [before, now] = [fingers.get(event.pointerId), toPoint(event)]
      if (!before) return void latest.current.onHover(findBoxAt(event.target))
      const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at)
      moved += Math.hypot(now.x - before.x, now.y - before.y)
      if (joining) return void latest.current.onLine({ from: joining, ...now })
      if (moved < DRAG_THRESHOLD) return
      if (!around.hasPointerCapture(event.pointerId)) around.setPointerCapture(event.pointerId)
      fingers.set(event.pointerId, now)
      const [other] = others
      if (!other) return stage.pan(now.x - before.x, now.y - before.y)
      const distance = (at: { x: number; y: number }) => Math.max(1, Math.hypot(at.x - other.x, at.y - other.y))
      stage.zoomAt(distance(now) / distance(before), (now.x + other.x) / 2, (now.y + other.y) / 2)
    }
    const up = (event: PointerEvent) => {
      if (!fingers.delete(event.pointerId)) return
      if (joining) {
        const onto = findBoxAt(document.elementFromPoint(event.clientX, event.clientY))
        if (onto && onto !== joining) latest.current.onJoin(joining, onto)
        latest.current.onLine(undefined)
        joining = undefined
        moved = DRAG_THRESHOLD
        return
      }
      if (moved >= DRAG_THRESHOLD || !(event.target instanceof Element) || event.target.closest('[data-box], [data-still]')) return
      const at = toPoint(event)
      latest.current.onPress(at.x, at.y)
    }
    // Ignore the click at the end of a drag.
    const click = (event: MouseEvent) => {
      if (moved < DRAG_THRESHOLD) return
      moved = 0
      event.stopPropagation()
      event.preventDefault()
    }
    const leave = () => latest.current.onHover(undefined)
    const wheel = (event: WheelEvent) => {
      const zooms = event.ctrlKey || event.metaKey
      if ((latest.current.embedded && !zooms) || (event.target as Element).closest('[data-still]')) return
      event.preventDefault()
      if (!zooms) return stage.pan(-event.deltaX, -event.deltaY)
      const at = toPoint(event)
      stage.zoomAt(Math.exp(-event.deltaY / 200), at.x, at.y)
    }
    const kinds = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, pointerleave: leave } as const
    for (const [name, handler] of Object.entries(kinds)) around.addEventListener(name, handler as EventListener)
    around.addEventListener('click', click, true)
    around.addEventListener('wheel', wheel, { passive: false })
    return () => {
      for (const [name, handler] of Object.entries(kinds)) around.removeEventListener(name, handler as EventListener)
      around.removeEventListener('click', click, true)
      around.removeEventListener('wheel', wheel)
    }
  }, [box, stage])
}
