import { useQuery } from '@tanstack/react-query'
import { useBootstrap } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { ApiReference } from '../../ui/api-reference.tsx'
import { Badge } from '../../ui/badge.tsx'
import { QueryView } from '../../ui/states.tsx'
import { serverSettingsQuery } from '../shared/queries.ts'
import { SectionHeader, SettingsRow, SettingsRows } from '../shared/rows.tsx'
import { Backups } from './backups.tsx'
import { EmailSettings } from './email-settings.tsx'
import { OidcSettings } from './oidc-settings.tsx'
import { SharingSettings } from './sharing-settings.tsx'
import { SlackSettings } from './slack-settings.tsx'

/** Mail server, Slack app, identity provider, sharing, backups, and what is set on the server only. */
export const ServerPage = () => {
  const { settings, workspace } = useBootstrap()
  const { version, public_url } = settings
  return (
    <>
      <SectionHeader
        title={t('This server')}
        about={t('Changes take effect at once. What is set with environment variables on the server wins.')}
      />
      <QueryView of={useQuery(serverSettingsQuery)}>
        {({ email, slack, oidc }) => (
          <SettingsRows>
            <SettingsRow title={workspace.name} about={t('Tablinum {version}', { version })}>
              <p className="text-sm text-soft">
                <Trans
                  message="Everything in settings is also available through the API. See {reference}."
                  reference={<ApiReference>{t('the API reference')}</ApiReference>}
                />
              </p>
            </SettingsRow>
            <PublicUrl url={public_url} />
            <EmailSettings key={`email ${email.source}`} settings={email} />
            <SlackSettings key={`slack ${slack.source}`} settings={slack} />
            <OidcSettings key={`oidc ${oidc.source}`} settings={oidc} />
            <SharingSettings />
            <Backups />
          </SettingsRows>
        )}
      </QueryView>
    </>
  )
}

const Code = ({ of }: { of: string }) => <code className="rounded bg-sunken px-1 py-px font-mono text-xs wrap-anywhere text-ink">{of}</code>

/** Every process must know it before it reads the database, so it is set in the environment only. */
const PublicUrl = ({ url }: { url: string | null }) => (
  <SettingsRow
    title={
      <>
        {t('URL')} {url === null ? <Badge>{t('Not set')}</Badge> : <Badge tone="good">{t('On')}</Badge>}
      </>
    }
    about={url}
  >
    {url === null && (
      <p className="text-sm text-soft">
        <Trans
          message="Base URL for links in notifications and invitations. Set {variable}, e.g. {example}."
          variable={<Code of="PUBLIC_URL" />}
          example={<Code of={location.origin} />}
        />
      </p>
    )}
  </SettingsRow>
)
