import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button } from '../ui/button.tsx'
import { Editable } from '../ui/editable.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Switch } from '../ui/field.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { QueryView } from '../ui/states.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { type NotificationSettings, notificationsQuery, type Subscription, subscriptionsQuery } from './shared/queries.ts'
import { SectionHeader, SettingsRow, SettingsRows } from './shared/rows.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

/** Notification channels besides the inbox, and subscriptions. */
export const Notifications = () => (
  <>
    <SectionHeader title={t('Notifications')} about={t('Notifications always go to your inbox. Choose where else to receive them.')} />
    <QueryView of={useQuery(notificationsQuery)}>{(settings) => <Channels settings={settings} />}</QueryView>
    <Subscriptions />
  </>
)

/** Link for admins to the server settings. */
const SetUpLink = () => (
  <Link to="/settings/$section" params={{ section: 'server' }} className="text-accent underline">
    {t('set it up')}
  </Link>
)

/** The user's subscriptions, each with an unsubscribe button. */
const Subscriptions = () => {
  const unsubscribe = useSettingsMutation<unknown, Subscription>({
    perform: ({ id }) => api.delete(`/resource/all/${id}/subscription`),
    staleKeys: ['subscriptions', 'resource'],
    done: t('Unsubscribed'),
    failed: t('Couldn’t unsubscribe.'),
  })
  return (
    <section aria-label={t('Subscriptions')} className="grid gap-2">
      <SectionHeader title={t('Subscriptions')} about={t('You are notified about changes to these resources and to resources you own.')} />
      <QueryView of={useQuery(subscriptionsQuery)}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="text-sm text-faint">{t('No subscriptions yet. Subscribe on the page of a resource.')}</p>
          ) : (
            <SettingsRows>
              {results.map((each) => (
                <SettingsRow
                  key={each.id}
                  title={
                    <>
                      <EntityTypeIcon type={each.entity_type} />
                      <RowLink href={`/r/${each.id}`} className="truncate hover:text-accent hover:underline" dir="auto">
                        {each.title}
                      </RowLink>
                    </>
                  }
                  about={each.title_full === each.title ? undefined : each.title_full}
                  actions={
                    <Button
                      small
                      look="quiet"
                      aria-label={t('Unsubscribe from {title}', { title: each.title })}
                      disabled={unsubscribe.isPending}
                      onClick={() => unsubscribe.mutate(each)}
                    >
                      {t('Unsubscribe')}
                    </Button>
                  }
                />
              ))}
            </SettingsRows>
          )
        }
      </QueryView>
    </section>
  )
}

const Channels = ({ settings }: { settings: NotificationSettings }) => {
  const manages = useCan('integrations.manage')
  const save = useSettingsMutation<unknown, Partial<NotificationSettings>>({
    perform: (change) => api.patch('/notification/settings', change),
    staleKeys: ['notification-settings'],
    done: t('Saved'),
    failed: t('Not saved.'),
  })
  const { email, email_available, slack, slack_available, slack_id } = settings
  const noEmails = manages ? (
    <Trans message="E-mail is not set up on this server: {set_it_up}" set_it_up={<SetUpLink />} />
  ) : (
    t('E-mail is not set up on this server. Ask an admin.')
  )
  const noSlack = manages ? (
    <Trans message="Slack is not set up on this server: {set_it_up}" set_it_up={<SetUpLink />} />
  ) : (
    t('Slack is not set up on this server. Ask an admin.')
  )
  return (
    <SettingsRows>
      <SettingsRow
        title={t('E-mail')}
        about={email_available ? t('Changes are combined into a digest.') : noEmails}
        actions={
          <Switch
            label={t('Notify me by e-mail')}
            checked={email && email_available}
            disabled={save.isPending || !email_available}
            onChange={(on) => save.mutate({ email: on })}
          />
        }
      />
      <SettingsRow
        title={t('Slack')}
        about={slack_available ? t('Direct messages from the Slack app.') : noSlack}
        actions={
          <Switch
            label={t('Notify me on Slack')}
            checked={slack && slack_available}
            disabled={save.isPending || !slack_available}
            onChange={(on) => save.mutate({ slack: on })}
          />
        }
      >
        <div className="flex items-center gap-2 text-sm">
          <span className="text-faint">{t('Slack ID')}</span>
          <Editable
            label={t('Slack ID')}
            value={slack_id ?? ''}
            editable
            placeholder={t('e.g. U024BE7LH')}
            onSave={(id) => save.mutate({ slack_id: id || null })}
          />
        </div>
      </SettingsRow>
      <QuietHours settings={settings} />
    </SettingsRows>
  )
}
