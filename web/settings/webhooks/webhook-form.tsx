import { useState } from 'react'
import { api } from '../../api/client.ts'
import { t } from '../../i18n/messages.ts'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { NewWebhook, Webhook } from '../shared/queries.ts'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'
import { WebhookEvents } from './webhook-events.tsx'

const URL_PLACEHOLDER = 'https://…'

interface EditWebhookProps {
  readonly webhook?: Webhook
  readonly onClose: () => void
  readonly onSaved: (webhook: NewWebhook) => void
}

/** Form for a webhook: URL, name and events. */
export const EditWebhook = ({ webhook, onClose, onSaved }: EditWebhookProps) => {
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['incident_*'])
  const write = useSettingsMutation({
    perform: () => {
      const body = { url: url.trim(), events, ...(name.trim() !== '' && { name }) }
      return webhook
        ? api.patch<NewWebhook>(`/notification/webhooks/${webhook.id}`, body)
        : api.post<NewWebhook>('/notification/webhooks', body)
    },
    staleKeys: ['webhooks'],
    onSuccess: onSaved,
  })
  return (
    <FormDialog
      title={webhook ? t('Edit {name}', { name: webhook.name }) : t('New webhook')}
      submit={webhook ? t('Save') : t('Create webhook')}
      onClose={onClose}
      write={write}
    >
      {(errors) => (
        <>
          <Field label={t('URL')} error={errors.url}>
            {(props) => (
              <Input
                {...props}
                type="url"
                required
                data-autofocus
                placeholder={URL_PLACEHOLDER}
                value={url}
                onChange={({ target }) => setUrl(target.value)}
              />
            )}
          </Field>
          <Field label={t('Name')} error={errors.name} hint={t('Leave blank to use the URL.')}>
            {(props) => <Input {...props} maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />}
          </Field>
          <WebhookEvents
            events={events}
            error={Object.entries(errors).find(([field]) => field.startsWith('events'))?.[1]}
            onChange={setEvents}
          />
        </>
      )}
    </FormDialog>
  )
}
