import { useState } from 'react'
import { t } from '../../i18n/messages.ts'
import { CopyableCommand } from '../../ui/copyable-command.tsx'
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx'
import type { ServerSettings } from '../shared/queries.ts'
import { ROLES } from '../shared/roles.ts'
import { SecretField } from './secret-field.tsx'
import { ServiceForm } from './service-form.tsx'

type Role = ServerSettings['oidc']['role']

/** The identity provider. */
export const OidcSettings = ({ settings }: { settings: ServerSettings['oidc'] }) => {
  const [draft, setDraft] = useState({
    issuer: settings.issuer ?? '',
    client_id: settings.client_id ?? '',
    name: settings.name,
    role: settings.role,
    trust_emails: settings.trust_emails,
  })
  const [domains, setDomains] = useState(settings.domains.join(', '))
  const [secret, setSecret] = useState('')
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change })
  const moves = draft.issuer !== settings.issuer || draft.client_id !== settings.client_id
  return (
    <ServiceForm
      service="oidc"
      title={t('Single sign-on (OIDC)')}
      about={t('People sign in with Okta, Entra ID, Google, Keycloak or another identity provider.')}
      settings={settings}
      variables="OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET"
      edit={{
        ...draft,
        domains: domains.split(/[\s,]+/).filter(Boolean),
        ...(secret !== '' && { client_secret: secret }),
      }}
      testLabel={t('Test the provider')}
      onSaved={() => setSecret('')}
      below={() => (
        <div className="grid gap-1 text-sm">
          <span className="font-medium">{t('Redirect URI to register with the provider')}</span>
          <CopyableCommand label={t('Copy the redirect URI')} text={settings.redirect_uri} />
        </div>
      )}
    >
      {(errors) => (
        <>
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <Field
              label={t('Issuer')}
              error={errors.issuer}
              className="sm:col-span-2"
              hint={t('URL of the provider, e.g. https://login.example.com')}
            >
              {(props) => (
                <Input {...props} type="url" required value={draft.issuer} onChange={({ target }) => set({ issuer: target.value })} />
              )}
            </Field>
            <Field label={t('Client ID')} error={errors.client_id}>
              {(props) => <Input {...props} required value={draft.client_id} onChange={({ target }) => set({ client_id: target.value })} />}
            </Field>
            <SecretField
              label={t('Client secret')}
              value={secret}
              stored={settings.has_client_secret}
              again={moves}
              error={errors.client_secret}
              onChange={setSecret}
            />
            <Field label={t('Name on the sign-in button')} error={errors.name} hint={t('Blank: the host of the issuer.')}>
              {(props) => <Input {...props} maxLength={100} value={draft.name} onChange={({ target }) => set({ name: target.value })} />}
            </Field>
            <Field label={t('Allowed e-mail domains')} error={errors.domains} hint={t('Separated by commas. Blank: any.')}>
              {(props) => <Input {...props} value={domains} onChange={({ target }) => setDomains(target.value)} />}
            </Field>
            <Field label={t('People without an account')} error={errors.role}>
              {(props) => (
                <Select {...props} value={draft.role ?? ''} onChange={({ target }) => set({ role: (target.value || null) as Role })}>
                  <option value="">{t('Cannot sign in')}</option>
                  {(['viewer', 'editor', 'guest'] as const).map((role) => (
                    <option key={role} value={role}>
                      {t('Become users with the role {role}', { role: ROLES[role] })}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          <label className="flex items-start gap-2 text-sm">
            <Checkbox className="mt-0.5" checked={draft.trust_emails} onChange={({ target }) => set({ trust_emails: target.checked })} />
            <span>
              {t('Trust its e-mail addresses')}
              <span className="block text-xs text-faint">{t('For providers that do not report them as verified, e.g. Entra ID.')}</span>
            </span>
          </label>
        </>
      )}
    </ServiceForm>
  )
}
