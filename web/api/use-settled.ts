import { useEffect, useRef, useState } from 'react'

/** The least time between two questions: about two keys of a fast hand. Slower typing is asked letter by letter, without any wait. */
export const PAUSE_MS = 60

/** A value as it is, but not oftener than every so often: the first change is taken at once, the last one always. */
export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value)
  const last = useRef(0)
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(
      () => {
        last.current = performance.now()
        setSettled(value)
      },
      last.current + PAUSE_MS - performance.now(),
    )
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
