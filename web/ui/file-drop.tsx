import { type ReactNode, useState } from 'react'
import { cx } from './cx.ts'

/** A bordered area that a file can be dropped on. */
export const FileDrop = ({
  label,
  className,
  onFile,
  children,
}: {
  label: string
  className: string
  onFile: (file: File | undefined) => void
  children: ReactNode
}) => {
  const [over, setOver] = useState(false)
  return (
    <div
      role="group"
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFile(event.dataTransfer.files[0])
      }}
      className={cx(
        'rounded-lg border border-dashed px-4 py-3',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
        className,
      )}
    >
      {children}
    </div>
  )
}
