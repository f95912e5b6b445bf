import { sql } from 'kysely'
import { mustBeAble, SYSTEM } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { conflict, invalid } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { recordActivity } from '../history/record.ts'
import { newId } from '../id.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { bringBackValues } from '../properties/kept.ts'
import { getSubject, readEntries } from './as-of.ts'
import { applyChange, firstChanges, VERSIONED_FIELDS } from './change.ts'
import { publishContainers } from './containers.ts'
import { editResources } from './edit.ts'
import { versionEntry } from './entry.ts'
import { storedOwn, withOwn } from './own-fields.ts'
import { LARGE } from './paths.ts'
import { acceptAgain } from './questions.ts'
import { readResource } from './read.ts'
import type { ResourceRow } from './record.ts'
import { type Past, pick, replay } from './replay.ts'
import type { Resource, ResourceChange } from './schema.ts'
import { findRow, holdParents, insertRows, lockRows } from './store.ts'
import { putBack } from './trash/put-back.ts'
import { mustBeRestorable } from './trash/restorable.ts'
import { countCopies, findAccepted, findTrash, type TrashRow } from './trash/store.ts'
import { placeUnder } from './tree.ts'
import { getLastVersion, getVersion } from './versions.ts'

/** The restored record, or the job that restores a large tree. */
export type Restoration = { readonly record: Resource; readonly job?: undefined } | { readonly job: Job; readonly record?: undefined }

export const RESTORE_JOB = 'restore_resource'

/**
 * Restores a resource to this version, as an edit. A deleted resource is restored under its ID, with its descendants while they are in the
 * trash; without a version, to its state at deletion.
 */
export const restoreResource = (ctx: Context, id: string, version?: number): Promise<Restoration> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const trash = await findTrash(ctx, id)
    const deleted = (await findRow(ctx.db, SYSTEM, id)) === undefined
    if (!deleted || !trash || (await countCopies(ctx, trash.id, LARGE + 1)) <= LARGE) return { record: await restoreNow(ctx, id, version) }
    const title = `Restore ${trash.record.title} and everything below it`
    // Run one at a time: each analyzes the table, which blocks others from doing so.
    return { job: await createJob(ctx, { kind: RESTORE_JOB, title, payload: { id, version }, queue: RESTORE_JOB }) }
  })

/** One transaction, like a deletion: readers see all of it or nothing. */
export const workRestore: JobWork = async (ctx, payload, report) => {
  const { id, version } = payload as { id: string; version?: number }
  const trash = await findTrash(ctx, id)
  if (!trash) {
    if (await findRow(ctx.db, SYSTEM, id)) return // finished before a crash, but not recorded
    throw conflict('This resource is no longer in the trash, or you no longer have access to it. Nothing was restored.')
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
  const today = (await lockRows(ctx.db, ctx.actor, [id])).get(id)
  const trash = today ? undefined : await findTrash(ctx, id, 'locked')
  if (today && version === undefined) throw invalid({ version: ['is required because this resource is not deleted.'] })
  const { row: wanted } = await getWanted(ctx, id, version, trash)
  const parent = await getParent(ctx, wanted, today)
  await mustHaveIntegration(ctx, wanted, today)
  // Columns have the same format as the fields of a request.
  if (today) await editResources(ctx, [{ id, data: pick(wanted, RESTORED_FIELDS) as ResourceChange, own: storedOwn(wanted) }])
  else await bringBack(ctx, wanted, parent, trash, progress)
  return readResource(ctx, id)
}

const getWanted = async (ctx: Context, id: string, version: number | undefined, trash: TrashRow | undefined): Promise<Past> => {
  if (version !== undefined) return getVersion(ctx, id, version)
  if (trash) return getLastVersion(ctx, id)
  await getSubject(ctx, id)
  throw conflict('This resource is no longer in the trash. To restore it without the resources below it, specify a version.')
}

/** Subscriptions are personal and not reverted with an edit. */
const RESTORED_FIELDS = VERSIONED_FIELDS.filter((field) => field !== 'subscribers')

/** The resource keeps its ID, and its version numbers continue. */
const bringBack = async (
  ctx: Context,
  wanted: ResourceRow,
  parent: ResourceRow | undefined,
  trash: TrashRow | undefined,
  progress?: (restored: number) => Promise<void>,
): Promise<void> => {
  const entries = await readEntries(ctx.db, wanted.id, sql`true`)
  const { row: gone } = replay(wanted.id, undefined, entries)!
  mustMatch(ctx, etagOf(gone))
  const row: ResourceRow = {
    ...withOwn(applyChange(gone, pick(wanted, RESTORED_FIELDS), parent, ctx.actor.user_id, ctx.now), storedOwn(wanted)),
    ...placeUnder(parent, wanted.entity_type, wanted.title),
    version: gone.version + 1,
    updated_at: ctx.now.toISOString(),
    ...(trash ? asDeleted(trash.record) : {}),
  }
  await mustBeFree(ctx, row)
  if (trash) await mustBeRestorable(ctx, trash)
  await insertRows(ctx.db, [row])
  const values = await bringBackValues(ctx, row, entries.at(-1)!.changes)
  const entry = newId()
  await recordActivity(ctx, versionEntry(row, 'restored', [...firstChanges(row), ...values], { id: entry }))
  if (trash) await putBack(ctx, trash, row, entry, progress)
  if (row.published) await publishContainers(ctx, [row])
  if (!trash) return
  const accepted = await findAccepted(ctx, trash.id)
  if (accepted && accepted.question === row.parent) await acceptAgain(ctx, accepted)
}

/** Fields that versions do not contain. */
const asDeleted = ({ created_at, internal_usage = 0, internal_users = null }: TrashRow['record']) => ({
  created_at: new Date(created_at!).toISOString(),
  internal_usage,
  internal_users,
})

const getParent = async (ctx: Context, wanted: ResourceRow, today: ResourceRow | undefined): Promise<ResourceRow | undefined> => {
  if (!wanted.parent || wanted.parent === today?.parent) return undefined
  const parent = (await holdParents(ctx.db, ctx.actor, [wanted.parent])).get(wanted.parent)
  if (parent) return parent
  throw conflict(`The parent of version ${wanted.version} was resource ${wanted.parent}, which has been deleted. Restore it first.`)
}

const mustHaveIntegration = async (ctx: Context, wanted: ResourceRow, today: ResourceRow | undefined): Promise<void> => {
  if (!wanted.integration || wanted.integration === today?.integration) return
  const found = await ctx.db.selectFrom('integrations').select('id').where('id', '=', wanted.integration).executeTakeFirst()
  if (!found) throw conflict(`Version ${wanted.version} belonged to integration ${wanted.integration}, which has been deleted.`)
}

/** Its source may have reported it again in the meantime, under the same key. */
const mustBeFree = async (ctx: Context, { integration, databuilder_id }: ResourceRow): Promise<void> => {
  if (!integration || !databuilder_id) return
  const other = await ctx.db
    .selectFrom('resources')
    .select('id')
    .where('integration', '=', integration)
    .where('databuilder_id', '=', databuilder_id)
    .executeTakeFirst()
  if (!other) return
  const seen = (await findRow(ctx.db, ctx.actor, other.id)) !== undefined
  throw conflict(`The source has reported this resource again${seen ? ` as ${other.id}` : ''}, so it cannot be restored.`)
}
