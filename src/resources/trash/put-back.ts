import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { recordActivities } from '../../history/record.ts'
import { type KeptValue, restoreValues } from '../../properties/kept.ts'
import { firstChanges } from '../change.ts'
import { versionEntry } from '../entry.ts'
import { updateAllBelow } from '../paths.ts'
import type { ResourceRow } from '../record.ts'
import { lockOthers, moveToOthers, putCopies, putEdges, putMembers } from './joins.ts'
import { markRemoved, type TrashRow } from './store.ts'
import { COPIED, type CopiedTable } from './tables.ts'

const AT_ONCE = 2_000

/**
 * Row counts after which the table is analyzed. If it was nearly empty at the last analyze, e.g. after a large deletion, Postgres may look
 * up IDs with an index that it has to read completely.
 */
const ANALYZED_AT = [12_000, 30_000, 100_000, 300_000, 1_000_000]

type Progress = (restored: number) => Promise<void>

/**
 * Restores the descendants of a restored resource and everything that belonged to them, in the caller's transaction. `entry` is the
 * activity that their activities belong to.
 */
export const putBack = async (
  ctx: Context,
  found: TrashRow,
  root: ResourceRow,
  entry: string,
  progress: Progress = async () => {},
): Promise<void> => {
  const trash = { ...found, columns: await columnsStillThere(ctx, found.columns) }
  let restored = 0
  for (let after = 0; ; ) {
    const copies = await nextCopies(ctx, trash.id, after)
    if (copies.length === 0) break
    after = copies.at(-1)!.number
    await putResources(ctx, trash, copies, entry)
    const [before, now] = [restored, restored + copies.length]
    if (ANALYZED_AT.some((n) => before < n && now >= n)) await sql`analyze resources`.execute(ctx.db)
    restored = now
    await progress(restored)
  }
  // The copies have their old paths.
  await updateAllBelow(ctx.db, root.id)
  await lockOthers(ctx, trash.id)
  for (const table of Object.keys(COPIED) as CopiedTable[]) if (table !== 'lineage_edges') await putCopies(ctx, trash, table)
  await putEdges(ctx, trash)
  await putMembers(ctx, trash.id, entry, (members) => progress(restored + members))
  await moveToOthers(ctx, trash.id)
  await sql`
    update monitors m set target_gone_at = null
    where m.target_gone_at is not null and exists (select from resources r where r.id = m.target)
  `.execute(ctx.db)
  await markRemoved(ctx, trash.id)
}

/** A migration may have dropped a column since. */
const columnsStillThere = async ({ db }: Context, columns: TrashRow['columns']): Promise<TrashRow['columns']> => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select t.relname as name, array_agg(a.attname::text) as columns from pg_class t join pg_attribute a on a.attrelid = t.oid
    where t.relname = any(${Object.keys(columns)}::text[]) and t.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
    group by t.relname
  `.execute(db)
  return Object.fromEntries(rows.map((row) => [row.name, row.columns.filter((column) => columns[row.name]!.includes(column))]))
}

interface Copy {
  readonly number: number
  readonly row: ResourceRow & { readonly values?: readonly { property_id: string; value: string }[] }
}

const nextCopies = async ({ db }: Context, trash: string, after: number): Promise<Copy[]> => {
  const { rows } = await sql<Copy>`
    select t.number, t.row from trash_rows t where t.trash = ${trash} and t.table_name = 'resources' and t.number > ${after}::bigint
    order by t.number limit ${sql.lit(AT_ONCE)}
  `.execute(db)
  return rows
}

const putResources = async (ctx: Context, { id, columns }: TrashRow, copies: readonly Copy[], entry: string): Promise<void> => {
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
  const kept = copies.flatMap(({ row: { id, entity_type, values = [] } }) =>
    values.map((each): KeptValue => ({ ...each, resource_id: id, entity_type })),
  )
  const values = Map.groupBy(await restoreValues(ctx, kept), ({ resource_id }) => resource_id)
  await recordActivities(
    ctx,
    rows.map((row) =>
      versionEntry(row, 'restored', [...firstChanges(row), ...(values.get(row.id) ?? []).map(({ change }) => change)], {
        parent_id: entry,
      }),
    ),
  )
}
