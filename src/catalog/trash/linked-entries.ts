import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { recordUpdatesSql } from '../records/activities-sql.ts'
import { COPIED_TABLES, type CopiedTable } from './tables.ts'
import { type TrashRow, trashedRowsSql } from './trash-rows.ts'

/** Restores rows that belonged to restored resources or linked them to others. */

/** Tables whose rows reference two resources, with the columns. Such a row was copied because of one of them. */
const LINK_COLUMNS = {
  lineage_edges: ['upstream', 'downstream'],
  query_reads: ['query_id', 'resource_id'],
  members: ['collection', 'resource_id'],
} as const
const linkColumnPairs = Object.entries(LINK_COLUMNS).flatMap(([table, columns]) => columns.map((column) => [table, column] as const))

/** The resources referenced by these tables of a trash entry. */
const referencedIdsSql = (trash: string, tables: readonly (keyof typeof LINK_COLUMNS)[]) =>
  sql.join(
    linkColumnPairs
      .filter(([table]) => tables.includes(table as keyof typeof LINK_COLUMNS))
      .map(
        ([table, column]) =>
          sql`select (t.row ->> ${sql.lit(column)})::uuid as id from trash_rows t where t.trash = ${trash} and t.table_name = ${sql.lit(table)}`,
      ),
    sql` union `,
  )

/**
 * The trash entries that contain the resources of `missing`. A resource deleted several times is in several entries; the last one counts.
 */
const linkedEntriesSql = (trash: string) => sql`
  select distinct on (m.id) m.id, t.id as trash from missing m cross join lateral (
    select t.id, t.deleted_at from trash t where t.resource_id = m.id and t.removed_at is null
    union all
    select t.id, t.deleted_at from trash_rows w join trash t on t.id = w.trash
    where w.table_name = 'resources' and (w.row ->> 'id')::uuid = m.id and t.removed_at is null
  ) t where t.id <> ${trash} order by m.id, t.deleted_at desc, t.id`

const missingSql = (trash: string) => sql`
  missing as materialized (
    select n.id from (${referencedIdsSql(trash, ['lineage_edges', 'query_reads', 'members'])}) n where not exists (select from resources o where o.id = n.id)
  )`

/**
 * Locks the linked resources that exist (edges have no foreign key) and the trash entries of those that do not, so that none is restored
 * concurrently without the rows that would be moved to its entry.
 */
export const lockLinkedEntries = async ({ db }: Context, trash: string): Promise<void> => {
  await sql`
    select from resources o where o.id in (${referencedIdsSql(trash, ['lineage_edges', 'query_reads'])}) order by o.id for key share
  `.execute(db)
  await sql`
    with ${missingSql(trash)}
    select from trash t where t.removed_at is null and t.id in (select e.trash from (${linkedEntriesSql(trash)}) e) order by t.id for no key update
  `.execute(db)
}

/** Links to a resource that is still in the trash are moved to its entry and restored with it. */
export const moveToLinkedEntries = async ({ db }: Context, trash: string): Promise<void> => {
  for (const [table, column] of linkColumnPairs)
    await sql`
      with ${missingSql(trash)}, entries as materialized (
        ${linkedEntriesSql(trash)}
      ), moved as (
        update trash_rows w set trash = e.trash from entries e
        where w.trash = ${trash} and w.table_name = ${sql.lit(table)} and (w.row ->> ${sql.lit(column)})::uuid = e.id returning w.trash, w.row
      )
      insert into trash_rows (trash, table_name, row)
      select distinct m.trash, 'lineage_queries', q.row
      from moved m join trash_rows q on q.trash = ${trash} and q.table_name = 'lineage_queries' and q.row -> 'id' = m.row -> 'query'
    `.execute(db)
}

const REFERENCED_TABLES = { users: sql`users`, integrations: sql`integrations` }

/** Restores copied rows whose references all exist. Existing rows are not overwritten. */
export const restoreCopies = async (ctx: Context, { id, columns }: TrashRow, table: CopiedTable): Promise<void> => {
  const { of, needs } = COPIED_TABLES[table]
  const copied = columns[table]
  if (!copied) return // the entry is older than the table
  const names = sql.join(copied.map((name) => sql.ref(name)))
  const conditions = [
    ...of.map((column) => sql`exists (select from resources o where o.id = r.${sql.ref(column)})`),
    ...Object.entries(needs).map(
      ([other, column]) =>
        sql`exists (select from ${REFERENCED_TABLES[other as keyof typeof REFERENCED_TABLES]} o where o.id = r.${sql.ref(column)})`,
    ),
  ]
  await sql`
    insert into ${sql.table(table)} (${names}) select ${sql.join(copied.map((name) => sql.ref(`r.${name}`)))}
    from ${trashedRowsSql(id, table)} where ${sql.join(conditions, sql` and `)} on conflict do nothing
  `.execute(ctx.db)
}

/** Restores edges whose other end exists. The query of a derived edge may have been deleted since and gets a new ID. */
export const restoreEdges = async (ctx: Context, { id, columns }: TrashRow): Promise<void> => {
  const names = columns.lineage_edges!
  await sql`
    insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at)
    select distinct on (r.hash, r.dialect, r.engine_version) r.hash, r.sql, r.dialect, r.engine_version, r.statements, ${ctx.now}::timestamptz
    from ${trashedRowsSql(id, 'lineage_queries')} on conflict (hash, dialect, engine_version) do nothing
  `.execute(ctx.db)
  // The query is locked because edges have no foreign key to it.
  await sql`
    with queries as materialized (
      select distinct r.id, r.hash, r.dialect, r.engine_version from ${trashedRowsSql(id, 'lineage_queries')}
    ), known as materialized (
      select o.id as old, n.id from queries o join lineage_queries n
        on n.hash = o.hash and n.dialect = o.dialect and n.engine_version = o.engine_version for key share of n
    )
    insert into lineage_edges (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map((name) => (name === 'query' ? sql`k.id` : sql.ref(`r.${name}`))))}
    from ${trashedRowsSql(id, 'lineage_edges')} left join known k on k.old = r.query
    where (r.query is null or k.id is not null)
      and exists (select from resources o where o.id = r.upstream) and exists (select from resources o where o.id = r.downstream)
    on conflict do nothing
  `.execute(ctx.db)
}

const MEMBERS_PER_BATCH = 2_000

interface Member {
  readonly number: number
  /** The field in which the member refers to it. */
  readonly field: 'collections' | 'terms'
  readonly collection: string
  readonly resource_id: string
}

/**
 * Adds the members of a restored collection or glossary term again. All of them are locked, even if they still reference it: the task that removes
 * references after a deletion (`take_off`) has either finished with them, which is visible here, or waits for this lock and then finds the
 * target restored.
 */
export const restoreMembers = async (
  ctx: Context,
  trash: string,
  entry: string,
  progress: (done: number) => Promise<void>,
): Promise<void> => {
  for (let [after, done] = [0, 0]; ; ) {
    const { rows } = await sql<Member>`
      select t.number, coalesce(t.row ->> 'field', 'collections') as field, t.row ->> 'collection' as collection, t.row ->> 'resource_id' as resource_id from trash_rows t
      where t.trash = ${trash} and t.table_name = 'members' and t.number > ${after}::bigint order by t.number limit ${sql.lit(MEMBERS_PER_BATCH)}
    `.execute(ctx.db)
    if (rows.length === 0) return
    after = rows.at(-1)!.number
    done += rows.length
    for (const [field, members] of Map.groupBy(rows, (row) => row.field)) await addMembers(ctx, field, members, entry)
    await progress(done)
  }
}

const addMembers = async (ctx: Context, field: Member['field'], members: readonly Member[], entry: string): Promise<void> => {
  const column = sql.ref(field)
  const ids = members.map(({ resource_id }) => resource_id)
  await sql`select from resources r where r.id = any(${ids}::uuid[]) order by r.id for no key update`.execute(ctx.db)
  await sql`
    with restored as materialized (
      select m.id, array_agg(distinct c.id) as targets
      from unnest(${ids}::uuid[], ${members.map(({ collection }) => collection)}::uuid[]) m (id, collection) join resources c on c.id = m.collection
      group by m.id
    ), written as (
      update resources r set version = b.version + 1, updated_at = ${ctx.now}::timestamptz,
        ${column} = coalesce(b.${column}, '{}') || array(select unnest(w.targets) except select unnest(b.${column}))
      from resources b join restored w on w.id = b.id where r.id = b.id and not w.targets <@ coalesce(b.${column}, '{}')
      returning r.id, r.entity_type, r.title, r.icon, r.integration, r.version, b.${column} as before, r.${column} as after
    )
    ${recordUpdatesSql(ctx, field, entry)}
  `.execute(ctx.db)
}
