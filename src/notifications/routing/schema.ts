import { type Static, Type } from 'typebox'
import { Id, IdInput, Ids, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { SEVERITIES } from '../../platform/core/severity.ts'
import { RULE_EVENTS } from './match-rules.ts'

const IdList = (description: string) => Type.Array(IdInput, { maxItems: 100, description })

const RECIPIENTS =
  'Users, groups and teams whose members are notified: in their inbox, and by e-mail and Slack as each of them has set. Only those who can see the resource.'

const conditions = {
  events: Type.Array(OneOf(RULE_EVENTS), {
    minItems: 1,
    maxItems: RULE_EVENTS.length,
    description: '`incident`: opened, and what follows: acknowledged (pagers only) and resolved. `schema_changed`: not sent to pagers.',
  }),
  min_severity: Nullable(OneOf(SEVERITIES, 'Only incidents of at least this severity; schema changes have none. Null: all.')),
  include_restricted: Type.Boolean({
    description: 'Also resources of closed teams that `teams` does not name. Members of the channels read about them.',
  }),
}
const lists = {
  tags: 'Only resources with one of these tags. Empty: all.',
  teams: 'Only resources of one of these teams. Empty: all.',
  owners: 'Only resources owned by one of these users or groups. Empty: all.',
  below: 'Only these resources and what is below them, e.g. a schema. Empty: all.',
}

export const NotificationRule = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    name: Type.String(),
    position: Type.Integer({ description: 'Rules are tried in this order, from 1.' }),
    enabled: Type.Boolean(),
    ...conditions,
    tags: Ids(lists.tags),
    teams: Ids(lists.teams),
    owners: Ids(lists.owners),
    below: Ids(lists.below),
    channels: Ids('Notification channels. Empty: what matches goes to no channel.'),
    recipients: Ids(RECIPIENTS),
    continues: Type.Boolean({ description: 'Also try the following rules. Otherwise the first rule that matches decides.' }),
  },
  { title: 'NotificationRule' },
)
export type NotificationRule = Static<typeof NotificationRule>

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const editable = {
  events: Type.Optional(conditions.events),
  min_severity: Type.Optional(conditions.min_severity),
  include_restricted: Type.Optional(conditions.include_restricted),
  tags: Type.Optional(IdList(lists.tags)),
  teams: Type.Optional(IdList(lists.teams)),
  owners: Type.Optional(IdList(lists.owners)),
  below: Type.Optional(IdList(lists.below)),
}
const settings = {
  ...editable,
  channels: Type.Optional(IdList('Notification channels.')),
  recipients: Type.Optional(IdList(RECIPIENTS)),
  continues: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: last.' })),
}

export const NotificationRuleCreate = Type.Object(
  { name: Name, ...settings },
  { title: 'NotificationRuleCreate', examples: [{ name: 'Page on critical incidents', min_severity: 'critical' }] },
)
export type NotificationRuleCreate = Static<typeof NotificationRuleCreate>

export const NotificationRuleEdit = Type.Object(
  { name: Type.Optional(Name), ...settings },
  { title: 'NotificationRuleEdit', examples: [{ min_severity: 'high' }] },
)
export type NotificationRuleEdit = Static<typeof NotificationRuleEdit>

export const RulePreviewRequest = Type.Object(editable, {
  title: 'NotificationRulePreviewRequest',
  examples: [{ min_severity: 'high' }],
})
export type RulePreviewRequest = Static<typeof RulePreviewRequest>

export const RulePreview = Type.Object(
  {
    checked: Type.Integer({ description: 'How many of the last incidents were compared, at most 100.' }),
    matched: Type.Array(
      Type.Object({
        incident: Id(),
        name: Type.String(),
        severity: OneOf(SEVERITIES),
        resource_id: Id(),
        resource_title: Type.String(),
        opened_at: NullableTimestamp,
      }),
      { description: 'Those that meet the conditions, newest first.' },
    ),
  },
  { title: 'NotificationRulePreview' },
)
export type RulePreview = Static<typeof RulePreview>
