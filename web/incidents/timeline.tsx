import { Bell, BellOff, Check, CircleAlert, CircleCheck, Eye, type LucideIcon, MessageSquare, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'
import { Markdown } from '../ui/markdown.tsx'
import { When } from '../ui/time.tsx'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'
import type { Incident } from './queries.ts'

type Action = Incident['actions'][number]

const SAID: Record<Action['type'], readonly [icon: LucideIcon, says: (who: ReactNode) => ReactNode]> = {
  notification_initial: [Bell, (who) => <Say words="{who} told those who own or follow it." who={who} />],
  notification_resolved: [BellOff, (who) => <Say words="{who} told them that it is over." who={who} />],
  acknowledged: [Eye, (who) => <Say words="{who} acknowledged it." who={who} />],
  resolved: [CircleCheck, (who) => <Say words="{who} resolved it." who={who} />],
  comment: [MessageSquare, (who) => <Say words="{who} said:" who={who} />],
  marked_normal: [Check, (who) => <Say words="{who} called its values normal: the limits learn from them." who={who} />],
  marked_incident: [CircleAlert, (who) => <Say words="{who} called its values an incident: the limits never learn from them." who={who} />],
  assigned: [UserRound, (who) => <Say words="{who} changed who looks after it." who={who} />],
}

/** What happened, from the beginning. */
export const Timeline = ({ of: { first_seen_at, actions } }: { of: Incident }) => (
  <ol className="grid gap-3">
    <Entry icon={CircleAlert} bad at={first_seen_at}>
      {t('A value was outside its limits.')}
    </Entry>
    {actions.map(({ type, user_name, comment, created_at }, i) => {
      const [icon, says] = SAID[type]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: what happened stays in its place
        <Entry key={i} icon={icon} at={created_at}>
          {says(<span className="font-medium text-ink">{user_name || t('Somebody')}</span>)}
          {comment && (
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
