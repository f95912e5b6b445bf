import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pluralize, t } from '../../i18n/messages.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { QueryView } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { deliveriesQuery, type WebhookDelivery } from '../shared/queries.ts'
import { useSettingsMutation } from '../shared/use-settings-mutation.ts'

const STATUS_BADGES: Record<WebhookDelivery['status'], readonly [Tone, string]> = {
  delivered: ['good', t('Delivered')],
  failed: ['bad', t('Failed')],
  pending: ['neutral', t('Pending')],
  sending: ['accent', t('Sending')],
}

/** Recent deliveries of a webhook with their responses. */
export const DeliveryLog = ({ webhook }: { webhook: string }) => (
  <QueryView of={useQuery(deliveriesQuery(webhook))}>
    {({ results }) =>
      results.length === 0 ? (
        <p className="text-sm text-faint">{t('No deliveries yet')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-md border border-line text-sm">
          {results.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )
    }
  </QueryView>
)

const DeliveryRow = ({
  delivery: { id, webhook, event, status, attempts, response_status, response_ms, error, created_at },
}: {
  delivery: WebhookDelivery
}) => {
  const again = useSettingsMutation({
    perform: () => api.post(`/notification/webhooks/${webhook}/deliveries/${id}/redeliver`),
    staleKeys: ['webhooks'],
    done: t('Redelivery started'),
    failed: t('Couldn’t send.'),
  })
  const [tone, label] = STATUS_BADGES[status]
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-2.5 py-1.5">
      <Badge tone={tone}>{label}</Badge>
      <span className="min-w-0 flex-1 basis-40 break-words">
        <span className="font-mono text-xs">{event}</span>
        {error && <span className="text-bad"> {error}</span>}
      </span>
      <span className="text-xs text-faint">
        {response_status !== null && `${t('{status} in {n} ms', { status: response_status, n: response_ms ?? 0 })} · `}
        {attempts > 1 && `${pluralize(attempts, 'attempt')} · `}
        <RelativeTime at={created_at} />
      </span>
      {status !== 'sending' && (
        <Button small look="quiet" busy={again.isPending} onClick={() => again.mutate()}>
          {t('Redeliver')}
        </Button>
      )}
    </li>
  )
}
