import { useState } from 'react'
import { useMe } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Field, Input, Select } from '../../ui/field.tsx'
import type { ServerSettings } from '../shared/queries.ts'
import { SecretField } from './secret-field.tsx'
import { ServiceForm } from './service-form.tsx'

type Security = NonNullable<ServerSettings['email']['security']>

const SECURITY: Record<Security, { readonly label: string; readonly port: number }> = {
  starttls: { label: t('STARTTLS (port 587)'), port: 587 },
  tls: { label: t('TLS (port 465)'), port: 465 },
  none: { label: t('None, unless the server offers it'), port: 25 },
}

const HOST_PLACEHOLDER = 'mail.example.com'

/** The mail server. */
export const EmailSettings = ({ settings }: { settings: ServerSettings['email'] }) => {
  const { email: myAddress } = useMe()
  const [draft, setDraft] = useState({
    host: settings.host ?? '',
    port: settings.port ?? SECURITY.starttls.port,
    security: settings.security ?? ('starttls' as Security),
    user: settings.user ?? '',
    from: settings.from ?? '',
  })
  const [password, setPassword] = useState('')
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change })
  const moves = draft.host !== settings.host || draft.port !== settings.port || draft.security !== settings.security
  return (
    <ServiceForm
      service="email"
      title={t('E-mail')}
      about={t('Sends invitations and notifications through your mail server.')}
      settings={settings}
      variables="SMTP_URL, SMTP_FROM"
      edit={{ ...draft, user: draft.user.trim() || null, ...(password !== '' && { password }) }}
      testLabel={t('Send a test mail to {address}', { address: myAddress })}
      onSaved={() => setPassword('')}
    >
      {(errors) => (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <Field label={t('Host')} error={errors.host}>
            {(props) => (
              <Input
                {...props}
                required
                placeholder={HOST_PLACEHOLDER}
                value={draft.host}
                onChange={({ target }) => set({ host: target.value })}
              />
            )}
          </Field>
          <Field label={t('Encryption')} error={errors.security}>
            {(props) => (
              <Select
                {...props}
                value={draft.security}
                onChange={({ target }) => {
                  const security = target.value as Security
                  set({ security, ...(draft.port === SECURITY[draft.security].port && { port: SECURITY[security].port }) })
                }}
              >
                {Object.entries(SECURITY).map(([id, { label }]) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={t('Port')} error={errors.port}>
            {(props) => (
              <Input
                {...props}
                type="number"
                required
                min={1}
                max={65535}
                value={Number.isNaN(draft.port) ? '' : draft.port}
                onChange={({ target }) => set({ port: target.valueAsNumber })}
              />
            )}
          </Field>
          <Field label={t('Sender')} error={errors.from} hint={t('e.g. Tablinum <tablinum@example.com>')}>
            {(props) => <Input {...props} required value={draft.from} onChange={({ target }) => set({ from: target.value })} />}
          </Field>
          <Field label={t('User name')} error={errors.user} hint={t('Blank if the server needs none.')}>
            {(props) => <Input {...props} value={draft.user} onChange={({ target }) => set({ user: target.value })} />}
          </Field>
          <SecretField
            label={t('Password')}
            value={password}
            stored={settings.has_password}
            again={moves}
            error={errors.password}
            onChange={setPassword}
          />
        </div>
      )}
    </ServiceForm>
  )
}
