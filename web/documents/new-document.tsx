import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Field, Input } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { createDocument } from './queries.ts'
import { type ChosenTemplate, TemplateChoice } from './template-choice.tsx'

interface NewDocumentDialogProps {
  readonly entity_type: 'document' | 'glossary'
  readonly parent?: string
  /** The template that is chosen at first. */
  readonly template?: ChosenTemplate
  readonly onClose: () => void
  readonly onCreated: (created: Resource) => void
}

/** Creates a term with just a title, or a document, which may start with a template; the editor opens next. */
export const NewDocumentDialog = ({ entity_type, parent, template: initial, onClose, onCreated }: NewDocumentDialogProps) => {
  const [template, setTemplate] = useState(initial)
  const [title, setTitle] = useState(initial?.title ?? '')
  const create = useMutation<Resource, Error, void>({
    mutationFn: () => {
      const { key: _, ...copied } = template ?? { key: '' }
      return createDocument(entity_type, { ...copied, title: title.trim(), ...(parent && { parent }) })
    },
    onSuccess: onCreated,
  })
  const choose = (chosen: ChosenTemplate | undefined) => {
    // The title of the template, unless another one was typed.
    if (title.trim() === '' || title === template?.title) setTitle(chosen?.title ?? '')
    setTemplate(chosen)
  }
  return (
    <FormDialog
      title={entity_type === 'document' ? t('New document') : t('New term')}
      submit={t('Create')}
      onClose={onClose}
      write={create}
    >
      {(errors) => (
        <>
          <Field label={t('Title')} error={errors.title}>
            {(props) => (
              <Input {...props} required maxLength={1000} data-autofocus value={title} onChange={({ target }) => setTitle(target.value)} />
            )}
          </Field>
          {entity_type === 'document' && <TemplateChoice value={template?.key ?? ''} onChoose={choose} />}
        </>
      )}
    </FormDialog>
  )
}
