import { useQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Confirm } from '../../ui/form-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { showErrorToast, showToast } from '../../ui/toast.tsx'
import { type NewWebhook, type Webhook, type WebhookDelivery, webhooksQuery } from '../shared/queries.ts'
import { SettingsRow } from '../shared/rows.tsx'
import { SecretDialog } from '../shared/secret-dialog.tsx'
import { SettingsList } from '../shared/settings-list.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'
import { formatEvents } from './webhook-events.tsx'
import { EditWebhook } from './webhook-form.tsx'
import { DeliveryLog } from './webhook-log.tsx'

const WEBHOOKS_PATH = '/notification/webhooks'

/** Webhooks: URLs that receive signed activities. */
export const Webhooks = () => {
  const [secret, setSecret] = useState<NewWebhook>()
  return (
    <>
      <SettingsList
        title={t('Webhooks')}
        about={t('Send signed HTTP requests to a URL when events happen.')}
        add={t('New webhook')}
        of={useQuery({ ...webhooksQuery, select: ({ results }) => results })}
        empty={
          <EmptyState icon={WebhookIcon} title={t('No webhooks yet')}>
            {t('Connect your chat, pager or pipeline.')}
          </EmptyState>
        }
        row={(webhook) => <WebhookRow webhook={webhook} onSecret={setSecret} />}
        form={(close) => (
          <EditWebhook
            onClose={close}
            onSaved={(created) => {
              close()
              setSecret(created)
            }}
          />
        )}
      />
      {secret?.secret && (
        <SecretDialog
          title={t('Secret for {name}', { name: secret.name })}
          label={t('Secret')}
          value={secret.secret}
          onClose={() => setSecret(undefined)}
        >
          {t('Used to sign requests. Copy it now. You won’t be able to see it again.')}
        </SecretDialog>
      )}
    </>
  )
}

const renderStatus = ({ enabled, failing_since, last_delivered_at }: Webhook) => {
  if (!enabled) return <Badge>{t('Off')}</Badge>
  if (failing_since) return <Badge tone="bad">{t('Failing')}</Badge>
  return last_delivered_at ? <Badge tone="good">{t('Delivering')}</Badge> : <Badge>{t('Not used yet')}</Badge>
}

const WebhookRow = ({ webhook, onSecret }: { webhook: Webhook; onSecret: (webhook: NewWebhook) => void }) => {
  const { id, name, url, events, enabled, disabled_reason, last_delivered_at } = webhook
  const [over, setOver] = useState<'edit' | 'delete'>()
  const [log, setLog] = useState(false)
  const close = () => setOver(undefined)
  const old = ['webhooks']
  const turn = useSettingsMutation<unknown, boolean>({
    perform: (on) => api.patch(`${WEBHOOKS_PATH}/${id}`, { enabled: on }),
    staleKeys: old,
    failed: t('Not saved.'),
  })
  const test = useSettingsMutation({
    perform: () => api.post<WebhookDelivery>(`${WEBHOOKS_PATH}/${id}/test`),
    staleKeys: old,
    failed: t('Couldn’t send.'),
    onSuccess: ({ status, response_status, response_ms, error }) =>
      status === 'delivered'
        ? showToast(t('Test delivered: {status} in {n} ms', { status: response_status ?? 0, n: response_ms ?? 0 }))
        : showErrorToast(t('Test delivery failed'), new Error(error ?? t('No error details'))),
  })
  const rotate = useSettingsMutation({
    perform: () => api.post<NewWebhook>(`${WEBHOOKS_PATH}/${id}/rotate_secret`),
    staleKeys: old,
    failed: t('Couldn’t rotate the secret.'),
    onSuccess: onSecret,
  })
  const remove = useSettingsMutation({
    perform: () => api.delete(`${WEBHOOKS_PATH}/${id}`),
    staleKeys: old,
    done: t('{name} deleted', { name }),
    failed: t('Couldn’t delete.'),
  })
  return (
    <SettingsRow
      title={
        <>
          <span className="truncate" dir="auto">
            {name}
          </span>
          {renderStatus(webhook)}
        </>
      }
      about={`${url} · ${formatEvents(events)}`}
      aside={last_delivered_at && <Trans message="Last delivered {when}" when={<RelativeTime at={last_delivered_at} />} />}
      actions={
        <>
          <Switch label={t('Enable {name}', { name })} checked={enabled} disabled={turn.isPending} onChange={(on) => turn.mutate(on)} />
          <Button small look="quiet" icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
            {t('Test')}
          </Button>
          <Button small look="quiet" aria-expanded={log} onClick={() => setLog(!log)}>
            {t('Deliveries')}
          </Button>
          <Button small look="quiet" onClick={() => setOver('edit')}>
            {t('Edit')}
          </Button>
          <Menu
            label={t('More for {name}', { name })}
            align="end"
            items={[
              { label: t('Rotate secret'), icon: KeyRound, onSelect: () => rotate.mutate() },
              { label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setOver('delete') },
            ]}
            trigger={(props) => <IconButton {...props} label={t('More for {name}', { name })} icon={Ellipsis} />}
          />
        </>
      }
    >
      {disabled_reason && <p className="text-sm text-bad">{disabled_reason}</p>}
      {log && <DeliveryLog webhook={id} />}
      {over === 'edit' && <EditWebhook webhook={webhook} onClose={close} onSaved={close} />}
      {over === 'delete' && (
        <Confirm title={t('Delete {name}?', { name })} action={t('Delete')} onClose={close} write={remove}>
          {t('No more events are sent, and its delivery log is deleted.')}
        </Confirm>
      )}
    </SettingsRow>
  )
}
