import { Plug, UserPen } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/messages.ts'
import { Input } from '../../ui/field.tsx'
import type { ColumnRowProps } from './column-row.tsx'

/** The description of a column, edited like a cell of a spreadsheet. */
export const DescriptionCell = ({ column, facts, writes, editing, focused, onEdit, onLeave, onSave, onMove, onPaste }: ColumnRowProps) => (
  <span
    role="cell"
    className="flex min-w-0 items-center gap-1 pe-1 max-sm:col-span-2"
    onPaste={(event) => {
      if (!writes || !onPaste(event.clipboardData.getData('text/plain'))) return
      event.preventDefault()
      onLeave(0)
    }}
  >
    {editing ? (
      <DescriptionInput
        value={column.description ?? ''}
        onSave={(description) => onSave({ description: description || null })}
        onLeave={onLeave}
        label={column.title}
      />
    ) : writes ? (
      <DescriptionButton {...{ column, focused, onEdit, onLeave, onSave, onMove }} />
    ) : (
      <span className="block min-w-0 flex-1 truncate px-1.5 text-sm text-soft" title={column.description ?? undefined} dir="auto">
        {column.description}
      </span>
    )}
    {facts?.described_by && column.description && !editing && <DescribedBy who={facts.described_by} />}
  </span>
)

const DescribedBy = ({ who }: { who: string }) => {
  const text = who === 'person' ? t('Written here') : t('From {source}', { source: who })
  const Icon = who === 'person' ? UserPen : Plug
  return (
    <span role="img" aria-label={text} title={text} className="inline-flex shrink-0 text-faint">
      <Icon aria-hidden size={12} />
    </span>
  )
}

const DescriptionButton = ({
  column,
  focused,
  onEdit,
  onLeave,
  onSave,
  onMove,
}: Pick<ColumnRowProps, 'column' | 'focused' | 'onEdit' | 'onLeave' | 'onSave' | 'onMove'>) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) button.current?.focus({ preventScroll: true })
  }, [focused])
  return (
    <button
      ref={button}
      type="button"
      data-field
      onClick={onEdit}
      onBlur={() => focused && onLeave(undefined)}
      onKeyDown={(event) => {
        const isModified = event.shiftKey || event.ctrlKey || event.altKey || event.metaKey // Shift+Delete cuts
        if (['Delete', 'Backspace'].includes(event.key) && !isModified && column.description) onSave({ description: null })
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (by === undefined) return
        event.preventDefault()
        onMove(by)
      }}
      title={column.description ?? undefined}
      className="block h-7 min-w-0 flex-1 truncate rounded-md px-1.5 text-start text-sm -outline-offset-2 hover:bg-bg"
      dir="auto"
    >
      <span className="sr-only">{t('Edit description of {title}:', { title: column.title })} </span>
      {column.description || <span className="text-faint">{t('Add a description')}</span>}
    </button>
  )
}

/** Enter and ↓ save and move to the next row, ↑ to the previous one, as in a spreadsheet. Escape discards. */
const DescriptionInput = ({
  value,
  label,
  onSave,
  onLeave,
}: {
  value: string
  label: string
  onSave: (value: string) => void
  onLeave: (by: number | undefined) => void
}) => {
  const [draft, setDraft] = useState(value)
  const left = useRef(false)
  const leave = (save: boolean, by: number | undefined) => {
    if (left.current) return
    left.current = true
    if (save && draft.trim() !== value) onSave(draft.trim())
    onLeave(by)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { Enter: [true, 1], Escape: [false, 0], ArrowDown: [true, 1], ArrowUp: [true, -1] }[event.key] as
      | [boolean, number]
      | undefined
    if (!move || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    leave(...move)
  }
  return (
    <Input
      ref={(box) => box?.focus({ preventScroll: true })}
      aria-label={t('Description of {title}', { title: label })}
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => leave(true, undefined)}
      small
      dir="auto"
      spellCheck
    />
  )
}
