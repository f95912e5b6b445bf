import { Link } from '@tanstack/react-router'
import { ShieldAlert, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Column, Named, Schemas } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { cx } from '../../ui/cx.ts'
import { formatPercent } from '../../ui/number.ts'
import { TrustSigns } from '../../ui/trust-badges.tsx'
import { DiscussionLink } from '../discussion/discussion-link.tsx'
import { type ColumnTrend, Distinct, Keys, Labels, LineageCounts, ProfileCells, SuspectedPii } from './column-facts.tsx'
import { DescriptionCell } from './description-cell.tsx'

export type ColumnEdit = Partial<Pick<Column, 'description' | 'pii'>>
export type ColumnFacts = Schemas['ColumnFacts']

export interface ColumnRowProps {
  readonly column: Column
  /** Undefined while they are loading. */
  readonly facts: ColumnFacts | undefined
  /** Its last profiles, if there are several. */
  readonly trend: ColumnTrend | undefined
  /** Of glossary terms. */
  readonly names: (id: string) => Named | undefined
  /** The optional cells that are shown; undefined on a phone, which has one line for all of them. */
  readonly cells: { readonly key: boolean; readonly tags: boolean; readonly profile: boolean; readonly lineage: boolean } | undefined
  readonly className: string
  readonly index: number
  /** The box that selects it. */
  readonly select: ReactNode
  readonly writes: boolean
  readonly editing: boolean
  readonly focused: boolean
  readonly onEdit: () => void
  /** Rows to move by; `undefined` if the focus has already moved elsewhere. */
  readonly onLeave: (by: number | undefined) => void
  readonly onSave: (edit: ColumnEdit) => void
  /** Moves the focus by so many rows. */
  readonly onMove: (by: number) => void
  /** Returns whether the text has several cells, which are then saved as descriptions. */
  readonly onPaste: (text: string) => boolean
}

export const ColumnRow = (props: ColumnRowProps) => {
  const { column, facts, trend, names, cells, className, index } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={cx(className, 'group/row h-full content-center border-b border-line hover:bg-hover sm:content-normal')}
    >
      <NameCell {...props} />
      <span role="cell" className="truncate font-mono text-xs text-soft" title={describeType(column)}>
        {column.type}
      </span>
      {cells?.key && (
        <span role="cell" className="flex min-w-0 items-center gap-1 text-xs">
          <Keys column={column} facts={facts} />
        </span>
      )}
      {cells?.tags && (
        <span role="cell" className="flex min-w-0 gap-1 overflow-hidden">
          <Labels column={column} names={names} />
        </span>
      )}
      {cells?.profile && <ProfileCells column={column} facts={facts} trend={trend} />}
      {cells?.lineage && (
        <span role="cell" className="text-xs">
          {facts && <LineageCounts id={column.id} facts={facts} />}
        </span>
      )}
      <DescriptionCell {...props} />
      {!cells && (
        <span role="cell" className="col-span-2 flex h-5 min-w-0 items-center gap-2 overflow-hidden text-xs whitespace-nowrap text-soft">
          <Keys column={column} facts={facts} />
          {facts && <LineageCounts id={column.id} facts={facts} />}
          {facts && facts.null_percentage !== null && <span>{t('{percent} null', { percent: formatPercent(facts.null_percentage) })}</span>}
          {facts && facts.distinct_values !== null && (
            <span>
              <Distinct facts={facts} /> {t('distinct')}
            </span>
          )}
          <Labels column={column} names={names} />
        </span>
      )}
    </div>
  )
}

/** The type with what does not fit into its cell. */
const describeType = ({ type, display_metadata: { nullable, default: usual } }: Column): string =>
  [type, nullable === false && t('not null // of a column'), typeof usual === 'string' && t('default {value}', { value: usual })]
    .filter(Boolean)
    .join(', ')

/** Buttons that are shown on hovering only: over the end of a long name, which would be cut if they always had their place. */
const OVER_NAME =
  'pointer-fine:absolute pointer-fine:end-0 rounded-md pointer-fine:group-hover/name:bg-hover pointer-fine:focus-within:bg-hover empty:hidden'

const NameCell = ({ column, facts, select, writes, onSave }: ColumnRowProps) => (
  <span role="cell" className="group/name relative min-w-0">
    <span className="flex min-w-0 items-center gap-1.5">
      {select}
      <Link
        to="/r/$id"
        params={{ id: column.id }}
        className={cx(
          'truncate font-medium hover:text-accent hover:underline',
          (column.stale || column.deprecation) && 'text-faint line-through',
        )}
        title={column.title}
        dir="auto"
      >
        {column.title}
      </Link>
      {column.stale && (
        <Unplug role="img" aria-label={t('No longer in source')} size={13} className="shrink-0 text-bad">
          <title>{t('No longer in source')}</title>
        </Unplug>
      )}
      <TrustSigns
        status={!facts || (column.stale && facts.health === 'warning') ? 'unknown' : facts.health}
        deprecated={column.deprecation !== null}
        verified={column.verified}
        size={13}
      />
      {facts?.suspected_pii && !column.pii && <SuspectedPii {...facts.suspected_pii} />}
      <span className={cx('flex shrink-0 items-center gap-1.5', !column.pii && !facts?.discussions && OVER_NAME)}>
        <PiiToggle column={column} writes={writes} onSave={onSave} />
        <DiscussionLink column={column} open={facts?.discussions ?? 0} />
      </span>
    </span>
  </span>
)

/** PII flag of a column, editable inline. */
const PiiToggle = ({ column: { title, pii }, writes, onSave }: Pick<ColumnRowProps, 'column' | 'writes' | 'onSave'>) => {
  if (!writes) return pii && <ShieldAlert role="img" aria-label={t('PII')} size={13} className="shrink-0 text-warn" />
  const words = pii ? t('PII. Click to remove the flag.') : t('Mark as PII')
  return (
    <button
      type="button"
      aria-label={t('{title} contains PII', { title })}
      aria-pressed={pii}
      title={words}
      onClick={() => onSave({ pii: !pii })}
      className={cx(
        'flex size-6 shrink-0 items-center justify-center rounded-md hover:bg-bg',
        pii ? 'text-warn' : 'text-faint opacity-0 group-hover/name:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      <ShieldAlert aria-hidden size={13} />
    </button>
  )
}
