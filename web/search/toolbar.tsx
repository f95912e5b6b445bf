import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bookmark, Columns3, Download, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Select, Switch } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { Popover } from '../ui/popover.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { COLUMN_CONFIGS, getVisibleColumns } from './columns.tsx'
import { buildExportUrl, type SavedView, viewsQuery } from './queries.ts'
import { type CatalogSearch, COLUMNS, getSort, parseCatalogSearch, SORTS, type SortName, toSortParam } from './search-params.ts'

interface ToolbarProps {
  readonly address: CatalogSearch
  readonly onChange: (change: Partial<CatalogSearch>) => void
  readonly corrections: readonly { typed: string; meant: readonly string[] }[]
  readonly children: ReactNode
}

/** Result count, sort order, columns and saved views. */
export const Toolbar = ({ address, onChange, corrections, children }: ToolbarProps) => {
  const shown = getVisibleColumns(address)
  const [saving, setSaving] = useState(false)
  useCommand('results.save-view', () => setSaving(true))
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1">
      {children}
      {corrections.map(({ typed, meant }) => (
        <p key={typed} className="text-sm text-soft">
          <Trans
            message="Showing results for {meant}"
            meant={<span className="font-medium text-ink">{meant.slice(0, 3).join(', ')}</span>}
          />
        </p>
      ))}
      <span className="flex-1" />
      <Select
        aria-label={t('Sort')}
        value={getSort(address)}
        onChange={({ target: { value } }) => onChange({ sort: toSortParam(value as SortName, address.q) })}
        small
        fit
        quiet
      >
        {Object.entries(SORTS)
          .filter(([name]) => name !== 'relevance' || address.q)
          .map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
      </Select>
      <span className="hidden items-center gap-1 md:flex">
        <Menu
          label={t('Columns')}
          align="end"
          trigger={(props) => (
            <button type="button" {...props} className={buttonClass('quiet', true)}>
              <Columns3 aria-hidden size={15} /> {t('Columns')}
            </button>
          )}
          items={COLUMNS.map((name) => ({
            label: COLUMN_CONFIGS[name].title,
            checked: shown.includes(name),
            onSelect: () => {
              const now = COLUMNS.filter((each) => (each === name ? !shown.includes(name) : shown.includes(each)))
              onChange({ columns: now.length > 0 ? now.join(',') : 'none' })
            },
          }))}
        />
        <SavedViews onSave={() => setSaving(true)} />
        <a href={buildExportUrl(address, shown)} download className={buttonClass('quiet', true)}>
          <Download aria-hidden size={15} /> {t('Export')}
        </a>
      </span>
      {saving && <SaveViewDialog address={address} onClose={() => setSaving(false)} />}
    </div>
  )
}

const SavedViews = ({ onSave }: { onSave: () => void }) => {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const { data } = useQuery({ ...viewsQuery, enabled: open })
  const remove = useMutation({
    mutationFn: (view: SavedView) => api.delete(`/view/${view.id}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey }),
    onError: (error) => showErrorToast(t('Couldn’t delete the view.'), error),
  })
  return (
    <Popover
      label={t('Saved views')}
      align="end"
      className="w-72 p-1"
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
                className="min-w-0 flex-1 truncate px-2 py-1.5 text-start text-sm"
                onClick={() => {
                  close()
                  void navigate({ to: '/search', search: parseCatalogSearch(Object.fromEntries(new URLSearchParams(view.query))) })
                }}
              >
                {view.name}
                {view.shared && <span className="ps-2 text-xs text-faint">{t('Shared')}</span>}
              </button>
              {view.mine && (
                <IconButton label={t('Delete {name}', { name: view.name })} icon={Trash2} onClick={() => remove.mutate(view)} />
              )}
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
  )
}

const SaveViewDialog = ({ address, onClose }: { address: CatalogSearch; onClose: () => void }) => {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const mayShare = useCan('catalog.write')
  const save = useMutation({
    mutationFn: () => {
      const { peek: _, ...saved } = address
      const query = new URLSearchParams(Object.entries(saved).filter((pair): pair is [string, string] => pair[1] !== undefined)).toString()
      return api.post('/view', { name: name.trim(), query, page_name: 'catalog', shared })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
      showToast(t('View “{name}” saved', { name: name.trim() }))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('Save view')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" busy={save.isPending} disabled={name.trim() === ''} onClick={() => save.mutate()}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save.mutate()
        }}
      >
        <Field label={t('Name')} error={save.error?.message}>
          {(props) => <Input {...props} data-autofocus value={name} onChange={(event) => setName(event.target.value)} maxLength={200} />}
        </Field>
        {mayShare && (
          <div className="flex items-center gap-2 text-sm">
            <Switch label={t('Share with everyone')} checked={shared} onChange={setShared} /> {t('Share with everyone')}
          </div>
        )}
      </form>
    </Dialog>
  )
}
