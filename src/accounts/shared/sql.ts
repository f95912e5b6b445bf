import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'

/** SQL shared by tokens, users, teams and groups. Private to this module. */

/** Combines conditions with `and`; undefined ones are skipped. */
export const andSql = (...conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> =>
  sql`(${sql.join([sql`true`, ...conditions.filter((condition) => condition !== undefined)], sql` and `)})`

export const containsSql = (text: RawBuilder<unknown>, part: string | undefined): RawBuilder<unknown> | undefined =>
  part ? sql`strpos(lower(${text}), lower(${part})) > 0` : undefined

/** IDs in canonical form, sorted, without duplicates. */
export const normalizeIds = (ids: readonly string[] | null | undefined): string[] =>
  [...new Set((ids ?? []).map((id) => parseId(id)!))].sort()

export const assertIdsExist = async (
  ctx: Context,
  field: string,
  table: 'users' | 'teams' | 'groups',
  ids: readonly string[],
): Promise<void> => {
  const found = ctx.db.selectFrom(table).select('id').where('id', 'in', ids)
  const existing = ids.length === 0 ? [] : await (table === 'users' ? found.where(sql<boolean>`deleted_at is null`) : found).execute()
  const missing = ids.find((id) => !existing.some((each) => each.id === id))
  if (missing) throw invalid({ [field]: [`There is no ${table.slice(0, -1)} with the ID ${missing}.`] })
}
