import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { FileSpreadsheet, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query-client.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { JobProgress } from '../ui/job-progress.tsx'
import { Section } from '../ui/page.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { cancelUndo, type FinishedImport, importsQuery } from './queries.ts'
import { KeptDialog, UndoDialog } from './undo-dialog.tsx'

/** Imports that wrote something, newest first; each can be undone as a whole. */
export const Imports = () => {
  const imports = useInfiniteQuery(importsQuery)
  const rows = imports.data?.pages.flatMap(({ results }) => results) ?? []
  const nameOf = useNames(rows.flatMap(({ user, integration }) => [integration, ...(user ? [user] : [])]))
  return (
    <Section title={t('Imports')}>
      <QueryView of={imports}>
        {() =>
          rows.length === 0 ? (
            <p className="text-sm text-faint">{t('No imports yet. Each one is listed here and can be undone for 90 days.')}</p>
          ) : (
            <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
              {rows.map((row) => (
                <ImportRow
                  key={row.id}
                  row={row}
                  by={row.user ? nameOf(row.user)?.name : undefined}
                  source={nameOf(row.integration)?.name}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {imports.hasNextPage && (
        <Button busy={imports.isFetchingNextPage} onClick={() => void imports.fetchNextPage()} className="mt-3 justify-self-start">
          {t('Show more')}
        </Button>
      )}
    </Section>
  )
}

const INVALIDATED_KEYS = [['imports'], ['catalog'], ['resource'], ['tree'], ['trash'], ['home']]

const ImportRow = ({ row, by, source }: { row: FinishedImport; by: string | undefined; source: string | undefined }) => {
  const { id, imported_at, file_name, format, undone_at, undone, undo_until, undo_job } = row
  const [dialogOpen, setDialogOpen] = useState(false)
  const [keptOpen, setKeptOpen] = useState(false)
  /** Its job until the list has it, which can also be one that someone else started. */
  const [started, setStarted] = useState<string>()
  const job = started ?? undo_job
  const name = file_name ?? t('{format} file', { format: format.toUpperCase() })
  const finish = ({ failed, logs }: { failed: boolean; logs: string }) => {
    setStarted(undefined)
    for (const queryKey of INVALIDATED_KEYS) void queryClient.invalidateQueries({ queryKey })
    if (!failed) showToast(t('Import undone'))
    else showErrorToast(t('The undo has stopped. Undo the import again to continue.'), new Error(logs.trim().split('\n').at(-1)))
  }
  return (
    <li className="grid gap-2 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FileSpreadsheet aria-hidden size={16} className="shrink-0 text-faint" />
        <span className="min-w-0 flex-1 basis-40">
          <span className="block truncate font-medium" dir="auto" title={name}>
            {name}
          </span>
          <span className="block text-xs text-faint">
            {by ? (
              <Trans message="Imported {when} by {who}" when={<RelativeTime at={imported_at} />} who={by} />
            ) : (
              <Trans message="Imported {when}" when={<RelativeTime at={imported_at} />} />
            )}
            {source && ` · ${source}`}
          </span>
        </span>
        <span className="text-xs text-soft tabular-nums">{formatCounts(row)}</span>
        {undone_at ? (
          <span className="flex flex-wrap items-center gap-2 text-xs text-faint">
            <Badge>{t('Undone')}</Badge>
            <RelativeTime at={undone_at} />
            {undone && undone.changes_kept > 0 && (
              <button type="button" className="min-h-6 text-accent hover:underline" onClick={() => setKeptOpen(true)}>
                {t('{n:# change was|# changes were} kept', { n: undone.changes_kept })}
              </button>
            )}
          </span>
        ) : (
          !job &&
          new Date(undo_until) > new Date() && (
            <Button small icon={Undo2} onClick={() => setDialogOpen(true)} aria-label={t('Undo import of {name}', { name })}>
              {t('Undo import')}
            </Button>
          )
        )}
      </div>
      {job && !undone_at && <JobProgress job={job} onFinished={finish} action={<CancelUndo job={job} />} />}
      {keptOpen && undone && <KeptDialog id={id} name={name} count={undone.changes_kept} onClose={() => setKeptOpen(false)} />}
      {dialogOpen && (
        <UndoDialog
          id={id}
          name={name}
          onClose={() => setDialogOpen(false)}
          onStarted={(job) => {
            setDialogOpen(false)
            setStarted(job)
          }}
        />
      )}
    </li>
  )
}

const formatCounts = ({ created, updated, lineage_created }: FinishedImport): string =>
  [
    created > 0 && t('{n} created', { n: created }),
    updated > 0 && t('{n} updated', { n: updated }),
    lineage_created > 0 && t('{n:# lineage edge|# lineage edges}', { n: lineage_created }),
  ]
    .filter(Boolean)
    .join(', ')

const CancelUndo = ({ job }: { job: string }) => {
  const cancel = useMutation({
    mutationFn: () => cancelUndo(job),
    onError: (error) => showErrorToast(t('Couldn’t cancel the undo.'), error),
  })
  return (
    <Button small disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
      {cancel.isSuccess ? t('Cancelling…') : t('Cancel')}
    </Button>
  )
}
