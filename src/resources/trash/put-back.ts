import { type RawBuilder, sql } from 'kysely'
import { visibleTo } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import { conflict, denied } from '../../errors.ts'
import { recordActivities, recordedFrom } from '../../history/record.ts'
import { type KeptValue, restoreValues } from '../../properties/kept.ts'
import { blankRow, firstChanges } from '../change.ts'
import { versionEntry } from '../entry.ts'
import { updateAllBelow } from '../paths.ts'
import type { ResourceRow } from '../record.ts'
import { NOUNS } from '../take-off.ts'
import { markRemoved, type TrashRow } from './store.ts'
import { COPIED, type CopiedTable } from './tables.ts'

const AT_ONCE = 2_000

/**
 * After so many rows Postgres counts again. If the table was nearly empty when it last did, right after a large deletion, it takes any index
 * for as good as another, and looks IDs up in one that it has to read whole.
 */
const ANALYZED_AT = [12_000, 30_000, 100_000, 300_000, 1_000_000]

type Progress = (restored: number) => Promise<void>

/** Whether everything below can come back; said before anything is written. */
export const mustBeRestorable = async ({ db }: Context, { id }: TrashRow): Promise<void> => {
  const { rows } = await sql<{ problem: string; title: string; other: string }>`
    with rows as materialized (
      select (t.row ->> 'id')::uuid as id, t.row ->> 'title' as title, (t.row ->> 'integration')::uuid as integration, t.row ->> 'databuilder_id' as key
      from trash_rows t where t.trash = ${id} and t.table_name = 'resources'
    )
    select p.* from (
      (select 'exists' as problem, r.title, r.id as other from rows r join resources o on o.id = r.id limit 1)
      union all
      (select 'reported', r.title, o.id from rows r join resources o on o.integration = r.integration and o.databuilder_id = r.key limit 1)
      union all
      (select 'integration', r.title, r.integration from rows r
       where r.integration is not null and not exists (select from integrations i where i.id = r.integration) limit 1)
    ) p limit 1
  `.execute(db)
  const [found] = rows
  if (found) throw conflict(PROBLEMS[found.problem]!(found.title, found.other))
}

const PROBLEMS: Record<string, (title: string, other: string) => string> = {
  exists: (title, other) => `“${title}” (${other}), which was below it, exists again. Delete that one first.`,
  reported: (title, other) =>
    `The source has reported “${title}”, which was below it, again: it is resource ${other} now. Delete that one first.`,
  integration: (title, other) => `“${title}”, which was below it, belonged to integration ${other}, which is gone.`,
}

/** The rows of one table in an entry of the trash, as rows of that table under the alias `r`; the copy itself is `t`. */
const rowsOf = (trash: string, table: string): RawBuilder<unknown> => sql`
  (select * from trash_rows where trash = ${trash} and table_name = ${table}) t cross join lateral jsonb_populate_record(null::${sql.table(table)}, t.row) r`

/**
 * Brings back what was below a resource that is there again, and what belonged to all of them. In the caller's transaction; `entry` is the
 * entry of history the others follow from.
 */
export const putBack = async (
  ctx: Context,
  found: TrashRow,
  root: ResourceRow,
  entry: string,
  progress: Progress = async () => {},
): Promise<void> => {
  const trash = { ...found, columns: await columnsStillThere(ctx, found.columns) }
  for (let [after, restored] = [0, 0]; ; ) {
    const copies = await nextCopies(ctx, trash.id, after)
    if (copies.length === 0) break
    after = copies.at(-1)!.number
    await putResources(ctx, trash, copies, entry)
    const [before, now] = [restored, restored + copies.length]
    if (ANALYZED_AT.some((n) => before < n && now >= n)) await sql`analyze resources`.execute(ctx.db)
    restored = now
    await progress(restored)
  }
  // They were copied with the paths they had then.
  await updateAllBelow(ctx.db, root.id)
  for (const table of Object.keys(COPIED) as CopiedTable[]) if (table !== 'lineage_edges') await putCopies(ctx, trash, table)
  await putEdges(ctx, trash)
  await putMembers(ctx, trash.id, entry)
  await sql`
    update monitors m set target_gone_at = null
    where m.target_gone_at is not null and exists (select from resources r where r.id = m.target)
  `.execute(ctx.db)
  await markRemoved(ctx, trash.id)
}

/** A migration may have dropped one since. */
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
  const { rows: hidden } = await sql`
    with put as (
      insert into resources (${names})
      select ${names} from (
        select r.* from trash_rows t cross join lateral jsonb_populate_record(null::resources,
          t.row || jsonb_build_object('version', (t.row ->> 'version')::int + 2, 'children_count', 0, 'updated_at', ${ctx.now}::timestamptz)) r
        where t.trash = ${id} and t.table_name = 'resources' and t.number between ${copies[0]!.number}::bigint and ${copies.at(-1)!.number}::bigint
      ) r
      returning *
    )
    select from put r where not ${visibleTo(ctx.actor)} limit 1
  `.execute(ctx.db)
  if (hidden.length > 0) throw denied('Below this resource were others that you may not see.')
  const kept = copies.flatMap(({ row: { id, entity_type, values = [] } }) =>
    values.map((each): KeptValue => ({ ...each, resource_id: id, entity_type })),
  )
  const values = Map.groupBy(await restoreValues(ctx, kept), ({ resource_id }) => resource_id)
  await recordActivities(
    ctx,
    copies.map(({ row: { values: _, ...copy } }) => {
      const row = { ...blankRow(copy.id, copy.entity_type, copy.title, ctx.now), ...copy, version: copy.version + 2 }
      return versionEntry(row, 'restored', [...firstChanges(row), ...(values.get(row.id) ?? []).map(({ change }) => change)], {
        parent_id: entry,
      })
    }),
  )
}

const EXISTS = { users: sql`users`, integrations: sql`integrations` }

/** What belonged to them, where everything it names is there. What is there already stays as it is. */
const putCopies = async (ctx: Context, { id, columns }: TrashRow, table: CopiedTable): Promise<void> => {
  const { of, needs } = COPIED[table]
  const names = sql.join(columns[table]!.map((name) => sql.ref(name)))
  const conditions = [
    ...of.map((column) => sql`exists (select from resources o where o.id = r.${sql.ref(column)})`),
    ...Object.entries(needs).map(
      ([other, column]) => sql`exists (select from ${EXISTS[other as keyof typeof EXISTS]} o where o.id = r.${sql.ref(column)})`,
    ),
  ]
  await sql`
    insert into ${sql.table(table)} (${names}) select ${sql.join(columns[table]!.map((name) => sql.ref(`r.${name}`)))}
    from ${rowsOf(id, table)} where ${sql.join(conditions, sql` and `)} on conflict do nothing
  `.execute(ctx.db)
}

/** Edges whose other ends are there. The query of a derived one may have been forgotten since, and has another number then. */
const putEdges = async (ctx: Context, { id, columns }: TrashRow): Promise<void> => {
  const names = columns.lineage_edges!
  await sql`
    insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at)
    select distinct on (r.hash, r.dialect, r.engine_version) r.hash, r.sql, r.dialect, r.engine_version, r.statements, ${ctx.now}::timestamptz
    from ${rowsOf(id, 'lineage_queries')} on conflict (hash, dialect, engine_version) do nothing
  `.execute(ctx.db)
  // Both ends and the query of an edge are locked by whoever writes it, because there is no foreign key.
  await sql`
    select from resources o where o.id in (
      select r.upstream from ${rowsOf(id, 'lineage_edges')} union select r.downstream from ${rowsOf(id, 'lineage_edges')}
    ) order by o.id for key share
  `.execute(ctx.db)
  await sql`
    with queries as materialized (
      select distinct r.id, r.hash, r.dialect, r.engine_version from ${rowsOf(id, 'lineage_queries')}
    ), known as materialized (
      select o.id as old, n.id from queries o join lineage_queries n
        on n.hash = o.hash and n.dialect = o.dialect and n.engine_version = o.engine_version for key share of n
    )
    insert into lineage_edges (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map((name) => (name === 'query' ? sql`k.id` : sql.ref(`r.${name}`))))}
    from ${rowsOf(id, 'lineage_edges')} left join known k on k.old = r.query
    where (r.query is null or k.id is not null)
      and exists (select from resources o where o.id = r.upstream) and exists (select from resources o where o.id = r.downstream)
    on conflict do nothing
  `.execute(ctx.db)
}

/** Members of a collection that is back belong to it again. */
const putMembers = async (ctx: Context, trash: string, entry: string): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select r.id from resources r where r.id in (
        select (t.row ->> 'resource_id')::uuid from trash_rows t join resources c on c.id = (t.row ->> 'collection')::uuid
        where t.trash = ${trash} and t.table_name = 'members'
          and not exists (select from resource_refs f where f.target = c.id and f.field = 'collections' and f.resource_id = (t.row ->> 'resource_id')::uuid)
      ) order by r.id limit ${sql.lit(AT_ONCE)} for no key update
    `.execute(ctx.db)
    if (rows.length === 0) return
    await sql`
      with wanted as (
        select (t.row ->> 'resource_id')::uuid as id, array_agg(distinct c.id) as collections
        from trash_rows t join resources c on c.id = (t.row ->> 'collection')::uuid
        where t.trash = ${trash} and t.table_name = 'members' and (t.row ->> 'resource_id')::uuid = any(${rows.map(({ id }) => id)}::uuid[])
        group by 1
      ), written as (
        update resources r set version = b.version + 1, updated_at = ${ctx.now}::timestamptz,
          collections = coalesce(b.collections, '{}') || array(select unnest(w.collections) except select unnest(b.collections))
        from resources b join wanted w on w.id = b.id where r.id = b.id
        returning r.id, r.entity_type, r.title, r.icon, r.integration, r.version, b.collections as before, r.collections as after
      )
      ${recordedFrom(
        ctx,
        sql`
          select gen_random_uuid() as id, ${entry}::uuid as parent_id, (${NOUNS}::text::json ->> w.entity_type) || '_updated' as activity_type,
            w.id as resource_id, w.entity_type as resource_type, w.title as resource_title, w.icon as resource_icon, w.integration as integration_id,
            w.version, jsonb_build_array(jsonb_build_object('field', 'collections', 'from', to_jsonb(w.before), 'to', to_jsonb(w.after))) as changes,
            null::uuid as parent_left
          from written w`,
        'versions',
      )}
    `.execute(ctx.db)
  }
}
