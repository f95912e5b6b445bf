import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, EllipsisVertical, Link2, Pencil, RefreshCw, Trash2, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Switch } from '../ui/field.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { Popover } from '../ui/popover.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { type SavedView, viewsQuery } from './queries.ts'
import { type CatalogSearch, parseViewQuery, toViewQuery } from './search-params.ts'

const reloadViews = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })

/** Saved searches: words, filters, sort order and columns under a name. */
export const SavedViews = ({ address, onSave }: { address: CatalogSearch; onSave: () => void }) => {
  const [open, setOpen] = useState(false)
  const [renaming, setRenaming] = useState<SavedView>()
  const navigate = useNavigate()
  const { data } = useQuery({ ...viewsQuery, enabled: open })
  const current = toViewQuery(address)
  return (
    <>
      <Popover
        label={t('Saved views')}
        align="end"
        className="max-h-[70dvh] w-72 p-1"
        onOpen={() => setOpen(true)}
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('quiet', true)}>
            <Bookmark aria-hidden size={15} /> {t('Views')}
          </button>
        )}
      >
        {(close) => (
          <div className="grid gap-1">
            {data?.results.map((view) => (
              <div key={view.id} className="flex items-center gap-1 rounded-md pe-1 hover:bg-hover">
                <button
                  type="button"
                  aria-current={view.query === current || undefined}
                  className={cx('min-w-0 flex-1 truncate px-2 py-1.5 text-start text-sm', view.query === current && 'font-semibold')}
                  onClick={() => {
                    close()
                    void navigate({ to: '/search', search: parseViewQuery(view.query) })
                  }}
                >
                  {view.name}
                  {view.shared && <span className="ps-2 text-xs font-normal text-faint">{t('Shared')}</span>}
                </button>
                <ViewMenu
                  view={view}
                  current={current}
                  onRename={() => {
                    close()
                    setRenaming(view)
                  }}
                />
              </div>
            ))}
            {data?.results.length === 0 && (
              <p className="px-2 py-2 text-sm text-soft">{t('No views yet. A view saves the search, filters, sort order, and columns.')}</p>
            )}
            <Button
              small
              className="m-1"
              onClick={() => {
                close()
                onSave()
              }}
            >
              {t('Save view')}
            </Button>
          </div>
        )}
      </Popover>
      {renaming && <RenameViewDialog view={renaming} onClose={() => setRenaming(undefined)} />}
    </>
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
    mutationFn: (change: { query?: string; shared?: boolean }) => api.patch(`/view/${view.id}`, change),
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
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${location.origin}/search?${view.query}`)
    showToast(t('Copied'))
  }
  const items: MenuItem[] = [
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

const RenameViewDialog = ({ view, onClose }: { view: SavedView; onClose: () => void }) => (
  <ViewDialog
    title={t('Rename view')}
    name={view.name}
    onSave={(name) => api.patch(`/view/${view.id}`, { name }, { if_match: view })}
    onClose={onClose}
  />
)

export const SaveViewDialog = ({ address, onClose }: { address: CatalogSearch; onClose: () => void }) => {
  const [shared, setShared] = useState(false)
  const mayShare = useCan('catalog.write')
  return (
    <ViewDialog
      title={t('Save view')}
      name=""
      onSave={(name) => api.post('/view', { name, query: toViewQuery(address), page_name: 'catalog', shared })}
      onClose={onClose}
    >
      {mayShare && (
        <div className="flex items-center gap-2 text-sm">
          <Switch label={t('Share with everyone')} checked={shared} onChange={setShared} /> {t('Share with everyone')}
        </div>
      )}
    </ViewDialog>
  )
}

interface ViewDialogProps {
  readonly title: string
  readonly name: string
  readonly onSave: (name: string) => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ReactNode
}

const ViewDialog = ({ title, name: before, onSave, onClose, children }: ViewDialogProps) => {
  const [typed, setTyped] = useState(before)
  const name = typed.trim()
  const save = useMutation({
    mutationFn: () => onSave(name),
    onSuccess: async () => {
      await reloadViews()
      showToast(t('View “{name}” saved', { name }))
      onClose()
    },
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" busy={save.isPending} disabled={name === ''} onClick={() => save.mutate()}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (name !== '') save.mutate()
        }}
      >
        <Field label={t('Name')} error={save.error?.message}>
          {(props) => <Input {...props} data-autofocus value={typed} onChange={(event) => setTyped(event.target.value)} maxLength={200} />}
        </Field>
        {children}
      </form>
    </Dialog>
  )
}
