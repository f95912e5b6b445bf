import { type Static, Type } from 'typebox'
import { DAILY_OR_WEEKLY_FIELDS, DailyOrWeekly } from '../../observability/monitor-model/schedule-schema.ts'
import { Id, Nullable, NullableString, NullableTimestamp, OneOf, Timestamp } from '../../platform/core/schema-types.ts'

/** Wire types. */
const METHODS = ['download', 'command', 'schedule'] as const

export const Backup = Type.Object(
  {
    id: Id(),
    method: OneOf(METHODS, 'How it was made: downloaded here, with `tablinum backup`, or by the schedule.'),
    status: OneOf(['running', 'completed', 'failed']),
    created_by_name: NullableString('Of downloads.'),
    started_at: Timestamp,
    finished_at: NullableTimestamp,
    row_count: Nullable(Type.Integer()),
    byte_size: Nullable(Type.Integer({ description: 'Size of the file.' })),
    error: NullableString(),
    file: NullableString('Name of the file in the folder for backups; of scheduled ones.'),
    removed_at: Nullable({ ...Timestamp, description: 'When newer ones replaced the file.' }),
  },
  { title: 'Backup' },
)
export type Backup = Static<typeof Backup>

export const Backups = Type.Object({ results: Type.Array(Backup, { description: 'The last 20, newest first.' }) }, { title: 'Backups' })
export type Backups = Static<typeof Backups>

const Keep = Type.Integer({
  minimum: 1,
  maximum: 365,
  description: 'How many scheduled backups are kept. Backups made by hand are never removed.',
})

export const BackupSchedule = Type.Object(
  {
    schedule: DailyOrWeekly('Null: no scheduled backups.'),
    keep: Keep,
    next_run_at: NullableTimestamp,
    folder: NullableString(
      'Where the files are on the server (`TABLINUM_BACKUPS`). Null: there is no folder, so there can be no schedule.',
    ),
    last: Nullable(Backup),
  },
  { title: 'BackupSchedule' },
)
export type BackupSchedule = Static<typeof BackupSchedule>

export const BackupScheduleEdit = Type.Object(
  {
    ...DAILY_OR_WEEKLY_FIELDS,
    keep: Type.Optional(Keep),
  },
  { title: 'BackupScheduleEdit', additionalProperties: false, examples: [{ cadence: 'daily', hour: 3, keep: 7 }] },
)
export type BackupScheduleEdit = Static<typeof BackupScheduleEdit>
