import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/messages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { InvitationLink, User } from '../shared/queries.ts'
import { ROLES } from '../shared/roles.ts'

const MAX_ADDRESSES = 200

/** The addresses of a pasted list: `Ada <ada@example.com>, bob@example.com`, separated by commas, semicolons or lines. */
const parseAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]+/)
      .map((part) => (/<([^>]+)>/.exec(part)?.[1] ?? part).trim())
      .filter((address) => address.includes('@')),
  ),
]

interface Outcome {
  readonly email: string
  readonly link?: string
  readonly mailed?: boolean
  readonly problem?: string
}

/** Invites everyone of a pasted list; each gets a link of their own. */
export const BulkInvite = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState('')
  const [role, setRole] = useState<string>('viewer')
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const addresses = parseAddresses(text)
  const invite = useMutation({
    mutationFn: async () => {
      const done: Outcome[] = []
      for (const email of addresses.slice(0, MAX_ADDRESSES)) {
        done.push(await inviteOne(email, role))
        setOutcomes([...done])
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['people'] }),
  })
  const links = outcomes.filter(({ link }) => link !== undefined)
  const isDone = invite.isSuccess
  const copy = async () => {
    await navigator.clipboard.writeText(links.map(({ email, link }) => `${email}\t${link}`).join('\n'))
    showToast(t('Copied'))
  }
  return (
    <Dialog
      title={t('Invite several people')}
      onClose={onClose}
      footer={
        isDone ? (
          <Button look="primary" onClick={onClose}>
            {t('Done')}
          </Button>
        ) : (
          <>
            <Button look="quiet" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button
              look="primary"
              busy={invite.isPending}
              disabled={addresses.length === 0 || addresses.length > MAX_ADDRESSES}
              onClick={() => invite.mutate()}
            >
              {addresses.length === 0 ? t('Invite') : t('Invite {n:# person|# people}', { n: addresses.length })}
            </Button>
          </>
        )
      }
    >
      {outcomes.length === 0 ? (
        <div className="grid gap-3">
          <Field
            label={t('E-mail addresses')}
            hint={t('Separated by commas or lines, at most {n}.', { n: MAX_ADDRESSES })}
            error={addresses.length > MAX_ADDRESSES ? [t('At most {n} at once.', { n: MAX_ADDRESSES })] : undefined}
          >
            {(props) => <TextArea {...props} rows={6} data-autofocus value={text} onChange={({ target }) => setText(target.value)} />}
          </Field>
          <Field label={t('Role')}>
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
        </div>
      ) : (
        <div className="grid gap-3">
          <ul aria-label={t('Invitations')} className="max-h-80 divide-y divide-line overflow-auto text-sm">
            {outcomes.map(({ email, mailed, problem }) => (
              <li key={email} className="flex flex-wrap items-center gap-2 py-1.5">
                <span className="min-w-0 flex-1 truncate">{email}</span>
                {problem ? (
                  <span className="text-bad">{problem}</span>
                ) : (
                  <Badge tone="good">{mailed ? t('Sent by e-mail') : t('Link created')}</Badge>
                )}
              </li>
            ))}
          </ul>
          {isDone && links.length > 0 && (
            <div className="grid gap-2 text-sm">
              <p>{t('Each link works once. They cannot be shown again: copy them now, unless they were sent by e-mail.')}</p>
              <Button icon={Copy} className="justify-self-start" onClick={() => void copy()}>
                {t('Copy {n:# link|# links}', { n: links.length })}
              </Button>
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}

const inviteOne = async (email: string, role: string): Promise<Outcome> => {
  try {
    const user = await api.post<User>('/user', { email, role })
    const { link, mailed } = await api.post<InvitationLink>(`/user/${user.id}/invitation`)
    return { email, mailed, ...(link && { link: new URL(link, location.origin).href }) }
  } catch (error) {
    return { email, problem: error instanceof Error ? error.message : String(error) }
  }
}
