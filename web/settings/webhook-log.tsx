import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Answer } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { deliveriesQuery, type WebhookDelivery } from './queries.ts'
import { useWrite } from './use-write.ts'

const TONES = { delivered: 'good', failed: 'bad', pending: 'neutral', sending: 'accent' } as const

/** What a webhook was sent lately, and what came back. */
export const DeliveryLog = ({ webhook }: { webhook: string }) => (
  <Answer of={useQuery(deliveriesQuery(webhook))}>
    {({ results }) =>
      results.length === 0 ? (
        <p className="text-sm text-faint">Nothing was sent yet.</p>
      ) : (
        <ul className="divide-y divide-line rounded-md border border-line text-sm">
          {results.map((delivery) => (
            <One key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )
    }
  </Answer>
)

const One = ({
  delivery: { id, webhook, event, status, attempts, response_status, response_ms, error, created_at },
}: {
  delivery: WebhookDelivery
}) => {
  const again = useWrite({
    perform: () => api.post(`/notification/webhooks/${webhook}/deliveries/${id}/redeliver`),
    old: ['webhooks'],
    done: 'It is being sent again.',
    failed: 'Not sent.',
  })
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-2.5 py-1.5">
      <Badge tone={TONES[status as keyof typeof TONES]}>{status}</Badge>
      <span className="min-w-0 flex-1 basis-40 break-words">
        <span className="font-mono text-xs">{event}</span>
        {error && <span className="text-bad"> {error}</span>}
      </span>
      <span className="text-xs text-faint">
        {response_status !== null && `${response_status} in ${response_ms} ms · `}
        {attempts > 1 && `${attempts} attempts · `}
        <When at={created_at} />
      </span>
      {status !== 'sending' && (
        <Button small look="quiet" busy={again.isPending} onClick={() => again.mutate()}>
          Send again
        </Button>
      )}
    </li>
  )
}
