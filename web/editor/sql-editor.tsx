import { useEffect, useRef } from 'react'
import { openSql } from './sql.ts'

export interface SqlEditorProps {
  readonly label: string
  /** The initial text; later changes of this prop are ignored. */
  readonly text: string
  readonly focus?: boolean
  readonly onChange: (text: string) => void
  readonly onSubmit: () => void
}

export const SqlEditor = ({ label, text, focus, onChange, onSubmit }: SqlEditorProps) => {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef({ onChange, onSubmit })
  useEffect(() => {
    latest.current = { onChange, onSubmit }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns its text after it is opened
  useEffect(() => {
    const view = openSql(box.current!, {
      text,
      label,
      onChange: (now) => latest.current.onChange(now),
      onSubmit: () => latest.current.onSubmit(),
    })
    if (focus) view.focus()
    return () => view.destroy()
  }, [label])
  return (
    <div
      ref={box}
      className="h-full max-h-[45dvh] min-h-36 min-w-0 overflow-auto rounded-lg border border-line-strong/60 focus-within:border-accent"
    />
  )
}
