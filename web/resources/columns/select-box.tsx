import { type KeyboardEvent, useEffect, useRef } from 'react'
import { t } from '../../i18n/messages.ts'
import { cx } from '../../ui/cx.ts'
import { Checkbox } from '../../ui/field.tsx'
import type { Selection } from './use-selection.ts'

/** The box that selects a row. Arrow keys move to the next one, Shift selects on the way, Ctrl A selects all and Escape none. */
export const SelectBox = ({ id, title, selection, all }: { id: string; title: string; selection: Selection; all: readonly string[] }) => {
  const box = useRef<HTMLInputElement>(null)
  const { selected, current, focuses } = selection
  const focused = focuses && current === id
  useEffect(() => {
    if (focused) box.current?.focus({ preventScroll: true })
  }, [focused])
  const handleKeys = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) selection.move(id, by, event.shiftKey)
    else if (event.key === 'Escape' && selected.size > 0) selection.set([])
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) selection.set(all)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className="-ms-1 flex size-6 shrink-0 items-center justify-center">
      <Checkbox
        ref={box}
        aria-label={t('Select {title}', { title })}
        tabIndex={current === id ? 0 : -1}
        checked={selected.has(id)}
        onKeyDown={handleKeys}
        // A click with Shift would select the text in between.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onChange={({ nativeEvent }) => selection.toggle(id, (nativeEvent as MouseEvent).shiftKey)}
        className={cx(selected.size === 0 && 'opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100')}
      />
    </span>
  )
}

/** Selects all rows that are shown, or none. */
export const SelectAllBox = ({ selection: { selected, set }, all }: { selection: Selection; all: readonly string[] }) => {
  const n = all.filter((id) => selected.has(id)).length
  return (
    <span className="-ms-1 flex size-6 shrink-0 items-center justify-center">
      <Checkbox
        ref={(box) => {
          if (box) box.indeterminate = n > 0 && n < all.length
        }}
        aria-label={t('Select all columns')}
        checked={n > 0 && n === all.length}
        onChange={() => set(n === all.length ? [] : all)}
      />
    </span>
  )
}
