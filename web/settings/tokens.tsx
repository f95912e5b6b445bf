import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { ApiReference } from '../ui/api-reference.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Input, Select } from '../ui/field.tsx'
import { Confirm, FormDialog } from '../ui/form-dialog.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { type NewToken, type Token, tokensQuery } from './shared/queries.ts'
import { SectionHeader, SettingsRow, SettingsRows } from './shared/rows.tsx'
import { SecretDialog } from './shared/secret-dialog.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

const SCOPES = { read: t('Read'), write: t('Read and write'), admin: t('Full access') }
type Scope = keyof typeof SCOPES
const LIFETIMES = { '30': pluralize(30, 'day'), '90': pluralize(90, 'day'), '365': t('1 year'), '': t('Never') }
const DAY_MS = 86_400_000

/** The user's API tokens with scope, expiry and last use. */
export const Tokens = () => {
  const { id } = useMe()
  const [making, setMaking] = useState(false)
  const [created, setCreated] = useState<NewToken>()
  const add = (
    <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t('New token')}
    </Button>
  )
  return (
    <>
      <SectionHeader
        title={t('API tokens')}
        about={
          <Trans
            message="For scripts and tools that act on your behalf. See {reference}."
            reference={<ApiReference>{t('the API reference')}</ApiReference>}
          />
        }
        actions={add}
      />
      <QueryView of={useQuery(tokensQuery)}>
        {({ results }) => {
          const mine = results.filter(({ user }) => user === id)
          return mine.length === 0 ? (
            <EmptyState icon={KeyRound} title={t('No tokens yet')}>
              {t('Create a token to use the API.')}
            </EmptyState>
          ) : (
            <SettingsRows>
              {mine.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </SettingsRows>
          )
        }}
      </QueryView>
      {making && (
        <CreateToken
          onClose={() => setMaking(false)}
          onCreated={(token) => {
            setMaking(false)
            setCreated(token)
          }}
        />
      )}
      {created?.token && (
        <SecretDialog
          title={t('Token {name}', { name: created.name })}
          label={t('Token')}
          value={created.token}
          onClose={() => setCreated(undefined)}
        >
          {t('Copy it now. You won’t be able to see it again.')}
        </SecretDialog>
      )}
    </>
  )
}

const CreateToken = ({ onClose, onCreated }: { onClose: () => void; onCreated: (token: NewToken) => void }) => {
  const me = useMe()
  const [name, setName] = useState('')
  const scopes = Object.keys(SCOPES) as Scope[]
  const allowed = scopes.slice(0, scopes.indexOf(me.scope as Scope) + 1)
  const [scope, setScope] = useState<Scope>(allowed.includes('write') ? 'write' : 'read')
  const [days, setDays] = useState('90')
  const write = useSettingsMutation({
    perform: () => {
      const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      return api.post<NewToken>('/auth/tokens', { name, scope, expires_at })
    },
    staleKeys: ['tokens'],
    onSuccess: onCreated,
  })
  return (
    <FormDialog title={t('New token')} submit={t('Create token')} onClose={onClose} write={write}>
      {(errors) => (
        <>
          <Field label={t('Name')} hint={t('What the token is used for')} error={errors.name}>
            {(props) => (
              <Input {...props} data-autofocus required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field label={t('Scope')} error={errors.scope}>
            {(props) => (
              <Select {...props} value={scope} onChange={({ target }) => setScope(target.value as Scope)}>
                {allowed.map((each) => (
                  <option key={each} value={each}>
                    {SCOPES[each]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={t('Expires in')} error={errors.expires_at}>
            {(props) => (
              <Select {...props} value={days} onChange={({ target }) => setDays(target.value)}>
                {Object.entries(LIFETIMES).map(([value, label]) => (
                  <option key={label} value={value}>
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

const TokenRow = ({ token: { id, name, hint, client, scope, last_used_at, expires_at } }: { token: Token }) => {
  const [asking, setAsking] = useState(false)
  const revoke = useSettingsMutation({
    perform: () => api.delete(`/auth/tokens/${id}`),
    staleKeys: ['tokens'],
    done: t('{name} revoked', { name }),
    failed: t('Couldn’t revoke the token.'),
  })
  return (
    <SettingsRow
      title={
        <>
          <span className="truncate" dir="auto">
            {name}
          </span>
          <Badge>{SCOPES[scope as Scope]}</Badge>
          {client !== null && <Badge tone="accent">{t('Connected application')}</Badge>}
        </>
      }
      about={
        <>
          <span className="font-mono">{hint}</span>
          {expires_at && (
            <>
              {' · '}
              <Trans message="expires {when}" when={<RelativeTime at={expires_at} />} />
            </>
          )}
        </>
      }
      aside={last_used_at ? <Trans message="Last used {when}" when={<RelativeTime at={last_used_at} />} /> : t('Never used')}
      actions={
        <Button small look="quiet" onClick={() => setAsking(true)}>
          {t('Revoke')}
        </Button>
      }
    >
      {asking && (
        <Confirm title={t('Revoke {name}?', { name })} action={t('Revoke')} onClose={() => setAsking(false)} write={revoke}>
          {t('Anything using this token loses access immediately.')}
        </Confirm>
      )}
    </SettingsRow>
  )
}
