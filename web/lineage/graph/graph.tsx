import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { useDark } from '../../ui/theme.ts'
import { type BoxActions, BoxView, type Tone } from './box.tsx'
import { type GraphLayout, measureScene } from './graph-layout.ts'
import { IconStyles } from './icon-styles.tsx'
import { nextBox } from './keyboard-navigation.ts'
import { Minimap } from './minimap.tsx'
import { getThemeColors, type PaintJob } from './paint.ts'
import type { ExpandedBox } from './search-params.ts'
import { BOX_WIDTH, distanceTo } from './shape.ts'
import { type TracedPath, traceBox } from './trace.ts'
import { useGestures } from './use-gestures.ts'
import { type GraphHandle, useView } from './use-view.ts'

export interface GraphProps {
  readonly layout: GraphLayout
  /** The traced path; without one, the path of the hovered box is highlighted. */
  readonly tracedPath?: TracedPath
  readonly chosen?: string
  readonly column?: string
  readonly found?: ReadonlySet<string>
  readonly opened: readonly ExpandedBox[]
  readonly busy: readonly ExpandedBox[]
  /** The accessible name of the graph, and of its rows. */
  readonly label: string
  readonly labelRow: (column: string) => string
  readonly editable: boolean
  readonly embedded: boolean
  /** Opens with everything in view. */
  readonly fitted?: boolean
  readonly actions: BoxActions
  readonly stage: Ref<GraphHandle>
  /** Requested depth, direction and level; undefined while loading. */
  readonly scope: string | undefined
}

const HIT_TOLERANCE = 7 // hit tolerance of a link in pixels
const MINIMAP_MIN_BOXES = 12 // boxes before the minimap is shown

const formatExpansions = (opened: readonly ExpandedBox[]): ReadonlyMap<string, string> =>
  new Map([...Map.groupBy(opened, ({ id }) => id)].map(([id, of]) => [id, of.map(({ step }) => step).join('')]))

/** The graph: links on a canvas, visible boxes as DOM elements. */
export const Graph = ({
  layout,
  tracedPath,
  chosen,
  column,
  found,
  opened,
  busy,
  label,
  labelRow,
  editable,
  embedded,
  fitted = false,
  actions,
  stage: out,
  scope,
}: GraphProps) => {
  const around = useRef<HTMLDivElement>(null)
  const links = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const line = useRef<SVGPathElement>(null)
  const dark = useDark()
  const { scene, placed } = layout
  const start = scene.boxes.find((box) => box.start)?.id
  const [hover, setHover] = useState<string>()
  const [focus, setFocus] = useState<string>()
  // The last used box keeps its position while others move.
  const anchor = useRef<string>(undefined)
  const active =
    focus !== undefined && scene.indexById.has(focus) ? focus : chosen !== undefined && scene.indexById.has(chosen) ? chosen : start

  const bright = useMemo(
    () =>
      tracedPath ??
      (hover !== undefined && !found && scene.indexById.has(hover) ? measureScene('trace', () => traceBox(scene, hover)) : undefined),
    [tracedPath, hover, found, scene],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors depend on the theme
  const inks = useMemo(getThemeColors, [dark])
  const painting = useMemo<PaintJob>(
    () => ({ layout, tracedPath: bright, segments: bright?.segments.map(layout.curve) ?? [], chosen_link: chosen, found, inks }),
    [layout, bright, chosen, found, inks],
  )
  const { stage, part } = useView(painting, anchor, scope, fitted, around, links, layer)
  useImperativeHandle(out, () => stage, [stage])

  const own = useMemo<BoxActions>(
    () => ({
      ...actions,
      choose: (id) => {
        if (id) setFocus(id)
        actions.choose(id)
      },
      step: (id, step, on) => {
        anchor.current = id
        actions.step(id, step, on)
      },
    }),
    [actions],
  )

  useGestures(around, stage, {
    embedded,
    onHover: setHover,
    onJoin: actions.join,
    onPress: (px, py) => {
      const { x, y, k } = stage.now()
      const [wx, wy] = [(px - x) / k, (py - y) / k]
      const box = scene.boxes.findIndex(
        ({ height }, i) => wx >= placed.x[i]! && wx <= placed.x[i]! + BOX_WIDTH && wy >= placed.y[i]! && wy <= placed.y[i]! + height,
      )
      if (box >= 0) return own.choose(scene.boxes[box]!.id)
      const link = layout.curves.findIndex((curve) => distanceTo(curve, wx, wy) < HIT_TOLERANCE / k)
      actions.choose(link >= 0 ? scene.links[link]!.id : undefined)
    },
    onLine: (to) => {
      const i = to && scene.indexById.get(to.from)
      if (to === undefined || i === undefined) return line.current!.setAttribute('d', '')
      const { x, y, k } = stage.now()
      const [sx, sy] = [(placed.x[i]! + BOX_WIDTH) * k + x, (placed.y[i]! + 42) * k + y]
      line.current!.setAttribute('d', `M${sx} ${sy} C${sx + 60} ${sy} ${to.x - 60} ${to.y} ${to.x} ${to.y}`)
    },
  })

  // The details panel narrows the graph: keep the selection visible.
  useEffect(() => {
    if (chosen === undefined) return
    const soon = requestAnimationFrame(() => requestAnimationFrame(() => stage.keep(chosen)))
    return () => cancelAnimationFrame(soon)
  }, [chosen, stage])

  // Show the box the keyboard moved to: it must be rendered before it can get focus.
  const walked = useRef<string>(undefined)
  useEffect(() => {
    if (walked.current === undefined || walked.current !== active) return
    walked.current = undefined
    layer.current?.querySelector<HTMLElement>(`[data-pick="${CSS.escape(active)}"]`)?.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (active === undefined || !event.key.startsWith('Arrow') || event.altKey || event.ctrlKey || event.metaKey) return
    if ((event.target as HTMLElement).closest('[data-still]')) return
    event.preventDefault()
    const next = nextBox(layout, active, event.key)
    if (next === undefined) return
    walked.current = next
    setFocus(next)
    stage.show(next)
  }

  const steps = useMemo(() => formatExpansions(opened), [opened])
  const waiting = useMemo(() => formatExpansions(busy), [busy])
  const visible = scene.boxes.flatMap((box, i) => {
    const [x, y] = [placed.x[i]!, placed.y[i]!]
    const seen = part && x < part.x1 && x + BOX_WIDTH > part.x0 && y < part.y1 && y + box.height > part.y0
    return seen || box.id === active ? [{ box, x, y }] : []
  })
  const toneOf = (id: string): Tone =>
    found ? (found.has(id) ? 'plain' : 'dim') : bright ? (bright.boxes.has(id) ? 'lit' : 'dim') : 'plain'

  return (
    <div
      ref={around}
      data-drawn={scene.boxes.length}
      data-lit={bright?.boxes.size}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="relative h-full w-full cursor-grab touch-none overflow-hidden bg-sunken active:cursor-grabbing"
    >
      <div ref={links} aria-hidden className="absolute start-0 top-0 will-change-transform" />
      <div ref={layer} className="absolute start-0 top-0 will-change-transform">
        <div className={cx('origin-top-left', part === undefined && 'opacity-0')}>
          {visible.map(({ box, x, y }) => {
            const rows = bright?.rows.get(box.id)
            return (
              <BoxView
                key={box.id}
                box={box}
                x={x}
                y={y}
                tone={toneOf(box.id)}
                chosen={box.id === chosen}
                found={found?.has(box.id) ?? false}
                active={box.id === active}
                opened={steps.get(box.id) ?? ''}
                busy={waiting.get(box.id) ?? ''}
                through={rows && box.rows.length === 0 ? rows.map(({ title }) => title).join(', ') : undefined}
                column={column !== undefined && box.rows.some(({ id }) => id === column) ? column : undefined}
                lit_rows={rows && box.rows.length > 0 ? new Set(rows.map(({ id }) => id)) : undefined}
                editable={editable}
                labelRow={labelRow}
                actions={own}
              />
            )
          })}
        </div>
      </div>
      <IconStyles scene={scene} dark={dark} layer={layer} />
      <svg aria-hidden className="pointer-events-none absolute inset-0 h-full w-full">
        <path ref={line} fill="none" strokeWidth={2} strokeDasharray="6 4" className="stroke-accent" />
      </svg>
      {scene.boxes.length > MINIMAP_MIN_BOXES && <Minimap painting={painting} stage={stage} />}
    </div>
  )
}
