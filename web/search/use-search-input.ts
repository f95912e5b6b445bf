import { useCallback, useEffect, useRef, useState } from 'react'
import { THROTTLE_MS } from '../api/use-throttled.ts'

const URL_DELAY_MS = 300

/** Search input: requests are throttled while typing, and the URL is updated 300 ms later. */
export const useSearchInput = (q: string, onChange: (q: string) => void) => {
  const [{ text, settled }, setTyped] = useState({ text: q, settled: q.trim() })
  const urlValue = useRef(q)
  const last = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const type = useCallback((text: string) => {
    clearTimeout(timer.current)
    const apply = () => {
      last.current = performance.now()
      setTyped({ text, settled: text.trim() })
    }
    const wait = last.current + THROTTLE_MS - performance.now()
    if (wait <= 0) return apply() // together with the letter: one render
    setTyped((before) => ({ ...before, text }))
    timer.current = setTimeout(apply, wait)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // The URL changed from outside: Back, or a saved view.
    if (q !== urlValue.current) {
      urlValue.current = q
      type(q)
    }
  }, [q, type])
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  const settle = useCallback(() => {
    if (settled === urlValue.current) return
    urlValue.current = settled
    latest.current(settled)
  }, [settled])
  useEffect(() => {
    // Delayed, as changing the URL renders the whole page again, which would slow down typing.
    const timer = setTimeout(settle, URL_DELAY_MS)
    return () => clearTimeout(timer)
  }, [settle])
  return [{ text, settled, settle }, type] as const
}
