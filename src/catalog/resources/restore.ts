import { sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission, SYSTEM } from '../../platform/permissions/permissions.ts'
import { getResource } from '../listing/read.ts'
import { restorePreservedValues } from '../properties/preserved-values.ts'
import { applyChange, initialChanges, VERSIONED_FIELDS } from '../records/change.ts'
import { MAX_SYNCHRONOUS_DESCENDANTS } from '../records/paths.ts'
import type { ResourceRow } from '../records/record.ts'
import { type PastResource, pick, replayVersions } from '../records/replay.ts'
import { findResourceRow, insertResourceRows, lockParentsShared, lockResourceRows } from '../records/resource-rows.ts'
import type { Resource, ResourceChange } from '../records/schema.ts'
import { computeLocation } from '../records/tree.ts'
import { getStoredTypeFields, withTypeFields } from '../records/type-fields.ts'
import { toVersionActivity } from '../records/version-activity.ts'
import { assertRestorable } from '../trash/restorable.ts'
import { restoreDescendants } from '../trash/restore-descendants.ts'
import { countCopies, findAcceptedReply, findTrash, type TrashRow } from '../trash/trash-rows.ts'
import { getVersionedResource, loadVersionEntries } from '../versions/as-of.ts'
import { getLastVersion, getVersion } from '../versions/versions.ts'
import { publishContainers } from './containers.ts'
import { editResources } from './edit.ts'
import { restoreAcceptedReply } from './questions.ts'

/** The restored record, or the job that restores a large tree. */
export type RestoreResult = { readonly record: Resource; readonly job?: undefined } | { readonly job: Job; readonly record?: undefined }

export const RESTORE_JOB = 'restore_resource'

/**
 * Restores a resource to this version, as an edit. A deleted resource is restored under its ID, with its descendants while they are in the
 * trash; without a version, to its state at deletion.
 */
export const restoreResource = (ctx: Context, id: string, version?: number): Promise<RestoreResult> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const trash = await findTrash(ctx, id)
    const deleted = (await findResourceRow(ctx.db, SYSTEM, id)) === undefined
    if (!deleted || !trash || (await countCopies(ctx, trash.id, MAX_SYNCHRONOUS_DESCENDANTS + 1)) <= MAX_SYNCHRONOUS_DESCENDANTS)
      return { record: await restoreNow(ctx, id, version) }
    const title = `Restore ${trash.record.title} and everything below it`
    // Run one at a time: each analyzes the table, which blocks others from doing so.
    return { job: await createJob(ctx, { kind: RESTORE_JOB, title, payload: { id, version }, queue: RESTORE_JOB }) }
  })

/** One transaction, like a deletion: readers see all of it or nothing. */
export const runRestoreJob: JobHandler = async (ctx, payload, report) => {
  const { id, version } = payload as { id: string; version?: number }
  const trash = await findTrash(ctx, id)
  if (!trash) {
    if (await findResourceRow(ctx.db, SYSTEM, id)) return // finished before a crash, but not recorded
    throw conflict(translatable('This resource is no longer in the trash, or you no longer have access to it. Nothing was restored.'))
  }
  const resources = `${(trash.resources_below + 1).toLocaleString('en')} resources`
  const copies = await countCopies(ctx, trash.id, Number.MAX_SAFE_INTEGER)
  await report(0, `Restoring ${resources}.`)
  await inTransaction(ctx, async (ctx) => {
    await sql`set local statement_timeout = 0`.execute(ctx.db)
    await restoreNow(ctx, id, version, (restored) => report((95 * restored) / copies))
  })
  await report(99, `Restored ${resources}.`)
}

const restoreNow = async (
  ctx: Context,
  id: string,
  version?: number,
  progress?: (restored: number) => Promise<void>,
): Promise<Resource> => {
  // Of two concurrent restores, the second finds it already restored.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`restore ${id}`}, 0))`.execute(ctx.db)
  const today = (await lockResourceRows(ctx.db, ctx.actor, [id])).get(id)
  const trash = today ? undefined : await findTrash(ctx, id, 'locked')
  if (today && version === undefined) throw invalid({ version: ['is required because this resource is not deleted.'] })
  const { row: target } = await getTargetVersion(ctx, id, version, trash)
  const parent = await getParent(ctx, target, today)
  await assertIntegrationExists(ctx, target, today)
  // Columns have the same format as the fields of a request.
  if (today) await editResources(ctx, [{ id, data: pick(target, RESTORED_FIELDS) as ResourceChange, own: getStoredTypeFields(target) }])
  else await restoreDeleted(ctx, target, parent, trash, progress)
  return getResource(ctx, id)
}

const getTargetVersion = async (
  ctx: Context,
  id: string,
  version: number | undefined,
  trash: TrashRow | undefined,
): Promise<PastResource> => {
  if (version !== undefined) return getVersion(ctx, id, version)
  if (trash) return getLastVersion(ctx, id)
  await getVersionedResource(ctx, id)
  throw conflict('This resource is no longer in the trash. To restore it without the resources below it, specify a version.')
}

/** Subscriptions are personal and not reverted with an edit. */
const RESTORED_FIELDS = VERSIONED_FIELDS.filter((field) => field !== 'subscribers')

/** The resource keeps its ID, and its version numbers continue. */
const restoreDeleted = async (
  ctx: Context,
  target: ResourceRow,
  parent: ResourceRow | undefined,
  trash: TrashRow | undefined,
  progress?: (restored: number) => Promise<void>,
): Promise<void> => {
  const entries = await loadVersionEntries(ctx.db, target.id, sql`true`)
  const { row: deletedRow } = replayVersions(target.id, undefined, entries)!
  requireIfMatch(ctx, computeEtag(deletedRow))
  const row: ResourceRow = {
    ...withTypeFields(
      applyChange(deletedRow, pick(target, RESTORED_FIELDS), parent, ctx.actor.user_id, ctx.now),
      getStoredTypeFields(target),
    ),
    ...computeLocation(parent, target.entity_type, target.title),
    version: deletedRow.version + 1,
    updated_at: ctx.now.toISOString(),
    ...(trash ? toPreservedFields(trash.record) : {}),
  }
  await assertSourceKeyAvailable(ctx, row)
  if (trash) await assertRestorable(ctx, trash)
  await insertResourceRows(ctx.db, [row])
  const values = await restorePreservedValues(ctx, row, entries.at(-1)!.changes)
  const entry = newId()
  await recordActivity(ctx, toVersionActivity(row, 'restored', [...initialChanges(row), ...values], { id: entry }))
  if (trash) await restoreDescendants(ctx, trash, row, entry, progress)
  if (row.published) await publishContainers(ctx, [row])
  if (!trash) return
  const accepted = await findAcceptedReply(ctx, trash.id)
  if (accepted && accepted.question === row.parent) await restoreAcceptedReply(ctx, accepted)
}

/** Fields that versions do not contain. */
const toPreservedFields = ({ created_at, internal_usage = 0, internal_users = null }: TrashRow['record']) => ({
  created_at: new Date(created_at!).toISOString(),
  internal_usage,
  internal_users,
})

const getParent = async (ctx: Context, target: ResourceRow, today: ResourceRow | undefined): Promise<ResourceRow | undefined> => {
  if (!target.parent || target.parent === today?.parent) return undefined
  const parent = (await lockParentsShared(ctx.db, ctx.actor, [target.parent])).get(target.parent)
  if (parent) return parent
  throw conflict(
    translatable('The parent of version {version} was resource {parent}, which has been deleted. Restore it first.', {
      version: target.version,
      parent: target.parent,
    }),
  )
}

const assertIntegrationExists = async (ctx: Context, target: ResourceRow, today: ResourceRow | undefined): Promise<void> => {
  if (!target.integration || target.integration === today?.integration) return
  const found = await ctx.db.selectFrom('integrations').select('id').where('id', '=', target.integration).executeTakeFirst()
  if (!found)
    throw conflict(
      translatable('Version {version} belonged to integration {integration}, which has been deleted.', {
        version: target.version,
        integration: target.integration,
      }),
    )
}

/** Its source may have reported it again in the meantime, under the same key. */
const assertSourceKeyAvailable = async (ctx: Context, { integration, databuilder_id }: ResourceRow): Promise<void> => {
  if (!integration || !databuilder_id) return
  const other = await ctx.db
    .selectFrom('resources')
    .select('id')
    .where('integration', '=', integration)
    .where('databuilder_id', '=', databuilder_id)
    .executeTakeFirst()
  if (!other) return
  const isVisible = (await findResourceRow(ctx.db, ctx.actor, other.id)) !== undefined
  throw conflict(
    isVisible
      ? translatable('The source has reported this resource again as {id}, so it cannot be restored.', { id: other.id })
      : translatable('The source has reported this resource again, so it cannot be restored.'),
  )
}
