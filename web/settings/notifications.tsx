import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Editable } from '../ui/editable.tsx'
import { Switch } from '../ui/field.tsx'
import { KindIcon } from '../ui/kind.tsx'
import { RowLink } from '../ui/row-link.tsx'
import { Answer } from '../ui/states.tsx'
import { type Followed, type NotificationSettings, notificationsQuery, subscriptionsQuery } from './queries.ts'
import { Head, Row, Rows } from './rows.tsx'
import { useWrite } from './use-write.ts'

/** Where one is told of changes, beside the inbox. */
export const Notifications = () => (
  <>
    <Head title="Notifications" about="Everything is in your inbox. It can reach you elsewhere as well." />
    <Answer of={useQuery(notificationsQuery)}>{(settings) => <Channels settings={settings} />}</Answer>
    <Subscriptions />
  </>
)

/** An admin is told where it is set up; everybody else, whom to ask. */
const NotSet = ({ what }: { what: string }) => {
  const manages = useCan('integrations.manage')
  return (
    <>
      {what}:{' '}
      {manages ? (
        <Link to="/settings/$section" params={{ section: 'server' }} className="text-accent underline">
          set it up
        </Link>
      ) : (
        'ask an admin.'
      )}
    </>
  )
}

/** What one subscribed to, and the way out of it. */
const Subscriptions = () => {
  const unfollow = useWrite<unknown, Followed>({
    perform: ({ id }) => api.delete(`/resource/all/${id}/subscription`),
    old: ['subscriptions', 'resource'],
    done: 'You no longer hear of its changes.',
    failed: 'You still hear of it.',
  })
  return (
    <section aria-label="What you subscribed to" className="grid gap-2">
      <Head title="What you subscribed to" about="You hear of changes in it, and in what you own." />
      <Answer of={useQuery(subscriptionsQuery)}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="text-sm text-faint">Nothing yet. The page of every table has a button for it.</p>
          ) : (
            <Rows>
              {results.map((each) => (
                <Row
                  key={each.id}
                  title={
                    <>
                      <KindIcon type={each.entity_type} />
                      <RowLink href={`/r/${each.id}`} className="truncate hover:text-accent hover:underline" dir="auto">
                        {each.title}
                      </RowLink>
                    </>
                  }
                  about={each.title_full}
                  actions={
                    <Button small look="quiet" disabled={unfollow.isPending} onClick={() => unfollow.mutate(each)}>
                      Unsubscribe<span className="sr-only"> from {each.title}</span>
                    </Button>
                  }
                />
              ))}
            </Rows>
          )
        }
      </Answer>
    </section>
  )
}

const Channels = ({ settings }: { settings: NotificationSettings }) => {
  const save = useWrite<unknown, Partial<NotificationSettings>>({
    perform: (change) => api.patch('/notification/settings', change),
    old: ['notification-settings'],
    done: 'Saved.',
    failed: 'Not saved.',
  })
  const { email, email_available, slack, slack_available, slack_id } = settings
  return (
    <Rows>
      <Row
        title="E-mail"
        about={email_available ? 'Changes are gathered into one message.' : <NotSet what="This server sends no e-mails" />}
        actions={
          <Switch label="Tell me by e-mail" checked={email} disabled={save.isPending} onChange={(on) => save.mutate({ email: on })} />
        }
      />
      <Row
        title="Slack"
        about={slack_available ? 'A message from the app in your workspace.' : <NotSet what="This server is not on Slack" />}
        actions={
          <Switch label="Tell me on Slack" checked={slack} disabled={save.isPending} onChange={(on) => save.mutate({ slack: on })} />
        }
      >
        <div className="flex items-center gap-2 text-sm">
          <span className="text-faint">Slack ID</span>
          <Editable
            label="Slack ID"
            value={slack_id ?? ''}
            editable
            placeholder="as U024BE7LH"
            onSave={(id) => save.mutate({ slack_id: id || null })}
          />
        </div>
      </Row>
    </Rows>
  )
}
