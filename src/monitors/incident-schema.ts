import { type Static, Type } from 'typebox'
import { PageQuery } from '../lists/page.ts'
import { Id, IdIn, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../wire.ts'
import { TargetBrief } from './schema.ts'

/** What travels on the wire: incidents. */
export const INCIDENT_STATUSES = ['active', 'acknowledged', 'resolved'] as const
const ACTION_TYPES = [
  'notification_initial',
  'notification_resolved',
  'acknowledged',
  'resolved',
  'comment',
  'marked_normal',
  'marked_incident',
  'assigned',
  'reopened',
] as const
export type ActionType = (typeof ACTION_TYPES)[number]

const Owner = Type.Object({ id: Id(), type: OneOf(['user', 'group']), name: NullableString(), count: Type.Integer() })
const Downstream = Type.Object({
  total: Type.Integer(),
  dashboards: Type.Integer(),
  owners: Type.Array(Owner),
  truncated: Type.Boolean(),
  summary: Type.String({ description: 'The same in a sentence.' }),
})
export type Downstream = Static<typeof Downstream>

export const Incident = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    monitor: Id(),
    target: Id(),
    name: Type.String(),
    summary: Type.String({ description: 'What, by how much, since when, and what is usual.' }),
    status: OneOf(INCIDENT_STATUSES),
    value: Type.Number({ description: 'The last one outside.' }),
    lower_threshold: Nullable(Type.Number()),
    upper_threshold: Nullable(Type.Number()),
    explanation: NullableString(),
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
    last_notified_at: NullableTimestamp,
    acknowledged_at: NullableTimestamp,
    resolved_at: NullableTimestamp,
    assignee: NullableId('Who looks after it.'),
    still_outside: Type.Boolean({ description: 'It was resolved, and the last value of its monitor is outside the limits all the same.' }),
    runs_outside: Type.Integer({ description: 'How many measurements lay outside.' }),
    upstream_incident: NullableId('One that was open upstream when this one opened.'),
    actions: Type.Array(
      Type.Object({
        type: OneOf(ACTION_TYPES),
        user_id: NullableId(),
        user_name: Type.String(),
        comment: NullableString('What was said; of an assignment, the name of the assignee.'),
        people: Nullable(Type.Integer({ description: 'Of a notification: how many people it went to. Null until it has gone out.' })),
        channel: NullableString('Of a notification: the Slack channel it went to.'),
        created_at: Timestamp,
      }),
    ),
    downstream: Type.Optional(
      Type.Unsafe<Downstream>({
        ...Downstream,
        description: 'What of all that you see depends on it, and whose it is; when one incident is read.',
      }),
    ),
    display_metadata: Type.Object({ monitor: Type.Object({ label: Type.String() }), target: TargetBrief }),
  },
  { title: 'Incident' },
)
export type Incident = Static<typeof Incident>

export const IncidentEdit = Type.Object(
  {
    status: Type.Optional(OneOf(INCIDENT_STATUSES, 'From active to acknowledged to resolved. `active` reopens a resolved one.')),
    comment: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Said of it; whoever comments has seen it.' })),
    ),
    assignee: Type.Optional(Nullable(IdIn)),
    marked: Type.Optional(
      OneOf(
        ['normal', 'incident'],
        '`normal`: its values are to be expected, the thresholds learn them, and it is over. `incident`: they are never learned.',
      ),
    ),
  },
  { title: 'IncidentEdit', examples: [{ comment: 'The loader is being restarted.' }] },
)
export type IncidentEdit = Static<typeof IncidentEdit>

const someId = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
export const IncidentQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf([...INCIDENT_STATUSES, 'open'] as const, '`open`: active or acknowledged.')),
  monitor: someId('Of this monitor.'),
  target: someId('Of this resource.'),
  resource_id: someId('Of this resource, or of the columns of this table.'),
  assignee: someId('Looked after by this user.'),
})
export type IncidentQuery = Static<typeof IncidentQuery>
