import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, FilePlus, LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { saveEdit } from '../api/save-edit.ts'
import { t } from '../i18n/messages.ts'
import { cacheResource } from '../resources/use-edit.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { NewDocumentDialog } from './new-document.tsx'
import type { DocumentRecord } from './queries.ts'

/** Makes a document a template or an ordinary document again, and creates documents from it. */
export const TemplateMenu = ({ document }: { document: DocumentRecord }) => {
  const { id, title, description, is_template = false } = document
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const mark = useMutation({
    mutationFn: (on: boolean) => saveEdit(`/document/${id}`, document, { is_template: on }),
    onSuccess: (after, on) => {
      cacheResource(after)
      void queryClient.invalidateQueries({ queryKey: ['catalog', 'listed'] })
      showToast(on ? t('“New” offers it as a template now') : t('No longer a template'))
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  return (
    <>
      <Menu
        label={t('More')}
        align="end"
        trigger={(props) => <IconButton {...props} label={t('More')} icon={Ellipsis} className="size-8" />}
        items={[
          { label: t('Use as template'), icon: LayoutTemplate, checked: is_template, onSelect: () => mark.mutate(!is_template) },
          ...(is_template ? [{ label: t('New document from this template'), icon: FilePlus, onSelect: () => setCreating(true) }] : []),
        ]}
      />
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
