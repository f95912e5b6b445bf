import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Returns a function that puts the caret at a position as soon as the field's next value is rendered, before another key can arrive. */
export const useCaret = (field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>): ((position: number) => void) => {
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (next.current === undefined || !field.current) return
    field.current.setSelectionRange(next.current, next.current)
    next.current = undefined
  })
  return (position) => {
    next.current = position
  }
}
