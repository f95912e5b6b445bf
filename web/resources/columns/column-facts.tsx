import { Link } from '@tanstack/react-router'
import { ArrowRight, KeyRound, ShieldQuestion } from 'lucide-react'
import { useNames } from '../../api/names.ts'
import { useBootstrap } from '../../api/session.ts'
import { TermCards, TermLink } from '../../glossary/term-links.tsx'
import { t } from '../../i18n/messages.ts'
import { PII_LABELS } from '../../profiles/pii-labels.ts'
import { TagChip } from '../../ui/badge.tsx'
import { formatApprox, formatCount } from '../../ui/number.ts'
import type { ColumnFacts, ColumnRowProps } from './column-row.tsx'

/** What is known about a column besides its name and description. */
export const SuspectedPii = ({ class: kind, confidence }: NonNullable<ColumnFacts['suspected_pii']>) => {
  const text = t('May be personal data: {kind} · {percent} %', { kind: PII_LABELS[kind], percent: Math.round(confidence * 100) })
  return (
    <span role="img" aria-label={text} title={text} className="inline-flex shrink-0 text-warn">
      <ShieldQuestion aria-hidden size={13} />
    </span>
  )
}

export const Keys = ({ column: { is_pk }, facts }: Pick<ColumnRowProps, 'column' | 'facts'>) => {
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
export const Labels = ({ column, names }: Pick<ColumnRowProps, 'column' | 'names'>) => {
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

export const Distinct = ({ facts: { distinct_values, distinct_approximate } }: { facts: ColumnFacts }) =>
  distinct_values === null ? null : (
    <span title={formatCount(distinct_values)}>
      {distinct_approximate && '≈ '}
      {formatApprox(distinct_values)}
    </span>
  )

export const LineageCounts = ({ id, facts: { upstream, downstream } }: { id: string; facts: ColumnFacts }) => {
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
