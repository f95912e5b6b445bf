import { sql } from 'kysely'
import { mustBeAble, visibleTo } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { denied, notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { newId } from '../id.ts'
import { KEPT_FIELDS } from './change.ts'
import { KINDS } from './kinds.ts'
import { readResource } from './read.ts'
import type { Resource } from './schema.ts'
import { lockRows } from './store.ts'
import { lockTree } from './tree.ts'

/** Deletes a resource with everything below it. Each gets its last version, from which it can be read whole. Answers with the record as it was. */
export const removeResource = (ctx: Context, id: string, entity_type?: string): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    await lockTree(ctx.db)
    const row = (await lockRows(ctx.db, ctx.actor, [id])).get(id)
    if (!row) throw notFound('resource', id)
    const record = await readResource(ctx, id, entity_type)
    mustMatch(ctx, etagOf(row))
    await removeBelow(ctx, id)
    return record
  })

const NOUNS = JSON.stringify(Object.fromEntries([...KINDS].map(([entity_type, { noun }]) => [entity_type, noun])))

/** One statement however large the subtree: the rows go, and their history is written from what went. */
const removeBelow = async (ctx: Context, id: string): Promise<void> => {
  const root = newId()
  const { rows } = await sql<{ hidden: boolean }>`
    with recursive below as (
      select ${id}::uuid as id
      union
      select c.id from below b join resources c on c.parent = b.id
    ), gone as (
      delete from resources r using below b where r.id = b.id returning r.*
    ), noted as (
      insert into activities (id, parent_id, activity_type, performer_id, performer_type, resource_id, resource_type, resource_title, resource_icon,
        integration_id, version, changes, logged_at)
      select case when r.id = ${id} then ${root}::uuid else gen_random_uuid() end, case when r.id = ${id} then null else ${root}::uuid end,
        (${NOUNS}::text::json ->> r.entity_type) || '_deleted', ${ctx.actor.user_id}::uuid, ${ctx.actor.performer_type}, r.id, r.entity_type, r.title, r.icon,
        r.integration, r.version + 1, (
          select json_agg(json_build_object('field', f.key, 'from', f.value, 'to', null))
          from json_each(to_json(r)) f
          where f.key = any(${KEPT_FIELDS}::text[]) and json_typeof(f.value) <> 'null' and f.value::text <> 'false'
        ), ${ctx.now}::timestamptz
      from gone r
    )
    select exists (select from gone r where not ${visibleTo(ctx.actor)}) as hidden
  `.execute(ctx.db)
  if (rows[0]!.hidden) throw denied('Below this resource are others that you may not delete.')
}
