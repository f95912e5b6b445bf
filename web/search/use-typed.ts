import { useCallback, useEffect, useRef, useState } from 'react'
import { useSettled } from './use-settled.ts'

const ADDRESS_MS = 300

/** The words in the box: shown at once, asked for when the typing rests, and then in the address. */
export const useTyped = (q: string, keep: (q: string) => void) => {
  const [text, setText] = useState(q)
  const settled = useSettled(text.trim())
  const kept = useRef(q)
  useEffect(() => {
    // The address changed without us: somebody went back, or chose a view.
    if (q !== kept.current) {
      kept.current = q
      setText(q)
    }
  }, [q])
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
  return [{ text, settled, settle }, setText] as const
}
