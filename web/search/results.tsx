import { ArrowDown, ArrowUp } from 'lucide-react'
import { type Dispatch, memo, type ReactNode, type RefObject, type SetStateAction, useCallback, useEffect, useMemo, useRef } from 'react'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { entityTypePluralLabel } from '../ui/entity-type.tsx'
import { VirtualRows } from '../ui/virtual-rows.tsx'
import type { EditedCell } from './cell.tsx'
import { COLUMN_CONFIGS, type FindName, getVisibleColumns } from './columns.tsx'
import { GroupHeader } from './group-header.tsx'
import type { Row } from './queries.ts'
import { ResultRow } from './result-row.tsx'
import type { SortName } from './search-params.ts'
import type { ResultGroup } from './use-result-groups.ts'

const ROW_HEIGHT = 49

interface ResultsProps {
  readonly rows: readonly Row[]
  /** The rows by type; empty if they are one list. */
  readonly groups: readonly ResultGroup[]
  readonly onGroup: (type: string) => void
  /** Loaded rows plus those of the next page, which are shown as placeholders. */
  readonly total: number
  /** Visible columns as in the URL. */
  readonly shown: string | undefined
  readonly names: FindName
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly cursor: number
  readonly selected: ReadonlySet<string>
  readonly selectable: boolean
  readonly pending: boolean
  readonly editing: EditedCell | undefined
  readonly onSelect: (id: string) => void
  readonly onCursor: (index: number) => void
  readonly onEdit: Dispatch<SetStateAction<EditedCell | undefined>>
  readonly onEnd: () => void
  readonly sort: SortName
  readonly onSort: (sort: SortName) => void
}

/** Memoized: rendered when the rows change, not on every letter typed. */
export const Results = memo(
  ({
    rows,
    groups,
    onGroup,
    total,
    shown,
    names,
    scroller,
    cursor,
    selected,
    selectable,
    pending,
    editing,
    onSelect,
    onCursor,
    onEdit,
    onEnd,
    sort,
    onSort,
  }: ResultsProps) => {
    const columns = useMemo(() => getVisibleColumns({ columns: shown }), [shown])
    // Narrow screens show only the name.
    const template = `minmax(14rem,2fr) ${columns.map((name) => COLUMN_CONFIGS[name].width).join(' ')}`
    const onRange = useCallback((_: number, last: number) => last >= rows.length - 20 && rows.length > 0 && onEnd(), [rows.length, onEnd])
    const renderRow = (row: Row, index: number) => (
      <ResultRow
        row={row}
        index={index}
        columns={columns}
        names={names}
        active={index === cursor}
        selected={selected.has(row.id)}
        selectable={selectable}
        editing={editing?.id === row.id ? editing.column : undefined}
        onSelect={onSelect}
        onCursor={onCursor}
        onEdit={onEdit}
      />
    )
    return (
      <div
        role="grid"
        aria-label={t('Results')}
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
          <Heading title={t('Name')} by="title" sort={sort} onSort={onSort} className="ps-8" />
          {columns.map((name) => (
            <Heading
              key={name}
              title={COLUMN_CONFIGS[name].title}
              by={COLUMN_CONFIGS[name].sort}
              sort={sort}
              onSort={onSort}
              className={COLUMN_CONFIGS[name].numeric ? 'text-end' : ''}
            />
          ))}
        </div>
        {pending ? (
          <PendingRows />
        ) : groups.length > 0 ? (
          groups.map((group, i) => {
            const first = groups.slice(0, i).reduce((sum, { rows }) => sum + rows.length, 0)
            return (
              <div key={group.type} role="rowgroup" aria-label={entityTypePluralLabel(group.type)}>
                <GroupHeader of={group} onAll={onGroup} />
                {group.rows.map((row, n) => (
                  <GroupedRow key={row.id} active={first + n === cursor}>
                    {renderRow(row, first + n)}
                  </GroupedRow>
                ))}
              </div>
            )
          })
        ) : (
          <VirtualRows
            count={total}
            rowHeight={ROW_HEIGHT}
            scroller={scroller}
            onRange={onRange}
            keepInView={cursor}
            held={editing && rows.findIndex(({ id }) => id === editing.id)}
            covered={32}
            row={(index) => {
              const row = rows[index]
              return row ? renderRow(row, index) : <PendingRow />
            }}
          />
        )}
      </div>
    )
  },
)

/** Scrolls so that the selected row stays in view, below the header. */
const GroupedRow = ({ active, children }: { active: boolean; children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) box.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={box} role="presentation" className="scroll-mt-17" style={{ height: ROW_HEIGHT }}>
      {children}
    </div>
  )
}

interface HeadingProps extends Pick<ResultsProps, 'sort' | 'onSort'> {
  readonly title: string
  readonly by?: SortName
  readonly className: string
}

/** Column header; a click sorts by the column. */
const Heading = ({ title, by, sort, onSort, className }: HeadingProps) => {
  if (!by)
    return (
      <span role="columnheader" className={className}>
        {title}
      </span>
    )
  const Arrow = by === 'title' ? ArrowUp : ArrowDown
  return (
    <span role="columnheader" aria-sort={sort !== by ? 'none' : by === 'title' ? 'ascending' : 'descending'} className={className}>
      <button
        type="button"
        onClick={() => onSort(by)}
        className={cx('inline-flex items-center gap-0.5 rounded hover:text-ink', sort === by && 'text-ink')}
      >
        {title}
        {sort === by && <Arrow aria-hidden size={12} />}
      </button>
    </span>
  )
}

const PendingRow = () => (
  <div role="row" className="flex h-full items-center gap-3 border-b border-line px-4">
    <span role="gridcell" aria-label={t('Loading')} className="skeleton h-4 w-56" />
  </div>
)
const PendingRows = () =>
  Array.from({ length: 12 }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key
    <div key={i} role="presentation" style={{ height: ROW_HEIGHT }}>
      <PendingRow />
    </div>
  ))
