import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface VirtualRowsProps {
  readonly count: number
  /** Every row has this height: nothing is measured while scrolling. */
  readonly rowHeight: number
  /** What scrolls; the rows may begin somewhere inside of it. */
  readonly scroller: RefObject<HTMLElement | null>
  readonly row: (index: number) => ReactNode
  /** Which rows are drawn, for lists that fetch as they go. */
  readonly onRange?: (first: number, last: number) => void
  /** This row comes into view when it changes. */
  readonly keepInView?: number
  /** This row stays drawn wherever one scrolls: somebody is writing in it. */
  readonly held?: number
  /** Pixels at the top that something sticky covers. */
  readonly covered?: number
}

const AROUND = 12 // rows drawn beyond the edges: a violent turn of the wheel finds them there
const UNKNOWN = { first: 0, last: -1 } // a guess would be told to `onRange`, and fetch what nobody sees

/** The rows on screen and a few around them, however many there are. */
export const VirtualRows = ({ count, rowHeight, scroller, row, onRange, keepInView, held = -1, covered = 0 }: VirtualRowsProps) => {
  const list = useRef<HTMLDivElement>(null)
  const [{ first, last }, setRange] = useState(UNKNOWN)
  const [again, lookAgain] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the second look
  useLayoutEffect(() => {
    const [box, rows] = [scroller.current, list.current]
    // Rows that come together with their scroller are there before it is: the second look, still before anything is painted, finds it.
    if (!box || !rows) return lookAgain(true)
    const look = () => {
      const above = box.getBoundingClientRect().top - rows.getBoundingClientRect().top
      const first = Math.max(0, Math.floor(above / rowHeight) - AROUND)
      const last = Math.ceil((above + box.clientHeight) / rowHeight) + AROUND
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(box)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [scroller, rowHeight, again])

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
