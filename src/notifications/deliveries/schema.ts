import { type Static, Type } from 'typebox'
import { CHANNELS } from '../../platform/channels/channel.ts'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'
import { EventBlock } from '../../platform/history/schema.ts'
import { PageQuery, PageSchema } from '../../platform/lists/page.ts'

const record = { id: Id(), created_at: Timestamp, updated_at: Timestamp }

const ToldChange = Type.Object(
  {
    id: Id('ID of the activity.'),
    activity_type: Type.String(),
    performer_id: NullableId('User who made the change.'),
    performer_name: Type.String(),
    text: Type.String({ description: 'What happened, as a sentence.' }),
    event_blocks: Type.Array(EventBlock, { description: 'The same sentence in parts.' }),
    translatable: Translatable,
    comment: NullableId('The comment it is about, e.g. one that mentions you.'),
    logged_at: Timestamp,
  },
  { title: 'ToldChange' },
)

export const Notification = Type.Object(
  {
    ...record,
    resource_id: Id(),
    resource_type: Type.String({ description: 'Entity type of the resource.' }),
    resource_title: Type.String(),
    resource_deleted: Type.Boolean(),
    link: NullableString('URL of the resource. Null if `PUBLIC_URL` is not set or the resource was deleted.'),
    incident: NullableId('The incident, if all changes of the notification, at most 20, are about the same one.'),
    text: Type.String({ description: 'The latest change, as a sentence.' }),
    changes: Type.Array(ToldChange, { description: 'The latest changes, newest first, at most 20.' }),
    changes_count: Type.Integer({ description: 'Total number of changes in this notification.' }),
    last_change_at: Timestamp,
    read: Type.Boolean(),
    read_at: NullableTimestamp,
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>

const unread_count = Type.Integer({ description: 'Number of unread notifications in the inbox.' })
export const Unread = Type.Object({ unread_count }, { title: 'Unread' })

export const NotificationPage = Type.Object(
  { ...PageSchema(Notification, 'NotificationPage').properties, unread_count },
  { title: 'NotificationPage' },
)

export const InboxQuery = Type.Object({
  ...PageQuery.properties,
  unread: Type.Optional(Type.Boolean({ description: '`true`: only unread notifications. `false`: only read ones.' })),
  resource_id: Type.Optional(IdInput),
})
export type InboxQuery = Static<typeof InboxQuery>

export const NotificationEdit = Type.Object({ read: Type.Boolean() }, { title: 'NotificationEdit', examples: [{ read: true }] })

const TIME_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
const QuietHours = Type.Object(
  {
    timezone: Type.String({ maxLength: 100, description: 'IANA time zone.', examples: ['Europe/Berlin'] }),
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'Days on which they begin, 1 = Monday to 7 = Sunday.',
    }),
    from: Type.String({ pattern: TIME_PATTERN, examples: ['20:00'] }),
    to: Type.String({ pattern: TIME_PATTERN, description: 'On the next day if it is not later than `from`.', examples: ['08:00'] }),
    except_critical: Type.Boolean({ default: true, description: 'Send messages about critical incidents anyway.' }),
  },
  { title: 'QuietHours', description: 'Messages by e-mail and Slack are held back and sent afterwards. The inbox is not affected.' },
)

export const NotificationSettings = Type.Object(
  {
    ...record,
    email: Type.Boolean({ description: 'Send notifications by e-mail.' }),
    email_available: Type.Boolean({ description: 'E-mail is configured for this workspace.' }),
    slack: Type.Boolean({ description: 'Send notifications to Slack.' }),
    slack_id: NullableString('Your Slack user ID, or a channel ID.'),
    slack_available: Type.Boolean({ description: 'Slack is configured for this workspace.' }),
    quiet_hours: Nullable(QuietHours),
  },
  { title: 'NotificationSettings' },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationSettingsEdit = Type.Object(
  {
    email: Type.Optional(Type.Boolean()),
    slack: Type.Optional(Type.Boolean()),
    slack_id: Type.Optional(
      Nullable(Type.String({ pattern: '^[A-Z][A-Z0-9]{1,30}$', description: 'Slack member or channel ID, e.g. `U024BE7LH`.' })),
    ),
    quiet_hours: Type.Optional(Nullable(QuietHours)),
  },
  { title: 'NotificationSettingsEdit', examples: [{ email: false, slack: true, slack_id: 'U024BE7LH' }] },
)
export type NotificationSettingsEdit = Static<typeof NotificationSettingsEdit>

const DELIVERY_STATUSES = ['pending', 'sending', 'sent', 'failed', 'uncertain', 'dropped'] as const

export const Delivery = Type.Object(
  {
    ...record,
    user: NullableId('Recipient. Null if it was sent to a channel.'),
    address: NullableString('Slack channel of a monitor, if it was sent there.'),
    channel_id: NullableId('Notification channel, if it was sent to one.'),
    channel: OneOf(CHANNELS),
    kind: OneOf(['changes', 'alert'], '`alert`: about an incident, or to a notification channel.'),
    status: OneOf(
      DELIVERY_STATUSES,
      '`uncertain`: the server stopped while sending, so the message may have been delivered. `dropped`: the message was no longer needed.',
    ),
    attempts: Type.Integer(),
    due_at: Nullable({ ...Timestamp, description: 'Time of the next attempt.' }),
    held_until: Nullable({ ...Timestamp, description: 'End of the quiet hours that held it back.' }),
    sent_at: NullableTimestamp,
    error: NullableString('Why the last attempt failed.'),
    resources_count: Type.Integer({ description: 'Number of resources in the message.' }),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  channel: Type.Optional(OneOf(CHANNELS)),
  user: Type.Optional(IdInput),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>
