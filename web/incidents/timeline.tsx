import {
  Bell,
  BellOff,
  BellRing,
  Check,
  CircleAlert,
  CircleCheck,
  Eye,
  Gauge,
  type LucideIcon,
  MessageSquare,
  RotateCcw,
  UserRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { formatSeverity, USUAL_SEVERITY } from '../monitors/severity.tsx'
import { parseSeverity } from '../monitors/severity-param.ts'
import { cx } from '../ui/cx.ts'
import { RelativeTime } from '../ui/time.tsx'
import type { Incident } from './queries.ts'

type Action = Incident['actions'][number]

type RenderEntry = (who: ReactNode, action: Action) => ReactNode

const ENTRY_RENDERERS: Record<Action['type'], readonly [icon: LucideIcon, says: RenderEntry]> = {
  notification_initial: [Bell, (_, action) => describeAlert(action)],
  notification_resolved: [BellOff, (_, action) => describeRecovery(action)],
  acknowledged: [Eye, (who) => <Trans message="{who} acknowledged the incident." who={who} />],
  resolved: [CircleCheck, (who) => <Trans message="{who} resolved the incident." who={who} />],
  reopened: [RotateCcw, (who) => <Trans message="{who} reopened the incident." who={who} />],
  severity_changed: [
    Gauge,
    (who, { comment }) => (
      <Trans
        message="{who} changed the severity to {severity}."
        who={who}
        severity={formatSeverity(parseSeverity(comment) ?? USUAL_SEVERITY)}
      />
    ),
  ],
  snoozed: [
    BellOff,
    (who, { comment }) => <Trans message="{who} snoozed the incident until {time}." who={who} time={<RelativeTime at={comment} full />} />,
  ],
  unsnoozed: [BellRing, (who) => <Trans message="{who} ended the snooze." who={who} />],
  snooze_ended: [BellRing, () => t('The snooze ended.')],
  comment: [MessageSquare, (who) => <Trans message="{who} commented:" who={who} />],
  marked_normal: [Check, (who) => <Trans message="{who} marked the values as expected." who={who} />],
  marked_incident: [CircleAlert, (who) => <Trans message="{who} marked the values as anomalous." who={who} />],
  assigned: [
    UserRound,
    (who, { comment }) =>
      comment ? (
        <Trans message="{who} assigned this to {assignee}." who={who} assignee={<span className="font-medium text-ink">{comment}</span>} />
      ) : (
        <Trans message="{who} removed the assignee." who={who} />
      ),
  ],
}

/** Who received the alert: the actual number of recipients, which may be zero. */
const describeAlert = ({ people, channel }: Action): string => {
  if (people === null) return t('Notification pending')
  if (people > 0 && channel) return t('Notified {n:# person|# people} and {channel}', { n: people, channel })
  if (people > 0) return t('Notified {n:# person|# people}', { n: people })
  return channel ? t('Notified {channel}', { channel }) : t('No one was notified: no owner or subscriber')
}

const describeRecovery = ({ people, channel }: Action): string => {
  if (people === null) return t('Recovery notification pending')
  if (people > 0 && channel) return t('Sent recovery notification to {n:# person|# people} and {channel}', { n: people, channel })
  if (people > 0) return t('Sent recovery notification to {n:# person|# people}', { n: people })
  return channel ? t('Sent recovery notification to {channel}', { channel }) : t('No recovery notification was sent')
}

/** Timeline of an incident, oldest entry first. */
export const Timeline = ({ of: { first_seen_at, actions } }: { of: Incident }) => (
  <ol className="grid gap-3">
    <TimelineEntry icon={CircleAlert} bad at={first_seen_at}>
      {t('A value left its expected range.')}
    </TimelineEntry>
    {actions.map((action, i) => {
      const { type, user_name, comment, created_at } = action
      const [icon, text] = ENTRY_RENDERERS[type]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only appended
        <TimelineEntry key={i} icon={icon} at={created_at}>
          {text(<span className="font-medium text-ink">{user_name || t('Unknown user')}</span>, action)}
          {type === 'comment' && comment && (
            <div className="mt-1 rounded-lg border border-line px-3 py-2 text-ink">
              <Markdown text={comment} />
            </div>
          )}
        </TimelineEntry>
      )
    })}
  </ol>
)

const TimelineEntry = ({ icon: Icon, bad, at, children }: { icon: LucideIcon; bad?: boolean; at: string; children: ReactNode }) => (
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
      <RelativeTime at={at} />
    </span>
  </li>
)
