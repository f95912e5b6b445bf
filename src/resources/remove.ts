import { sql } from 'kysely'
import { can, mustBeAble, visibleTo } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { denied, notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { newId } from '../id.ts'
import { keptValues } from '../properties/kept.ts'
import { mustBeAbleToWrite } from './authors.ts'
import { KEPT_FIELDS } from './change.ts'
import { KINDS } from './kinds.ts'
import { forgetReply } from './questions.ts'
import { readResource } from './read.ts'
import type { Resource } from './schema.ts'
import { findBelow, lockRows } from './store.ts'
import { NOUNS, takeOff } from './take-off.ts'
import { lockTree } from './tree.ts'

/** Deletes a resource with everything below it. Each gets its last version, from which it can be read whole. Answers with the record as it was. */
export const removeResource = (ctx: Context, id: string, entity_type?: string): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, can(ctx.actor, 'catalog.write') ? 'catalog.write' : 'questions.ask')
    await lockTree(ctx.db)
    const row = (await lockRows(ctx.db, ctx.actor, [id])).get(id)
    if (!row) throw notFound('resource', id)
    const record = await readResource(ctx, id, entity_type)
    mustMatch(ctx, etagOf(row))
    if (!can(ctx.actor, 'catalog.write')) await mustBeAbleToWrite(ctx, await findBelow(ctx.db, id))
    await forgetReply(ctx, row)
    await removeTrees(ctx, [id], newId(), id)
    return record
  })

/** The field by which others belong to a kind, by entity type. */
const MEMBERS = JSON.stringify(Object.fromEntries([...KINDS].flatMap(([type, { members }]) => (members ? [[type, members]] : []))))

/**
 * One statement however many and however large: the rows go with everything below them, and their history is written from what went.
 * `root` is the entry all others follow from: that of `itself`, or of what is not a resource. What belonged to them stays.
 */
export const removeTrees = async (ctx: Context, ids: readonly string[], root: string, itself: string | null = null): Promise<void> => {
  if (ids.length === 0) return
  const { rows } = await sql<{ hidden: boolean; left: { id: string; field: 'collections' }[] | null }>`
    with recursive below as (
      select unnest(${ids}::uuid[]) as id
      union
      select c.id from below b join resources c on c.parent = b.id
    ), gone as (
      delete from resources r using below b where r.id = b.id returning r.*
    ), noted as (
      insert into activities (id, parent_id, activity_type, performer_id, performer_type, resource_id, resource_type, resource_title, resource_icon,
        integration_id, version, changes, logged_at, parent_left)
      select case when r.id = ${itself}::uuid then ${root}::uuid else gen_random_uuid() end, case when r.id = ${itself}::uuid then null else ${root}::uuid end,
        (${NOUNS}::text::json ->> r.entity_type) || '_deleted', ${ctx.actor.user_id}::uuid, ${ctx.actor.performer_type}, r.id, r.entity_type, r.title, r.icon,
        r.integration, r.version + 1, (
          select jsonb_agg(jsonb_build_object('field', f.key, 'from', f.value, 'to', null))
          from json_each(to_json(r)) f
          where f.key = any(${KEPT_FIELDS}::text[]) and json_typeof(f.value) <> 'null' and f.value::text <> 'false'
        ) || ${keptValues('r')}, ${ctx.now}::timestamptz, r.parent
      from gone r
    )
    select exists (select from gone r where not ${visibleTo(ctx.actor)}) as hidden,
      (select json_agg(json_build_object('id', r.id, 'field', m.value)) from gone r join json_each_text(${MEMBERS}::text::json) m on m.key = r.entity_type) as left
  `.execute(ctx.db)
  const { hidden, left } = rows[0]!
  if (hidden) throw denied('Below this resource are others that you may not delete.')
  for (const { id, field } of left ?? []) await takeOff(ctx, { field, id, entry: root })
}
