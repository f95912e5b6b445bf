import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { conflict, permissionDenied } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { type TrashRow, trashedRowsSql, trashVisibleTo } from './trash-rows.ts'

interface RestoreProblem {
  readonly problem: keyof typeof PROBLEM_TEXTS
  readonly title: string
  readonly other: string
  readonly seen: boolean
}

/**
 * Checks that the actor can restore all descendants, before anything is written. Conflicting resources are only named to callers who can
 * see them.
 */
export const assertRestorable = async ({ db, actor }: Context, { id }: TrashRow): Promise<void> => {
  const { rows: hidden } = await sql`select from ${trashedRowsSql(id, 'resources')} where not ${trashVisibleTo(actor)} limit 1`.execute(db)
  if (hidden.length > 0) throw permissionDenied(translatable('You do not have permission to restore some of the resources below this one.'))
  const { rows } = await sql<RestoreProblem>`
    with rows as materialized (
      select (t.row ->> 'id')::uuid as id, t.row ->> 'title' as title, (t.row ->> 'integration')::uuid as integration, t.row ->> 'databuilder_id' as key
      from trash_rows t where t.trash = ${id} and t.table_name = 'resources'
    )
    select p.* from (
      (select 'exists' as problem, r.title, o.id as other, ${visibleTo(actor, 'o')} as seen from rows r join resources o on o.id = r.id limit 1)
      union all
      (select 'reported', r.title, o.id, ${visibleTo(actor, 'o')}
       from rows r join resources o on o.integration = r.integration and o.databuilder_id = r.key limit 1)
      union all
      (select 'integration', r.title, r.integration, true from rows r
       where r.integration is not null and not exists (select from integrations i where i.id = r.integration) limit 1)
    ) p limit 1
  `.execute(db)
  const [found] = rows
  if (found) throw conflict(PROBLEM_TEXTS[found.problem](found))
}

const PROBLEM_TEXTS = {
  exists: ({ title, other, seen }: RestoreProblem) =>
    seen
      ? `“${title}” (${other}) below this resource already exists. Delete it first.`
      : 'A resource below this one already exists, but you do not have access to it. Contact an admin.',
  reported: ({ title, other, seen }: RestoreProblem) =>
    seen
      ? `The source has reported “${title}” below this resource again as ${other}. Delete that resource first.`
      : `The source has reported “${title}” below this resource again, but you do not have access to it. Contact an admin.`,
  integration: ({ title, other }: RestoreProblem) =>
    `“${title}” below this resource belonged to integration ${other}, which has been deleted.`,
}
