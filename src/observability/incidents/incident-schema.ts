import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableId, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { SEVERITIES } from '../../platform/core/severity.ts'
import { Translatable } from '../../platform/core/translatable.ts'
import { PageQuery } from '../../platform/lists/page.ts'
import { INCIDENT_STATUSES } from '../monitor-model/incident-statuses.ts'
import { TargetBrief } from '../monitor-model/schema.ts'

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
  'severity_changed',
  'snoozed',
  'unsnoozed',
  'snooze_ended',
] as const
export type ActionType = (typeof ACTION_TYPES)[number]

const Owner = Type.Object({ id: Id(), type: OneOf(['user', 'group']), name: NullableString(), count: Type.Integer() })
const Downstream = Type.Object({
  total: Type.Integer(),
  dashboards: Type.Integer(),
  owners: Type.Array(Owner),
  truncated: Type.Boolean(),
  summary: Type.String({ description: 'The impact as one sentence.' }),
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
    summary: Type.String({ description: 'What is wrong, by how much, since when, and what is expected.' }),
    summary_translatable: Translatable,
    status: OneOf(INCIDENT_STATUSES),
    severity: OneOf(SEVERITIES, 'Copied from the monitor when the incident was opened.'),
    value: Type.Number({ description: 'Latest value outside the limits.' }),
    lower_threshold: Nullable(Type.Number()),
    upper_threshold: Nullable(Type.Number()),
    explanation: NullableString(),
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
    last_notified_at: NullableTimestamp,
    acknowledged_at: NullableTimestamp,
    resolved_at: NullableTimestamp,
    assignee: NullableId('User responsible for the incident.'),
    snoozed_until: Nullable(
      Type.String({ format: 'date-time', description: 'Until then no one is notified of it. Null if it is not snoozed.' }),
    ),
    snoozed_by: NullableId('User who snoozed it.'),
    still_outside: Type.Boolean({
      description: 'True if the incident is resolved although the latest value of its monitor is still outside the limits.',
    }),
    runs_outside: Type.Integer({ description: 'Number of measurements outside the limits.' }),
    upstream_incident: NullableId('An incident that was open upstream when this one was opened.'),
    actions: Type.Array(
      Type.Object({
        type: OneOf(ACTION_TYPES),
        user_id: NullableId(),
        user_name: Type.String(),
        comment: NullableString(
          'Text of the comment; for an assignment the name of the assignee, for a changed severity the new one, for a snooze its end.',
        ),
        people: Nullable(Type.Integer({ description: 'For notifications: number of people notified. Null until it is sent.' })),
        channel: NullableString(
          'For notifications: the Slack channel of the monitor and the names of the channels of rules it was sent to.',
        ),
        created_at: Timestamp,
      }),
    ),
    downstream: Type.Optional(
      Type.Unsafe<Downstream>({
        ...Downstream,
        description: 'Resources downstream that you can see, and their owners. Only when a single incident is requested.',
      }),
    ),
    display_metadata: Type.Object({
      monitor: Type.Object({
        label: Type.String(),
        metric_type: Type.String({ description: 'What it measures: decides the unit of the values.' }),
      }),
      target: TargetBrief,
    }),
  },
  { title: 'Incident' },
)
export type Incident = Static<typeof Incident>

export const IncidentTable = Type.Object(
  {
    id: Id('The table; a column if you cannot see its table.'),
    title: Type.String(),
    count: Type.Integer({ description: 'Number of its incidents that match.' }),
    active: Type.Integer(),
    acknowledged: Type.Integer(),
    snoozed: Type.Integer({ description: 'Open ones that are snoozed.' }),
    severity: OneOf(SEVERITIES, 'The most serious one.'),
    last_opened_at: Timestamp,
    incidents: Type.Array(Incident, { description: 'The newest five.' }),
    display_metadata: Type.Object({ target: TargetBrief }),
  },
  { title: 'IncidentTable' },
)
export type IncidentTable = Static<typeof IncidentTable>

export const IncidentEdit = Type.Object(
  {
    status: Type.Optional(
      OneOf(INCIDENT_STATUSES, '`active` → `acknowledged` → `resolved`. Setting `active` reopens a resolved incident.'),
    ),
    comment: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          pattern: '\\S',
          description: 'Adds a comment. Commenting on an active incident also acknowledges it.',
        }),
      ),
    ),
    assignee: Type.Optional(Nullable(IdInput)),
    severity: Type.Optional(OneOf(SEVERITIES)),
    snoozed_until: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 40,
          description: 'No one is notified of the incident until then: a time in the future, at most a year away. Null ends the snooze.',
        }),
      ),
    ),
    marked: Type.Optional(
      OneOf(
        ['normal', 'incident'],
        '`normal`: the values were expected; the thresholds learn from them and the incident is resolved. `incident`: the thresholds never learn from them.',
      ),
    ),
  },
  { title: 'IncidentEdit', examples: [{ comment: 'The loader is being restarted.' }] },
)
export type IncidentEdit = Static<typeof IncidentEdit>

const idFilter = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
export const IncidentQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf([...INCIDENT_STATUSES, 'open'] as const, '`open`: active or acknowledged.')),
  severity: Type.Optional(OneOf(SEVERITIES)),
  snoozed: Type.Optional(Type.Boolean({ description: '`true`: only snoozed incidents; `false`: only others.' })),
  monitor: idFilter('Only incidents of this monitor.'),
  target: idFilter('Only incidents of this resource.'),
  resource_id: idFilter('Only incidents of this resource or, if it is a table, of its columns.'),
  assignee: idFilter('Only incidents assigned to this user.'),
  team_id: idFilter('Only incidents of tables of this team.'),
  integration_id: idFilter('Only incidents of tables of this integration.'),
  owner_id: idFilter('Only incidents of tables that this user or group owns.'),
  opened_since: Type.Optional(Type.String({ maxLength: 40, description: 'Only incidents opened since then.' })),
  resolved_since: Type.Optional(Type.String({ maxLength: 40, description: 'Only incidents resolved since then.' })),
})
export type IncidentQuery = Static<typeof IncidentQuery>
