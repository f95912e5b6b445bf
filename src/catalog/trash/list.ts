import { type Context, inTransaction } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { recordActivity } from '../../platform/history/record.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getEntityTypeConfig } from '../entity-types/entity-types.ts'
import type { TrashEntry } from './schema.ts'
import { findTrash, listTrashRows, markTrashDeleted, TRASH_DAYS, type TrashRow } from './trash-rows.ts'

const DAY_MS = 86_400_000

const toTrashEntry = ({ resource_id, record, resources_below, deleted_at, deleted_by }: TrashRow): TrashEntry => ({
  id: resource_id,
  title: record.title!,
  title_full: record.title_full!,
  entity_type: record.entity_type!,
  icon: record.icon ?? getEntityTypeConfig(record.entity_type!).icon,
  parent: record.parent ?? null,
  resources_below,
  deleted_at,
  deleted_by,
  expires_at: new Date(Date.parse(deleted_at) + TRASH_DAYS * DAY_MS).toISOString(),
})

export const listTrash = async (ctx: Context, request: PageRequest) => {
  requirePermission(ctx.actor, 'catalog.write')
  return mapPage(await listTrashRows(ctx, request), toTrashEntry)
}

/** Permanently deletes a resource from the trash. Its history stays. */
export const deleteFromTrash = (ctx: Context, resource_id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'trash.delete')
    const trash = await findTrash(ctx, resource_id, 'locked')
    if (!trash) throw notFound('deleted resource', resource_id)
    await markTrashDeleted(ctx, trash.id)
    const { title, entity_type, icon, integration } = trash.record
    await recordActivity(ctx, {
      activity_type: 'trash_deleted',
      resource_id,
      resource_type: entity_type,
      resource_title: title,
      resource_icon: icon,
      integration_id: integration,
    })
  })
