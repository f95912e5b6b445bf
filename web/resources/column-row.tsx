import { Link } from '@tanstack/react-router'
import { ArrowRight, KeyRound, Plug, ShieldAlert, ShieldQuestion, Unplug, UserPen } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useNames } from '../api/names.ts'
import { useBootstrap } from '../api/session.ts'
import type { Column, Named, Schemas } from '../api/types.ts'
import { TermCards, TermLink } from '../glossary/term-links.tsx'
import { t } from '../i18n/messages.ts'
import { PII_LABELS } from '../profiles/pii-labels.ts'
import { TagChip } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { Input } from '../ui/field.tsx'
import { formatApprox, formatCount, formatPercent } from '../ui/number.ts'
import { TrustSigns } from '../ui/trust-badges.tsx'
import { DiscussionLink } from './discussion-link.tsx'

export type ColumnEdit = Partial<Pick<Column, 'description' | 'pii'>>
export type ColumnFacts = Schemas['ColumnFacts']

interface ColumnRowProps {
  readonly column: Column
  /** Undefined while they are loading. */
  readonly facts: ColumnFacts | undefined
  /** Of glossary terms. */
  readonly names: (id: string) => Named | undefined
  /** The optional cells that are shown; undefined on a phone, which has one line for all of them. */
  readonly cells: { readonly key: boolean; readonly tags: boolean; readonly profile: boolean; readonly lineage: boolean } | undefined
  readonly className: string
  readonly index: number
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
  const { column, facts, names, cells, className, index } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={cx(className, 'h-full content-center border-b border-line hover:bg-hover sm:content-normal')}
    >
      <NameCell {...props} />
      <span role="cell" className="truncate font-mono text-xs text-soft" title={column.type ?? undefined}>
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
      {cells?.profile && (
        <>
          <span role="cell" className="text-end text-xs tabular-nums text-soft">
            {facts && facts.null_percentage !== null && formatPercent(facts.null_percentage)}
          </span>
          <span role="cell" className="text-end text-xs tabular-nums text-soft">
            {facts && <Distinct facts={facts} />}
          </span>
        </>
      )}
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

const NameCell = ({ column, facts, writes, onSave }: ColumnRowProps) => (
  <span role="cell" className="group/name min-w-0">
    <span className="flex min-w-0 items-center gap-1.5">
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
      <PiiToggle column={column} writes={writes} onSave={onSave} />
      <DiscussionLink column={column} open={facts?.discussions ?? 0} />
    </span>
  </span>
)

const SuspectedPii = ({ class: kind, confidence }: NonNullable<ColumnFacts['suspected_pii']>) => {
  const text = t('May be personal data: {kind} · {percent} %', { kind: PII_LABELS[kind], percent: Math.round(confidence * 100) })
  return (
    <span role="img" aria-label={text} title={text} className="inline-flex shrink-0 text-warn">
      <ShieldQuestion aria-hidden size={13} />
    </span>
  )
}

const Keys = ({ column: { is_pk }, facts }: Pick<ColumnRowProps, 'column' | 'facts'>) => {
  const references = facts?.references
  return (
    <>
      {is_pk && (
        <KeyRound role="img" aria-label={t('Primary key')} size={13} className="shrink-0 text-warn">
          <title>{t('Primary key')}</title>
        </KeyRound>
      )}
      {references && (
        <Link
          to="/r/$id"
          params={{ id: references.table_id }}
          title={t('Foreign key to {target}', { target: [references.table, references.column].filter(Boolean).join('.') })}
          className="flex h-6 min-w-0 items-center gap-0.5 text-accent hover:underline"
        >
          <ArrowRight role="img" aria-label={t('Foreign key to // a table')} size={12} className="shrink-0" />
          <span className="truncate" dir="auto">
            {references.table}
          </span>
        </Link>
      )}
    </>
  )
}

/** Tags and glossary terms. */
const Labels = ({ column, names }: Pick<ColumnRowProps, 'column' | 'names'>) => {
  const { tags } = useBootstrap()
  const known = tags.filter(({ id }) => column.tags.includes(id))
  const others = column.tags.filter((id) => !known.some((tag) => tag.id === id))
  return (
    <>
      {known.map(({ id, name, color }) => (
        <TagChip key={id} name={name} color={color} />
      ))}
      {others.length > 0 && <OtherTags ids={others} />}
      {column.terms.length > 0 && (
        <TermCards className="flex min-w-0 gap-1">
          {column.terms.map((id) => {
            const name = names(id)?.name
            return name && <TermLink key={id} id={id} name={name} />
          })}
        </TermCards>
      )}
    </>
  )
}

/** Tags that are not in the bootstrap response. */
const OtherTags = ({ ids }: { ids: readonly string[] }) => {
  const nameOf = useNames(ids)
  return ids.map((id) => {
    const tag = nameOf(id)
    return tag?.type === 'tag' && <TagChip key={id} name={tag.name} color={tag.color} />
  })
}

const Distinct = ({ facts: { distinct_values, distinct_approximate } }: { facts: ColumnFacts }) =>
  distinct_values === null ? null : (
    <span title={formatCount(distinct_values)}>
      {distinct_approximate && '≈ '}
      {formatApprox(distinct_values)}
    </span>
  )

const LineageCounts = ({ id, facts: { upstream, downstream } }: { id: string; facts: ColumnFacts }) => {
  if (upstream + downstream === 0) return null
  const text = t('{upstream} upstream, {downstream} downstream', { upstream, downstream })
  return (
    <Link
      to="/lineage/$id"
      params={{ id }}
      search={{ level: 'column' }}
      title={text}
      className="inline-flex h-6 items-center gap-1.5 text-soft tabular-nums hover:text-accent hover:underline"
    >
      <span className="sr-only">{text}</span>
      {upstream > 0 && <span aria-hidden>↑ {formatApprox(upstream)}</span>}
      {downstream > 0 && <span aria-hidden>↓ {formatApprox(downstream)}</span>}
    </Link>
  )
}

const DescriptionCell = ({ column, facts, writes, editing, focused, onEdit, onLeave, onSave, onMove, onPaste }: ColumnRowProps) => (
  <span
    role="cell"
    className="flex min-w-0 items-center gap-1 max-sm:col-span-2"
    onPaste={(event) => {
      if (!writes || !onPaste(event.clipboardData.getData('text/plain'))) return
      event.preventDefault()
      onLeave(0)
    }}
  >
    {editing ? (
      <DescriptionInput
        value={column.description ?? ''}
        onSave={(description) => onSave({ description: description || null })}
        onLeave={onLeave}
        label={column.title}
      />
    ) : writes ? (
      <DescriptionButton column={column} focused={focused} onEdit={onEdit} onLeave={onLeave} onMove={onMove} />
    ) : (
      <span className="block min-w-0 flex-1 truncate px-1.5 text-sm text-soft" title={column.description ?? undefined} dir="auto">
        {column.description}
      </span>
    )}
    {facts?.described_by && column.description && !editing && <DescribedBy who={facts.described_by} />}
  </span>
)

const DescribedBy = ({ who }: { who: string }) => {
  const text = who === 'person' ? t('Written here') : t('From {source}', { source: who })
  const Icon = who === 'person' ? UserPen : Plug
  return (
    <span role="img" aria-label={text} title={text} className="inline-flex shrink-0 text-faint">
      <Icon aria-hidden size={12} />
    </span>
  )
}

const DescriptionButton = ({
  column,
  focused,
  onEdit,
  onLeave,
  onMove,
}: Pick<ColumnRowProps, 'column' | 'focused' | 'onEdit' | 'onLeave' | 'onMove'>) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) button.current?.focus({ preventScroll: true })
  }, [focused])
  return (
    <button
      ref={button}
      type="button"
      data-field
      onClick={onEdit}
      onBlur={() => focused && onLeave(undefined)}
      onKeyDown={(event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (by === undefined) return
        event.preventDefault()
        onMove(by)
      }}
      title={column.description ?? undefined}
      className="block h-7 min-w-0 flex-1 truncate rounded-md px-1.5 text-start text-sm -outline-offset-2 hover:bg-bg"
      dir="auto"
    >
      <span className="sr-only">{t('Edit description of {title}:', { title: column.title })} </span>
      {column.description || <span className="text-faint">{t('Add a description')}</span>}
    </button>
  )
}

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

/** Enter and ↓ save and move to the next row, ↑ to the previous one, as in a spreadsheet. Escape discards. */
const DescriptionInput = ({
  value,
  label,
  onSave,
  onLeave,
}: {
  value: string
  label: string
  onSave: (value: string) => void
  onLeave: (by: number | undefined) => void
}) => {
  const [draft, setDraft] = useState(value)
  const left = useRef(false)
  const leave = (save: boolean, by: number | undefined) => {
    if (left.current) return
    left.current = true
    if (save && draft.trim() !== value) onSave(draft.trim())
    onLeave(by)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { Enter: [true, 1], Escape: [false, 0], ArrowDown: [true, 1], ArrowUp: [true, -1] }[event.key] as
      | [boolean, number]
      | undefined
    if (!move || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    leave(...move)
  }
  return (
    <Input
      ref={(box) => box?.focus({ preventScroll: true })}
      aria-label={t('Description of {title}', { title: label })}
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => leave(true, undefined)}
      small
      dir="auto"
      spellCheck
    />
  )
}
