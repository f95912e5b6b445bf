import { type RawBuilder, sql } from 'kysely'

/**
 * The time of a write to a row, always after its previous one, so that two writes in one millisecond have different ETags. `column` is
 * qualified where `updated_at` alone would be ambiguous.
 */
export const nextUpdatedAtSql = (now: Date, column = 'updated_at'): RawBuilder<Date> =>
  sql<Date>`greatest(${now}::timestamptz, ${sql.ref(column)} + interval '1 millisecond')`
