import type { ReactNode } from 'react'

/** Highlights search matches: ranges as returned by the API, in UTF-16 code units. */
export const Highlight = ({ text, ranges }: { text: string; ranges?: readonly (readonly number[])[] }) => {
  if (!ranges?.length) return text
  const parts: ReactNode[] = []
  let at = 0
  for (const [from = 0, to = 0] of ranges) {
    if (from > at) parts.push(text.slice(at, from))
    parts.push(<mark key={from}>{text.slice(from, to)}</mark>)
    at = to
  }
  return [...parts, text.slice(at)]
}
