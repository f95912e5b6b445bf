import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../i18n/messages.ts'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** Without a header: the title is only for screen readers. */
  readonly bare?: boolean
  readonly wide?: boolean
  readonly className?: string
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** Modal dialog, open while mounted; Escape and a click on the backdrop close it. */
export const Dialog = ({ title, onClose, bare, wide, className, footer, children }: DialogProps) => {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = box.current!
    const before = document.activeElement
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, handled by the browser
    <dialog
      ref={box}
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === box.current && onClose()}
      className={cx(
        'flex max-h-[85dvh] max-w-[94vw] flex-col overflow-hidden rounded-xl border border-line bg-raised p-0 shadow-float',
        wide ? 'w-[60rem]' : 'w-[32rem]',
        className,
      )}
    >
      {!bare && (
        <header className="flex items-center gap-2 border-b border-line px-4 py-3">
          <h2 id={id} className="flex-1 text-base font-semibold">
            {title}
          </h2>
          <IconButton label={t('Close')} icon={X} onClick={onClose} />
        </header>
      )}
      <div className={bare ? 'contents' : 'overflow-auto p-4'}>{children}</div>
      {footer && <footer className="flex justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>}
    </dialog>
  )
}
