import { type Dispatch, memo, type SetStateAction, useEffect, useRef, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Flags } from '../ui/flags.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { PathText } from '../ui/path-text.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { Cell, type EditableColumn, type EditedCell } from './cell.tsx'
import { COLUMN_CONFIGS, type FindName } from './columns.tsx'
import { explainMatch } from './match-note.ts'
import type { Row } from './queries.ts'
import type { ColumnName } from './search-params.ts'

const IS_TOUCH_SCREEN = matchMedia('(pointer: coarse)').matches // touch screens have no hover
const SHOWN_IN_FLAGS_COLUMN = { verified: false, pii: false, published: true }

interface ResultRowProps {
  readonly row: Row
  readonly index: number
  readonly columns: readonly ColumnName[]
  readonly names: FindName
  readonly active: boolean
  readonly selected: boolean
  readonly selectable: boolean
  readonly editing: EditableColumn | undefined
  readonly onSelect: (id: string) => void
  readonly onCursor: (index: number) => void
  readonly onEdit: Dispatch<SetStateAction<EditedCell | undefined>>
}

/** One row of the results. Memoized: only changed rows are rendered while typing. */
export const ResultRow = memo(
  ({ row, index, columns, names, active, selected, selectable, editing, onSelect, onCursor, onEdit }: ResultRowProps) => {
    const box = useRef<HTMLDivElement>(null)
    const [isHovered, setIsHovered] = useState(IS_TOUCH_SCREEN)
    const link = useRef<HTMLAnchorElement>(null)
    const note = row.reason && explainMatch(row.reason)
    useEffect(() => {
      // Does not take the focus from a cell of the row.
      if (active && !box.current?.contains(document.activeElement)) link.current?.focus({ preventScroll: true })
    }, [active])
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the link does the same
      <div
        ref={box}
        onPointerEnter={() => setIsHovered(true)}
        onPointerLeave={() => setIsHovered(IS_TOUCH_SCREEN)}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={selected}
        tabIndex={-1}
        onClick={({ target }) => {
          // A click anywhere on the row opens it, except on controls or while selecting text.
          const control = (target as Element).closest('a, button, input, textarea, label, [popover]')
          if (!control && (getSelection()?.isCollapsed ?? true)) link.current?.click()
        }}
        className={cx(
          'group grid h-full grid-cols-1 items-center gap-4 border-b border-line px-4 md:[grid-template-columns:var(--columns)]',
          selected ? 'bg-accent-soft' : active ? 'bg-hover' : 'hover:bg-hover',
        )}
      >
        <div role="gridcell" className="flex min-w-0 items-center gap-2.5">
          <span className="relative inline-flex size-5 shrink-0 items-center justify-center">
            <EntityTypeIcon
              type={row.entity_type}
              className={cx(selectable && 'group-focus-within:invisible group-hover:invisible', selected && 'invisible')}
            />
            {selectable && (
              <Checkbox
                aria-label={t('Select {title}', { title: row.title })}
                tabIndex={-1}
                checked={selected}
                onChange={() => onSelect(row.id)}
                className={cx('absolute', !selected && 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100')}
              />
            )}
          </span>
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-1.5">
              <RowLink
                ref={link}
                href={`/r/${row.id}`}
                onFocus={() => onCursor(index)}
                className={cx('truncate font-medium hover:text-accent hover:underline', row.deprecation && 'text-soft line-through')}
                dir="auto"
              >
                {row.reason?.field === 'title' ? <Highlight text={row.reason.snippet} ranges={row.reason.ranges} /> : row.title}
              </RowLink>
              <Flags {...row} {...(columns.includes('flags') && SHOWN_IN_FLAGS_COLUMN)} />
            </span>
            <span className="flex text-xs text-faint">
              {note !== undefined && (
                <>
                  <span className="max-w-[55%] shrink-0 truncate" title={note}>
                    {note}
                  </span>
                  <span className="shrink-0 whitespace-pre"> · </span>
                </>
              )}
              <PathText text={row.title_full} className="min-w-0" />
            </span>
          </span>
        </div>
        {columns.map((name) => (
          <div
            key={name}
            role="gridcell"
            className={cx('hidden min-w-0 text-sm md:block', COLUMN_CONFIGS[name].numeric && 'text-end tabular-nums')}
          >
            <Cell
              row={row}
              column={name}
              names={names}
              active={active}
              near={isHovered}
              editing={editing === name}
              onEdit={({ id }, column) => {
                onCursor(index)
                onEdit({ id, column })
              }}
              // A click may have started editing another cell already.
              onDone={() => onEdit((now) => (now?.id === row.id && now.column === name ? undefined : now))}
            />
          </div>
        ))}
      </div>
    )
  },
)
