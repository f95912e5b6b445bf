import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../api/session.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Flags } from '../ui/flags.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { schemaHistoryQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'

type Entry = Schemas['SchemaHistoryEntry']
type Change = Entry['changes'][number]

/** How the columns of a table changed in its source, newest first. */
export const SchemaChanges = ({ view: { resource } }: TabProps) => {
  const history = useInfiniteQuery(schemaHistoryQuery(resource.id))
  if (history.error) return <ErrorView error={history.error} retry={() => void history.refetch()} />
  if (!history.data) return <Skeleton lines={6} />
  const entries = history.data.pages.flatMap(({ results }) => results)
  if (entries.length === 0)
    return (
      <EmptyState title={t('No schema changes yet')}>
        {t('Columns that are added, dropped, renamed or given another type in the source are listed here.')}
      </EmptyState>
    )
  return (
    <div className="max-w-3xl">
      <ol className="space-y-4">
        {entries.map((entry) => (
          <SchemaChange key={entry.id} entry={entry} integration={resource.integration} />
        ))}
      </ol>
      {history.hasNextPage && (
        <div className="mt-4">
          <Button busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            {t('Show older')}
          </Button>
        </div>
      )}
    </div>
  )
}

const SchemaChange = ({ entry: { at, sync_id, changes, breaks }, integration }: { entry: Entry; integration: string | null }) => {
  const seesIntegrations = useCan('integrations.read')
  return (
    <li className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-baseline gap-x-2 bg-sunken px-3 py-1.5 text-sm">
        <h2 className="font-medium">
          <RelativeTime at={at} />
        </h2>
        <span className="text-faint">{t('{n:# change|# changes}', { n: changes.length })}</span>
        {sync_id && integration && seesIntegrations && (
          <Link
            to="/integrations/$id"
            params={{ id: integration }}
            hash={`sync-${sync_id}`}
            className="ms-auto text-accent hover:underline"
          >
            {t('Sync')}
          </Link>
        )}
      </div>
      <ul className="divide-y divide-line text-sm">
        {changes.map((change) => (
          <li
            key={`${change.kind} ${change.column}`}
            className={cx('flex flex-wrap items-baseline gap-x-3 px-3 py-1.5', TONES[change.kind])}
          >
            <span aria-hidden className="w-3 shrink-0 font-mono select-none">
              {SIGNS[change.kind]}
            </span>
            <span className="font-mono break-all" dir="auto">
              {change.column}
            </span>
            <span className={cx('min-w-0 break-words', TONES[change.kind] ? '' : 'text-soft')} dir="auto">
              {describe(change)}
            </span>
          </li>
        ))}
      </ul>
      {breaks.length > 0 && <Breaks breaks={breaks} />}
    </li>
  )
}

const MAX_BREAKS = 10

/** What depended on columns that no longer exist as they were, with its health now. */
const Breaks = ({ breaks }: { breaks: Entry['breaks'] }) => {
  const [all, setAll] = useState(false)
  return (
    <div className="border-t border-line bg-warn-soft px-3 py-2 text-sm">
      <h3 className="mb-1 font-medium text-warn">
        {t('May break {n:# downstream resource|# downstream resources}', { n: breaks.length })}
      </h3>
      <ul className="flex flex-wrap gap-x-4">
        {breaks.slice(0, all ? undefined : MAX_BREAKS).map((brief) => (
          <li key={brief.id} className="flex min-h-7 min-w-0 items-center gap-1.5">
            <EntityTypeIcon type={brief.entity_type} size={14} />
            <Link
              to="/r/$id"
              params={{ id: brief.id }}
              title={brief.title_full}
              className={cx('min-w-0 py-0.5 underline wrap-anywhere', brief.deprecation && 'line-through')}
              dir="auto"
            >
              {brief.title}
            </Link>
            <Flags {...brief} />
          </li>
        ))}
      </ul>
      {breaks.length > MAX_BREAKS && (
        <button type="button" aria-expanded={all} className="mt-1 text-accent hover:underline" onClick={() => setAll(!all)}>
          {all ? t('Show less') : t('Show all')}
        </button>
      )}
    </div>
  )
}

const TONES: Partial<Record<Change['kind'], string>> = { added: 'bg-good-soft text-good', dropped: 'bg-bad-soft text-bad' }
const SIGNS: Record<Change['kind'], string> = { added: '+', dropped: '−', retyped: '~', renamed: '~', reordered: '↕', nullability: '~' }

const describe = ({ kind, from, to }: Change): string => {
  const values = { from: from ?? '?', to: to ?? '?' }
  if (kind === 'added') return to === null ? t('added') : t('added, {type}', { type: to })
  if (kind === 'dropped') return from === null ? t('dropped') : t('dropped, was {type}', { type: from })
  if (kind === 'retyped') return t('type: {from} → {to}', values)
  if (kind === 'renamed') return t('renamed from {from}', values)
  if (kind === 'reordered') return t('moved from position {from} to {to}', values)
  return to === 'nullable' ? t('may be null') : t('may no longer be null')
}
