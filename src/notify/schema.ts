import { type Static, Type } from 'typebox'
import { EventBlock } from '../history/schema.ts'
import { PageOf, PageQuery } from '../lists/page.ts'
import { Id, IdIn, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../wire.ts'
import { CHANNELS } from './channels/channel.ts'

/** What travels on the wire about what people are told. */
const record = { id: Id(), created_at: Timestamp, updated_at: Timestamp }

const ToldChange = Type.Object(
  {
    id: Id('The entry in the activity log.'),
    activity_type: Type.String(),
    performer_id: NullableId('Who did it.'),
    performer_name: Type.String(),
    text: Type.String({ description: 'What happened, as a sentence.' }),
    event_blocks: Type.Array(EventBlock, { description: 'The same in parts.' }),
    logged_at: Timestamp,
  },
  { title: 'ToldChange' },
)

export const Notification = Type.Object(
  {
    ...record,
    resource_id: Id(),
    resource_type: Type.String({ description: 'Its entity type.' }),
    resource_title: Type.String(),
    resource_deleted: Type.Boolean(),
    link: NullableString('Where to look at it: under `PUBLIC_URL`, or null when that is not set or the resource is gone.'),
    text: Type.String({ description: 'The latest change, as a sentence.' }),
    changes: Type.Array(ToldChange, { description: 'The latest changes, newest first, at most 20.' }),
    changes_count: Type.Integer({ description: 'All changes this tells of.' }),
    last_change_at: Timestamp,
    read: Type.Boolean(),
    read_at: NullableTimestamp,
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>

const unread_count = Type.Integer({ description: 'How many are unread in the whole inbox.' })
export const Unread = Type.Object({ unread_count }, { title: 'Unread' })

export const NotificationPage = Type.Object(
  { ...PageOf(Notification, 'NotificationPage').properties, unread_count },
  { title: 'NotificationPage' },
)

export const InboxQuery = Type.Object({
  ...PageQuery.properties,
  unread: Type.Optional(Type.Boolean({ description: 'Only what is unread, or only what is read.' })),
  resource_id: Type.Optional(IdIn),
})
export type InboxQuery = Static<typeof InboxQuery>

export const NotificationEdit = Type.Object({ read: Type.Boolean() }, { title: 'NotificationEdit', examples: [{ read: true }] })

export const NotificationSettings = Type.Object(
  {
    ...record,
    email: Type.Boolean({ description: 'Tell me by e-mail.' }),
    email_available: Type.Boolean({ description: 'This workspace sends e-mails.' }),
    slack: Type.Boolean({ description: 'Tell me on Slack.' }),
    slack_id: NullableString('Your Slack user ID, or a channel’s.'),
    slack_available: Type.Boolean({ description: 'This workspace writes to Slack.' }),
  },
  { title: 'NotificationSettings' },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationSettingsEdit = Type.Object(
  {
    email: Type.Optional(Type.Boolean()),
    slack: Type.Optional(Type.Boolean()),
    slack_id: Type.Optional(Nullable(Type.String({ pattern: '^[A-Z][A-Z0-9]{1,30}$', description: 'As Slack shows it: U024BE7LH.' }))),
  },
  { title: 'NotificationSettingsEdit', examples: [{ email: false, slack: true, slack_id: 'U024BE7LH' }] },
)
export type NotificationSettingsEdit = Static<typeof NotificationSettingsEdit>

const DELIVERY_STATUSES = ['pending', 'sending', 'sent', 'failed', 'uncertain', 'dropped'] as const

export const Delivery = Type.Object(
  {
    ...record,
    user: NullableId('Who it is for; null when it is for a Slack channel.'),
    address: NullableString('The Slack channel, when it is for nobody in particular.'),
    channel: OneOf(CHANNELS),
    kind: OneOf(['changes', 'alert'], '`alert`: an incident, or that one is over.'),
    status: OneOf(
      DELIVERY_STATUSES,
      '`uncertain`: the sender stopped in the middle, the receiver may have it. `dropped`: nothing was left to tell.',
    ),
    attempts: Type.Integer(),
    due_at: Nullable({ ...Timestamp, description: 'The next attempt.' }),
    sent_at: NullableTimestamp,
    error: NullableString('Why the last attempt did not work.'),
    resources_count: Type.Integer({ description: 'How many resources it tells of.' }),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  channel: Type.Optional(OneOf(CHANNELS)),
  user: Type.Optional(IdIn),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>
