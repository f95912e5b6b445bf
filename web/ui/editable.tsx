import { Pencil } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { cx } from './cx.ts'

interface EditableProps {
  readonly label: string
  readonly value: string
  readonly onSave: (value: string) => void
  /** Called when editing starts. */
  readonly onBegin?: () => void
  /** Starts in edit mode. */
  readonly begun?: boolean
  /** Called after saving or discarding. */
  readonly onDone?: () => void
  readonly editable: boolean
  readonly placeholder?: string
  readonly multiline?: boolean
  readonly type?: string
  readonly className?: string
  readonly inputClass?: string
  /** Content in read mode; by default the value. */
  readonly children?: ReactNode
}

/** Inline text editing: click, type, Enter. Escape discards. */
export const Editable = ({
  label,
  value,
  onSave,
  onBegin,
  begun = false,
  onDone,
  editable,
  placeholder,
  multiline,
  type = 'text',
  className,
  inputClass,
  children,
}: EditableProps) => {
  const [draft, setDraft] = useState<string | undefined>(begun ? value : undefined)
  const endedByKey = useRef(false)
  if (!editable)
    return value ? (
      <span className={cx('wrap-anywhere', multiline && 'whitespace-pre-line', className)} dir="auto">
        {children ?? value}
      </span>
    ) : (
      <span className="text-faint">{placeholder ?? '—'}</span>
    )
  const done = (save: boolean) => {
    if (save && draft !== undefined && draft.trim() !== value) onSave(draft.trim())
    setDraft(undefined)
    onDone?.()
  }
  if (draft === undefined)
    return (
      <button
        type="button"
        data-field
        ref={(button) => {
          if (endedByKey.current) button?.focus({ preventScroll: true })
          endedByKey.current = false
        }}
        onClick={() => {
          onBegin?.()
          setDraft(value)
        }}
        className={cx(
          'group/edit -mx-1.5 flex max-w-full min-w-0 items-start gap-1.5 rounded-md px-1.5 py-0.5 text-start hover:bg-hover',
          className,
        )}
      >
        <span className="sr-only">{t('Edit {what}:', { what: label })} </span>
        <span className={cx('min-w-0 wrap-anywhere whitespace-pre-line', !value && 'text-faint')} dir="auto">
          {value ? (children ?? value) : (placeholder ?? t('Add'))}
        </span>
        <Pencil
          aria-hidden
          size={13}
          className="mt-1 shrink-0 text-faint opacity-0 group-hover/edit:opacity-100 group-focus-visible/edit:opacity-100"
        />
      </button>
    )
  const field = {
    'aria-label': label,
    value: draft,
    placeholder,
    dir: 'auto' as const,
    ref: (box: HTMLInputElement | HTMLTextAreaElement | null) => box?.focus(),
    onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
    onBlur: () => done(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        endedByKey.current = true
        done(false)
      }
      if (event.key === 'Enter' && !(multiline && event.shiftKey)) {
        event.preventDefault()
        endedByKey.current = true
        done(true)
      }
    },
    className: cx('w-full min-w-0 rounded-md border border-accent bg-bg px-1.5 py-0.5', inputClass),
  }
  return multiline ? <textarea rows={Math.min(8, Math.max(2, draft.length / 70))} {...field} /> : <input type={type} {...field} />
}
