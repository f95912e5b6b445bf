import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'

/** Wire types. */
const METHODS = ['download', 'command'] as const

export const Backup = Type.Object(
  {
    id: Id(),
    method: OneOf(METHODS, 'How it was made: downloaded here, or with `tablinum backup`.'),
    status: OneOf(['running', 'completed', 'failed']),
    created_by_name: NullableString('Null for a command.'),
    started_at: Timestamp,
    finished_at: NullableTimestamp,
    row_count: Nullable(Type.Integer()),
    byte_size: Nullable(Type.Integer({ description: 'Size of the file.' })),
    error: NullableString(),
  },
  { title: 'Backup' },
)
export type Backup = Static<typeof Backup>

export const Backups = Type.Object({ results: Type.Array(Backup, { description: 'The last 20, newest first.' }) }, { title: 'Backups' })
export type Backups = Static<typeof Backups>
