import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useOwnersEdit } from '../api/owner-edits.ts'
import { getOwnerIds } from '../api/owners.ts'
import { useOwnerOptions, useTagOptions, useTermOptions } from '../api/picker-options.ts'
import { t } from '../i18n/messages.ts'
import { FlagToggles } from '../resources/flag-toggles.tsx'
import { useNewTag } from '../resources/sidebar/new-tag.ts'
import { Editable } from '../ui/editable.tsx'
import { Picker } from '../ui/picker.tsx'
import { CellButton, type EditableColumn } from './cell.tsx'
import type { Row } from './queries.ts'
import { useRowEdit } from './use-row-edit.ts'

interface EditorProps {
  readonly row: Row
  /** Accessible label of the cell. */
  readonly what: string
  readonly onDone: () => void
  /** The cell in its read state. */
  readonly children: ReactNode
}

/** Inline editor of a cell, active when mounted. It floats over the rows, so that none of them moves. */
export const CellEditor = ({ column, onDone, ...rest }: EditorProps & { column: EditableColumn }) => {
  const box = useRef<HTMLDivElement>(null)
  const done = () => {
    // After a key or a selection the focus returns to the cell; after a click elsewhere it stays there.
    const cell = box.current?.contains(document.activeElement) ? box.current.parentElement : null
    flushSync(onDone)
    cell?.querySelector('button')?.focus({ preventScroll: true })
  }
  const Editor = EDITORS[column]
  return (
    <div ref={box} className="relative">
      <Editor {...rest} onDone={done} />
    </div>
  )
}

const Description = ({ row, onDone }: EditorProps) => {
  const edit = useRowEdit(row)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // Focusing puts the caret at the start; users continue at the end.
    const field = box.current?.querySelector('textarea')
    field?.setSelectionRange(field.value.length, field.value.length)
    field?.scrollTo({ top: field.scrollHeight })
  }, [])
  return (
    <div ref={box} className="h-[46px]">
      <div className="absolute -inset-x-1.5 top-0 z-[5]">
        <Editable
          label={t('description of {title}', { title: row.title })}
          begun
          editable
          multiline
          value={row.description ?? ''}
          placeholder={t('Describe this in one sentence')}
          onSave={(description) => edit.mutate({ description: description || null })}
          onDone={onDone}
          inputClass="block field-sizing-content max-h-40 min-h-[46px] resize-none text-sm"
        />
      </div>
    </div>
  )
}

const Owners = ({ row, what, onDone, children }: EditorProps) => {
  const edit = useRowEdit(row)
  const withOwner = useOwnersEdit()
  const chosen = getOwnerIds(row)
  return (
    <Picker
      label={t('Owners')}
      opened
      onClose={onDone}
      {...useOwnerOptions(true)}
      chosen={chosen}
      onToggle={(id) => edit.mutate(withOwner(row, id, !chosen.includes(id)))}
      trigger={(props) => (
        <CellButton what={what} {...props}>
          {children}
        </CellButton>
      )}
    />
  )
}

const Tags = ({ row, what, onDone, children }: EditorProps) => {
  const edit = useRowEdit(row)
  const tags = useTagOptions()
  const create = useNewTag((id) => edit.mutate({ tags: [...row.tags, id] }))
  const toggled = (id: string) => (row.tags.includes(id) ? row.tags.filter((each) => each !== id) : [...row.tags, id])
  return (
    <Picker
      label={t('Tags')}
      opened
      onClose={onDone}
      {...tags}
      chosen={row.tags}
      onToggle={(id) => edit.mutate({ tags: toggled(id) })}
      onCreate={(name) => create.mutate(name)}
      trigger={(props) => (
        <CellButton what={what} {...props}>
          {children}
        </CellButton>
      )}
    />
  )
}

const Terms = ({ row, what, onDone, children }: EditorProps) => {
  const edit = useRowEdit(row)
  const toggled = (id: string) => (row.terms.includes(id) ? row.terms.filter((each) => each !== id) : [...row.terms, id])
  return (
    <Picker
      label={t('Glossary terms')}
      opened
      onClose={onDone}
      {...useTermOptions(true)}
      chosen={row.terms}
      onToggle={(id) => edit.mutate({ terms: toggled(id) })}
      trigger={(props) => (
        <CellButton what={what} {...props}>
          {children}
        </CellButton>
      )}
    />
  )
}

const EDITORS = { description: Description, owners: Owners, tags: Tags, terms: Terms } satisfies Record<EditableColumn, unknown>

export const FlagsCell = ({ row, active }: { row: Row; active: boolean }) => {
  const edit = useRowEdit(row)
  return <FlagToggles resource={row} onChange={(change) => edit.mutate(change)} signs={{ tabIndex: active ? 0 : -1 }} />
}
