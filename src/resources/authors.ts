import { sql } from 'kysely'
import { can, mustBeAble } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/connect.ts'
import { denied } from '../errors.ts'
import type { Change } from '../history/record.ts'
import { kindOf } from './kinds.ts'
import type { ResourceRow } from './record.ts'

/** Who wrote what: the performer of its first version. */
export const findAuthors = async (db: Db, ids: readonly string[]): Promise<Map<string, string | null>> => {
  const { rows } = await sql<{ id: string; author: string | null }>`
    select resource_id as id, performer_id as author from activities where resource_id = any(${ids}::uuid[]) and version = 1
  `.execute(db)
  return new Map(rows.map(({ id, author }) => [id, author]))
}

/** Whoever may write the catalog may write all of it. Others write what they wrote themselves, of the kinds that are open to them. */
export const mustBeAbleToWrite = async (ctx: Context, rows: readonly Pick<ResourceRow, 'id' | 'entity_type'>[]): Promise<void> => {
  if (can(ctx.actor, 'catalog.write')) return
  for (const { entity_type } of rows) mustBeAble(ctx.actor, kindOf(entity_type).permission)
  const authors = await findAuthors(
    ctx.db,
    rows.map(({ id }) => id),
  )
  if (rows.some(({ id }) => authors.get(id) !== ctx.actor.user_id))
    throw denied('You may change what you wrote yourself, and nothing else.')
}

/** What authors decide about what they wrote. Whom else it belongs to and who sees it is decided by those who write the catalog. */
export const AUTHORS_FIELDS: readonly string[] = [
  ...['title', 'description', 'definition', 'icon', 'base_entity_id'],
  ...['question_status', 'question_priority', 'question_answered_by', 'question_assigned_to', 'accepted_reply'],
]

export const mustBeForAuthors = (ctx: Context, changes: readonly Change[]): void => {
  if (can(ctx.actor, 'catalog.write')) return
  const other = changes.find(({ field }) => !AUTHORS_FIELDS.includes(field))
  if (other) throw denied(`${other.field}: only those who may write the catalog decide this.`)
}
