import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { BellRing, Plug, RotateCcw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query-client.ts'
import { splitSentence } from '../api/server-text.ts'
import type { Resource, Schemas, VersionHistory } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { ErrorView, Skeleton } from '../ui/states.tsx'
import { TextDiff } from '../ui/text-diff.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { getFieldLabel } from './field-labels.ts'
import { logQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'
import { cacheResource } from './use-edit.ts'

const NotificationExplanation = lazy(async () => ({ default: (await import('../activity/explanation.tsx')).NotificationExplanation }))

type HistoryEntry = VersionHistory | Schemas['LogEntry']
type Change = VersionHistory['changes'][number]

const getEntryTime = (entry: HistoryEntry): string => ('logged_at' in entry ? entry.logged_at : entry.created_at)

/** History of a resource, newest first; any version can be restored. */
export const Activity = ({ view }: TabProps) => {
  const { resource } = view
  const log = useInfiniteQuery(logQuery(resource.id, resource.current_user_permissions.write))
  if (log.error) return <ErrorView error={log.error} retry={() => void log.refetch()} />
  if (!log.data) return <Skeleton lines={6} />
  const entries = log.data.pages
    .flatMap(({ version_histories, non_versioned_logs }): HistoryEntry[] => [...version_histories, ...non_versioned_logs])
    .sort((a, b) => getEntryTime(b).localeCompare(getEntryTime(a)))
  return (
    <div className="max-w-3xl">
      <ol className="relative border-s border-line ps-5">
        {entries.map((entry) => (
          <HistoryItem key={entry.id} entry={entry} resource={resource} />
        ))}
      </ol>
      {log.hasNextPage && (
        <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('Show older')}
        </Button>
      )}
    </div>
  )
}

const HistoryItem = ({ entry, resource }: { entry: HistoryEntry; resource: Resource }) => {
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const version = 'version' in entry ? entry : undefined
  const changes = version?.changes.filter(({ field }) => field !== 'definition_version') ?? []
  const who = entry.performer_metadata.name
  const restore = useMutation({
    mutationFn: () => api.post<Resource>(`/resource/all/${resource.id}/restore`, { version: version?.version }, { if_match: resource }),
    onSuccess: (after) => {
      cacheResource(after)
      void queryClient.invalidateQueries({ queryKey: ['resource', resource.id] })
      showToast(t('Restored version {version}', { version: String(version?.version) }))
    },
    onError: (error) => showErrorToast(t('Couldn’t restore the version.'), error),
  })
  return (
    <li className="group/entry relative pb-5">
      <span className="absolute -start-[1.9rem] top-0 rounded-full border-2 border-bg">
        {entry.performer_type === 'INTEGRATION' ? <SourceAvatar /> : <Avatar name={who} />}
      </span>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <p className="min-w-0 break-words" dir="auto">
          {splitSentence(entry.translatable).map(({ name, value }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change
            <span key={i} className={cx(name === 'performer' && 'font-medium')}>
              {value}
            </span>
          ))}
        </p>
        <span className="text-xs text-faint">
          <RelativeTime at={getEntryTime(entry)} />
          {version && ` · ${t('version {version}', { version: String(version.version) })}`}
        </span>
        <IconButton
          label={t('Who was notified and why')}
          icon={BellRing}
          onClick={() => setAsking(true)}
          className="-my-1 opacity-0 group-hover/entry:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        />
        {asking && (
          <Suspense>
            <NotificationExplanation of={{ type: 'activity', id: entry.id }} onClose={() => setAsking(false)} />
          </Suspense>
        )}
      </div>
      {version && changes.length > 0 && (
        <div className="mt-1 flex gap-2">
          <Button small look="quiet" aria-expanded={open} onClick={() => setOpen(!open)} className="-ms-2">
            {open ? t('Hide changes') : t('Show changes')}
          </Button>
          {version.version !== resource.version && resource.current_user_permissions.write && (
            <Button small look="quiet" icon={RotateCcw} busy={restore.isPending} onClick={() => restore.mutate()}>
              {t('Restore')}
            </Button>
          )}
        </div>
      )}
      {open && (
        <div className="mt-2">
          <FieldChanges of={changes} />
        </div>
      )}
    </li>
  )
}

/** Instead of initials, which would read as "AI". */
const SourceAvatar = () => (
  <span aria-hidden className="inline-flex size-5 items-center justify-center rounded-full bg-accent-soft text-accent">
    <Plug size={12} />
  </span>
)

const MAX_INLINE_LENGTH = 80
const isText = (value: unknown): value is string => typeof value === 'string'
const isId = (value: unknown): value is string => isText(value) && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)

/** Changes by field. */
export const FieldChanges = ({ of }: { of: readonly Change[] }) => (
  <dl className="grid gap-3">
    {of.map((change) => (
      <div key={change.field}>
        <dt className="mb-1 text-xs font-medium text-faint">{getFieldLabel(change.field)}</dt>
        <dd className="text-sm">
          <FieldChange {...change} />
        </dd>
      </div>
    ))}
  </dl>
)

/** One field before and after, with names instead of IDs. */
const FieldChange = ({ from, to }: Change) => {
  const lists = [from, to].map((value) => (Array.isArray(value) ? value.map(String) : isId(value) ? [value] : []))
  const names = useNames(lists.flat().filter(isId))
  if (Array.isArray(from) || Array.isArray(to)) {
    const [before = [], after = []] = lists
    const word = (id: string) => names(id)?.name ?? id
    return (
      <span className="flex flex-wrap gap-x-3">
        {before
          .filter((id) => !after.includes(id))
          .map((id) => (
            <del key={id} className="text-bad">
              {word(id)}
            </del>
          ))}
        {after
          .filter((id) => !before.includes(id))
          .map((id) => (
            <ins key={id} className="text-good no-underline">
              + {word(id)}
            </ins>
          ))}
      </span>
    )
  }
  const [old, now] = [from, to].map((value) => (isText(value) ? value : value === null || value === undefined ? '' : JSON.stringify(value)))
  if ([old, now].some((text) => text!.length > MAX_INLINE_LENGTH || text!.includes('\n'))) return <TextDiff from={old!} to={now!} />
  const word = (text: string) => (isId(text) ? (names(text)?.name ?? text) : text)
  return (
    <span className="flex flex-wrap items-center gap-2" dir="auto">
      {old && <del className="text-bad">{word(old)}</del>}
      <span aria-hidden className="text-faint">
        →
      </span>
      {now ? <ins className="text-good no-underline">{word(now)}</ins> : <span className="text-faint">{t('nothing')}</span>}
    </span>
  )
}
