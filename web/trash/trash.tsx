import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Job } from '../api/job.ts'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query-client.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button } from '../ui/button.tsx'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { Confirm } from '../ui/form-dialog.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, NoAccess, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { type TrashEntry, trashQuery } from './queries.ts'

const INVALIDATED_KEYS = ['trash', 'catalog', 'tree', 'home', 'resource']
const invalidateLists = () => Promise.all(INVALIDATED_KEYS.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))

/** Deleted resources that can be restored. */
export const Trash = () =>
  useCan('catalog.write') ? (
    <TrashList />
  ) : (
    <Page title={t('Trash')}>
      <NoAccess />
    </Page>
  )

const TrashList = () => {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(trashQuery)
  const entries = data?.pages.flatMap(({ results }) => results) ?? []
  const nameOf = useNames(entries.flatMap(({ deleted_by }) => deleted_by ?? []))
  return (
    <Page title={t('Trash')} about={t('Deleted resources are kept for 90 days. Restoring a resource also restores everything in it.')}>
      {error && !data ? (
        <ErrorView error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : entries.length === 0 ? (
        <EmptyState icon={Trash2} title={t('Trash is empty')} />
      ) : (
        <>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
            {entries.map((entry) => (
              <TrashRow key={entry.id} entry={entry} by={entry.deleted_by ? nameOf(entry.deleted_by)?.name : undefined} />
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

const TrashRow = ({ entry, by }: { entry: TrashEntry; by: string | undefined }) => {
  const navigate = useNavigate()
  const deletes = useCan('trash.delete')
  const [deleting, setDeleting] = useState(false)
  const { id, title, title_full, entity_type, resources_below, deleted_at, expires_at } = entry
  const restore = useMutation({
    mutationFn: () => api.post<Job | { entity_type: string }>(`/resource/all/${id}/restore`, {}),
    onSuccess: async (response) => {
      await invalidateLists()
      if (!('entity_type' in response)) return showToast(t('Restoring {title} in the background', { title }))
      showToast(t('{title} restored', { title }))
      await navigate({ to: '/r/$id', params: { id } })
    },
    onError: (error) => showErrorToast(t('Couldn’t restore it.'), error),
  })
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-3 py-2 md:grid-cols-[auto_minmax(0,1fr)_9rem_14rem_9rem_auto]">
      <EntityTypeIcon type={entity_type} />
      <span className="min-w-0">
        <span className="block truncate font-medium" dir="auto">
          {title}
        </span>
        <span className="block truncate text-xs text-faint" dir="auto">
          {title_full === title ? entityTypeLabel(entity_type) : `${entityTypeLabel(entity_type)} · ${title_full}`}
        </span>
        <span className="block text-xs text-faint md:hidden">
          <Deleted at={deleted_at} by={by} />
          {resources_below > 0 && ` · ${formatContents(resources_below)}`}
        </span>
      </span>
      <span className="text-xs text-soft tabular-nums max-md:hidden">{resources_below > 0 && formatContents(resources_below)}</span>
      <span className="truncate text-xs text-faint max-md:hidden">
        <Deleted at={deleted_at} by={by} />
      </span>
      <span className="text-xs text-faint max-md:hidden">
        <Trans message="Expires {when}" when={<RelativeTime at={expires_at} />} />
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

const formatContents = (n: number): string => t('{n:# resource|# resources} inside', { n })

const Deleted = ({ at, by }: { at: string; by: string | undefined }) =>
  by ? (
    <Trans message="Deleted {when} by {who}" when={<RelativeTime at={at} />} who={by} />
  ) : (
    <Trans message="Deleted {when}" when={<RelativeTime at={at} />} />
  )

const DeletePermanently = ({ entry: { id, title, resources_below }, onClose }: { entry: TrashEntry; onClose: () => void }) => {
  const remove = useMutation({
    mutationFn: () => api.delete(`/trash/${id}`),
    onSuccess: async () => {
      await invalidateLists()
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
