import { useQuery } from '@tanstack/react-query'
import { Lock, Users } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useNames } from '../../api/names.ts'
import { usePeopleOptions } from '../../api/picker-options.ts'
import { useCan } from '../../api/session.ts'
import { pluralize, t } from '../../i18n/messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, Input, TextArea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Picker } from '../../ui/picker.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type MemberGroup, type MemberGroupType, memberGroupsQuery } from '../shared/queries.ts'
import { SettingsList, SettingsListRow } from '../shared/settings-list.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'

const STALE_KEYS = ['memberGroups', 'bootstrap', 'people']

export const Teams = () => (
  <MemberGroups
    kind="teams"
    title={t('Teams')}
    about={t('Resources of a closed team are visible only to its members and admins.')}
    add={t('New team')}
    none={t('No teams yet')}
  />
)
export const Groups = () => (
  <MemberGroups
    kind="group"
    title={t('Groups')}
    about={t('People who own resources together. Groups don’t affect visibility.')}
    add={t('New group')}
    none={t('No groups yet')}
  />
)

interface MemberGroupsProps {
  readonly kind: MemberGroupType
  readonly title: string
  readonly about: string
  readonly add: string
  readonly none: string
}

const MemberGroups = ({ kind, title, about, add, none }: MemberGroupsProps) => {
  const manages = useCan('people.manage')
  return (
    <SettingsList
      title={title}
      about={about}
      add={add}
      of={useQuery({ ...memberGroupsQuery(kind), select: ({ results }) => results })}
      manages={manages}
      empty={<EmptyState icon={Users} title={none} />}
      row={(group) => (
        <SettingsListRow
          name={group.name}
          badge={
            group.closed && (
              <Badge tone="warn" icon={Lock}>
                {t('Closed')}
              </Badge>
            )
          }
          about={group.description}
          aside={pluralize(group.members.length, 'member')}
          manages={manages}
          path={`/auth/${kind}/${group.id}`}
          staleKeys={STALE_KEYS}
          deleteWarning={
            group.closed ? t('Its resources become visible to everyone. Members keep their accounts.') : t('Members keep their accounts.')
          }
          form={(onClose) => <EditMemberGroup kind={kind} title={t('Edit {name}', { name: group.name })} group={group} onClose={onClose} />}
        />
      )}
      form={(onClose) => <EditMemberGroup kind={kind} title={add} onClose={onClose} />}
    />
  )
}

interface EditMemberGroupProps {
  readonly kind: MemberGroupType
  readonly title: string
  readonly group?: MemberGroup
  readonly onClose: () => void
}

const EditMemberGroup = ({ kind, title, group, onClose }: EditMemberGroupProps) => {
  const people = usePeopleOptions(true)
  const [name, setName] = useState(group?.name ?? '')
  const [description, setDescription] = useState(group?.description ?? '')
  const [closed, setClosed] = useState(group?.closed ?? false)
  const [members, setMembers] = useState<readonly string[]>(group?.members ?? [])
  const write = useSettingsMutation({
    perform: () => {
      const body = { name, description: description || null, members, ...(kind === 'teams' && { closed }) }
      return group ? api.patch<MemberGroup>(`/auth/${kind}/${group.id}`, body) : api.post<MemberGroup>(`/auth/${kind}`, body)
    },
    staleKeys: STALE_KEYS,
    done: t('Saved'),
    onSuccess: onClose,
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
