import { useCallback, useEffect, useRef, useState } from 'react'
import { PAUSE_MS } from '../api/use-settled.ts'

const ADDRESS_MS = 300

/** Search input: requests are throttled while typing, and the URL is updated 300 ms later. */
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
    if (wait <= 0) return ask() // together with the letter: one render
    setTyped((before) => ({ ...before, text }))
    timer.current = setTimeout(ask, wait)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // The URL changed from outside: Back, or a saved view.
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
    // Delayed, as changing the URL renders the whole page again, which would slow down typing.
    const timer = setTimeout(settle, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [settle])
  return [{ text, settled, settle }, type] as const
}
