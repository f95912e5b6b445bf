import { Link } from '@tanstack/react-router'
import { ArrowRight, KeyRound, ShieldQuestion } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { ColumnTrends } from '../../../src/observability/profiles/schema.ts'
import { useNames } from '../../api/names.ts'
import { useBootstrap } from '../../api/session.ts'
import type { Column } from '../../api/types.ts'
import { TermCards, TermLink } from '../../glossary/term-links.tsx'
import { t } from '../../i18n/messages.ts'
import { PII_LABELS } from '../../profiles/pii-labels.ts'
import { TagChip } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { formatApprox, formatCount, formatPercent } from '../../ui/number.ts'
import { Popover } from '../../ui/popover.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { TrendLine } from '../../ui/trend-line.tsx'
import type { ColumnFacts, ColumnRowProps } from './column-row.tsx'

export type ColumnTrend = ColumnTrends[string]

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

const ColumnStatistics = lazy(async () => ({ default: (await import('../../profiles/statistics.tsx')).ColumnStatistics }))
const NUMBER = 'grid justify-items-end text-end text-xs leading-4 tabular-nums text-soft'
const LINE = 'h-2.5 w-12 max-w-full'

interface ProfileCellProps {
  readonly column: Pick<Column, 'id' | 'title'>
  readonly facts: ColumnFacts | undefined
  readonly trend: ColumnTrend | undefined
}

/** The share of null values and the number of distinct values, each with a trend line if it changed. The latter opens all statistics. */
export const ProfileCells = ({ column: { id, title }, facts, trend }: ProfileCellProps) => {
  const profiled = facts && (facts.null_percentage !== null || facts.distinct_values !== null)
  return (
    <>
      <span role="cell" className={NUMBER}>
        {facts && facts.null_percentage !== null && formatPercent(facts.null_percentage)}
        <TrendLine of={trend?.null_percentage} className={LINE} />
      </span>
      <span role="cell" className={NUMBER}>
        {profiled && (
          <Popover
            label={t('Statistics of {name}', { name: title })}
            align="end"
            className="max-h-[min(32rem,calc(100dvh-1rem))] w-80 max-w-[92vw] p-3 text-start"
            trigger={(props) => (
              <button type="button" {...props} className={cx(NUMBER, 'min-h-6 min-w-6 content-center rounded-sm hover:text-accent')}>
                <span className="sr-only">{t('Statistics of {name}', { name: title })}</span>
                {facts.distinct_values === null ? '—' : <Distinct facts={facts} />}
                <TrendLine of={trend?.distinct_values} className={LINE} />
              </button>
            )}
          >
            {() => (
              <Suspense fallback={<Skeleton lines={4} />}>
                <h2 className="mb-2 truncate text-sm font-semibold" dir="auto">
                  {title}
                </h2>
                <ColumnStatistics id={id} changed={trend !== undefined} />
              </Suspense>
            )}
          </Popover>
        )}
      </span>
    </>
  )
}

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
