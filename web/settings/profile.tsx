import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import { useBootstrap, useCan } from '../api/session.ts'
import type { User } from '../api/types.ts'
import { LanguageMenu } from '../i18n/language-menu.tsx'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox, Field, Input } from '../ui/field.tsx'
import { Section } from '../ui/page.tsx'
import { ROLES } from './shared/roles.ts'
import { SectionHeader } from './shared/rows.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

/** The user's name, language and password. */
export const ProfileSettings = () => {
  const { me } = useBootstrap()
  return (
    <>
      <SectionHeader
        title={t('Profile')}
        about={
          <span className="flex flex-wrap items-center gap-2">
            {me.email} <Badge>{ROLES[me.role]}</Badge>
          </span>
        }
      />
      <NameForm />
      <Section title={t('Language')}>
        <div className="grid justify-items-start gap-1.5">
          <LanguageMenu label={t('App language')} />
          <p className="text-xs text-soft">{t('Saved in this browser. E-mails and messages of sources are in English.')}</p>
        </div>
      </Section>
      <PasswordForm />
    </>
  )
}

const NameForm = () => {
  const { me } = useBootstrap()
  const manages = useCan('people.manage')
  const [first, setFirst] = useState(me.first_name ?? '')
  const [last, setLast] = useState(me.last_name ?? '')
  const save = useSettingsMutation({
    perform: () => api.patch<User>(`/user/${me.id}`, { first_name: first || null, last_name: last || null }),
    staleKeys: ['bootstrap', 'people'],
    done: t('Saved'),
    failed: t('Not saved.'),
  })
  if (!manages)
    return (
      <p className="text-sm text-soft">
        <Trans message="Your name is {name}. An admin can change it." name={<span className="font-medium text-ink">{me.name}</span>} />
      </p>
    )
  return (
    <form
      className="grid max-w-lg gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={t('First name')}>
          {(props) => (
            <Input {...props} autoComplete="given-name" maxLength={100} value={first} onChange={({ target }) => setFirst(target.value)} />
          )}
        </Field>
        <Field label={t('Last name')}>
          {(props) => (
            <Input {...props} autoComplete="family-name" maxLength={100} value={last} onChange={({ target }) => setLast(target.value)} />
          )}
        </Field>
      </div>
      <Button
        type="submit"
        busy={save.isPending}
        disabled={first === (me.first_name ?? '') && last === (me.last_name ?? '')}
        className="justify-self-start"
      >
        {t('Save name')}
      </Button>
    </form>
  )
}

const PasswordForm = () => {
  const { session } = useBootstrap()
  const had = session?.has_password === true
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [revoke, setRevoke] = useState(false)
  const save = useSettingsMutation({
    perform: () => api.put('/auth/password', { password, revoke_tokens: revoke, ...(had && { current_password: current }) }),
    staleKeys: ['bootstrap', 'sessions', 'tokens'],
    done: t('Password changed. Your other sessions were signed out.'),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      setRevoke(false)
    },
  })
  const errors = isApiError(save.error) ? save.error.errors : {}
  return (
    <Section title={t('Password')}>
      <form
        className="grid max-w-sm gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {had && (
          <Field label={t('Current password')} error={errors.current_password}>
            {(props) => (
              <Input
                {...props}
                type="password"
                autoComplete="current-password"
                required
                value={current}
                onChange={({ target }) => setCurrent(target.value)}
              />
            )}
          </Field>
        )}
        <Field label={t('New password')} hint={t('At least 10 characters. Your other sessions are signed out.')} error={errors.password}>
          {(props) => (
            <Input
              {...props}
              type="password"
              autoComplete="new-password"
              required
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
        <label className="flex items-center gap-2 text-sm">
          <Checkbox checked={revoke} onChange={({ target }) => setRevoke(target.checked)} />
          {t('Also revoke my tokens')}
        </label>
        {save.error && Object.keys(errors).length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {save.error.message}
          </p>
        )}
        <Button type="submit" busy={save.isPending} className="justify-self-start">
          {had ? t('Change password') : t('Set password')}
        </Button>
      </form>
    </Section>
  )
}
