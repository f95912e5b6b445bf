import { getDialectSql } from '../../sources/connectors/shared/dialect-sql.ts'

/** Guesses which column says when a row was written. Pure. */
const NAME_PATTERNS = [
  /^_?(updated|modified|last_updated|last_modified)(_at|_on|_time|_ts|_date)?$/i,
  /^_?(loaded|ingested|synced|inserted|created|written|recorded)(_at|_on|_time|_ts|_date)?$/i,
  /^(event|transaction|order|sale)?_?(time|timestamp|ts|datetime|date)$/i,
  /(_at|_on|_ts|_time|_date|timestamp)$/i,
]

interface Column {
  readonly title: string
  readonly native_type: string | null
  /** Declared NOT NULL. */
  readonly always?: boolean
}

export const guessTimestampColumn = (columns: readonly Column[]): string | undefined => {
  const moments = columns.filter(({ native_type }) => getDialectSql('postgres').isTemporalType(native_type))
  for (const named of NAME_PATTERNS) {
    const found = moments.filter(({ title }) => named.test(title))
    // A nullable column is more likely a later event in the life of the row, e.g. shipped_at.
    if (found.length > 0) return (found.find(({ always }) => always) ?? found[0])!.title
  }
  return moments.length === 1 ? moments[0]!.title : undefined
}

/** The date that a table is partitioned by, according to its partition key as sources write it: `RANGE (day)`, `toYYYYMM(at)`, `["dt"]`. */
export const findPartitionColumn = (columns: readonly Column[], key: string): string | undefined => {
  const words = new Set(key.toLowerCase().match(/[\p{L}\p{N}_$]+/gu))
  const named = columns.filter(({ title }) => words.has(title.toLowerCase()))
  return guessTimestampColumn(named) ?? named.find(({ title }) => DAY_NAME.test(title))?.title
}
/** Columns of text with dates, as Hive partitions have them. */
const DAY_NAME = /(^|_)(day|date|dt|ds)$/i

/** Guesses the creation time of a row, which a backfill needs. */
export const guessCreatedColumn = (columns: readonly Column[]): string | undefined =>
  guessTimestampColumn(columns.filter(({ title }) => !NAME_PATTERNS[0]!.test(title))) ?? guessTimestampColumn(columns)
