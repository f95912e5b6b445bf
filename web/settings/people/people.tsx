import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Ellipsis, Link2, Trash2, UserCheck, UserPlus, Users, UserX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useNames } from '../../api/names.ts'
import { useCan, useMe } from '../../api/session.ts'
import { useThrottled } from '../../api/use-throttled.ts'
import { pluralize, t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Confirm } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { type InvitationLink, peopleQuery, type User } from '../shared/queries.ts'
import { ROLES } from '../shared/roles.ts'
import { SectionHeader, SettingsRow, SettingsRows } from '../shared/rows.tsx'
import { SecretDialog } from '../shared/secret-dialog.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'
import { BulkInvite } from './bulk-invite.tsx'
import { Invite } from './invite.tsx'

interface IssuedLink {
  readonly name: string
  readonly invitation: InvitationLink
}

/** Users and their roles. */
export const People = () => {
  const manages = useCan('people.manage')
  const [query, setQuery] = useState('')
  const [inviting, setInviting] = useState(false)
  const [bulk, setBulk] = useState(false)
  const [link, setLink] = useState<IssuedLink>()
  const name = useThrottled(query.trim())
  return (
    <>
      <SectionHeader
        title={t('People')}
        about={t('Viewers can read, editors can edit and admins can manage everything. Guests see only what is shared with them.')}
        actions={
          manages && (
            <>
              <Button icon={Users} onClick={() => setBulk(true)}>
                {t('Invite several')}
              </Button>
              <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
                {t('Invite')}
              </Button>
            </>
          )
        }
      />
      <Input
        type="search"
        aria-label={t('Search people by name')}
        placeholder={t('Find by name')}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        className="md:max-w-64"
      />
      <QueryView of={useQuery({ ...peopleQuery(name), placeholderData: keepPreviousData })}>
        {({ results, count }) =>
          count === 0 ? (
            <EmptyState title={t('No people found')} />
          ) : (
            <div className="grid gap-2">
              <p className="text-sm text-soft" aria-live="polite">
                {pluralize(count, 'person', 'people')}
              </p>
              <SettingsRows>
                {results.map((user) => (
                  <PersonRow key={user.id} user={user} manages={manages} onLink={setLink} />
                ))}
              </SettingsRows>
            </div>
          )
        }
      </QueryView>
      {bulk && <BulkInvite onClose={() => setBulk(false)} />}
      {inviting && (
        <Invite
          onClose={() => setInviting(false)}
          onInvited={(now) => {
            setInviting(false)
            setLink(now)
          }}
        />
      )}
      {link?.invitation.link !== undefined && (
        <SecretDialog
          title={t('Invite link for {name}', { name: link.name })}
          label={t('One-time link')}
          value={new URL(link.invitation.link, location.origin).href} // a path when PUBLIC_URL is not set
          onClose={() => setLink(undefined)}
        >
          {link.invitation.mailed ? (
            <Trans
              message="Sent by e-mail. Anyone with this link can set a password and sign in. It works once and expires {when}."
              when={<RelativeTime at={link.invitation.expires_at} full />}
            />
          ) : (
            <Trans
              message="Send this link to them. Anyone with it can set a password and sign in. It works once and expires {when}."
              when={<RelativeTime at={link.invitation.expires_at} full />}
            />
          )}
        </SecretDialog>
      )}
    </>
  )
}

const PersonRow = ({ user, manages, onLink }: { user: User; manages: boolean; onLink: (link: IssuedLink) => void }) => {
  const { id, name, email, role, disabled, last_seen_at, teams } = user
  const me = useMe()
  const pending = last_seen_at === null && !disabled
  const nameOf = useNames(teams)
  const edit = useSettingsMutation<User, { role?: string; disabled?: boolean }>({
    perform: (change) => api.patch<User>(`/user/${id}`, change),
    staleKeys: ['people'],
    done: t('Saved'),
    failed: t('Not saved.'),
  })
  const invite = useSettingsMutation({
    perform: () => api.post<InvitationLink>(`/user/${id}/invitation`),
    staleKeys: [],
    failed: t('Couldn’t create a link.'),
    onSuccess: (invitation) => onLink({ name, invitation }),
  })
  const [deleting, setDeleting] = useState(false)
  const remove = useSettingsMutation({
    perform: () => api.delete(`/user/${id}`),
    staleKeys: ['people'],
    done: t('“{name}” deleted', { name }),
    onSuccess: () => setDeleting(false),
  })
  const items = [
    { label: pending ? t('Resend invitation') : t('One-time link'), icon: Link2, disabled, onSelect: () => invite.mutate() },
    disabled
      ? { label: t('Re-enable'), icon: UserCheck, onSelect: () => edit.mutate({ disabled: false }) }
      : { label: t('Disable'), icon: UserX, danger: true, disabled: id === me.id, onSelect: () => edit.mutate({ disabled: true }) },
    { label: t('Delete'), icon: Trash2, danger: true, disabled: id === me.id, onSelect: () => setDeleting(true) },
  ]
  return (
    <SettingsRow
      title={
        <>
          <Avatar name={name} />
          <PersonLink id={id} name={name} />
          {disabled && <Badge tone="bad">{t('Disabled')}</Badge>}
          {pending && <Badge tone="warn">{t('Pending // an invitation')}</Badge>}
        </>
      }
      about={[email, ...teams.map((team) => nameOf(team)?.name)].filter(Boolean).join(' · ')}
      aside={pending ? t('Not signed in yet') : <Trans message="Last seen {when}" when={<RelativeTime at={last_seen_at} />} />}
      actions={
        manages ? (
          <>
            <Select
              small
              fit
              aria-label={t('Role of {name}', { name })}
              value={role}
              disabled={edit.isPending}
              onChange={({ target }) => edit.mutate({ role: target.value })}
            >
              {Object.entries(ROLES).map(([id, label]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
            <Menu
              label={t('More for {name}', { name })}
              align="end"
              items={items}
              trigger={(props) => <IconButton {...props} label={t('More for {name}', { name })} icon={Ellipsis} />}
            />
            {deleting && (
              <Confirm title={t('Delete {name}?', { name })} action={t('Delete')} write={remove} onClose={() => setDeleting(false)}>
                <p>{t('This signs them out and revokes their tokens. Their name remains in the history and on resources they own.')}</p>
              </Confirm>
            )}
          </>
        ) : (
          <Badge>{ROLES[role]}</Badge>
        )
      }
    />
  )
}
