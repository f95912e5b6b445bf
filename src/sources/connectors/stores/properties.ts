import type { Shape } from '../../../../connector/src/shape.ts'

/** Properties of tables, as Hive, Spark and Unity Catalog store them: names and texts. Pure. */

/** What engines note for themselves, often with every write: shown, it would be a new version with every sync. */
const OF_ENGINES =
  /^((spark|delta|view|hive|impala|presto|trino|pipelines|iceberg|write)[._]|(current|default|snapshot|previous)-|bucketing_|transactional)/i
const STATISTICS =
  /^(num(Rows|Files|Partitions|FilesErasureCoded)|totalSize|rawDataSize|recordCount|COLUMN_STATS_ACCURATE|STATS_GENERATED.*|transient_lastDdlTime|last_(modified_(by|time)|commit_time.*)|(previous_)?metadata_location|table_type|EXTERNAL|comment|uuid)$/i
const SECRET = /pass(word|phrase)?|secret|token|credential|(access|account|private|api)[._-]?key/i
const MAX_PROPERTIES = 50
const MAX_VALUE = 500

/** Those that people set, by name. Passwords and keys are left out. */
export const readProperties = (properties: Shape | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries((properties?.value ?? {}) as Record<string, unknown>)
      .filter(([name]) => !OF_ENGINES.test(name) && !STATISTICS.test(name) && !SECRET.test(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MAX_PROPERTIES)
      .map(([name, value]) => [name, String(value ?? '').slice(0, MAX_VALUE)]),
  )

/** The first of these that is a number: writers leave out what they did not count, or write -1. */
export const readStatistic = (properties: Shape | undefined, names: readonly string[]): number | undefined => {
  const text = names.map((name) => properties?.optionalText(name)).find((value) => value !== undefined && /^\d{1,15}$/.test(value))
  return text === undefined ? undefined : Number(text)
}
