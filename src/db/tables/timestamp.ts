import type { ColumnType } from 'kysely'

/** A timestamp goes in as a Date and comes out as text. */
export type Timestamp = ColumnType<string, Date, Date>
export type TimestampOrNull = ColumnType<string | null, Date | null, Date | null>
