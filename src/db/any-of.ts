import { type RawBuilder, sql } from 'kysely'

type Key = 'uuid' | 'bigint'

/**
 * A list of keys that Postgres does not see when it plans. One that it sees is taken for worth a plan of its own each time it is shorter than
 * ten, and that takes longer than to look its rows up.
 */
export const unseen = (keys: readonly string[], type: Key = 'uuid'): RawBuilder<unknown> => {
  const list = sql.raw(`${type}[]`)
  return sql`(select ${keys}::${list})::${list}`
}

/** `= any(…)` of a few keys, planned once and for all. */
export const anyOf = (keys: readonly string[], type?: Key): RawBuilder<unknown> => sql`any(${unseen(keys, type)})`
