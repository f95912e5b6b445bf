import { type Static, Type } from 'typebox'
import { CHANNELS } from '../../platform/channels/channel.ts'
import { Id, Nullable, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'

export const NotificationChannel = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    name: Type.String(),
    type: OneOf(CHANNELS),
    address: Type.String({
      description: 'The e-mail address, the Slack channel, the URL of the pager or webhook, or the host of the Teams workflow.',
    }),
    enabled: Type.Boolean(),
    available: Type.Boolean({ description: 'False if this server cannot send e-mail or Slack messages.' }),
    last_sent_at: NullableTimestamp,
    last_error: NullableString('Why the latest message could not be delivered. Null if it was.'),
  },
  { title: 'NotificationChannel' },
)
export type NotificationChannel = Static<typeof NotificationChannel>

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const destination = {
  address: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: 'An e-mail address, or a Slack channel ID such as `C024BE7LH`.' }),
  ),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'The URL of a webhook or of a Teams workflow (secret), or of the API of a pager if it is not the default, e.g. `https://api.eu.opsgenie.com`.',
    }),
  ),
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Integration (routing) key of PagerDuty, API key of Opsgenie, or the secret that signs the requests to a webhook (at least 16 characters). Never returned.',
    }),
  ),
}

export const NotificationChannelCreate = Type.Object(
  { name: Name, type: OneOf(CHANNELS), ...destination, enabled: Type.Optional(Type.Boolean({ default: true })) },
  { title: 'NotificationChannelCreate', examples: [{ name: 'Data team', type: 'email', address: 'data-team@example.com' }] },
)
export type NotificationChannelCreate = Static<typeof NotificationChannelCreate>

export const NotificationChannelEdit = Type.Object(
  { name: Type.Optional(Name), ...destination, enabled: Type.Optional(Type.Boolean()) },
  { title: 'NotificationChannelEdit', examples: [{ enabled: false }] },
)
export type NotificationChannelEdit = Static<typeof NotificationChannelEdit>

export const NotificationChannelTest = Type.Object(
  {
    delivered: Type.Boolean(),
    response_status: Nullable(Type.Integer({ description: 'HTTP status of the response.' })),
    response_body: NullableString('What the receiver answered.'),
    response_ms: Type.Integer(),
    error: NullableString(),
  },
  { title: 'NotificationChannelTest' },
)
export type NotificationChannelTest = Static<typeof NotificationChannelTest>
