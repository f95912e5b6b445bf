import { useEffect, useRef, useState } from 'react'

/** Minimum time between two requests: about two keystrokes of a fast typist. Slower typing is sent letter by letter, without delay. */
export const THROTTLE_MS = 60

/** The value, throttled: the first change takes effect at once, the last one always. */
export const useThrottled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value)
  const last = useRef(0)
  useEffect(() => {
    if (value === settled) return
    const timer = setTimeout(
      () => {
        last.current = performance.now()
        setSettled(value)
      },
      last.current + THROTTLE_MS - performance.now(),
    )
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
