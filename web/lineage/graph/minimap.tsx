import { useEffect, useRef } from 'react'
import type { PaintJob } from './paint.ts'
import { BOX_WIDTH } from './shape.ts'
import type { GraphHandle } from './use-view.ts'
import { getVisiblePart } from './view.ts'

const WIDTH = 176
const HEIGHT = 112
const PADDING = 6

/** Overview map with the visible area; pointer only, since the keyboard has its own navigation. */
export const Minimap = ({ painting, stage }: { painting: PaintJob; stage: GraphHandle }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const { layout, tracedPath, found, inks } = painting
  const { width: graphWidth, height: graphHeight, x, y } = layout.placed
  const k = Math.min((WIDTH - 2 * PADDING) / Math.max(1, graphWidth), (HEIGHT - 2 * PADDING) / Math.max(1, graphHeight))
  const [left, top] = [(WIDTH - graphWidth * k) / 2, (HEIGHT - graphHeight * k) / 2]

  useEffect(() => {
    const ctx = canvas.current!.getContext('2d')!
    ctx.setTransform(2, 0, 0, 2, 0, 0)
    ctx.clearRect(0, 0, WIDTH, HEIGHT)
    layout.scene.boxes.forEach((box, i) => {
      const bright = found ? found.has(box.id) : tracedPath?.boxes.has(box.id)
      ctx.fillStyle = box.start ? inks.fill : bright ? inks.accent : tracedPath || found ? inks.line : inks.strong
      ctx.fillRect(left + x[i]! * k, top + y[i]! * k, Math.max(1.5, BOX_WIDTH * k), Math.max(1, box.height * k))
    })
  }, [layout, tracedPath, found, inks, k, left, top, x, y])

  useEffect(() => {
    const drawn = { width: 0, height: 0 }
    const look = () => {
      const seen = getVisiblePart(stage.now(), stage.size())
      // While everything is visible, the map has no use and would cover a part of the graph.
      const isAllVisible = seen.x0 <= 0 && seen.y0 <= 0 && seen.x1 >= graphWidth && seen.y1 >= graphHeight
      box.current!.style.visibility = isAllVisible ? 'hidden' : ''
      // A transform avoids layout while panning; the map clips the overflow.
      const { style } = frame.current!
      style.transform = `translate(${left + seen.x0 * k}px, ${top + seen.y0 * k}px)`
      const [width, height] = [(seen.x1 - seen.x0) * k, (seen.y1 - seen.y0) * k]
      if (Math.abs(width - drawn.width) + Math.abs(height - drawn.height) < 0.01) return
      Object.assign(drawn, { width, height })
      Object.assign(style, { width: `${width}px`, height: `${height}px` })
    }
    look()
    return stage.watch(look)
  }, [stage, k, left, top, graphWidth, graphHeight])

  const go = (event: React.PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 0) return
    const at = event.currentTarget.getBoundingClientRect()
    stage.centre((event.clientX - at.left - left) / k, (event.clientY - at.top - top) / k)
  }
  return (
    <div
      ref={box}
      data-still
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={go}
      style={{ width: WIDTH, height: HEIGHT }}
      className="absolute end-3 bottom-3 cursor-pointer overflow-hidden rounded-lg border border-line bg-raised max-md:hidden"
    >
      <canvas ref={canvas} width={WIDTH * 2} height={HEIGHT * 2} style={{ width: WIDTH, height: HEIGHT }} />
      <div
        ref={frame}
        className="pointer-events-none absolute start-0 top-0 rounded-sm border-2 border-accent bg-accent/5 will-change-transform"
      />
    </div>
  )
}
