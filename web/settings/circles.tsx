import { useQuery } from '@tanstack/react-query'
import { Lock, Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { usePeople } from '../api/names.ts'
import { useCan } from '../api/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox, Field, Input, TextArea } from '../ui/field.tsx'
import { Confirm, FormDialog } from '../ui/form-dialog.tsx'
import { several } from '../ui/number.ts'
import { Picker } from '../ui/picker.tsx'
import { Answer, Empty } from '../ui/states.tsx'
import { type Circle, type CircleKind, circlesQuery } from './queries.ts'
import { Head, Row, Rows } from './rows.tsx'
import { useWrite } from './use-write.ts'

const OLD = ['circles', 'bootstrap', 'people']

export const Teams = () => (
  <Circles kind="teams" one="team" title="Teams" about="A closed team’s resources are seen by its members and admins only." />
)
export const Groups = () => (
  <Circles kind="group" one="group" title="Groups" about="People who own things together. A group hides nothing." />
)

interface CirclesProps {
  readonly kind: CircleKind
  readonly one: string
  readonly title: string
  readonly about: string
}

const Circles = ({ kind, one, title, about }: CirclesProps) => {
  const manages = useCan('people.manage')
  const [making, setMaking] = useState(false)
  const add = manages && (
    <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
      New {one}
    </Button>
  )
  return (
    <>
      <Head title={title} about={about} actions={add} />
      <Answer of={useQuery(circlesQuery(kind))}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon={Users} title={`No ${title.toLowerCase()} yet`} />
          ) : (
            <Rows>
              {results.map((circle) => (
                <One key={circle.id} circle={circle} kind={kind} one={one} manages={manages} />
              ))}
            </Rows>
          )
        }
      </Answer>
      {making && <Edit kind={kind} one={one} onClose={() => setMaking(false)} />}
    </>
  )
}

interface OneProps {
  readonly circle: Circle
  readonly kind: CircleKind
  readonly one: string
  readonly manages: boolean
}

const One = ({ circle, kind, one, manages }: OneProps) => {
  const { id, name, description, members, closed } = circle
  const [over, setOver] = useState<'edit' | 'delete'>()
  const close = () => setOver(undefined)
  const remove = useWrite({ perform: () => api.delete(`/auth/${kind}/${id}`), old: OLD, done: `${name} is gone.`, failed: 'Not deleted.' })
  return (
    <Row
      title={
        <>
          <span className="truncate" dir="auto">
            {name}
          </span>
          {closed && (
            <Badge tone="warn" icon={Lock}>
              closed
            </Badge>
          )}
        </>
      }
      about={description}
      aside={several(members.length, 'member')}
      actions={
        manages && (
          <>
            <Button small look="quiet" onClick={() => setOver('edit')}>
              Edit
            </Button>
            <Button small look="quiet" onClick={() => setOver('delete')}>
              Delete
            </Button>
          </>
        )
      }
    >
      {over === 'edit' && <Edit kind={kind} one={one} circle={circle} onClose={close} />}
      {over === 'delete' && (
        <Confirm title={`Delete ${name}?`} action="Delete" onClose={close} write={remove}>
          {closed ? 'What only this team could see is then open to everybody. ' : ''}
          The people stay.
        </Confirm>
      )}
    </Row>
  )
}

const Edit = ({ kind, one, circle, onClose }: { kind: CircleKind; one: string; circle?: Circle; onClose: () => void }) => {
  const people = usePeople(true)
  const [name, setName] = useState(circle?.name ?? '')
  const [description, setDescription] = useState(circle?.description ?? '')
  const [closed, setClosed] = useState(circle?.closed ?? false)
  const [members, setMembers] = useState<readonly string[]>(circle?.members ?? [])
  const write = useWrite({
    perform: () => {
      const body = { name, description: description || null, members, ...(kind === 'teams' && { closed }) }
      return circle ? api.patch<Circle>(`/auth/${kind}/${circle.id}`, body) : api.post<Circle>(`/auth/${kind}`, body)
    },
    old: OLD,
    done: 'Saved.',
    onDone: onClose,
  })
  const toggle = (id: string) => setMembers((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]))
  const names = members.map((id) => people.find((person) => person.id === id)?.name ?? '…')
  return (
    <FormDialog title={circle ? `Edit ${circle.name}` : `New ${one}`} submit="Save" onClose={onClose} write={write}>
      {(errors) => (
        <>
          <Field label="Name" error={errors.name}>
            {(props) => (
              <Input {...props} required maxLength={200} data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field label="Description" error={errors.description}>
            {(props) => <TextArea {...props} value={description} onChange={({ target }) => setDescription(target.value)} />}
          </Field>
          {kind === 'teams' && (
            <label className="flex items-center gap-2 text-sm">
              <Checkbox checked={closed} onChange={({ target }) => setClosed(target.checked)} />
              Closed: its resources are seen by its members and admins only
            </label>
          )}
          <div className="grid gap-1">
            <span className="text-sm font-medium">Members</span>
            <p className="text-sm break-words text-soft" dir="auto">
              {names.length > 0 ? names.join(', ') : 'Nobody yet'}
            </p>
            <Picker
              label="Members"
              options={people.map(({ id, name, email }) => ({ id, label: name, hint: email, person: true }))}
              chosen={members}
              onToggle={toggle}
              trigger={(props) => (
                <Button {...props} small icon={Users} className="justify-self-start">
                  Choose
                </Button>
              )}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}
