import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface VirtualRowsProps {
  readonly count: number
  /** Fixed row height, so that nothing is measured while scrolling. */
  readonly rowHeight: number
  /** The scrolling element; the rows may start anywhere inside it. */
  readonly scroller: RefObject<HTMLElement | null>
  readonly row: (index: number) => ReactNode
  /** Called with the rendered range, for lists that fetch while scrolling. */
  readonly onRange?: (first: number, last: number) => void
  /** Row to scroll into view when this value changes. */
  readonly keepInView?: number
  /** Row that stays mounted while scrolling, as it is being edited. */
  readonly held?: number
  /** Pixels at the top covered by a sticky header. */
  readonly covered?: number
}

const OVERSCAN_ROWS = 12 // rows rendered beyond the edges, so that fast scrolling shows no gaps
const UNKNOWN_RANGE = { first: 0, last: -1 } // an estimate would call `onRange` and fetch rows that are not visible

/** Renders only the visible rows and a few around them. */
export const VirtualRows = ({ count, rowHeight, scroller, row, onRange, keepInView, held = -1, covered = 0 }: VirtualRowsProps) => {
  const list = useRef<HTMLDivElement>(null)
  const [{ first, last }, setRange] = useState(UNKNOWN_RANGE)
  const [secondPass, setSecondPass] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` triggers the second pass
  useLayoutEffect(() => {
    const [box, rows] = [scroller.current, list.current]
    // Rows mounted together with their scroller run first, without it: a second pass, still before painting, finds it.
    if (!box || !rows) return setSecondPass(true)
    const updateRange = () => {
      const above = box.getBoundingClientRect().top - rows.getBoundingClientRect().top
      const first = Math.max(0, Math.floor(above / rowHeight) - OVERSCAN_ROWS)
      const last = Math.ceil((above + box.clientHeight) / rowHeight) + OVERSCAN_ROWS
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    updateRange()
    const watch = new ResizeObserver(updateRange)
    watch.observe(box)
    box.addEventListener('scroll', updateRange, { passive: true })
    return () => {
      watch.disconnect()
      box.removeEventListener('scroll', updateRange)
    }
  }, [scroller, rowHeight, secondPass])

  useEffect(() => {
    const [box, rows] = [scroller.current, list.current]
    if (!box || !rows || keepInView === undefined || keepInView < 0) return
    const top = rows.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop + keepInView * rowHeight
    if (top - covered < box.scrollTop) box.scrollTop = top - covered
    else if (top + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + rowHeight - box.clientHeight
  }, [keepInView, rowHeight, covered, scroller])

  const end = Math.min(last, count - 1)
  useEffect(() => {
    if (end >= first) onRange?.(first, end)
  }, [first, end, onRange])

  const drawn = Array.from({ length: Math.max(0, end - first + 1) }, (_, i) => first + i)
  if (held >= 0 && held < count && !drawn.includes(held)) drawn.push(held)
  return (
    <div ref={list} role="presentation" style={{ height: count * rowHeight, position: 'relative' }}>
      {drawn.map((index) => (
        <div key={index} role="presentation" style={{ position: 'absolute', insetInline: 0, height: rowHeight, top: index * rowHeight }}>
          {row(index)}
        </div>
      ))}
    </div>
  )
}
