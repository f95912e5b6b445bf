import { ArrowDown, ArrowUp, EyeOff } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { t } from '../i18n/messages.ts'
import { copyText } from '../ui/copyable-command.tsx'
import { cx } from '../ui/cx.ts'
import type { Cell } from './copy-rows.tsx'

export interface TableColumn {
  readonly key: string
  readonly title: string
  readonly native_type: string | null
  readonly pii?: boolean
  readonly masked?: boolean
}

export interface RowsSort {
  readonly column: string
  readonly descending: boolean
}

/** A cell: the row and the column, counted from 0. */
export interface CellPosition {
  readonly row: number
  readonly column: number
}

interface RowsTableProps {
  readonly label: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly selected: CellPosition | undefined
  readonly onSelect: (cell: CellPosition) => void
  readonly sort?: RowsSort
  /** Without it, the headers do not sort. */
  readonly onSort?: (column: string) => void
}

const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Rows of a source. A cell is selected by a click or the arrow keys, and copied with Ctrl C. */
export const RowsTable = ({ label, columns, rows, selected, onSelect, sort, onSort }: RowsTableProps) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const select = (row: number, column: number) => {
    onSelect({ row, column })
    body.current?.rows[row]?.cells[column]?.focus()
  }
  const handleKeys = (event: KeyboardEvent<HTMLElement>, row: number, column: number) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && String(getSelection() ?? '') === '') {
      event.preventDefault()
      void copyText(String(rows[row]?.[column] ?? ''))
      return
    }
    const move = MOVES[event.key]
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    select(Math.max(0, Math.min(rows.length - 1, row + move[0])), Math.max(0, Math.min(columns.length - 1, column + move[1])))
  }
  const at = selected ?? { row: 0, column: 0 }
  return (
    <section aria-label={label} className="max-h-[65dvh] overflow-auto rounded-lg border border-line">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid: its cells have the focus */}
      <table role="grid" aria-label={label} className="w-max min-w-full text-sm">
        <thead className="sticky top-0 bg-sunken text-start text-xs text-faint">
          <tr>
            {columns.map(({ key, title, native_type, pii, masked }, j) => (
              <th
                key={key}
                scope="col"
                className={cx(
                  'border-b border-line px-3 py-1.5 font-medium whitespace-nowrap',
                  rows.some((cells) => typeof cells[j] === 'number') ? 'text-end' : 'text-start',
                )}
                title={native_type ?? undefined}
                aria-sort={sort?.column === key ? (sort.descending ? 'descending' : 'ascending') : undefined}
              >
                {onSort && !masked ? (
                  <button type="button" className="inline-flex min-h-6 items-center gap-1 hover:text-ink" onClick={() => onSort(key)}>
                    {title}
                    {sort?.column === key && (sort.descending ? <ArrowDown aria-hidden size={12} /> : <ArrowUp aria-hidden size={12} />)}
                  </button>
                ) : (
                  <span className="inline-flex min-h-6 items-center">{title}</span>
                )}{' '}
                {masked && (
                  <EyeOff
                    role="img"
                    aria-label={pii ? t('Hidden: personal data') : t('Hidden: possible personal data')}
                    size={12}
                    className="inline text-warn"
                  />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((cells, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: source rows have no ID
            <tr key={i} className="odd:bg-sunken/40">
              {cells.map((cell, j) => (
                <td
                  key={columns[j]?.key}
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid
                  role="gridcell"
                  dir="auto"
                  tabIndex={at.row === i && at.column === j ? 0 : -1}
                  aria-selected={selected?.row === i && selected.column === j}
                  onFocus={() => onSelect({ row: i, column: j })}
                  onKeyDown={(event) => handleKeys(event, i, j)}
                  className={cx(
                    'max-w-80 truncate border-b border-line px-3 py-1 -outline-offset-2',
                    typeof cell === 'number' && 'text-end tabular-nums',
                    cell === null && 'text-faint italic',
                    selected?.row === i && selected.column === j && 'bg-accent-soft',
                  )}
                  title={cell === null ? undefined : String(cell)}
                >
                  {String(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
