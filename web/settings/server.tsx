import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { setupQuery, useBootstrap } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { ApiReference } from '../ui/api-reference.tsx'
import { Badge } from '../ui/badge.tsx'
import { SectionHeader, SettingsRow, SettingsRows } from './rows.tsx'

/** Server settings and how to change them. They come from environment variables, so this page only explains them. */
export const ServerSettings = () => {
  const { settings, workspace } = useBootstrap()
  const { data: setup } = useQuery(setupQuery)
  const { version, public_url, email, slack } = settings
  return (
    <>
      <SectionHeader title={t('This server')} about={t('Set with environment variables on the server. Changes take effect on restart.')} />
      <SettingsRows>
        <SettingsRow title={workspace.name} about={t('Tablinum {version}', { version })}>
          <p className="text-sm text-soft">
            <Trans
              message="Everything in settings is also available through the API: {reference}."
              reference={<ApiReference>{t('the API reference')}</ApiReference>}
            />
          </p>
        </SettingsRow>
        <ServerFeature title={t('URL')} on={public_url !== null} value={public_url ?? undefined}>
          <Trans
            message="Base URL for links in notifications and invitations. Set {variable}, e.g. {example}."
            variable={<Code of="PUBLIC_URL" />}
            example={<Code of={location.origin} />}
          />
        </ServerFeature>
        <ServerFeature title={t('E-mail')} on={email}>
          <Trans
            message="To send invitations and notifications by e-mail, set {variable}, e.g. {example}. {sender} sets the sender address."
            variable={<Code of="SMTP_URL" />}
            example={<Code of="smtp://user:password@host:587" />}
            sender={<Code of="SMTP_FROM" />}
          />
        </ServerFeature>
        <ServerFeature title={t('Slack')} on={slack}>
          <Trans
            message="To send alerts and notifications to Slack, set {variable} to a bot token ({token}) with the {scope} scope."
            variable={<Code of="SLACK_BOT_TOKEN" />}
            token={<Code of="xoxb-…" />}
            scope={<Code of="chat:write" />}
          />
        </ServerFeature>
        <ServerFeature title={t('Single sign-on (OIDC)')} on={Boolean(setup?.oidc)} value={setup?.oidc?.name}>
          <Trans
            message="Works with Okta, Entra ID, Google, Keycloak and others. Set {issuer}, {id} and {secret}, and register the redirect URI {callback} with your provider. With {role}, anyone at your provider can sign in; otherwise only invited people."
            issuer={<Code of="OIDC_ISSUER" />}
            id={<Code of="OIDC_CLIENT_ID" />}
            secret={<Code of="OIDC_CLIENT_SECRET" />}
            callback={<Code of={`${public_url ?? location.origin}/api/v1/auth/oidc/callback`} />}
            role={<Code of="OIDC_ROLE=viewer" />}
          />
        </ServerFeature>
        <SettingsRow title={t('Backup')}>
          <p className="text-sm text-soft">
            <Trans
              message="Back up the whole workspace to one file while it runs: {backup}. Restore into an empty database: {restore}."
              backup={<Code of="npx tablinum backup monday.backup" />}
              restore={<Code of="npx tablinum restore monday.backup" />}
            />
          </p>
        </SettingsRow>
      </SettingsRows>
    </>
  )
}

const Code = ({ of }: { of: string }) => <code className="rounded bg-sunken px-1 py-px font-mono text-xs wrap-anywhere text-ink">{of}</code>

const ServerFeature = ({ title, on, value, children }: { title: string; on: boolean; value?: string; children: ReactNode }) => (
  <SettingsRow
    title={
      <>
        {title} {on ? <Badge tone="good">{t('On')}</Badge> : <Badge>{t('Not set')}</Badge>}
      </>
    }
    about={value}
  >
    {!on && <p className="text-sm text-soft">{children}</p>}
  </SettingsRow>
)
