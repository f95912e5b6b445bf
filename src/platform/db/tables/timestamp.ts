import type { ColumnType } from 'kysely'

/** Timestamps are written as Date and read as text. */
export type Timestamp = ColumnType<string, Date, Date>
export type TimestampOrNull = ColumnType<string | null, Date | null, Date | null>
