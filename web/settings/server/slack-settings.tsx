import { useState } from 'react'
import { useBootstrap } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import type { ServerSettings } from '../shared/queries.ts'
import { SecretField } from './secret-field.tsx'
import { ServiceForm } from './service-form.tsx'

/** The Slack app. */
export const SlackSettings = ({ settings }: { settings: ServerSettings['slack'] }) => {
  const { public_url } = useBootstrap().settings
  const [token, setToken] = useState('')
  const [secret, setSecret] = useState('')
  const [withoutButtons, setWithoutButtons] = useState(false)
  const [channel, setChannel] = useState('')
  const signing = withoutButtons ? { signing_secret: null } : secret === '' ? {} : { signing_secret: secret }
  return (
    <ServiceForm
      service="slack"
      title={t('Slack')}
      about={t('Sends alerts and notifications with the bot of a Slack app of your workspace.')}
      settings={settings}
      variables="SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET"
      edit={{ ...(token !== '' && { bot_token: token }), ...signing }}
      test={channel.trim() === '' ? {} : { channel: channel.trim() }}
      testLabel={t('Test Slack')}
      onSaved={() => {
        setToken('')
        setSecret('')
      }}
      below={(errors) => (
        <Field
          label={t('Channel or person for the test')}
          hint={t('Its ID, e.g. C024BE7LH. Blank: your own Slack ID of your notification settings.')}
          error={errors.channel}
        >
          {(props) => <Input {...props} value={channel} onChange={({ target }) => setChannel(target.value)} />}
        </Field>
      )}
    >
      {(errors) => (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <SecretField
            label={t('Bot token')}
            hint={t('Starts with xoxb-. The app needs the scope chat:write.')}
            value={token}
            stored={settings.has_bot_token}
            again={false}
            error={errors.bot_token}
            onChange={setToken}
          />
          <SecretField
            label={t('{label} (optional)', { label: t('Signing secret') })}
            hint={t('For buttons in messages. Request URL of the app: {url}', {
              url: `${public_url ?? location.origin}/api/v1/notification/slack/actions`,
            })}
            value={secret}
            stored={settings.has_signing_secret}
            again={false}
            error={errors.signing_secret}
            onChange={setSecret}
          />
          {settings.has_signing_secret && settings.source === 'stored' && (
            <label className="flex items-center gap-2 text-sm">
              <Checkbox checked={withoutButtons} onChange={({ target }) => setWithoutButtons(target.checked)} />
              {t('Remove the signing secret: messages have no buttons')}
            </label>
          )}
        </div>
      )}
    </ServiceForm>
  )
}
