import { type Static, Type } from 'typebox'
import { Id, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'

/** The most likely cause first. */
export const CAUSE_KINDS = [
  'incident',
  'late',
  'out_of_range',
  'stale',
  'schema_change',
  'sql_change',
  'failed_test',
  'failed_run',
] as const

const PathNode = Type.Object({
  id: NullableId('Null for a resource you cannot see.'),
  title: NullableString(),
  entity_type: NullableString(),
})

export const Cause = Type.Object(
  {
    kind: OneOf(
      CAUSE_KINDS,
      '`late`: an incident of freshness. `out_of_range`: its incident was resolved, but the last value is still out of range. `stale`: missing from its source. `schema_change`, `sql_change`: its columns or the SQL that fills it changed in the last 7 days. `failed_test`: a test of dbt or OpenLineage. `failed_run`: the last run of a job that writes it failed.',
    ),
    text: Type.String(),
    text_translatable: Translatable,
    since: Timestamp,
    resource_id: Id('The resource upstream, or the resource itself.'),
    resource: Type.String({ description: 'Its full title.' }),
    entity_type: Type.String(),
    incident: NullableId('The incident, if it is one.'),
    job: NullableId('The job whose last run failed.'),
    distance: Type.Integer({ description: 'Steps upstream; 0 is the resource itself.' }),
    path: Type.Array(PathNode, { description: 'The shortest way from there to the resource, both included.' }),
  },
  { title: 'Cause' },
)
export type Cause = Static<typeof Cause>

export const RootCauseQuery = Type.Object({
  resource_id: Type.String({ maxLength: 100, description: 'The dashboard, chart, table or column whose values look wrong.' }),
})

export const RootCause = Type.Object(
  {
    resource_id: Id(),
    checked: Type.Integer({ description: 'How many resources were checked: it and everything upstream that you can see.' }),
    truncated: Type.Boolean({ description: 'There is more upstream, or there are more causes, than this response has.' }),
    causes: Type.Array(Cause, { description: 'The most likely first: by kind, then the nearest, then the latest.' }),
  },
  { title: 'RootCause' },
)
export type RootCause = Static<typeof RootCause>
