import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { hasOutgrownStatistics } from '../../platform/db/analyze-growth.ts'
import { recordActivities } from '../../platform/history/record.ts'
import { type PreservedValue, restoreValues } from '../properties/preserved-values.ts'
import { initialChanges } from '../records/change.ts'
import { updateDescendantPaths } from '../records/paths.ts'
import type { ResourceRow } from '../records/record.ts'
import { toVersionActivity } from '../records/version-activity.ts'
import { lockLinkedEntries, moveToLinkedEntries, restoreCopies, restoreEdges, restoreMembers } from './linked-entries.ts'
import { COPIED_TABLES, type CopiedTable } from './tables.ts'
import { markTrashDeleted, type TrashRow } from './trash-rows.ts'

const BATCH_ROWS = 2_000

type Progress = (restored: number) => Promise<void>

/**
 * Restores the descendants of a restored resource and everything that belonged to them, in the caller's transaction. `entry` is the
 * activity that their activities belong to.
 */
export const restoreDescendants = async (
  ctx: Context,
  found: TrashRow,
  root: ResourceRow,
  entry: string,
  progress: Progress = async () => {},
): Promise<void> => {
  const trash = { ...found, columns: await findExistingColumns(ctx, found.columns) }
  let restored = 0
  for (let after = 0; ; ) {
    const copies = await readNextCopies(ctx, trash.id, after)
    if (copies.length === 0) break
    after = copies.at(-1)!.number
    await restoreResources(ctx, trash, copies, entry)
    const [before, now] = [restored, restored + copies.length]
    if (hasOutgrownStatistics(before, now)) await sql`analyze resources`.execute(ctx.db)
    restored = now
    await progress(restored)
  }
  // The copies have their old paths.
  await updateDescendantPaths(ctx.db, root.id)
  await lockLinkedEntries(ctx, trash.id)
  for (const table of Object.keys(COPIED_TABLES) as CopiedTable[]) if (table !== 'lineage_edges') await restoreCopies(ctx, trash, table)
  await restoreEdges(ctx, trash)
  await restoreMembers(ctx, trash.id, entry, (members) => progress(restored + members))
  await moveToLinkedEntries(ctx, trash.id)
  await sql`
    update monitors m set target_gone_at = null
    where m.target_gone_at is not null and exists (select from resources r where r.id = m.target)
  `.execute(ctx.db)
  await markTrashDeleted(ctx, trash.id)
}

/** A migration may have dropped a column since. */
const findExistingColumns = async ({ db }: Context, columns: TrashRow['columns']): Promise<TrashRow['columns']> => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select t.relname as name, array_agg(a.attname::text) as columns from pg_class t join pg_attribute a on a.attrelid = t.oid
    where t.relname = any(${Object.keys(columns)}::text[]) and t.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
    group by t.relname
  `.execute(db)
  return Object.fromEntries(rows.map((row) => [row.name, row.columns.filter((column) => columns[row.name]!.includes(column))]))
}

interface TrashCopy {
  readonly number: number
  readonly row: ResourceRow & { readonly values?: readonly { property_id: string; value: string }[] }
}

const readNextCopies = async ({ db }: Context, trash: string, after: number): Promise<TrashCopy[]> => {
  const { rows } = await sql<TrashCopy>`
    select t.number, t.row from trash_rows t where t.trash = ${trash} and t.table_name = 'resources' and t.number > ${after}::bigint
    order by t.number limit ${sql.lit(BATCH_ROWS)}
  `.execute(db)
  return rows
}

const restoreResources = async (ctx: Context, { id, columns }: TrashRow, copies: readonly TrashCopy[], entry: string): Promise<void> => {
  const names = sql.join(columns.resources!.map((name) => sql.ref(name)))
  // Version numbers continue after the last one: a resource may have been restored and deleted again since.
  const { rows } = await sql<ResourceRow>`
    insert into resources (${names})
    select ${names} from (
      select r.* from trash_rows t
      cross join lateral (select max(a.version) as last from activities a where a.resource_id = (t.row ->> 'id')::uuid) h
      cross join lateral jsonb_populate_record(null::resources, t.row || jsonb_build_object(
        'version', greatest(h.last + 1, (t.row ->> 'version')::int + 2), 'children_count', 0, 'updated_at', ${ctx.now}::timestamptz)) r
      where t.trash = ${id} and t.table_name = 'resources' and t.number between ${copies[0]!.number}::bigint and ${copies.at(-1)!.number}::bigint
    ) r
    returning *
  `.execute(ctx.db)
  const preserved = copies.flatMap(({ row: { id, entity_type, values = [] } }) =>
    values.map((each): PreservedValue => ({ ...each, resource_id: id, entity_type })),
  )
  const values = Map.groupBy(await restoreValues(ctx, preserved), ({ resource_id }) => resource_id)
  await recordActivities(
    ctx,
    rows.map((row) =>
      toVersionActivity(row, 'restored', [...initialChanges(row), ...(values.get(row.id) ?? []).map(({ change }) => change)], {
        parent_id: entry,
      }),
    ),
  )
}
