import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Field, Input } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { createDocument } from './queries.ts'

interface NewDocumentDialogProps {
  readonly entity_type: 'document' | 'glossary'
  readonly parent?: string
  readonly onClose: () => void
  readonly onCreated: (created: Resource) => void
}

/** Creates a document or term with just a title; the editor opens next. */
export const NewDocumentDialog = ({ entity_type, parent, onClose, onCreated }: NewDocumentDialogProps) => {
  const [title, setTitle] = useState('')
  const create = useMutation<Resource, Error, void>({
    mutationFn: () => createDocument(entity_type, { title: title.trim(), ...(parent && { parent }) }),
    onSuccess: onCreated,
  })
  return (
    <FormDialog
      title={entity_type === 'document' ? t('New document') : t('New term')}
      submit={t('Create')}
      onClose={onClose}
      write={create}
    >
      {(errors) => (
        <Field label={t('Title')} error={errors.title}>
          {(props) => (
            <Input {...props} required maxLength={1000} data-autofocus value={title} onChange={({ target }) => setTitle(target.value)} />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
