import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckCheck, CircleHelp, Inbox as InboxIcon, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { showServerText } from '../api/server-text.ts'
import type { Notification, NotificationPage } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'

const NotificationExplanation = lazy(async () => ({ default: (await import('../activity/explanation.tsx')).NotificationExplanation }))

const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => api.get<NotificationPage>('/notification/inbox', { query: { page_size: 50 }, signal }),
})

const invalidateInbox = () => {
  for (const queryKey of [['inbox'], ['bootstrap']]) void queryClient.invalidateQueries({ queryKey })
}

/** The user's notifications, in a panel on the right. */
export const Inbox = ({ onClose }: { onClose: () => void }) => {
  const inbox = useQuery(inboxQuery)
  const readAll = useMutation({
    mutationFn: () => api.post('/notification/inbox/read_all'),
    onSuccess: invalidateInbox,
    onError: (error) => showErrorToast(t('Couldn’t mark all as read.'), error),
  })
  return (
    <Dialog title={t('Inbox')} bare onClose={onClose} className="me-0 h-dvh max-h-dvh w-[26rem] rounded-none border-y-0">
      <header className="flex items-center gap-2 border-b border-line px-4 py-3">
        <h2 className="flex-1 font-semibold">{t('Inbox')}</h2>
        {(inbox.data?.unread_count ?? 0) > 0 && (
          <Button small look="quiet" icon={CheckCheck} busy={readAll.isPending} onClick={() => readAll.mutate()}>
            {t('Mark all as read')}
          </Button>
        )}
        <IconButton label={t('Close')} icon={X} onClick={onClose} />
      </header>
      <div className="flex-1 overflow-auto">
        <QueryView of={inbox}>
          {({ results }) =>
            results.length === 0 ? (
              <EmptyState icon={InboxIcon} title={t('No notifications')}>
                {t('Changes to resources you own or subscribe to appear here.')}
              </EmptyState>
            ) : (
              <ul>
                {results.map((each) => (
                  <NotificationItem key={each.id} {...each} />
                ))}
              </ul>
            )
          }
        </QueryView>
      </div>
    </Dialog>
  )
}

const isOfDiscussion = (change: Notification['changes'][number] | undefined): boolean =>
  change !== undefined && (change.comment !== null || change.activity_type.startsWith('comment_'))

const NotificationItem = ({
  id,
  resource_id,
  resource_type,
  resource_title,
  resource_deleted,
  text,
  changes,
  changes_count,
  last_change_at,
  read,
  incident,
}: Notification) => {
  const mark = useMutation({ mutationFn: () => api.patch(`/notification/inbox/${id}`, { read: true }), onSuccess: invalidateInbox })
  const inner = (
    <>
      <span className="flex items-center gap-2">
        <EntityTypeIcon type={resource_type} />
        <span className="flex min-w-0 flex-1 items-center gap-1.5" dir="auto">
          <span className={cx('truncate', !read && 'font-semibold')}>{resource_title}</span>
          <TrustBadges id={resource_deleted ? undefined : resource_id} size={13} />
        </span>
        <span className="text-xs text-faint">
          <RelativeTime at={last_change_at} />
        </span>
        {!read && <span role="img" aria-label={t('Unread')} className="size-2 rounded-full bg-accent-fill" />}
      </span>
      <span className="line-clamp-2 ps-6 text-sm text-soft">{showServerText(text, changes[0]?.translatable)}</span>
      {changes_count > 1 && (
        <span className="ps-6 text-xs text-faint">{t('and {n:# more change|# more changes}', { n: changes_count - 1 })}</span>
      )}
    </>
  )
  const [asking, setAsking] = useState(false)
  const look = 'grid min-w-0 flex-1 gap-0.5 py-2.5 ps-4 pe-1 text-start -outline-offset-2'
  const link = { onClick: () => !read && mark.mutate(), className: look }
  return (
    <li className="flex items-start border-b border-line pe-2 hover:bg-hover">
      {resource_deleted ? (
        <div className={look}>{inner}</div>
      ) : incident ? (
        <Link to="/incidents/$id" params={{ id: incident }} {...link}>
          {inner}
        </Link>
      ) : (
        <Link to="/r/$id" params={{ id: resource_id }} search={{ tab: isOfDiscussion(changes[0]) ? 'discussion' : 'activity' }} {...link}>
          {inner}
        </Link>
      )}
      {!resource_deleted && changes[0] && (
        <IconButton label={t('Why did I get this?')} icon={CircleHelp} onClick={() => setAsking(true)} className="mt-1.5" />
      )}
      {asking && (
        <Suspense>
          <NotificationExplanation of={{ type: 'activity', id: changes[0]!.id }} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </li>
  )
}
