import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Job } from '../api/job.ts'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query.ts'
import { useCan } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { KindIcon, kindName } from '../ui/kind.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, FailureView, Skeleton } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'
import { type TrashEntry, trashQuery } from './queries.ts'

const OLD = ['trash', 'catalog', 'tree', 'home', 'resource']
const refresh = () => Promise.all(OLD.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))

/** Deleted resources that can be restored. */
export const Trash = () => {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(trashQuery)
  const entries = data?.pages.flatMap(({ results }) => results) ?? []
  const nameOf = useNames(entries.flatMap(({ deleted_by }) => deleted_by ?? []))
  return (
    <Page title={t('Trash')} about={t('Deleted resources are kept for 90 days. Restoring a resource also restores everything in it.')}>
      {error && !data ? (
        <FailureView error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : entries.length === 0 ? (
        <Empty icon={Trash2} title={t('Trash is empty')} />
      ) : (
        <>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} by={entry.deleted_by ? nameOf(entry.deleted_by)?.name : undefined} />
            ))}
          </ul>
          {hasNextPage && (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()} className="self-center">
              {t('Show more')}
            </Button>
          )}
        </>
      )}
    </Page>
  )
}

const Row = ({ entry, by }: { entry: TrashEntry; by: string | undefined }) => {
  const navigate = useNavigate()
  const deletes = useCan('trash.delete')
  const [deleting, setDeleting] = useState(false)
  const { id, title, title_full, entity_type, resources_below, deleted_at, expires_at } = entry
  const restore = useMutation({
    mutationFn: () => api.post<Job | { entity_type: string }>(`/resource/all/${id}/restore`, {}),
    onSuccess: async (answer) => {
      await refresh()
      if (!('entity_type' in answer)) return told(t('Restoring {title} in the background', { title }))
      told(t('{title} restored', { title }))
      await navigate({ to: '/r/$id', params: { id } })
    },
    onError: (error) => toldFailure(t('Couldn’t restore it.'), error),
  })
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-3 py-2 md:grid-cols-[auto_minmax(0,1fr)_9rem_14rem_9rem_auto]">
      <KindIcon type={entity_type} />
      <span className="min-w-0">
        <span className="block truncate font-medium" dir="auto">
          {title}
        </span>
        <span className="block truncate text-xs text-faint" dir="auto">
          {title_full === title ? kindName(entity_type) : `${kindName(entity_type)} · ${title_full}`}
        </span>
        <span className="block text-xs text-faint md:hidden">
          <Deleted at={deleted_at} by={by} />
          {resources_below > 0 && ` · ${below(resources_below)}`}
        </span>
      </span>
      <span className="text-xs text-soft tabular-nums max-md:hidden">{resources_below > 0 && below(resources_below)}</span>
      <span className="truncate text-xs text-faint max-md:hidden">
        <Deleted at={deleted_at} by={by} />
      </span>
      <span className="text-xs text-faint max-md:hidden">
        <Say words="Expires {when}" when={<When at={expires_at} />} />
      </span>
      <span className="flex gap-1">
        <Button busy={restore.isPending} onClick={() => restore.mutate()} aria-label={t('Restore {title}', { title })}>
          <RotateCcw aria-hidden size={15} /> <span className="max-md:hidden">{t('Restore')}</span>
        </Button>
        {deletes && (
          <Button look="quiet" onClick={() => setDeleting(true)} aria-label={t('Delete {title} permanently', { title })}>
            <Trash2 aria-hidden size={15} />
          </Button>
        )}
      </span>
      {deleting && <DeletePermanently entry={entry} onClose={() => setDeleting(false)} />}
    </li>
  )
}

const below = (n: number): string => t('{n:# resource|# resources} inside', { n })

const Deleted = ({ at, by }: { at: string; by: string | undefined }) =>
  by ? <Say words="Deleted {when} by {who}" when={<When at={at} />} who={by} /> : <Say words="Deleted {when}" when={<When at={at} />} />

const DeletePermanently = ({ entry: { id, title, resources_below }, onClose }: { entry: TrashEntry; onClose: () => void }) => {
  const remove = useMutation({
    mutationFn: () => api.delete(`/trash/${id}`),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <Confirm title={t('Delete permanently?')} action={t('Delete')} onClose={onClose} write={remove}>
      <p>
        {resources_below > 0
          ? t('{title} and {n:# resource|# resources} in it will be deleted permanently. This can’t be undone.', {
              title,
              n: resources_below,
            })
          : t('{title} will be deleted permanently. This can’t be undone.', { title })}
      </p>
    </Confirm>
  )
}
