import { useEffect, useState } from 'react'

const PAUSE_MS = 60 // shorter than most pauses between keys would ask for every letter, longer would be felt

/** A value once it has not changed for a moment. The first change is taken at once: nobody waits for a pause before the first letter. */
export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value)
  const [last, setLast] = useState(0)
  useEffect(() => {
    if (value === settled) return
    const wait = performance.now() - last > 500 ? 0 : PAUSE_MS
    const timer = setTimeout(() => {
      setSettled(value)
      setLast(performance.now())
    }, wait)
    return () => clearTimeout(timer)
  }, [value, settled, last])
  return settled
}
