import { mustBeAble } from '../../access/permissions.ts'
import { type Context, inTransaction } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { recordActivity } from '../../history/record.ts'
import type { PageRequest } from '../../lists/page.ts'
import { mapPage } from '../../lists/read-page.ts'
import { kindOf } from '../kinds.ts'
import type { TrashEntry } from './schema.ts'
import { findTrash, listTrashRows, markRemoved, TRASH_DAYS, type TrashRow } from './store.ts'

const DAY = 86_400_000

const toEntry = ({ resource_id, record, resources_below, deleted_at, deleted_by }: TrashRow): TrashEntry => ({
  id: resource_id,
  title: record.title!,
  title_full: record.title_full!,
  entity_type: record.entity_type!,
  icon: record.icon ?? kindOf(record.entity_type!).icon,
  parent: record.parent ?? null,
  resources_below,
  deleted_at,
  deleted_by,
  expires_at: new Date(Date.parse(deleted_at) + TRASH_DAYS * DAY).toISOString(),
})

export const listTrash = async (ctx: Context, request: PageRequest) => {
  mustBeAble(ctx.actor, 'catalog.write')
  return mapPage(await listTrashRows(ctx, request), toEntry)
}

/** Permanently deletes a resource from the trash. Its history stays. */
export const deleteFromTrash = (ctx: Context, resource_id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'trash.delete')
    const trash = await findTrash(ctx, resource_id, 'locked')
    if (!trash) throw notFound('deleted resource', resource_id)
    await markRemoved(ctx, trash.id)
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
