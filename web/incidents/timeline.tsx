import { Bell, BellOff, Check, CircleAlert, CircleCheck, Eye, type LucideIcon, MessageSquare, RotateCcw, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'
import { Markdown } from '../ui/markdown.tsx'
import { When } from '../ui/time.tsx'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'
import type { Incident } from './queries.ts'

type Action = Incident['actions'][number]

type Says = (who: ReactNode, action: Action) => ReactNode

const SAID: Record<Action['type'], readonly [icon: LucideIcon, says: Says]> = {
  notification_initial: [Bell, (_, action) => notified(action)],
  notification_resolved: [BellOff, (_, action) => recovered(action)],
  acknowledged: [Eye, (who) => <Say words="{who} acknowledged the incident." who={who} />],
  resolved: [CircleCheck, (who) => <Say words="{who} resolved the incident." who={who} />],
  reopened: [RotateCcw, (who) => <Say words="{who} reopened the incident." who={who} />],
  comment: [MessageSquare, (who) => <Say words="{who} commented:" who={who} />],
  marked_normal: [Check, (who) => <Say words="{who} marked the values as expected." who={who} />],
  marked_incident: [CircleAlert, (who) => <Say words="{who} marked the values as anomalous." who={who} />],
  assigned: [
    UserRound,
    (who, { comment }) =>
      comment ? (
        <Say words="{who} assigned this to {assignee}." who={who} assignee={<span className="font-medium text-ink">{comment}</span>} />
      ) : (
        <Say words="{who} removed the assignee." who={who} />
      ),
  ],
}

/** Who received the alert: the actual number of recipients, which may be zero. */
const notified = ({ people, channel }: Action): string => {
  if (people === null) return t('Notification pending')
  if (people > 0 && channel) return t('Notified {n:# person|# people} and {channel}', { n: people, channel })
  if (people > 0) return t('Notified {n:# person|# people}', { n: people })
  return channel ? t('Notified {channel}', { channel }) : t('No one was notified: no owner or subscriber')
}

const recovered = ({ people, channel }: Action): string => {
  if (people === null) return t('Recovery notification pending')
  if (people > 0) return t('Sent recovery notification to {n:# person|# people}', { n: people })
  return channel ? t('Sent recovery notification to {channel}', { channel }) : t('No recovery notification was sent')
}

/** Timeline of an incident, oldest entry first. */
export const Timeline = ({ of: { first_seen_at, actions } }: { of: Incident }) => (
  <ol className="grid gap-3">
    <Entry icon={CircleAlert} bad at={first_seen_at}>
      {t('A value left its expected range.')}
    </Entry>
    {actions.map((action, i) => {
      const { type, user_name, comment, created_at } = action
      const [icon, says] = SAID[type]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only appended
        <Entry key={i} icon={icon} at={created_at}>
          {says(<span className="font-medium text-ink">{user_name || t('Unknown user')}</span>, action)}
          {type === 'comment' && comment && (
            <div className="mt-1 rounded-lg border border-line px-3 py-2 text-ink">
              <Markdown text={comment} />
            </div>
          )}
        </Entry>
      )
    })}
  </ol>
)

const Entry = ({ icon: Icon, bad, at, children }: { icon: LucideIcon; bad?: boolean; at: string; children: ReactNode }) => (
  <li className="flex gap-2.5 text-sm text-soft">
    <span
      aria-hidden
      className={cx(
        'mt-px flex size-5.5 shrink-0 items-center justify-center rounded-full',
        bad ? 'bg-bad-soft text-bad' : 'bg-hover text-faint',
      )}
    >
      <Icon size={13} />
    </span>
    <div className="min-w-0 flex-1">{children}</div>
    <span className="shrink-0 text-xs text-faint">
      <When at={at} />
    </span>
  </li>
)
