import { type Static, Type } from 'typebox'
import { HEALTH_STATUSES } from '../../catalog/records/health.ts'
import { Id, Nullable, NullableId, NullableTimestamp, OneOf } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'
import { INCIDENT_STATUSES } from '../monitor-model/incident-statuses.ts'

const HEALTH_REASONS = [
  'incident',
  'failed_test',
  'upstream_incident',
  'out_of_range',
  'deprecated',
  'upstream_deprecated',
  'stale',
  'schema_change',
] as const

export const HealthReason = Type.Object(
  {
    kind: OneOf(
      HEALTH_REASONS,
      '`failed_test`: a test of dbt or OpenLineage. `out_of_range`: an incident was resolved, but the last value is still out of range. `upstream_deprecated`: a resource whose data flows into it is deprecated, up to 20 steps away; the nearest on each path. `stale`: missing from its source.',
    ),
    text: Type.String({ description: 'Readable description.' }),
    text_translatable: Translatable,
    resource_id: Id('The resource it is about: this one, one of its columns, or one upstream.'),
    resource: Type.String({ description: 'Full title of that resource.' }),
    since: NullableTimestamp,
    incident: NullableId('The open incident.'),
    incident_status: Nullable(OneOf(INCIDENT_STATUSES)),
    assignee: Nullable(
      Type.Object({ id: Id(), name: Type.String() }, { description: 'Who works on the incident: its assignee, else who acknowledged it.' }),
    ),
    replacement_id: NullableId('The resource to use instead of the deprecated one, if you can see it.'),
  },
  { title: 'HealthReason' },
)
export type HealthReason = Static<typeof HealthReason>

export const ResourceHealth = Type.Object(
  {
    status: OneOf(
      HEALTH_STATUSES,
      '`incident`: an open incident of its own. `warning`: any other reason. `ok`: it is monitored and there is no reason. `unknown`: nothing checks it.',
    ),
    reasons: Type.Array(HealthReason, {
      description: 'Cut to what you can see; most severe first, at most 20 incidents of each kind and 20 deprecated resources upstream.',
    }),
  },
  { title: 'ResourceHealth' },
)
export type ResourceHealth = Static<typeof ResourceHealth>

export const BadgeLink = Type.Object(
  { url: Type.String({ description: 'An SVG image that needs no token. It shows the status as you see it.' }) },
  { title: 'BadgeLink' },
)
