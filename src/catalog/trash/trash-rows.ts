import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { Db } from '../../platform/db/connect.ts'
import { desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { type Actor, can, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import type { ResourceRow } from '../records/record.ts'
import { COPIED_TABLES, type CopiedTable, JSON_COLUMNS } from './tables.ts'

/** SQL of the trash. */

export const TRASH_DAYS = 90

export interface TrashRow {
  readonly id: string
  readonly resource_id: string
  readonly deleted_at: string
  readonly deleted_by: string | null
  readonly resources_below: number
  readonly record: Partial<ResourceRow>
  readonly columns: Readonly<Record<string, readonly string[]>>
}

/** JSON columns, where null is a value. Other nulls are omitted from copies: most columns of a row are null. */
const jsonColumnsSql = sql`jsonb_build_object(${sql.join(JSON_COLUMNS.flatMap((name) => [sql.lit(name), sql`r.${sql.ref(name)}`]))})`
const COPIED_TABLE_NAMES = Object.keys(COPIED_TABLES) as CopiedTable[]

/** Creates the trash entry of a resource that is about to be deleted. */
export const createTrashEntry = async (ctx: Context, resource_id: string): Promise<string> => {
  const id = newId()
  // An earlier entry may exist if a version was restored separately after an earlier deletion.
  await sql`update trash set removed_at = ${ctx.now}::timestamptz where resource_id = ${resource_id} and removed_at is null`.execute(ctx.db)
  await sql`
    insert into trash (id, resource_id, deleted_at, deleted_by, resources_below, record, columns)
    select ${id}::uuid, r.id, ${ctx.now}::timestamptz, ${ctx.actor.user_id}::uuid, 0, to_jsonb(r), (
      select jsonb_object_agg(c.name, c.columns) from (
        select t.relname as name, jsonb_agg(a.attname) as columns from pg_class t join pg_attribute a on a.attrelid = t.oid
        where t.oid = any(${['resources', ...COPIED_TABLE_NAMES]}::regclass[]) and a.attnum > 0 and not a.attisdropped group by t.relname
      ) c
    )
    from resources r where r.id = ${resource_id}
  `.execute(ctx.db)
  return id
}

/** Copies these locked resources and the rows that belong to them, parents before children. */
export const copyToTrash = async (db: Db, trash: string, root: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`
    insert into trash_rows (trash, table_name, row)
    select ${trash}::uuid, 'resources', jsonb_strip_nulls(to_jsonb(r) - ${JSON_COLUMNS}::text[]) || ${jsonColumnsSql} || coalesce((
      select jsonb_build_object('values', jsonb_agg(jsonb_build_object('property_id', v.property_id, 'value', v.value)))
      from property_values v where v.resource_id = r.id having count(*) > 0
    ), '{}')
    from resources r where r.id = any(${ids}::uuid[]) and r.id <> ${root}
  `.execute(db)
  const copies = COPIED_TABLE_NAMES.flatMap((table) =>
    COPIED_TABLES[table].of.map(
      (column) => sql`select ${table}::text, to_jsonb(t) from ${sql.table(table)} t where t.${sql.ref(column)} = any(${ids}::uuid[])`,
    ),
  )
  await sql`
    insert into trash_rows (trash, table_name, row)
    select ${trash}::uuid, c.table_name, c.row from (
      ${sql.join(copies, sql` union all `)}
      union all
      select 'lineage_queries', to_jsonb(q) from lineage_queries q where q.id in (
        select e.query from lineage_edges e where e.upstream = any(${ids}::uuid[])
        union
        select e.query from lineage_edges e where e.downstream = any(${ids}::uuid[])
      )
      union all
      select 'members', jsonb_build_object('collection', f.target, 'field', f.field, 'resource_id', f.resource_id)
      from (select * from resource_refs where target = any(${ids}::uuid[]) and field in ('collections', 'terms') order by resource_id) f
    ) c (table_name, row)
  `.execute(db)
}

export const completeTrashEntry = async (db: Db, trash: string, resources_below: number): Promise<void> => {
  await sql`update trash set resources_below = ${resources_below}::int where id = ${trash}`.execute(db)
}

/**
 * A trash entry is visible to callers with `catalog.write` who could see the resource. A deleted team may have been closed, so resources of
 * deleted teams are for admins only.
 */
export const trashVisibleTo = (actor: Actor): RawBuilder<boolean> => {
  if (!can(actor, 'catalog.write')) return sql<boolean>`false`
  const hasDeletedTeam = sql`exists (select from unnest(r.teams) t (id) where not exists (select from teams where teams.id = t.id))`
  return actor.role === 'admin' ? visibleTo(actor) : sql<boolean>`(${visibleTo(actor)} and not ${hasDeletedTeam})`
}

/** The copied rows of one table, as rows of that table under the alias `r`; the copy itself is `t`. */
export const trashedRowsSql = (trash: string, table: string): RawBuilder<unknown> => sql`
  (select * from trash_rows where trash = ${trash} and table_name = ${table}) t cross join lateral jsonb_populate_record(null::${sql.table(table)}, t.row) r`

/** Number of copied rows in an entry, counted up to `most`. */
export const countCopies = async ({ db }: Context, trash: string, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from trash_rows where trash = ${trash} limit ${sql.lit(limit)}) w
  `.execute(db)
  return rows[0]!.count
}

/** A reply that was accepted when it was deleted. */
export interface AcceptedReply {
  readonly question: string
  readonly reply: string
  readonly answered_by: string | null
}

export const saveAcceptedReply = async ({ db }: Context, accepted: AcceptedReply): Promise<void> => {
  await sql`
    insert into trash_rows (trash, table_name, row)
    select t.id, 'accepted_replies', ${JSON.stringify(accepted)}::text::jsonb from trash t where t.resource_id = ${accepted.reply} and t.removed_at is null
  `.execute(db)
}

export const findAcceptedReply = async ({ db }: Context, trash: string): Promise<AcceptedReply | undefined> => {
  const { rows } = await sql<{ row: AcceptedReply }>`
    select t.row from trash_rows t where t.trash = ${trash} and t.table_name = 'accepted_replies'
  `.execute(db)
  return rows[0]?.row
}

/** The entries visible to this actor, with the deleted row as `r`. */
export const trashEntriesSql = (actor: Actor): RawBuilder<unknown> => sql`from ${ENTRIES_SQL} where ${entryVisibleTo(actor)}`

const ENTRIES_SQL = sql`trash t cross join lateral jsonb_populate_record(null::resources, t.record) r`
const entryVisibleTo = (actor: Actor) => sql`t.removed_at is null and ${trashVisibleTo(actor)}`

/** With what decides about visibility only: making a whole row of each copy takes most of the time of a list. */
const LISTED_SQL = sql`trash t cross join lateral jsonb_to_record(t.record) r (published boolean, teams uuid[])`

export const listTrashRows = (ctx: Context, page: PageRequest) =>
  readPage<TrashRow>(ctx, page, {
    select: sql`t.*`,
    from: ctx.actor.role === 'admin' && seesEverything(ctx.actor) ? sql`trash t` : LISTED_SQL,
    where: entryVisibleTo(ctx.actor),
    order: [desc('timestamp', 't.deleted_at'), desc('id', 't.id')],
  })

/** The entry of this resource if the actor can see it. */
export const findTrash = async (ctx: Context, resource_id: string, lock?: 'locked'): Promise<TrashRow | undefined> => {
  const { rows } = await sql<TrashRow>`
    select t.* ${trashEntriesSql(ctx.actor)} and t.resource_id = ${resource_id} ${lock ? sql`for update of t` : sql``}
  `.execute(ctx.db)
  return rows[0]
}

export const markTrashDeleted = async (ctx: Context, trash: string): Promise<void> => {
  await sql`update trash set removed_at = ${ctx.now}::timestamptz where id = ${trash}`.execute(ctx.db)
}

const PURGE_BATCH_ROWS = 5_000

/** Runs once an hour: expires old entries and deletes the rows of removed entries in batches. */
export const purgeOldTrash = async ({ db, now }: Context): Promise<void> => {
  await sql`
    update trash set removed_at = ${now}::timestamptz
    where removed_at is null and deleted_at < ${now}::timestamptz - make_interval(days => ${TRASH_DAYS}::int)
  `.execute(db)
  for (;;) {
    const { rows } = await sql<{ trash: string; deleted: number }>`
      with one as (
        select t.id from trash t where t.removed_at is not null order by t.removed_at limit 1
      ), batch as (
        select w.trash, w.table_name, w.number from trash_rows w join one on one.id = w.trash limit ${sql.lit(PURGE_BATCH_ROWS)}
      ), deleted as (
        delete from trash_rows w using batch s where (w.trash, w.table_name, w.number) = (s.trash, s.table_name, s.number) returning w.trash
      )
      select one.id as trash, (select count(*) from deleted) as deleted from one
    `.execute(db)
    const [batch] = rows
    if (!batch) return
    if (batch.deleted < PURGE_BATCH_ROWS) await sql`delete from trash where id = ${batch.trash}`.execute(db)
  }
}
