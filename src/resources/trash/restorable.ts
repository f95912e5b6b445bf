import { sql } from 'kysely'
import { visibleTo } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { conflict, denied } from '../../errors.ts'
import { rowsOf, type TrashRow, trashVisibleTo } from './store.ts'

interface Problem {
  readonly problem: keyof typeof PROBLEMS
  readonly title: string
  readonly other: string
  readonly seen: boolean
}

/**
 * Checks that the actor can restore all descendants, before anything is written. Conflicting resources are only named to callers who can
 * see them.
 */
export const mustBeRestorable = async ({ db, actor }: Context, { id }: TrashRow): Promise<void> => {
  const { rows: hidden } = await sql`select from ${rowsOf(id, 'resources')} where not ${trashVisibleTo(actor)} limit 1`.execute(db)
  if (hidden.length > 0) throw denied('You do not have permission to restore some of the resources below this one.')
  const { rows } = await sql<Problem>`
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
  if (found) throw conflict(PROBLEMS[found.problem](found))
}

const PROBLEMS = {
  exists: ({ title, other, seen }: Problem) =>
    seen
      ? `“${title}” (${other}) below this resource already exists. Delete it first.`
      : 'A resource below this one already exists, but you do not have access to it. Contact an admin.',
  reported: ({ title, other, seen }: Problem) =>
    seen
      ? `The source has reported “${title}” below this resource again as ${other}. Delete that resource first.`
      : `The source has reported “${title}” below this resource again, but you do not have access to it. Contact an admin.`,
  integration: ({ title, other }: Problem) => `“${title}” below this resource belonged to integration ${other}, which has been deleted.`,
}
