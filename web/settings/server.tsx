import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { setupQuery, useBootstrap } from '../api/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Head, Row, Rows } from './rows.tsx'

/** What this server was started with, and what an admin can still switch on: said where one looks for it, set where it runs. */
export const Server = () => {
  const { settings, workspace } = useBootstrap()
  const { data: setup } = useQuery(setupQuery)
  const { version, public_url, email, slack } = settings
  return (
    <>
      <Head title="This server" about="These are set as environment variables where Tablinum runs, and hold from its next start." />
      <Rows>
        <Row title={workspace.name} about={`Tablinum ${version}`}>
          <p className="text-sm text-soft">
            Everything on these pages can be done through the API as well:{' '}
            <a href="/docs" target="_blank" rel="noopener noreferrer" className="text-accent underline">
              the API reference
            </a>
            .
          </p>
        </Row>
        <Part title="Address" on={public_url !== null} said={public_url ?? undefined}>
          Links in messages and invitations begin with it: set <Name>PUBLIC_URL</Name>, as <Name>{location.origin}</Name>.
        </Part>
        <Part title="E-mail" on={email}>
          Invitations and changes come by e-mail when <Name>SMTP_URL</Name> is set, as <Name>smtp://user:password@host:587</Name>.{' '}
          <Name>SMTP_FROM</Name> says from whom.
        </Part>
        <Part title="Slack" on={slack}>
          Incidents and changes are told on Slack when <Name>SLACK_BOT_TOKEN</Name> is set: a bot’s <Name>xoxb-…</Name> with the scope{' '}
          <Name>chat:write</Name>.
        </Part>
        <Part title="Sign-in with your identity provider" on={Boolean(setup?.oidc)} said={setup?.oidc?.name}>
          Okta, Entra ID, Google, Keycloak: set <Name>OIDC_ISSUER</Name>, <Name>OIDC_CLIENT_ID</Name> and <Name>OIDC_CLIENT_SECRET</Name>,
          and register the address <Name>{`${public_url ?? location.origin}/api/v1/auth/oidc/callback`}</Name> there. With{' '}
          <Name>OIDC_ROLE=viewer</Name> everybody your provider knows comes in; else those you invited.
        </Part>
        <Row title="Backup">
          <p className="text-sm text-soft">
            The whole workspace into one file, while it runs: <Name>npx tablinum backup monday.backup</Name>. Back into an empty database:{' '}
            <Name>npx tablinum restore monday.backup</Name>.
          </p>
        </Row>
      </Rows>
    </>
  )
}

const Name = ({ children }: { children: string }) => (
  <code className="rounded bg-sunken px-1 py-px font-mono text-xs wrap-anywhere text-ink">{children}</code>
)

const Part = ({ title, on, said, children }: { title: string; on: boolean; said?: string; children: ReactNode }) => (
  <Row
    title={
      <>
        {title} {on ? <Badge tone="good">on</Badge> : <Badge>not set</Badge>}
      </>
    }
    about={said}
  >
    {!on && <p className="text-sm text-soft">{children}</p>}
  </Row>
)
