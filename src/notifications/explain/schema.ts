import { type Static, Type } from 'typebox'
import { CHANNELS, PERSONAL_CHANNELS } from '../../platform/channels/channel.ts'
import { Id, IdInput, Nullable, NullableId, NullableTimestamp, OneOf } from '../../platform/core/schema-types.ts'
import { CONDITIONS } from '../routing/match-rules.ts'

export const ExplanationQuery = Type.Object({
  user: Type.Optional({ ...IdInput, description: 'For whom; default: you. Others need the permission `notifications.manage`.' }),
})
export type ExplanationQuery = Static<typeof ExplanationQuery>

const RELATIONS = ['owner', 'owner_group', 'subscriber', 'addressed', 'downstream', 'rule', 'none'] as const
export type Relation = (typeof RELATIONS)[number]

const INBOX_REASONS = [
  'notified',
  'own_action',
  'cannot_see',
  'no_relation',
  'kind_not_notified',
  'snoozed',
  'not_processed_yet',
  'not_in_inbox',
  'user_disabled',
] as const
export type InboxReason = (typeof INBOX_REASONS)[number]

const CHANNEL_REASONS = [
  'sent',
  'held',
  'waiting',
  'retrying',
  'failed',
  'uncertain',
  'dropped',
  'off',
  'not_available',
  'not_notified',
  'not_sent',
] as const
export type ChannelReason = (typeof CHANNEL_REASONS)[number]

const outcome = { text: Type.String({ description: 'The reason as a sentence.' }), at: NullableTimestamp }

export const NotificationExplanation = Type.Object(
  {
    user: Id(),
    activity: Id(),
    incident: NullableId(),
    resource_id: Id(),
    relation: OneOf(RELATIONS, 'Why the change concerns the user now.'),
    inbox: Type.Object({ reason: OneOf(INBOX_REASONS), text: outcome.text }),
    channels: Type.Array(Type.Object({ channel: OneOf(PERSONAL_CHANNELS), reason: OneOf(CHANNEL_REASONS), ...outcome }), {
      description: 'Messages to the user.',
    }),
    rules: Type.Array(
      Type.Object({
        id: Id(),
        name: Type.String(),
        result: OneOf(['matched', 'not_matched', 'not_reached', 'disabled']),
        failed: Nullable(OneOf(CONDITIONS, 'The first condition that was not met.')),
        channels: Type.Array(
          Type.Object({ id: Id(), name: Type.String(), type: OneOf(CHANNELS), reason: OneOf(CHANNEL_REASONS), ...outcome }),
        ),
      }),
      {
        description:
          'Routing rules of incidents and schema changes: the matching ones, for admins all. Rules changed since then are shown as they are now.',
      },
    ),
  },
  { title: 'NotificationExplanation' },
)
export type NotificationExplanation = Static<typeof NotificationExplanation>
