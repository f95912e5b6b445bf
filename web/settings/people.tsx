import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Ellipsis, Link2, UserCheck, UserPlus, UserX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { useCan, useMe } from '../api/session.ts'
import { useSettled } from '../search/use-settled.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Input, Select } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { several } from '../ui/number.ts'
import { Answer, Empty } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { Invite, ROLES } from './invite.tsx'
import { type InvitationLink, peopleQuery, type User } from './queries.ts'
import { Head, Row, Rows } from './rows.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useWrite } from './use-write.ts'

interface Link {
  readonly name: string
  readonly invitation: InvitationLink
}

/** Who is here, and what they may do. */
export const People = () => {
  const manages = useCan('people.manage')
  const [words, setWords] = useState('')
  const [inviting, setInviting] = useState(false)
  const [link, setLink] = useState<Link>()
  const name = useSettled(words.trim())
  return (
    <>
      <Head
        title="People"
        about="Viewers read, editors write, admins manage."
        actions={
          manages && (
            <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
              Invite
            </Button>
          )
        }
      />
      <Input
        type="search"
        aria-label="Find somebody by name"
        placeholder="Find by name"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        className="md:max-w-64"
      />
      <Answer of={useQuery({ ...peopleQuery(name), placeholderData: keepPreviousData })}>
        {({ results, count }) =>
          count === 0 ? (
            <Empty title="Nobody is called so" />
          ) : (
            <div className="grid gap-2">
              <p className="text-sm text-soft" aria-live="polite">
                {several(count, 'person', 'people')}
              </p>
              <Rows>
                {results.map((user) => (
                  <One key={user.id} user={user} manages={manages} onLink={setLink} />
                ))}
              </Rows>
            </div>
          )
        }
      </Answer>
      {inviting && (
        <Invite
          onClose={() => setInviting(false)}
          onInvited={(now) => {
            setInviting(false)
            setLink(now)
          }}
        />
      )}
      {link && (
        <ShownOnce title={`A link for ${link.name}`} label="One-time link" value={link.invitation.link} onClose={() => setLink(undefined)}>
          {link.invitation.mailed ? 'It was sent by e-mail. ' : 'Send it to them. '}
          Whoever opens it chooses a password and is signed in. It works once, until <When at={link.invitation.expires_at} full />.
        </ShownOnce>
      )}
    </>
  )
}

const One = ({ user, manages, onLink }: { user: User; manages: boolean; onLink: (link: Link) => void }) => {
  const { id, name, email, role, disabled, last_seen_at, teams } = user
  const me = useMe()
  const nameOf = useNames(teams)
  const edit = useWrite<User, { role?: string; disabled?: boolean }>({
    perform: (change) => api.patch<User>(`/user/${id}`, change),
    old: ['people'],
    done: 'Saved.',
    failed: 'Not saved.',
  })
  const invite = useWrite({
    perform: () => api.post<InvitationLink>(`/user/${id}/invitation`),
    old: [],
    failed: 'No link was made.',
    onDone: (invitation) => onLink({ name, invitation }),
  })
  const items = [
    { label: 'One-time link', icon: Link2, disabled, onSelect: () => invite.mutate() },
    disabled
      ? { label: 'Let them in again', icon: UserCheck, onSelect: () => edit.mutate({ disabled: false }) }
      : { label: 'Disable', icon: UserX, danger: true, disabled: id === me.id, onSelect: () => edit.mutate({ disabled: true }) },
  ]
  return (
    <Row
      title={
        <>
          <Avatar name={name} />
          <span className="truncate" dir="auto">
            {name}
          </span>
          {disabled && <Badge tone="bad">disabled</Badge>}
        </>
      }
      about={[email, ...teams.map((team) => nameOf(team)?.name)].filter(Boolean).join(' · ')}
      aside={
        <>
          Seen <When at={last_seen_at} />
        </>
      }
      actions={
        manages ? (
          <>
            <Select
              small
              fit
              aria-label={`Role of ${name}`}
              value={role}
              disabled={edit.isPending}
              onChange={({ target }) => edit.mutate({ role: target.value })}
            >
              {ROLES.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </Select>
            <Menu
              label={`More for ${name}`}
              align="end"
              items={items}
              trigger={(props) => <IconButton {...props} label={`More for ${name}`} icon={Ellipsis} />}
            />
          </>
        ) : (
          <Badge>{role}</Badge>
        )
      }
    />
  )
}
