import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/messages.ts'
import { cx } from '../../ui/cx.ts'
import type { ColumnSort } from '../search-params.ts'
import type { ColumnRowProps } from './column-row.tsx'
import { nextColumnSort, type SortKey } from './column-sort.ts'

interface ColumnHeaderProps {
  readonly sort: ColumnSort | undefined
  readonly onSort: (sort: ColumnSort | undefined) => void
  readonly cells: ColumnRowProps['cells']
  readonly className: string
  /** Before the name. */
  readonly select: ReactNode
}

/** The header of the columns; each cell sorts by itself. */
export const ColumnHeader = ({ sort, onSort, cells, className, select }: ColumnHeaderProps) => {
  const cell = (key: SortKey, label: string, more?: string, before?: ReactNode) => (
    <HeaderCell
      label={label}
      sorted={sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined}
      className={more}
      onSort={() => onSort(nextColumnSort(sort, key))}
    >
      {before}
    </HeaderCell>
  )
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={cx(className, 'sticky top-0 z-10 h-7 border-b border-line bg-bg text-xs font-medium text-faint')}
    >
      {cell('title', t('Name'), 'flex items-center gap-1.5', select)}
      {cell('type', t('Type'))}
      {cells?.key && cell('key', t('Key'))}
      {cells?.tags && cell('tags', t('Labels'))}
      {cells?.profile && (
        <>
          {cell('null', t('Null'), 'text-end')}
          {cell('distinct', t('Distinct'), 'text-end')}
        </>
      )}
      {cells?.lineage && cell('lineage', t('Lineage'))}
      {cell('description', t('Description'), 'ps-1.5 max-sm:hidden')}
    </div>
  )
}

interface HeaderCellProps {
  readonly label: string
  readonly sorted: 'ascending' | 'descending' | undefined
  readonly className?: string
  readonly onSort: () => void
  readonly children: ReactNode
}

const HeaderCell = ({ label, sorted, className, onSort, children }: HeaderCellProps) => (
  <span role="columnheader" aria-sort={sorted} title={label} className={cx('min-w-0', className)}>
    {children}
    <button type="button" onClick={onSort} className="inline-flex min-h-6 max-w-full items-center gap-0.5 -outline-offset-2 hover:text-ink">
      <span className="truncate">{label}</span>
      {sorted && (sorted === 'descending' ? <ArrowDown aria-hidden size={12} /> : <ArrowUp aria-hidden size={12} />)}
    </button>
  </span>
)
