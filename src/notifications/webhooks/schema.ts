import { type Static, type TSchema, Type } from 'typebox'
import {
  Id,
  IdsInput,
  Nullable,
  NullableId,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

const record = { id: Id(), created_at: Timestamp, updated_at: Timestamp }
const optional = <T extends TSchema>(type: T) => Type.Optional(Nullable(type))

const Events = Type.Array(
  Type.String({ maxLength: 100, pattern: '^(\\*|[a-z]+(_[a-z]+)*(_\\*)?)$', description: 'E.g. `incident_opened`, `incident_*` or `*`.' }),
  { minItems: 1, maxItems: 100, description: 'Activity types as in the activity log. `incident_*` matches all types with this prefix.' },
)
const EntityTypes = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 100,
  description: 'Only activities of these entity types. Absent or empty: all.',
})

export const Webhook = Type.Object(
  {
    ...record,
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    entity_types: Type.Array(Type.String()),
    integrations: Type.Array(Id()),
    enabled: Type.Boolean(),
    disabled_reason: NullableString('Why the webhook was disabled automatically.'),
    last_delivered_at: NullableTimestamp,
    failing_since: Nullable({
      ...Timestamp,
      description: 'Time since which all deliveries have failed. Null if the last delivery succeeded.',
    }),
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const NewWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.Optional(
      Type.String({
        description: 'Secret used to sign deliveries. Returned only once; a replay with the same `Idempotency-Key` does not contain it.',
      }),
    ),
  },
  { title: 'NewWebhook' },
)
export type NewWebhook = Static<typeof NewWebhook>

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const Url = Type.String({ minLength: 1, maxLength: 2000, description: '`https://…` or `http://…`.' })

export const WebhookCreate = Type.Object(
  {
    name: Type.Optional(Name),
    url: Url,
    events: Type.Optional(Events),
    entity_types: optional(EntityTypes),
    integrations: optional(IdsInput),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  {
    title: 'WebhookCreate',
    examples: [{ name: 'On-call', url: 'https://hooks.example.com/tablinum', events: ['incident_opened', 'incident_resolved'] }],
  },
)
export type WebhookCreate = Static<typeof WebhookCreate>

export const WebhookEdit = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    entity_types: optional(EntityTypes),
    integrations: optional(IdsInput),
    enabled: Type.Optional(Type.Boolean({ description: 'Enabling a webhook again sends its waiting deliveries.' })),
  },
  { title: 'WebhookEdit', examples: [{ events: ['incident_*', 'monitor_*'] }] },
)
export type WebhookEdit = Static<typeof WebhookEdit>

const DELIVERY_STATUSES = ['pending', 'sending', 'delivered', 'failed'] as const

export const WebhookDelivery = Type.Object(
  {
    ...record,
    webhook: Id(),
    event: Type.String(),
    activity_id: NullableId('ID of the activity. Null for a test.'),
    status: OneOf(DELIVERY_STATUSES, '`pending`: will be sent or retried at `due_at`.'),
    attempts: Type.Integer(),
    due_at: Nullable({ ...Timestamp, description: 'Time of the next attempt.' }),
    delivered_at: NullableTimestamp,
    response_status: Nullable(Type.Integer({ description: 'HTTP status of the response to the last attempt.' })),
    response_body: NullableString('First characters of the response body.'),
    response_ms: Nullable(Type.Integer()),
    error: NullableString('Why the last attempt failed.'),
  },
  { title: 'WebhookDelivery', description: 'The `id` is sent as the `webhook-id` header.' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
})
export type WebhookDeliveryQuery = Static<typeof WebhookDeliveryQuery>
