import type { ReactNode } from 'react'
import { getOwnerIds } from '../api/owners.ts'
import type { Named } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { toPlainExcerpt } from '../markdown/plain-excerpt.ts'
import { Person } from '../ui/avatar.tsx'
import { TagChip } from '../ui/badge.tsx'
import { Flags } from '../ui/flags.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { formatApprox } from '../ui/number.ts'
import { RelativeTime } from '../ui/time.tsx'
import type { Row } from './queries.ts'
import { type CatalogSearch, COLUMNS, type ColumnName, type SortName } from './search-params.ts'

/** The columns of the results table, except the name. */
export type FindName = (id: string) => Named | undefined

interface Column {
  readonly title: string
  readonly width: string
  readonly numeric?: boolean
  /** The sort order of the column header. */
  readonly sort?: SortName
  readonly cell: (row: Row, names: FindName) => ReactNode
}

const EmptyCell = () => <span className="text-faint">—</span>

export const COLUMN_CONFIGS: Record<ColumnName, Column> = {
  description: { title: t('Description'), width: 'minmax(9rem,3fr)', cell: (row) => <DescriptionCell {...row} /> },
  owners: {
    title: t('Owner'),
    width: '8.5rem',
    cell: (row, names) => {
      const found = getOwnerIds(row).flatMap((id) => names(id)?.name ?? [])
      if (found.length === 0) return <EmptyCell />
      return (
        <span className="flex min-w-0 items-center gap-1 text-sm" title={found.join(', ')}>
          <Person name={found[0]!} />
          {found.length > 1 && <span className="text-xs text-faint">+{found.length - 1}</span>}
        </span>
      )
    },
  },
  tags: {
    title: t('Tags'),
    width: '8.5rem',
    cell: ({ tags }, names) => {
      const found = tags.flatMap((id) => names(id) ?? [])
      return (
        <span className="flex items-center gap-1" title={found.map(({ name }) => name).join(', ')}>
          {found[0] && <TagChip name={found[0].name} color={found[0].color} />}
          {found.length > 1 && <span className="text-xs text-faint">+{found.length - 1}</span>}
        </span>
      )
    },
  },
  terms: {
    title: t('Glossary terms'),
    width: '10rem',
    cell: ({ terms }, names) => {
      const found = terms.flatMap((id) => names(id)?.name ?? [])
      return (
        <span className="block truncate text-sm text-soft" title={found.join(', ')} dir="auto">
          {found.join(', ')}
        </span>
      )
    },
  },
  flags: { title: t('Flags'), width: '6rem', cell: (row) => <Flags {...row} stale={false} /> },
  integration: {
    title: t('Source'),
    width: '9rem',
    cell: ({ integration }, names) => (
      <span className="truncate text-sm text-soft">{(integration && names(integration)?.name) ?? <EmptyCell />}</span>
    ),
  },
  usage: { title: t('Queries'), width: '4.5rem', numeric: true, sort: 'usage', cell: ({ external_usage }) => formatApprox(external_usage) },
  rows: {
    title: t('Rows'),
    width: '5rem',
    numeric: true,
    cell: ({ row_count }) => (row_count === null ? <EmptyCell /> : formatApprox(row_count)),
  },
  updated: { title: t('Updated'), width: '6.5rem', sort: 'updated', cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
}

const DEFAULT_COLUMNS: readonly ColumnName[] = ['description', 'owners', 'tags', 'usage', 'updated']
export const getVisibleColumns = ({ columns }: CatalogSearch): readonly ColumnName[] =>
  columns === undefined ? DEFAULT_COLUMNS : COLUMNS.filter((name) => columns.split(',').includes(name))

const DescriptionCell = ({ description, reason }: Row) => {
  if (reason && reason.field !== 'title')
    return (
      <span className="line-clamp-2 text-sm text-soft" dir="auto">
        <Highlight
          {...(reason.field === 'definition'
            ? toPlainExcerpt(reason.snippet, reason.ranges)
            : { text: reason.snippet, ranges: reason.ranges })}
        />
      </span>
    )
  if (!description) return <span className="text-sm text-faint italic">{t('No description')}</span>
  return (
    <span className="line-clamp-2 text-sm text-soft" dir="auto">
      {description}
    </span>
  )
}
