import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Tags as TagsIcon } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Field, Input, TextArea } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { EmptyState } from '../ui/states.tsx'
import { type Tag, tagsQuery } from './shared/queries.ts'
import { SettingsList, SettingsListRow } from './shared/settings-list.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

const STALE_KEYS = ['tags', 'bootstrap', 'catalog', 'resource']
const DEFAULT_COLOR = '#8a8f98' // shown for tags without a color

/** Tags with their number of resources. */
export const Tags = () => (
  <SettingsList
    title={t('Tags')}
    about={t('Labels for resources from any source.')}
    add={t('New tag')}
    of={useQuery({ ...tagsQuery, select: ({ results }) => results })}
    empty={<EmptyState icon={TagsIcon} title={t('No tags yet')} />}
    row={(tag) => (
      <SettingsListRow
        name={tag.name}
        sign={<span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: tag.color ?? DEFAULT_COLOR }} />}
        about={tag.description}
        aside={
          <Link to="/search" search={{ tags: tag.id }} className="hover:text-ink hover:underline">
            {pluralize(tag.resource_count, 'resource')}
          </Link>
        }
        path={`/tag/${tag.id}`}
        staleKeys={STALE_KEYS}
        deleteWarning={t('It is removed from {n:# resource|# resources}.', { n: tag.resource_count })}
        form={(onClose) => <EditTag tag={tag} onClose={onClose} />}
      />
    )}
    form={(onClose) => <EditTag onClose={onClose} />}
  />
)

const EditTag = ({ tag, onClose }: { tag?: Tag; onClose: () => void }) => {
  const [name, setName] = useState(tag?.name ?? '')
  const [description, setDescription] = useState(tag?.description ?? '')
  const [color, setColor] = useState(tag?.color ?? null)
  const write = useSettingsMutation({
    perform: () => {
      const body = { name, description: description || null, color }
      return tag ? api.patch<Tag>(`/tag/${tag.id}`, body) : api.post<Tag>('/tag', body)
    },
    staleKeys: STALE_KEYS,
    done: t('Saved'),
    onSuccess: onClose,
  })
  return (
    <FormDialog title={tag ? t('Edit {name}', { name: tag.name }) : t('New tag')} submit={t('Save')} onClose={onClose} write={write}>
      {(errors) => (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)_4rem] gap-3">
            <Field label={t('Name')} error={errors.name}>
              {(props) => (
                <Input {...props} required maxLength={200} data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
              )}
            </Field>
            <Field label={t('Color')} error={errors.color}>
              {(props) => (
                <Input
                  {...props}
                  type="color"
                  className="p-0.5"
                  value={color ?? DEFAULT_COLOR}
                  onChange={({ target }) => setColor(target.value)}
                />
              )}
            </Field>
          </div>
          <Field label={t('Description')} hint={t('When to use this tag')} error={errors.description}>
            {(props) => <TextArea {...props} value={description} onChange={({ target }) => setDescription(target.value)} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
