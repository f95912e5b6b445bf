import { sql } from 'kysely'
import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { conflict } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { recordActivity } from '../history/record.ts'
import { bringBackValues } from '../properties/kept.ts'
import { readEntries } from './as-of.ts'
import { applyChange, firstChanges, VERSIONED_FIELDS } from './change.ts'
import { editResources } from './edit.ts'
import { versionEntry } from './entry.ts'
import { storedOwn, withOwn } from './own-fields.ts'
import { readResource } from './read.ts'
import type { ResourceRow } from './record.ts'
import { pick, replay } from './replay.ts'
import type { Resource, ResourceChange } from './schema.ts'
import { findRow, holdParents, insertRows, lockRows } from './store.ts'
import { placeUnder } from './tree.ts'
import { getVersion } from './versions.ts'

/** Makes a resource what it was in this version: an edit like any other, or, when it was deleted, its return under the same ID. */
export const restoreVersion = (ctx: Context, id: string, version: number): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const { row: wanted } = await getVersion(ctx, id, version)
    const today = (await lockRows(ctx.db, ctx.actor, [id])).get(id)
    const parent = await getParent(ctx, wanted, today)
    await mustHaveIntegration(ctx, wanted, today)
    // A row holds every field a caller can write, in the form it is written in.
    if (today) await editResources(ctx, [{ id, data: pick(wanted, RESTORED_FIELDS) as ResourceChange, own: storedOwn(wanted) }])
    else await bringBack(ctx, wanted, parent)
    return readResource(ctx, id)
  })

/** Whether somebody hears of changes is theirs to decide, and not to be undone with somebody's edit. */
const RESTORED_FIELDS = VERSIONED_FIELDS.filter((field) => field !== 'subscribers')

/** The resource goes on where it ended: its versions count up, and the audit log knows it by the same ID. */
const bringBack = async (ctx: Context, wanted: ResourceRow, parent: ResourceRow | undefined): Promise<void> => {
  const entries = await readEntries(ctx.db, wanted.id, sql`true`)
  const { row: gone } = replay(wanted.id, undefined, entries)!
  mustMatch(ctx, etagOf(gone))
  const row: ResourceRow = {
    ...withOwn(applyChange(gone, pick(wanted, RESTORED_FIELDS), parent, ctx.actor.user_id, ctx.now), storedOwn(wanted)),
    ...placeUnder(parent, wanted.entity_type, wanted.title),
    version: gone.version + 1,
    updated_at: ctx.now.toISOString(),
  }
  await mustBeFree(ctx, row)
  await insertRows(ctx.db, [row])
  const values = await bringBackValues(ctx, row, entries.at(-1)!.changes)
  await recordActivity(ctx, versionEntry(row, 'restored', [...firstChanges(row), ...values]))
}

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
