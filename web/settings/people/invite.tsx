import { useState } from 'react'
import { api } from '../../api/client.ts'
import { t } from '../../i18n/messages.ts'
import { Field, Input, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { InvitationLink, User } from '../shared/queries.ts'
import { ROLES } from '../shared/roles.ts'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'

interface InviteProps {
  readonly onClose: () => void
  readonly onInvited: (link: { name: string; invitation: InvitationLink }) => void
}

/** Creates a user by e-mail address and an invitation link for them. */
export const Invite = ({ onClose, onInvited }: InviteProps) => {
  const [email, setEmail] = useState('')
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [role, setRole] = useState<string>('editor')
  const write = useSettingsMutation({
    perform: async () => {
      const user = await api.post<User>('/user', { email: email.trim(), role, first_name: first || null, last_name: last || null })
      return { name: user.name, invitation: await api.post<InvitationLink>(`/user/${user.id}/invitation`) }
    },
    staleKeys: ['people'],
    onSuccess: onInvited,
  })
  return (
    <FormDialog title={t('Invite a person')} submit={t('Invite')} onClose={onClose} write={write}>
      {(errors) => (
        <>
          <Field label={t('E-mail address')} error={errors.email}>
            {(props) => (
              <Input {...props} type="email" required data-autofocus value={email} onChange={({ target }) => setEmail(target.value)} />
            )}
          </Field>
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={t('First name')} error={errors.first_name}>
              {(props) => <Input {...props} maxLength={100} value={first} onChange={({ target }) => setFirst(target.value)} />}
            </Field>
            <Field label={t('Last name')} error={errors.last_name}>
              {(props) => <Input {...props} maxLength={100} value={last} onChange={({ target }) => setLast(target.value)} />}
            </Field>
          </div>
          <Field
            label={t('Role')}
            error={errors.role}
            hint={t('Viewers can read, editors can edit and admins can manage everything. Guests see only what is shared with them.')}
          >
            {(props) => (
              <Select {...props} value={role} onChange={({ target }) => setRole(target.value)}>
                {Object.entries(ROLES).map(([id, label]) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
