import { type Static, Type } from 'typebox'
import { Id, NullableId, NullableTimestamp, OneOf, Timestamp } from '../core/schema-types.ts'

export const JOB_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const

/** Background work a caller can watch. */
export const Job = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    user: NullableId('The user who started the job.'),
    title: Type.String(),
    status: OneOf(JOB_STATUSES),
    progress: Type.Integer({ minimum: 0, maximum: 100 }),
    failed: Type.Boolean({ description: 'Whether the job failed.' }),
    started: Timestamp,
    completed: NullableTimestamp,
    logs: Type.String(),
    has_artifact: Type.Boolean(),
  },
  { title: 'Job' },
)
export type Job = Static<typeof Job>
