import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, FilePlus, Globe, LayoutTemplate, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { saveEdit } from '../api/save-edit.ts'
import { useCan } from '../api/session.ts'
import type { ResourceView } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { cacheResource } from '../resources/use-edit.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { NewDocumentDialog } from './new-document.tsx'
import type { DocumentRecord } from './queries.ts'

const DeleteDialog = lazy(async () => ({ default: (await import('../resources/actions/delete-dialog.tsx')).DeleteDialog }))
const PublicLinksDialog = lazy(async () => ({ default: (await import('../resources/actions/public-links-dialog.tsx')).PublicLinksDialog }))

/** Shares or deletes a document or term, makes a document a template or an ordinary document again, and creates documents from it. */
export const MoreMenu = ({ view }: { view: ResourceView }) => {
  const document = view.resource as DocumentRecord
  const { id, entity_type, title, description, is_template = false } = document
  const canShare = useCan('links.manage')
  const [sharing, setSharing] = useState(false)
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const mark = useMutation({
    mutationFn: (on: boolean) => saveEdit(`/document/${id}`, document, { is_template: on }),
    onSuccess: (after, on) => {
      cacheResource(after)
      void queryClient.invalidateQueries({ queryKey: ['catalog', 'listed'] })
      showToast(on ? t('“New document” offers it as a template now') : t('No longer a template'))
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  const [deleting, setDeleting] = useState(false)
  const isDocument = entity_type === 'document'
  const open = (id: string | undefined) =>
    isDocument
      ? id
        ? navigate({ to: '/documents/$id', params: { id } })
        : navigate({ to: '/documents' })
      : navigate({ to: '/glossary', search: { term: id } })
  return (
    <>
      <Menu
        label={t('More')}
        align="end"
        trigger={(props) => <IconButton {...props} label={t('More')} icon={Ellipsis} className="size-8" />}
        items={[
          ...(canShare ? [{ label: t('Public link'), icon: Globe, onSelect: () => setSharing(true) }] : []),
          ...(isDocument
            ? [{ label: t('Use as template'), icon: LayoutTemplate, checked: is_template, onSelect: () => mark.mutate(!is_template) }]
            : []),
          ...(is_template ? [{ label: t('New document from this template'), icon: FilePlus, onSelect: () => setCreating(true) }] : []),
          { label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      {sharing && (
        <Suspense fallback={null}>
          <PublicLinksDialog id={id} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {deleting && (
        <Suspense fallback={null}>
          <DeleteDialog view={view} open={open} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
      {creating && (
        <NewDocumentDialog
          entity_type="document"
          template={{ key: id, title, description: description ?? undefined, template: id }}
          onClose={() => setCreating(false)}
          onCreated={({ id }) => {
            setCreating(false)
            void navigate({ to: '/documents/$id', params: { id }, search: { edit: '1' } })
          }}
        />
      )}
    </>
  )
}
