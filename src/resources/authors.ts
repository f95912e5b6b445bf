import { sql } from 'kysely'
import { can, mustBeAble } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/connect.ts'
import { denied } from '../errors.ts'
import type { Change } from '../history/record.ts'
import { kindOf } from './kinds.ts'
import type { ResourceRow } from './record.ts'

/** The author of a resource is the performer of its first version. */
export const findAuthors = async (db: Db, ids: readonly string[]): Promise<Map<string, string | null>> => {
  const { rows } = await sql<{ id: string; author: string | null }>`
    select resource_id as id, performer_id as author from activities where resource_id = any(${ids}::uuid[]) and version = 1
  `.execute(db)
  return new Map(rows.map(({ id, author }) => [id, author]))
}

/** Callers with `catalog.write` can edit everything. Others can edit what they created, if its entity type allows it. */
export const mustBeAbleToWrite = async (ctx: Context, rows: readonly Pick<ResourceRow, 'id' | 'entity_type'>[]): Promise<void> => {
  if (can(ctx.actor, 'catalog.write')) return
  for (const { entity_type } of rows) mustBeAble(ctx.actor, kindOf(entity_type).permission)
  const authors = await findAuthors(
    ctx.db,
    rows.map(({ id }) => id),
  )
  if (rows.some(({ id }) => authors.get(id) !== ctx.actor.user_id)) throw denied('You can only edit resources that you created.')
}

/** Fields that authors without `catalog.write` can edit. Ownership and visibility require `catalog.write`. */
export const AUTHORS_FIELDS: readonly string[] = [
  ...['title', 'description', 'definition', 'icon', 'base_entity_id'],
  ...['question_status', 'question_priority', 'question_answered_by', 'question_assigned_to', 'accepted_reply'],
]

export const mustBeForAuthors = (ctx: Context, changes: readonly Change[]): void => {
  if (can(ctx.actor, 'catalog.write')) return
  const other = changes.find(({ field }) => !AUTHORS_FIELDS.includes(field))
  if (other) throw denied(`You do not have permission to set ${other.field}. It requires the catalog.write permission.`)
}
