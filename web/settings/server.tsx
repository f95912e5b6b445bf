import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { setupQuery, useBootstrap } from '../api/session.ts'
import { ApiReference } from '../ui/api-reference.tsx'
import { Badge } from '../ui/badge.tsx'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'
import { Head, Row, Rows } from './rows.tsx'

/** Server settings and how to change them. They come from environment variables, so this page only explains them. */
export const Server = () => {
  const { settings, workspace } = useBootstrap()
  const { data: setup } = useQuery(setupQuery)
  const { version, public_url, email, slack } = settings
  return (
    <>
      <Head title={t('This server')} about={t('Set with environment variables on the server. Changes take effect on restart.')} />
      <Rows>
        <Row title={workspace.name} about={t('Tablinum {version}', { version })}>
          <p className="text-sm text-soft">
            <Say
              words="Everything in settings is also available through the API: {reference}."
              reference={<ApiReference>{t('the API reference')}</ApiReference>}
            />
          </p>
        </Row>
        <Part title={t('URL')} on={public_url !== null} said={public_url ?? undefined}>
          <Say
            words="Base URL for links in notifications and invitations. Set {variable}, e.g. {example}."
            variable={<Name of="PUBLIC_URL" />}
            example={<Name of={location.origin} />}
          />
        </Part>
        <Part title={t('E-mail')} on={email}>
          <Say
            words="To send invitations and notifications by e-mail, set {variable}, e.g. {example}. {sender} sets the sender address."
            variable={<Name of="SMTP_URL" />}
            example={<Name of="smtp://user:password@host:587" />}
            sender={<Name of="SMTP_FROM" />}
          />
        </Part>
        <Part title={t('Slack')} on={slack}>
          <Say
            words="To send alerts and notifications to Slack, set {variable} to a bot token ({token}) with the {scope} scope."
            variable={<Name of="SLACK_BOT_TOKEN" />}
            token={<Name of="xoxb-…" />}
            scope={<Name of="chat:write" />}
          />
        </Part>
        <Part title={t('Single sign-on (OIDC)')} on={Boolean(setup?.oidc)} said={setup?.oidc?.name}>
          <Say
            words="Works with Okta, Entra ID, Google, Keycloak and others. Set {issuer}, {id} and {secret}, and register the redirect URI {callback} with your provider. With {role}, anyone at your provider can sign in; otherwise only invited people."
            issuer={<Name of="OIDC_ISSUER" />}
            id={<Name of="OIDC_CLIENT_ID" />}
            secret={<Name of="OIDC_CLIENT_SECRET" />}
            callback={<Name of={`${public_url ?? location.origin}/api/v1/auth/oidc/callback`} />}
            role={<Name of="OIDC_ROLE=viewer" />}
          />
        </Part>
        <Row title={t('Backup')}>
          <p className="text-sm text-soft">
            <Say
              words="Back up the whole workspace to one file while it runs: {backup}. Restore into an empty database: {restore}."
              backup={<Name of="npx tablinum backup monday.backup" />}
              restore={<Name of="npx tablinum restore monday.backup" />}
            />
          </p>
        </Row>
      </Rows>
    </>
  )
}

const Name = ({ of }: { of: string }) => <code className="rounded bg-sunken px-1 py-px font-mono text-xs wrap-anywhere text-ink">{of}</code>

const Part = ({ title, on, said, children }: { title: string; on: boolean; said?: string; children: ReactNode }) => (
  <Row
    title={
      <>
        {title} {on ? <Badge tone="good">{t('On')}</Badge> : <Badge>{t('Not set')}</Badge>}
      </>
    }
    about={said}
  >
    {!on && <p className="text-sm text-soft">{children}</p>}
  </Row>
)
