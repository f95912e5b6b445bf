import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { Editable } from '../ui/editable.tsx'
import { Switch } from '../ui/field.tsx'
import { Answer } from '../ui/states.tsx'
import { type NotificationSettings, notificationsQuery } from './queries.ts'
import { Head, Row, Rows } from './rows.tsx'
import { useWrite } from './use-write.ts'

/** Where one is told of changes, beside the inbox. */
export const Notifications = () => (
  <>
    <Head title="Notifications" about="Everything is in your inbox. It can reach you elsewhere as well." />
    <Answer of={useQuery(notificationsQuery)}>{(settings) => <Channels settings={settings} />}</Answer>
  </>
)

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
        about={email_available ? 'Changes are gathered into one message.' : 'This workspace sends no e-mails: an admin can set that up.'}
        actions={
          <Switch label="Tell me by e-mail" checked={email} disabled={save.isPending} onChange={(on) => save.mutate({ email: on })} />
        }
      />
      <Row
        title="Slack"
        about={
          slack_available
            ? 'A message from the app in your workspace.'
            : 'This workspace does not write to Slack: an admin can set that up.'
        }
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
