import { FileUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { buttonClass } from './button.tsx'
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

interface FileButtonProps {
  readonly label: string
  /** The file chosen before, if any. */
  readonly file: File | undefined
  /** Types and endings, as in the `accept` attribute. */
  readonly accept: string
  readonly onFile: (file: File | undefined) => void
}

/** A button that chooses a file, and what is known about it. */
export const FileChooser = ({ children, ...button }: FileButtonProps & { readonly children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3 text-sm">
    <FileButton {...button} />
    <p role="status" className="min-w-0 truncate text-soft">
      {children}
    </p>
  </div>
)

/** A button that chooses a file. The same file can be chosen again after it was changed. */
export const FileButton = ({ label, file, accept, onFile }: FileButtonProps) => (
  <label className={buttonClass(file ? 'plain' : 'primary', false, 'cursor-pointer focus-within:outline-2')}>
    <FileUp aria-hidden size={15} /> {file ? t('Choose another') : label}
    <input
      type="file"
      accept={accept}
      className="sr-only"
      onChange={({ target }) => {
        onFile(target.files?.[0])
        target.value = ''
      }}
    />
  </label>
)
