import { type RawBuilder, sql } from 'kysely'

/**
 * `= any(…)` of a few keys, planned once and for all. A list that Postgres sees when it plans is taken for worth a plan of its own each time
 * it is shorter than ten, and that takes longer than to look its rows up.
 */
export const anyOf = (keys: readonly string[], type: 'uuid' | 'bigint' = 'uuid'): RawBuilder<unknown> => {
  const list = sql.raw(`${type}[]`)
  return sql`any((select ${keys}::${list})::${list})`
}
