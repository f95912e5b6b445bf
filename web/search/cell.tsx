import { Pencil } from 'lucide-react'
import { type ComponentProps, lazy, Suspense } from 'react'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { COLUMN_CONFIGS, type FindName } from './columns.tsx'
import type { Row } from './queries.ts'
import type { ColumnName } from './search-params.ts'

/** Loaded when a cell is edited. */
const CellEditor = lazy(async () => ({ default: (await import('./cell-editor.tsx')).CellEditor }))
const FlagsCell = lazy(async () => ({ default: (await import('./cell-editor.tsx')).FlagsCell }))

const EDIT_LABELS = {
  description: (title: string) => t('Edit description of {title}:', { title }),
  owners: (title: string) => t('Edit owners of {title}:', { title }),
  tags: (title: string) => t('Edit tags of {title}:', { title }),
  terms: (title: string) => t('Edit terms of {title}:', { title }),
}
export type EditableColumn = keyof typeof EDIT_LABELS
/** The cell being edited. */
export interface EditedCell {
  readonly id: string
  readonly column: EditableColumn
}

const isEditable = (column: ColumnName): column is EditableColumn => Object.hasOwn(EDIT_LABELS, column)

interface CellProps {
  readonly row: Row
  readonly column: ColumnName
  readonly names: FindName
  /** The row with the keyboard cursor: only its cells are reachable with Tab. */
  readonly active: boolean
  /** Hovered or focused; rendering a button in every cell of every row would slow down scrolling. */
  readonly near: boolean
  readonly editing: boolean
  readonly onEdit: (row: Row, column: EditableColumn) => void
  readonly onDone: () => void
}

/** A cell of the results table, editable inline by those who can edit the resource. */
export const Cell = ({ row, column, names, active, near, editing, onEdit, onDone }: CellProps) => {
  const shown = COLUMN_CONFIGS[column].cell(row, names)
  if (!row.current_user_permissions.write) return shown
  if (column === 'flags')
    return (
      <Suspense fallback={shown}>
        <FlagsCell row={row} active={active} />
      </Suspense>
    )
  if (!isEditable(column) || !(near || active || editing)) return shown
  const what = EDIT_LABELS[column](row.title)
  const editButton = (
    <CellButton what={what} tabIndex={active ? 0 : -1} onClick={() => onEdit(row, column)}>
      {shown}
    </CellButton>
  )
  if (!editing) return editButton
  return (
    <Suspense fallback={editButton}>
      <CellEditor row={row} column={column} what={what} onDone={onDone}>
        {shown}
      </CellEditor>
    </Suspense>
  )
}

export const CellButton = ({ what, children, ...button }: ComponentProps<'button'> & { what: string }) => (
  <button
    type="button"
    {...button}
    className={cx(
      'group/edit relative -mx-1.5 flex min-h-7 w-[calc(100%+0.75rem)] items-center rounded-md px-1.5 text-start -outline-offset-2 hover:bg-bg',
      button['aria-expanded'] && 'bg-bg',
    )}
  >
    <span className="sr-only">{what} </span>
    <span className="min-w-0 flex-1">{children}</span>
    <span className="absolute end-1 top-1 hidden rounded bg-bg p-0.5 group-hover/edit:block group-focus-visible/edit:block">
      <Pencil aria-hidden size={13} className="text-faint" />
    </span>
  </button>
)
