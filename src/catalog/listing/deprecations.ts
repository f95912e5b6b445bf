import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { Id, NullableId, Timestamp } from '../../platform/core/schema-types.ts'
import { formatText, Translatable, translatable } from '../../platform/core/translatable.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { Deprecation } from '../records/deprecation.ts'

export const DeprecationWarning = Type.Object(
  {
    resource_id: Id(),
    resource: Type.String({ description: 'Full title of the resource.' }),
    text: Type.String({ description: 'Readable description.' }),
    text_translatable: Translatable,
    since: Timestamp,
    replacement_id: NullableId('The resource to use instead, if you can see it.'),
  },
  { title: 'DeprecationWarning' },
)
export type DeprecationWarning = Static<typeof DeprecationWarning>

/** Those of the resources that are deprecated, by title. Resources and replacements that the caller cannot see are left out. */
export const findDeprecations = async (ctx: Context, ids: readonly string[]): Promise<DeprecationWarning[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; title_full: string; deprecation: Deprecation; replacement: string | null }>`
    select r.id, r.title_full, r.deprecation, n.title_full as replacement
    from resources r left join resources n on n.id = (r.deprecation ->> 'replacement_id')::uuid and ${visibleTo(ctx.actor, 'n')}
    where r.id = any(${ids}::uuid[]) and r.deprecation is not null and ${visibleTo(ctx.actor)}
    order by r.title_full, r.id
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id, title_full, deprecation: { reason, replacement_id, since }, replacement }) => ({
    resource_id: id,
    resource: title_full,
    ...toTexts(describeDeprecation(reason, since, replacement)),
    since,
    replacement_id: replacement === null ? null : replacement_id,
  }))
}

const toTexts = (text: Translatable) => ({ text: formatText(text), text_translatable: text })

const describeDeprecation = (reason: string | null, since: string, replacement: string | null): Translatable => {
  const date = since.slice(0, 10)
  const first = reason
    ? translatable('Deprecated since {date}: {reason}', { date, reason: /[.!?]$/.test(reason) ? reason : `${reason}.` })
    : translatable('Deprecated since {date}.', { date })
  return replacement === null ? first : translatable('{first} Use {replacement} instead.', { first, replacement })
}
