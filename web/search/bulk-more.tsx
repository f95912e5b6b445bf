import { useMutation } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Ellipsis, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { useBootstrap } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { PropertyInput } from '../resources/sidebar/properties.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Confirm, FormDialog } from '../ui/form-dialog.tsx'
import { Menu } from '../ui/menu.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { type BulkRow, MAX_EDITS_PER_REQUEST } from './bulk-rows.ts'

interface BulkMoreProps {
  readonly rows: readonly BulkRow[]
  /** The queries that show the rows. */
  readonly queryKey: readonly unknown[]
  readonly onArchive: (archived: boolean) => void
}

/** The rarer bulk edits: a custom property, the archive and deletion. */
export const BulkMore = ({ rows, queryKey, onArchive }: BulkMoreProps) => {
  const { properties } = useBootstrap()
  const [dialog, setDialog] = useState<'property' | 'delete'>()
  const close = () => setDialog(undefined)
  const archived = rows.every((row) => row.archived)
  return (
    <>
      <Menu
        label={t('More')}
        side="above"
        items={[
          ...(properties.length > 0 ? [{ label: t('Set property'), icon: SlidersHorizontal, onSelect: () => setDialog('property') }] : []),
          {
            label: archived ? t('Unarchive') : t('Archive'),
            icon: archived ? ArchiveRestore : Archive,
            onSelect: () => onArchive(!archived),
          },
          { label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setDialog('delete') },
        ]}
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <Ellipsis aria-hidden size={15} /> {t('More')}
          </button>
        )}
      />
      {dialog === 'property' && <PropertyDialog rows={rows} queryKey={queryKey} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog rows={rows} queryKey={queryKey} onClose={close} />}
    </>
  )
}

type DialogProps = Pick<BulkMoreProps, 'rows' | 'queryKey'> & { readonly onClose: () => void }

const PropertyDialog = ({ rows, queryKey, onClose }: DialogProps) => {
  const { properties } = useBootstrap()
  const [id, setId] = useState(properties[0]!.id)
  const [value, setValue] = useState('')
  const property = properties.find((each) => each.id === id)!
  const write = useMutation<unknown, Error, void>({
    mutationFn: async () => {
      for (let i = 0; i < rows.length; i += MAX_EDITS_PER_REQUEST) {
        const entity_ids = rows.slice(i, i + MAX_EDITS_PER_REQUEST).map((row) => row.id)
        await api.put('/resource/all_v2/bulk_update/custom_properties/', { entity_ids, properties: { [id]: value } })
      }
    },
    onSuccess: () => {
      showToast(t('{what}: {n:# resource|# resources}', { what: property.name, n: rows.length }))
      onClose()
      return Promise.all([queryKey, ['resource']].map((key) => queryClient.invalidateQueries({ queryKey: key })))
    },
  })
  return (
    <FormDialog
      title={t('Set property')}
      submit={t('Set for {n:# resource|# resources}', { n: rows.length })}
      onClose={onClose}
      write={write}
    >
      {(errors) => (
        <>
          <Field label={t('Property')}>
            {(props) => (
              <Select
                {...props}
                value={id}
                onChange={({ target }) => {
                  setId(target.value)
                  setValue('')
                }}
              >
                {properties.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={t('Value')} hint={t('Leave it empty to remove the value.')} error={Object.values(errors).flat()[0]}>
            {(props) => <PropertyInput {...props} property={property} value={value} onChange={setValue} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

/** Deletes one after the other. What was below another one is deleted with it. */
const DeleteDialog = ({ rows, queryKey, onClose }: DialogProps) => {
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  const restore = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await api.post(`/resource/all/${id}/restore`)
    },
    onError: (error) => showErrorToast(t('Couldn’t restore all of them. They are in the trash.'), error),
    onSettled: refresh,
  })
  const write = useMutation<unknown, Error, void>({
    mutationFn: async () => {
      const deleted: string[] = []
      try {
        for (const { id } of rows) if (await removeUnlessGone(id)) deleted.push(id)
      } finally {
        if (deleted.length > 0)
          showToast(t('{n:# resource deleted|# resources deleted}', { n: deleted.length }), () => restore.mutate(deleted))
        void refresh()
      }
    },
    onSuccess: onClose,
  })
  return (
    <Confirm title={t('Delete {n:# resource|# resources}?', { n: rows.length })} action={t('Delete')} onClose={onClose} write={write}>
      <p>{t('Everything below them is deleted, too. They can be restored from the trash for 90 days.')}</p>
    </Confirm>
  )
}

const removeUnlessGone = async (id: string): Promise<boolean> => {
  try {
    await api.delete(`/resource/all/${id}`)
    return true
  } catch (error) {
    if (isApiError(error) && error.status === 404) return false
    throw error
  }
}
