import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Tags as TagsIcon } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, TextArea } from '../ui/field.tsx'
import { Confirm, FormDialog } from '../ui/form-dialog.tsx'
import { several } from '../ui/number.ts'
import { Answer, Empty } from '../ui/states.tsx'
import { type Tag, tagsQuery } from './queries.ts'
import { Head, Row, Rows } from './rows.tsx'
import { useWrite } from './use-write.ts'

const OLD = ['tags', 'bootstrap', 'catalog', 'resource']
const GREY = '#8a8f98' // of a tag that has no colour yet, where one must be shown

/** The words of the workspace, and how many resources carry each. */
export const Tags = () => {
  const [making, setMaking] = useState(false)
  return (
    <>
      <Head
        title="Tags"
        about="Words that hold across all sources."
        actions={
          <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
            New tag
          </Button>
        }
      />
      <Answer of={useQuery(tagsQuery)}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon={TagsIcon} title="No tags yet" />
          ) : (
            <Rows>
              {results.map((tag) => (
                <One key={tag.id} tag={tag} />
              ))}
            </Rows>
          )
        }
      </Answer>
      {making && <Edit onClose={() => setMaking(false)} />}
    </>
  )
}

const One = ({ tag }: { tag: Tag }) => {
  const { id, name, color, description, resource_count } = tag
  const [over, setOver] = useState<'edit' | 'delete'>()
  const close = () => setOver(undefined)
  const remove = useWrite({ perform: () => api.delete(`/tag/${id}`), old: OLD, done: `${name} is gone.`, failed: 'Not deleted.' })
  return (
    <Row
      title={
        <>
          <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: color ?? GREY }} />
          <span className="truncate" dir="auto">
            {name}
          </span>
        </>
      }
      about={description}
      aside={
        <Link to="/search" search={{ tags: id }} className="hover:text-ink hover:underline">
          {several(resource_count, 'resource')}
        </Link>
      }
      actions={
        <>
          <Button small look="quiet" onClick={() => setOver('edit')}>
            Edit
          </Button>
          <Button small look="quiet" onClick={() => setOver('delete')}>
            Delete
          </Button>
        </>
      }
    >
      {over === 'edit' && <Edit tag={tag} onClose={close} />}
      {over === 'delete' && (
        <Confirm title={`Delete ${name}?`} action="Delete" onClose={close} write={remove}>
          {several(resource_count, 'resource')} lose it.
        </Confirm>
      )}
    </Row>
  )
}

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
    done: 'Saved.',
    onDone: onClose,
  })
  return (
    <FormDialog title={tag ? `Edit ${tag.name}` : 'New tag'} submit="Save" onClose={onClose} write={write}>
      {(errors) => (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)_4rem] gap-3">
            <Field label="Name" error={errors.name}>
              {(props) => (
                <Input {...props} required maxLength={200} data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
              )}
            </Field>
            <Field label="Colour" error={errors.color}>
              {(props) => (
                <Input {...props} type="color" className="p-0.5" value={color ?? GREY} onChange={({ target }) => setColor(target.value)} />
              )}
            </Field>
          </div>
          <Field label="Description" hint="When to use it." error={errors.description}>
            {(props) => <TextArea {...props} value={description} onChange={({ target }) => setDescription(target.value)} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
