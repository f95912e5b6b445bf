import { useMutation, useQuery } from '@tanstack/react-query'
import { Bell, BellOff, EllipsisVertical, Link2, Pencil, Pin, PinOff, RefreshCw, Trash2, Users } from 'lucide-react'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCan } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { showErrorToast, showToast } from '../../ui/toast.tsx'
import { reloadViews, type SavedView, viewsQuery } from '../queries.ts'

interface ViewListProps {
  /** The query of the page. */
  readonly current: string
  readonly onOpen: (view: SavedView) => void
  readonly onRename: (view: SavedView) => void
  readonly onSave: () => void
}

/** The saved views, in the popover of their button. */
export const ViewList = ({ current, onOpen, onRename, onSave }: ViewListProps) => {
  const { data } = useQuery(viewsQuery)
  return (
    <div className="grid grid-cols-1 gap-1">
      {data?.results.map((view) => (
        <div key={view.id} className="flex items-center gap-1 rounded-md pe-1 hover:bg-hover">
          <button
            type="button"
            aria-current={view.query === current || undefined}
            className={cx('min-w-0 flex-1 truncate px-2 py-1.5 text-start text-sm', view.query === current && 'font-semibold')}
            title={view.name}
            onClick={() => onOpen(view)}
          >
            {view.name}
            {view.notify && <Bell aria-label={t('Notifies you about new matches')} size={13} className="ms-2 inline text-accent" />}
            {view.shared && <span className="ps-2 text-xs font-normal text-faint">{t('Shared')}</span>}
          </button>
          <ViewMenu view={view} current={current} onRename={() => onRename(view)} />
        </div>
      ))}
      {data?.results.length === 0 && (
        <p className="px-2 py-2 text-sm text-soft">{t('No views yet. A view saves the search, filters, sort order, and columns.')}</p>
      )}
      <Button small className="m-1" onClick={onSave}>
        {t('Save view')}
      </Button>
    </div>
  )
}

interface ViewMenuProps {
  readonly view: SavedView
  /** The query of the page. */
  readonly current: string
  readonly onRename: () => void
}

const ViewMenu = ({ view, current, onRename }: ViewMenuProps) => {
  const mayShare = useCan('catalog.write')
  const edit = useMutation({
    mutationFn: (change: { query?: string; shared?: boolean; notify?: boolean }) => api.patch(`/view/${view.id}`, change),
    onSuccess: async () => {
      await reloadViews()
      showToast(t('View “{name}” saved', { name: view.name }))
    },
    onError: (error) => showErrorToast(t('Couldn’t save the view.'), error),
  })
  const remove = useMutation({
    mutationFn: () => api.delete(`/view/${view.id}`),
    onSuccess: reloadViews,
    onError: (error) => showErrorToast(t('Couldn’t delete the view.'), error),
  })
  const pin = useMutation({
    mutationFn: () => (view.pinned ? api.delete(`/view/${view.id}/pin`) : api.put(`/view/${view.id}/pin`)),
    onSuccess: async () => {
      await Promise.all([reloadViews(), queryClient.invalidateQueries({ queryKey: ['bootstrap'] })])
      showToast(view.pinned ? t('View “{name}” unpinned', { name: view.name }) : t('View “{name}” pinned', { name: view.name }))
    },
    onError: (error) => showErrorToast(t('Couldn’t save the view.'), error),
  })
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${location.origin}/search?${view.query}`)
    showToast(t('Copied'))
  }
  const items: MenuItem[] = [
    {
      label: view.pinned ? t('Unpin') : t('Pin to navigation'),
      icon: view.pinned ? PinOff : Pin,
      onSelect: () => pin.mutate(),
    },
    { label: t('Copy link'), icon: Link2, onSelect: () => void copyLink() },
    ...(view.mine
      ? [
          { label: t('Rename'), icon: Pencil, onSelect: onRename },
          {
            label: t('Replace with this search'),
            icon: RefreshCw,
            disabled: view.query === current,
            onSelect: () => edit.mutate({ query: current }),
          },
          {
            label: view.notify ? t('Stop notifying me') : t('Notify me about new matches'),
            icon: view.notify ? BellOff : Bell,
            onSelect: () => edit.mutate({ notify: !view.notify }),
          },
          ...(mayShare || view.shared
            ? [
                {
                  label: view.shared ? t('Stop sharing') : t('Share with everyone'),
                  icon: Users,
                  onSelect: () => edit.mutate({ shared: !view.shared }),
                },
              ]
            : []),
          { label: t('Delete'), icon: Trash2, danger: true, onSelect: () => remove.mutate() },
        ]
      : []),
  ]
  return (
    <Menu
      label={t('Actions for {name}', { name: view.name })}
      align="end"
      items={items}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={t('Actions for {name}', { name: view.name })}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink"
        >
          <EllipsisVertical aria-hidden size={16} />
        </button>
      )}
    />
  )
}
