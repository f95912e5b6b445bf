import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Megaphone, Send, Trash2 } from 'lucide-react'
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
import { type ChannelTest, type NotificationChannel, notificationChannelsQuery } from '../shared/queries.ts'
import { SettingsRow } from '../shared/rows.tsx'
import { SettingsList } from '../shared/settings-list.tsx'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'
import { CHANNEL_TYPES } from './channel-types.ts'
import { EditNotificationChannel } from './notification-channel-form.tsx'

const CHANNELS_PATH = '/notification/channels'

/** Channels that routing rules send to. */
export const NotificationChannels = () => (
  <section aria-label={t('Channels')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
    <SettingsList
      title={t('Channels')}
      about={t('Shared destinations for alerts: chat channels, mailing lists, pagers and webhooks.')}
      add={t('New channel')}
      of={useQuery({ ...notificationChannelsQuery, select: ({ results }) => results })}
      empty={
        <EmptyState icon={Megaphone} title={t('No channels yet')}>
          {t('Connect Slack, Microsoft Teams, PagerDuty, Opsgenie, a mailing list or a webhook.')}
        </EmptyState>
      }
      row={(channel) => <ChannelRow channel={channel} />}
      form={(close) => <EditNotificationChannel onClose={close} />}
    />
  </section>
)

const renderStatus = ({ enabled, available, last_error, last_sent_at }: NotificationChannel) => {
  if (!enabled) return <Badge>{t('Off')}</Badge>
  if (!available) return <Badge tone="warn">{t('Not set up on this server')}</Badge>
  if (last_error) return <Badge tone="bad">{t('Failing')}</Badge>
  return last_sent_at ? <Badge tone="good">{t('Delivering')}</Badge> : <Badge>{t('Not used yet')}</Badge>
}

const ChannelRow = ({ channel }: { channel: NotificationChannel }) => {
  const { id, name, type, address, enabled, last_error, last_sent_at } = channel
  const [over, setOver] = useState<'edit' | 'delete'>()
  const close = () => setOver(undefined)
  const staleKeys = ['notification-channels']
  const turn = useSettingsMutation<unknown, boolean>({
    perform: (on) => api.patch(`${CHANNELS_PATH}/${id}`, { enabled: on }),
    staleKeys,
    failed: t('Not saved.'),
  })
  const test = useSettingsMutation({
    perform: () => api.post<ChannelTest>(`${CHANNELS_PATH}/${id}/test`),
    staleKeys,
    failed: t('Couldn’t send.'),
    onSuccess: ({ delivered, response_status, response_body, response_ms, error }) =>
      delivered
        ? showToast(
            t('Test delivered in {n} ms. Response: {answer}', { n: response_ms, answer: describeAnswer(response_status, response_body) }),
          )
        : showErrorToast(t('Test delivery failed'), new Error(error ?? t('No error details'))),
  })
  const remove = useSettingsMutation({
    perform: () => api.delete(`${CHANNELS_PATH}/${id}`),
    staleKeys,
    done: t('{name} deleted', { name }),
  })
  return (
    <SettingsRow
      title={
        <>
          <span className="truncate" dir="auto">
            {name}
          </span>
          {renderStatus(channel)}
        </>
      }
      about={`${CHANNEL_TYPES[type].label} · ${address}`}
      aside={last_sent_at && <Trans message="Last delivered {when}" when={<RelativeTime at={last_sent_at} />} />}
      actions={
        <>
          <Switch label={t('Enable {name}', { name })} checked={enabled} disabled={turn.isPending} onChange={(on) => turn.mutate(on)} />
          <Button small look="quiet" icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
            {t('Test')}
          </Button>
          <Button small look="quiet" onClick={() => setOver('edit')}>
            {t('Edit')}
          </Button>
          <Menu
            label={t('More for {name}', { name })}
            align="end"
            items={[{ label: t('Delete'), icon: Trash2, danger: true, onSelect: () => setOver('delete') }]}
            trigger={(props) => <IconButton {...props} label={t('More for {name}', { name })} icon={Ellipsis} />}
          />
        </>
      }
    >
      {last_error && <p className="text-sm break-words text-bad">{last_error}</p>}
      {over === 'edit' && <EditNotificationChannel channel={channel} onClose={close} />}
      {over === 'delete' && (
        <Confirm title={t('Delete {name}?', { name })} action={t('Delete')} onClose={close} write={remove}>
          {t('Messages that wait for this channel are not sent, and its delivery log is deleted.')}
        </Confirm>
      )}
    </SettingsRow>
  )
}

const MAX_ANSWER = 120
const describeAnswer = (status: number | null, body: string | null): string =>
  [status, body?.trim().slice(0, MAX_ANSWER)].filter(Boolean).join(' ') || t('none // response of a receiver')
