import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableString, NullableTimestamp, OneOf } from '../../platform/core/schema-types.ts'

const RunDataset = Type.Object(
  { id: Id(), title: Type.String(), title_full: Type.String(), entity_type: Type.String() },
  { title: 'RunDataset' },
)
export type RunDataset = Static<typeof RunDataset>

export const JobRun = Type.Object(
  {
    id: Id('The run, which is a resource.'),
    title: Type.String(),
    state: Nullable(OneOf(['RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'], 'Null if the source does not report it.')),
    started_at: NullableTimestamp,
    ended_at: NullableTimestamp,
    duration_seconds: Nullable(Type.Number({ description: 'Null until it has ended, or if a time is unknown.' })),
    rows_written: Nullable(Type.Integer()),
    bytes_written: Nullable(Type.Integer()),
    error: NullableString(),
    inputs: Type.Array(RunDataset, { description: 'What it read, as far as you may see it.' }),
    outputs: Type.Array(RunDataset, { description: 'What it wrote, as far as you may see it.' }),
  },
  { title: 'JobRun' },
)
export type JobRun = Static<typeof JobRun>
