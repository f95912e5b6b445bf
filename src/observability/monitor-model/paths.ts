import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'

/** A table or column found by its full title, e.g. `shop.public.orders`. */
export interface NamedResource {
  readonly id: string
  readonly entity_type: string
  readonly integration: string | null
  readonly integration_name: string | null
}

/** Visible tables and columns by path. A title may contain dots, so the last part of a path may start after any dot. */
export const findResourcesByPath = async (ctx: Context, paths: readonly string[]): Promise<Map<string, NamedResource[]>> => {
  const suffixes = [...new Set(paths)].flatMap((path) => listPathSuffixes(path).map((end) => ({ path, end })))
  const { rows } = await sql<NamedResource & { path: string }>`
    select w.path, r.id, r.entity_type, r.integration, case when ${integrationsVisibleTo(ctx.actor, 'i')} then i.name end as integration_name
    from json_to_recordset(${JSON.stringify(suffixes)}::text::json) as w(path text, "end" text)
      cross join lateral (
        select r.* from resources r where lower(r.title) collate "C" = lower(w.end) collate "C" and r.title_full = w.path offset 0
      ) r
      left join integrations i on i.id = r.integration
    where r.entity_type in ('table', 'column') and ${visibleTo(ctx.actor)}
    order by w.path, r.created_at, r.id
  `.execute(ctx.db, ctx.limits)
  return Map.groupBy(rows, ({ path }) => path)
}

const listPathSuffixes = (path: string): string[] =>
  [path, ...[...path.matchAll(/\./g)].map(({ index }) => path.slice(index + 1))].filter((end) => end !== '')
