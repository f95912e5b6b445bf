import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Tags as TagsIcon } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { Field, Input, TextArea } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Empty } from '../ui/states.tsx'
import { several, t } from '../words/words.ts'
import { Managed, ManagedRow } from './managed.tsx'
import { type Tag, tagsQuery } from './queries.ts'
import { useWrite } from './use-write.ts'

const OLD = ['tags', 'bootstrap', 'catalog', 'resource']
const GREY = '#8a8f98' // shown for tags without a color

/** Tags with their number of resources. */
export const Tags = () => (
  <Managed
    title={t('Tags')}
    about={t('Labels for resources from any source.')}
    add={t('New tag')}
    of={useQuery({ ...tagsQuery, select: ({ results }) => results })}
    empty={<Empty icon={TagsIcon} title={t('No tags yet')} />}
    row={(tag) => (
      <ManagedRow
        name={tag.name}
        sign={<span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: tag.color ?? GREY }} />}
        about={tag.description}
        aside={
          <Link to="/search" search={{ tags: tag.id }} className="hover:text-ink hover:underline">
            {several(tag.resource_count, 'resource')}
          </Link>
        }
        path={`/tag/${tag.id}`}
        old={OLD}
        lost={t('It is removed from {n:# resource|# resources}.', { n: tag.resource_count })}
        form={(onClose) => <Edit tag={tag} onClose={onClose} />}
      />
    )}
    form={(onClose) => <Edit onClose={onClose} />}
  />
)

const Edit = ({ tag, onClose }: { tag?: Tag; onClose: () => void }) => {
  const [name, setName] = useState(tag?.name ?? '')
  const [description, setDescription] = useState(tag?.description ?? '')
  const [color, setColor] = useState(tag?.color ?? null)
  const write = useWrite({
    perform: () => {
      const body = { name, description: description || null, color }
      return tag ? api.patch<Tag>(`/tag/${tag.id}`, body) : api.post<Tag>('/tag', body)
    },
    old: OLD,
    done: t('Saved'),
    onDone: onClose,
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
                <Input {...props} type="color" className="p-0.5" value={color ?? GREY} onChange={({ target }) => setColor(target.value)} />
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
