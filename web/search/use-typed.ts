import { useCallback, useEffect, useRef, useState } from 'react'
import { PAUSE_MS } from '../api/use-settled.ts'

const ADDRESS_MS = 300

/** The words in the box: shown and asked for at once, unless the letters come too fast, and a little later in the address. */
export const useTyped = (q: string, keep: (q: string) => void) => {
  const [{ text, settled }, setTyped] = useState({ text: q, settled: q.trim() })
  const kept = useRef(q)
  const last = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const type = useCallback((text: string) => {
    clearTimeout(timer.current)
    const ask = () => {
      last.current = performance.now()
      setTyped({ text, settled: text.trim() })
    }
    const wait = last.current + PAUSE_MS - performance.now()
    if (wait <= 0) return ask() // with the letter itself: the page is drawn once
    setTyped((before) => ({ ...before, text }))
    timer.current = setTimeout(ask, wait)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // The address changed without us: somebody went back, or chose a view.
    if (q !== kept.current) {
      kept.current = q
      type(q)
    }
  }, [q, type])
  const latest = useRef(keep)
  useEffect(() => {
    latest.current = keep
  })
  const settle = useCallback(() => {
    if (settled === kept.current) return
    kept.current = settled
    latest.current(settled)
  }, [settled])
  useEffect(() => {
    // The address follows a little later: to change it draws the whole page once more, which a typing hand would feel.
    const timer = setTimeout(settle, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [settle])
  return [{ text, settled, settle }, type] as const
}
