import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { useCan } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input, Switch } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { reloadViews, type SavedView } from '../queries.ts'
import { type CatalogSearch, toViewQuery } from '../search-params.ts'

export const RenameViewDialog = ({ view, onClose }: { view: SavedView; onClose: () => void }) => (
  <ViewDialog
    title={t('Rename view')}
    name={view.name}
    onSave={(name) => api.patch(`/view/${view.id}`, { name }, { if_match: view })}
    onClose={onClose}
  />
)

export const SaveViewDialog = ({ address, onClose }: { address: CatalogSearch; onClose: () => void }) => {
  const [shared, setShared] = useState(false)
  const [notify, setNotify] = useState(false)
  const mayShare = useCan('catalog.write')
  return (
    <ViewDialog
      title={t('Save view')}
      name=""
      onSave={(name) => api.post('/view', { name, query: toViewQuery(address), page_name: 'catalog', shared, notify })}
      onClose={onClose}
    >
      <label className="flex items-center gap-2 text-sm">
        <Switch label={t('Notify me about new matches')} checked={notify} onChange={setNotify} /> {t('Notify me about new matches')}
      </label>
      {mayShare && (
        <label className="flex items-center gap-2 text-sm">
          <Switch label={t('Share with everyone')} checked={shared} onChange={setShared} /> {t('Share with everyone')}
        </label>
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
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
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
