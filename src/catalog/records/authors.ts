import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { permissionDenied } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Change } from '../../platform/history/record.ts'
import { can, requirePermission } from '../../platform/permissions/permissions.ts'
import { getEntityTypeConfig } from '../entity-types/entity-types.ts'
import type { ResourceRow } from './record.ts'

/** The author of a resource is the performer of its first version. */
export const findResourceAuthors = async (db: Db, ids: readonly string[]): Promise<Map<string, string | null>> => {
  const { rows } = await sql<{ id: string; author: string | null }>`
    select resource_id as id, performer_id as author from activities where resource_id = any(${ids}::uuid[]) and version = 1
  `.execute(db)
  return new Map(rows.map(({ id, author }) => [id, author]))
}

/** Callers with `catalog.write` can edit everything. Others can edit what they created, if its entity type allows it. */
export const requireResourceWrite = async (ctx: Context, rows: readonly Pick<ResourceRow, 'id' | 'entity_type'>[]): Promise<void> => {
  if (can(ctx.actor, 'catalog.write')) return
  for (const { entity_type } of rows) requirePermission(ctx.actor, getEntityTypeConfig(entity_type).permission)
  const authors = await findResourceAuthors(
    ctx.db,
    rows.map(({ id }) => id),
  )
  if (rows.some(({ id }) => authors.get(id) !== ctx.actor.user_id))
    throw permissionDenied(translatable('You can only edit resources that you created.'))
}

/** Fields that authors without `catalog.write` can edit. Ownership and visibility require `catalog.write`. */
export const AUTHOR_EDITABLE_FIELDS: readonly string[] = [
  ...['title', 'description', 'definition', 'icon', 'base_entity_id'],
  ...['question_status', 'question_priority', 'question_answered_by', 'question_assigned_to', 'accepted_reply'],
]

export const requireAuthorEditable = (ctx: Context, changes: readonly Change[]): void => {
  if (can(ctx.actor, 'catalog.write')) return
  const other = changes.find(({ field }) => !AUTHOR_EDITABLE_FIELDS.includes(field))
  if (other)
    throw permissionDenied(
      translatable('You do not have permission to set {field}. It requires the catalog.write permission.', { field: other.field }),
    )
}
