import { useEffect, useRef } from 'react'
import { openSqlView, type Span } from './sql.ts'

/** SQL to read, with highlighted spans. */
export const SqlView = ({ label, text, spans }: { label: string; text: string; spans: readonly Span[] }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const view = openSqlView(box.current!, { text, label, spans })
    return () => view.destroy()
  }, [label, text, spans])
  return <div ref={box} className="max-h-[60dvh] min-w-0 overflow-auto focus-within:outline-2 focus-within:outline-accent" />
}
