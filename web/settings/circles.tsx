import { useQuery } from '@tanstack/react-query'
import { Lock, Users } from 'lucide-react'
import { useState } from 'react'
import { usePeopleChoices } from '../api/choices.ts'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { useCan } from '../api/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox, Field, Input, TextArea } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Picker } from '../ui/picker.tsx'
import { Empty } from '../ui/states.tsx'
import { several, t } from '../words/words.ts'
import { Managed, ManagedRow } from './managed.tsx'
import { type Circle, type CircleKind, circlesQuery } from './queries.ts'
import { useWrite } from './use-write.ts'

const OLD = ['circles', 'bootstrap', 'people']

export const Teams = () => (
  <Circles
    kind="teams"
    title={t('Teams')}
    about={t('Resources of a closed team are visible only to its members and admins.')}
    add={t('New team')}
    none={t('No teams yet')}
  />
)
export const Groups = () => (
  <Circles
    kind="group"
    title={t('Groups')}
    about={t('People who own resources together. Groups don’t affect visibility.')}
    add={t('New group')}
    none={t('No groups yet')}
  />
)

interface CirclesProps {
  readonly kind: CircleKind
  readonly title: string
  readonly about: string
  readonly add: string
  readonly none: string
}

const Circles = ({ kind, title, about, add, none }: CirclesProps) => {
  const manages = useCan('people.manage')
  return (
    <Managed
      title={title}
      about={about}
      add={add}
      of={useQuery({ ...circlesQuery(kind), select: ({ results }) => results })}
      manages={manages}
      empty={<Empty icon={Users} title={none} />}
      row={(circle) => (
        <ManagedRow
          name={circle.name}
          badge={
            circle.closed && (
              <Badge tone="warn" icon={Lock}>
                {t('Closed')}
              </Badge>
            )
          }
          about={circle.description}
          aside={several(circle.members.length, 'member')}
          manages={manages}
          path={`/auth/${kind}/${circle.id}`}
          old={OLD}
          lost={
            circle.closed ? t('Its resources become visible to everyone. Members keep their accounts.') : t('Members keep their accounts.')
          }
          form={(onClose) => <Edit kind={kind} title={t('Edit {name}', { name: circle.name })} circle={circle} onClose={onClose} />}
        />
      )}
      form={(onClose) => <Edit kind={kind} title={add} onClose={onClose} />}
    />
  )
}

interface EditProps {
  readonly kind: CircleKind
  readonly title: string
  readonly circle?: Circle
  readonly onClose: () => void
}

const Edit = ({ kind, title, circle, onClose }: EditProps) => {
  const people = usePeopleChoices(true)
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
    done: t('Saved'),
    onDone: onClose,
  })
  const toggle = (id: string) => setMembers((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]))
  const nameOf = useNames(members)
  const names = members.map((id) => nameOf(id)?.name ?? '…')
  return (
    <FormDialog title={title} submit={t('Save')} onClose={onClose} write={write}>
      {(errors) => (
        <>
          <Field label={t('Name')} error={errors.name}>
            {(props) => (
              <Input {...props} required maxLength={200} data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field label={t('Description')} error={errors.description}>
            {(props) => <TextArea {...props} value={description} onChange={({ target }) => setDescription(target.value)} />}
          </Field>
          {kind === 'teams' && (
            <label className="flex items-center gap-2 text-sm">
              <Checkbox checked={closed} onChange={({ target }) => setClosed(target.checked)} />
              {t('Closed: resources are visible only to members and admins')}
            </label>
          )}
          <div className="grid gap-1">
            <span className="text-sm font-medium">{t('Members')}</span>
            <p className="text-sm break-words text-soft" dir="auto">
              {names.length > 0 ? names.join(', ') : t('No members yet')}
            </p>
            <Picker
              label={t('Members')}
              {...people}
              chosen={members}
              onToggle={toggle}
              trigger={(props) => (
                <Button {...props} small icon={Users} className="justify-self-start">
                  {t('Select members')}
                </Button>
              )}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}
