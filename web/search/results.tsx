import { memo, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import { cx } from '../ui/cx.ts'
import { Checkbox } from '../ui/field.tsx'
import { Flags } from '../ui/flags.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { KindIcon } from '../ui/kind.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { VirtualRows } from '../ui/virtual-rows.tsx'
import type { ColumnName } from './address.ts'
import { COLUMN, columnsOf, type NameOf } from './columns.tsx'
import type { Row } from './queries.ts'

const ROW_HEIGHT = 49

interface ResultsProps {
  readonly rows: readonly Row[]
  /** Rows that are there and those about to be fetched, which are shown in grey. */
  readonly total: number
  /** As the address has them. */
  readonly shown: string | undefined
  readonly names: NameOf
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly cursor: number
  readonly selected: ReadonlySet<string>
  readonly selectable: boolean
  readonly pending: boolean
  readonly onSelect: (id: string) => void
  readonly onCursor: (index: number) => void
  readonly onEnd: () => void
}

/** Drawn anew when the rows are others, and not with every letter before that. */
export const Results = memo(
  ({ rows, total, shown, names, scroller, cursor, selected, selectable, pending, onSelect, onCursor, onEnd }: ResultsProps) => {
    const columns = useMemo(() => columnsOf({ columns: shown }), [shown])
    // On a narrow screen a row is its name and what it is; the rest would be slivers.
    const template = `minmax(15rem,2fr) ${columns.map((name) => COLUMN[name].width).join(' ')}`
    const onRange = useCallback((_: number, last: number) => last >= rows.length - 20 && rows.length > 0 && onEnd(), [rows.length, onEnd])
    return (
      <div
        role="grid"
        aria-label="Results"
        aria-rowcount={total + 1}
        tabIndex={-1}
        className="min-w-full md:min-w-fit"
        style={{ ['--columns' as string]: template }}
      >
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 hidden h-8 items-center gap-4 border-b border-line bg-sunken px-4 text-xs font-medium text-faint md:grid md:[grid-template-columns:var(--columns)]"
        >
          <span role="columnheader" className="ps-8">
            Name
          </span>
          {columns.map((name) => (
            <span key={name} role="columnheader" className={COLUMN[name].numeric ? 'text-end' : ''}>
              {COLUMN[name].title}
            </span>
          ))}
        </div>
        {pending ? (
          <PendingRows />
        ) : (
          <VirtualRows
            count={total}
            rowHeight={ROW_HEIGHT}
            scroller={scroller}
            onRange={onRange}
            keepInView={cursor}
            covered={32}
            row={(index) => {
              const row = rows[index]
              if (!row) return <PendingRow />
              return (
                <ResultRow
                  row={row}
                  index={index}
                  columns={columns}
                  names={names}
                  active={index === cursor}
                  selected={selected.has(row.id)}
                  selectable={selectable}
                  onSelect={onSelect}
                  onCursor={onCursor}
                />
              )
            }}
          />
        )}
      </div>
    )
  },
)

const PendingRow = () => (
  <div role="row" className="flex h-full items-center gap-3 border-b border-line px-4">
    <span role="gridcell" aria-label="Loading" className="skeleton h-4 w-56" />
  </div>
)
const PendingRows = () =>
  Array.from({ length: 12 }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
    <div key={i} role="presentation" style={{ height: ROW_HEIGHT }}>
      <PendingRow />
    </div>
  ))

interface ResultRowProps {
  readonly row: Row
  readonly index: number
  readonly columns: readonly ColumnName[]
  readonly names: NameOf
  readonly active: boolean
  readonly selected: boolean
  readonly selectable: boolean
  readonly onSelect: (id: string) => void
  readonly onCursor: (index: number) => void
}

const ResultRow = memo(({ row, index, columns, names, active, selected, selectable, onSelect, onCursor }: ResultRowProps) => {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (active) link.current?.focus({ preventScroll: true })
  }, [active])
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      tabIndex={-1}
      className={cx(
        'group grid h-full grid-cols-1 items-center gap-4 border-b border-line px-4 md:[grid-template-columns:var(--columns)]',
        selected ? 'bg-accent-soft' : active ? 'bg-hover' : 'hover:bg-hover',
      )}
    >
      <div role="gridcell" className="flex min-w-0 items-center gap-2.5">
        <span className="relative inline-flex size-5 shrink-0 items-center justify-center">
          <KindIcon
            type={row.entity_type}
            className={cx(selectable && 'group-focus-within:invisible group-hover:invisible', selected && 'invisible')}
          />
          {selectable && (
            <Checkbox
              aria-label={`Select ${row.title}`}
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
              className="truncate font-medium hover:text-accent hover:underline"
              dir="auto"
            >
              {row.reason?.field === 'title' ? <Highlight text={row.reason.snippet} ranges={row.reason.ranges} /> : row.title}
            </RowLink>
            <Flags {...row} />
          </span>
          <span className="block truncate text-xs text-faint" dir="auto">
            {row.title_full}
          </span>
        </span>
      </div>
      {columns.map((name) => (
        <div key={name} role="gridcell" className={cx('hidden min-w-0 text-sm md:block', COLUMN[name].numeric && 'text-end tabular-nums')}>
          {COLUMN[name].cell(row, names)}
        </div>
      ))}
    </div>
  )
})
