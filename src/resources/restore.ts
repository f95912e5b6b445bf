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

/** What a restore gives back: the record, or, of a large tree, the job that brings it back. */
export type Restoration = { readonly record: Resource; readonly job?: undefined } | { readonly job: Job; readonly record?: undefined }

export const RESTORE_JOB = 'restore_resource'

/**
 * Makes a resource what it was in this version: an edit like any other. One that was deleted comes back under its ID, with everything that
 * was below it while that is in the trash; without a version as it was when it was deleted.
 */
export const restoreResource = (ctx: Context, id: string, version?: number): Promise<Restoration> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const trash = await findTrash(ctx, id)
    const deleted = (await findRow(ctx.db, SYSTEM, id)) === undefined
    if (!deleted || !trash || (await countCopies(ctx, trash.id, LARGE + 1)) <= LARGE) return { record: await restoreNow(ctx, id, version) }
    const title = `Restore ${trash.record.title} and everything below it`
    // One after the other: each analyzes the table, which locks out others that do.
    return { job: await createJob(ctx, { kind: RESTORE_JOB, title, payload: { id, version }, queue: RESTORE_JOB }) }
  })

/** In one transaction, as a deletion: readers see all of it or nothing. */
export const workRestore: JobWork = async (ctx, payload, report) => {
  const { id, version } = payload as { id: string; version?: number }
  const trash = await findTrash(ctx, id)
  if (!trash) {
    if (await findRow(ctx.db, SYSTEM, id)) return // done before a crash could be noted
    throw conflict('This resource is no longer in the trash, or no longer one that you may see. Nothing was restored.')
  }
  const resources = `${(trash.resources_below + 1).toLocaleString('en')} resources`
  const copies = await countCopies(ctx, trash.id, Number.MAX_SAFE_INTEGER)
  await report(0, `${resources} to restore.`)
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
  // Of two at the same time, the second finds it back.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`restore ${id}`}, 0))`.execute(ctx.db)
  const today = (await lockRows(ctx.db, ctx.actor, [id])).get(id)
  const trash = today ? undefined : await findTrash(ctx, id, 'locked')
  if (today && version === undefined) throw invalid({ version: ['is required: this resource is not deleted.'] })
  const { row: wanted } = await getWanted(ctx, id, version, trash)
  const parent = await getParent(ctx, wanted, today)
  await mustHaveIntegration(ctx, wanted, today)
  // A row holds every field a caller can write, in the form it is written in.
  if (today) await editResources(ctx, [{ id, data: pick(wanted, RESTORED_FIELDS) as ResourceChange, own: storedOwn(wanted) }])
  else await bringBack(ctx, wanted, parent, trash, progress)
  return readResource(ctx, id)
}

const getWanted = async (ctx: Context, id: string, version: number | undefined, trash: TrashRow | undefined): Promise<Past> => {
  if (version !== undefined) return getVersion(ctx, id, version)
  if (trash) return getLastVersion(ctx, id)
  await getSubject(ctx, id)
  throw conflict('This resource is no longer in the trash. A version of it can be restored by itself: name one.')
}

/** Whether somebody hears of changes is theirs to decide, and not to be undone with somebody's edit. */
const RESTORED_FIELDS = VERSIONED_FIELDS.filter((field) => field !== 'subscribers')

/** The resource goes on where it ended: its versions count up, and the audit log knows it by the same ID. */
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

/** What no version tells. */
const asDeleted = ({ created_at, internal_usage = 0, internal_users = null }: TrashRow['record']) => ({
  created_at: new Date(created_at!).toISOString(),
  internal_usage,
  internal_users,
})

const getParent = async (ctx: Context, wanted: ResourceRow, today: ResourceRow | undefined): Promise<ResourceRow | undefined> => {
  if (!wanted.parent || wanted.parent === today?.parent) return undefined
  const parent = (await holdParents(ctx.db, ctx.actor, [wanted.parent])).get(wanted.parent)
  if (parent) return parent
  throw conflict(`In version ${wanted.version} it stood under resource ${wanted.parent}, which is gone. Restore that one first.`)
}

const mustHaveIntegration = async (ctx: Context, wanted: ResourceRow, today: ResourceRow | undefined): Promise<void> => {
  if (!wanted.integration || wanted.integration === today?.integration) return
  const found = await ctx.db.selectFrom('integrations').select('id').where('id', '=', wanted.integration).executeTakeFirst()
  if (!found) throw conflict(`In version ${wanted.version} it belonged to integration ${wanted.integration}, which is gone.`)
}

/** Its source may have reported it anew meanwhile, under the same key. */
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
  throw conflict(`Its source has reported it again${seen ? `: it is resource ${other.id} now` : ''}.`)
}
