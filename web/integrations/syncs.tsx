import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { entityTypeCount } from '../ui/entity-type.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { JobProgress } from '../ui/job-progress.tsx'
import { Section } from '../ui/page.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { cancelSync, confirmRemovals, invalidateIntegration, type Sync, syncsQuery, undoSync } from './queries.ts'

export const CancelSync = ({ sync, integration }: { sync: string; integration: string }) => {
  const manages = useCan('integrations.manage')
  const cancel = useMutation({
    mutationFn: () => cancelSync(integration, sync),
    onError: (error) => showErrorToast(t('Couldn’t cancel the sync.'), error),
  })
  if (!manages) return null
  return (
    <Button small disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
      {cancel.isSuccess ? t('Cancelling…') : t('Cancel sync')}
    </Button>
  )
}

type SyncReport = NonNullable<Sync['report']>
type Counts = Readonly<Record<string, number>>

const OUTCOMES: readonly [outcome: string, words: (kinds: string) => string][] = [
  ['new', (kinds) => t('{kinds} new', { kinds })],
  ['changed', (kinds) => t('{kinds} changed', { kinds })],
  ['facts', (kinds) => t('{kinds} with updated metadata', { kinds })],
  ['kept', (kinds) => t('{kinds} kept (edited here)', { kinds })],
  ['stale', (kinds) => t('{kinds} no longer in the source', { kinds })],
  ['back', (kinds) => t('{kinds} restored', { kinds })],
  ['archived', (kinds) => t('{kinds} archived', { kinds })],
]

const getCounts = (report: SyncReport, outcome: string): Counts => ((report as Record<string, unknown>)[outcome] ?? {}) as Counts

const formatCounts = (counts: Counts): string =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([type, n]) => entityTypeCount(n, type))
    .join(', ')

const reportLines = (report: SyncReport): readonly string[] => [
  ...OUTCOMES.flatMap(([outcome, words]) => {
    const counts = formatCounts(getCounts(report, outcome))
    return counts ? [words(counts)] : []
  }),
  ...(report.lineage.read > 0 ? [t('lineage parsed from {n:# definition|# definitions}', { n: report.lineage.read })] : []),
  ...(report.lineage.unreadable > 0 ? [t('{n:# definition|# definitions} could not be parsed', { n: report.lineage.unreadable })] : []),
]

type SchemaChange = NonNullable<SyncReport['schema_changes']>[number]

const formatColumnChanges = ({ added, removed, renamed, retyped, nullability = [], reordered = [] }: SchemaChange): string =>
  [
    added.length > 0 && t('added: {names}', { names: added.join(', ') }),
    removed.length > 0 && t('removed: {names}', { names: removed.join(', ') }),
    renamed.length > 0 && t('renamed: {names}', { names: renamed.map(({ from, to }) => `${from} → ${to}`).join(', ') }),
    retyped.length > 0 &&
      t('type changed: {names}', { names: retyped.map(({ name, from, to }) => `${name} ${from ?? '?'} → ${to ?? '?'}`).join(', ') }),
    nullability.length > 0 &&
      t('nullability changed: {names}', {
        names: nullability.map(({ name, nullable }) => `${name} → ${nullable ? 'null' : 'not null'}`).join(', '),
      }),
    reordered.length > 0 && t('moved: {names}', { names: reordered.join(', ') }),
  ]
    .filter(Boolean)
    .join('; ')

const countUnchanged = (report: SyncReport): number => Object.values(getCounts(report, 'unchanged')).reduce((sum, n) => sum + n, 0)

/** Syncs with their reports, newest first; the newest can be undone. */
export const Syncs = ({ integration }: { integration: string }) => (
  <Section title={t('Syncs')}>
    <QueryView of={useQuery(syncsQuery(integration))}>
      {({ results, count: all }) =>
        all === 0 ? (
          <p className="text-sm text-faint">{t('No syncs yet')}</p>
        ) : (
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
            {results.map((sync, i) => (
              <SyncRow key={sync.id} sync={sync} newest={i === 0} />
            ))}
          </ul>
        )
      }
    </QueryView>
  </Section>
)

const TONES = { COMPLETED: 'good', FAILED: 'bad', RUNNING: 'accent', PENDING: 'neutral' } as const
const STATUS_LABELS = { COMPLETED: t('Done'), FAILED: t('Failed'), RUNNING: t('Running'), PENDING: t('Queued') }

const SyncRow = ({ sync, newest }: { sync: Sync; newest: boolean }) => {
  const { status, report, error, undone_at, created_at, finished_at } = sync
  const lines = report ? reportLines(report) : []
  return (
    <li id={`sync-${sync.id}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2 text-sm">
      <span className="w-20 shrink-0">
        <Badge tone={TONES[status as keyof typeof TONES]}>{STATUS_LABELS[status as keyof typeof STATUS_LABELS]}</Badge>
      </span>
      <div className="min-w-0 flex-1 basis-48">
        {error && <p className="break-words text-bad">{error}</p>}
        {lines.length > 0 && <p className="break-words first-letter:uppercase">{lines.join('; ')}.</p>}
        {report?.schema_changes?.map((change) => (
          <p key={change.table_id} className="text-xs break-words text-soft">
            <Link to="/r/$id" params={{ id: change.table_id }} className="font-medium hover:text-accent hover:underline" dir="auto">
              {change.table}
            </Link>{' '}
            {formatColumnChanges(change)}
          </p>
        ))}
        {report && lines.length === 0 && <p className="text-soft">{t('No changes')}</p>}
        {report && countUnchanged(report) > 0 && <p className="text-xs text-faint">{t('{n} unchanged', { n: countUnchanged(report) })}</p>}
        {undone_at && (
          <p className="text-xs text-faint">
            <Trans message="Undone {when}" when={<RelativeTime at={undone_at} />} />
          </p>
        )}
      </div>
      {newest && sync.needs_confirmation && <ConfirmRemovals sync={sync} removals={sync.needs_confirmation} />}
      {newest && status === 'COMPLETED' && !undone_at && lines.length > 0 && <UndoSync sync={sync} />}
      <span className="text-xs text-faint">
        <RelativeTime at={finished_at ?? created_at} />
      </span>
    </li>
  )
}

/** A sync that would mark unusually many resources as stale stops and asks an admin to confirm. */
const ConfirmRemovals = ({ sync, removals }: { sync: Sync; removals: NonNullable<Sync['needs_confirmation']> }) => {
  const manages = useCan('integrations.manage')
  const [confirming, setAsking] = useState(false)
  const { missing, known, emptied } = removals
  const confirm = useMutation({
    mutationFn: () => confirmRemovals(sync.integration),
    onSuccess: () => invalidateIntegration(sync.integration),
    onError: (error) => showErrorToast(t('Couldn’t start the sync.'), error),
    onSettled: () => setAsking(false),
  })
  if (!manages) return null
  return (
    <>
      <Button small busy={confirm.isPending} onClick={() => setAsking(true)}>
        {t('Confirm removals')}
      </Button>
      {confirming && (
        <Confirm
          title={t('Mark {n:# resource|# resources} as stale?', { n: missing })}
          action={t('Confirm removals')}
          write={confirm}
          onClose={() => setAsking(false)}
        >
          {t('The source no longer lists {missing} of {known} resources. They are marked as stale now and archived later.', {
            missing,
            known,
          })}
          {emptied.length > 0 && <> {t('Now empty: {names}.', { names: emptied.join(', ') })}</>}
        </Confirm>
      )}
    </>
  )
}

const UndoSync = ({ sync }: { sync: Sync }) => {
  const manages = useCan('integrations.manage')
  const undo = useMutation({
    mutationFn: () => undoSync(sync.integration, sync.id),
    onError: (error) => showErrorToast(t('Couldn’t undo the sync.'), error),
  })
  if (undo.data)
    return (
      <div className="order-last basis-full">
        <JobProgress job={undo.data.id} onFinished={() => void invalidateIntegration(sync.integration)} />
      </div>
    )
  return (
    manages && (
      <Button small look="quiet" busy={undo.isPending} onClick={() => undo.mutate()}>
        {t('Undo')}
      </Button>
    )
  )
}
