import { sql } from 'kysely'
import type { RecordedEdit } from '../../catalog/undo/restore-fields.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { fullChangesSql } from '../../platform/history/texts.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { ImportRow } from './import-rows.ts'

/** SQL that finds what an import did by its activities: they are of one transaction and have one time. */

/** What identifies the activities of an import. */
type ImportTransaction = Pick<ImportRow, 'xid' | 'imported_at'>

const isOfImportSql = (alias: string, { xid, imported_at }: ImportTransaction) => sql`
  ${sql.ref(`${alias}.xid`)} = ${xid}::xid8 and ${sql.ref(`${alias}.logged_at`)} = ${imported_at}::timestamptz`

const PROPERTY_TYPES = ['property_set', 'property_cleared']
const isEditSql = (alias: string) => sql`
  (${sql.ref(`${alias}.version`)} > 1 or ${sql.ref(`${alias}.activity_type`)} = any(${PROPERTY_TYPES}::text[]))`

/** Resources that existed before the import and were changed by it. */
export const listEditedResources = async ({ db, limits }: Context, transaction: ImportTransaction): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select a.resource_id as id from activities a
    where ${isOfImportSql('a', transaction)} and a.resource_id is not null and ${isEditSql('a')}
    except
    select a.resource_id from activities a where ${isOfImportSql('a', transaction)} and a.version = 1
    order by id
  `.execute(db, limits)
  return rows.map(({ id }) => id)
}

/** The changes an import made to these resources, newest first: of fields and, as `custom_property`, of property values. */
export const readImportedEdits = async (
  { db, limits }: Context,
  transaction: ImportTransaction,
  ids: readonly string[],
): Promise<RecordedEdit[]> => {
  const { rows } = await sql<RecordedEdit>`
    select a.resource_id, ${fullChangesSql('a')} as changes from activities a
    where ${isOfImportSql('a', transaction)} and a.resource_id = any(${ids}::uuid[]) and ${isEditSql('a')}
    order by a.resource_id, a.version desc nulls last, a.id desc
  `.execute(db, limits)
  return rows
}

export interface CreatedResource {
  readonly id: string
  readonly parent: string | null
  readonly title: string
  readonly entity_type: string
  readonly kept: 'used' | 'contains' | 'part' | 'reported' | null
  readonly visible: boolean
  /** The top of a tree that is moved to the trash as one. */
  readonly is_root: boolean
}

interface CreatedOptions {
  /** Resources that a preview assumes to be where they were before the import. */
  readonly movedBack?: readonly string[]
  /** Only these resources and what is in them. */
  readonly below?: readonly string[]
}

/**
 * The resources an import created and that still exist. Those are kept that a source reports by now, that someone has changed or used, or that
 * the actor cannot see, everything above them or above something that others put into it, and the columns of what is kept.
 */
export const findCreatedResources = async (
  { db, actor, limits }: Context,
  transaction: ImportTransaction,
  { movedBack = [], below }: CreatedOptions = {},
): Promise<CreatedResource[]> => {
  // In a few trees, each resource is looked up by its version: an import may have written a million others.
  const candidates =
    below === undefined
      ? sql`activities a join resources r on r.id = a.resource_id where ${isOfImportSql('a', transaction)} and a.version = 1`
      : sql`tree t join resources r on r.id = t.id where exists (
          select from activities a where a.resource_id = r.id and a.version = 1 and ${isOfImportSql('a', transaction)} offset 0)`
  const { rows } = await sql<CreatedResource>`
    with recursive tree as (
      select r.id from resources r where r.id = any(${below ?? []}::uuid[])
      union
      select c.id from tree t join resources c on c.parent = t.id
    ), created as materialized (
      select r.id, r.parent, r.title, r.entity_type, ${visibleTo(actor)} as visible,
        case
          when exists (select from resource_origins o where o.resource_id = r.id) then 'reported'
          when exists (
            select from activities p where p.resource_id = r.id and p.performer_type <> 'SYSTEM' and not (${isOfImportSql('p', transaction)})
          ) or not ${visibleTo(actor)} then 'used'
        end as kept
      from ${candidates}
    ), parents_of_others as materialized (
      select distinct c.parent as id from created p join resources c on c.parent = p.id
      left join created o on o.id = c.id left join unnest(${movedBack}::uuid[]) b(id) on b.id = c.id
      where o.id is null and b.id is null
    ), kept_with_ancestors as (
      select c.id, c.parent from created c where c.kept is not null or c.id in (select o.id from parents_of_others o)
      union
      select p.id, p.parent from kept_with_ancestors k join created p on p.id = k.parent
    ), kept_parts as (
      select c.id from kept_with_ancestors k join created c on c.parent = k.id and is_part_of_parent(c.entity_type)
      union
      select c.id from kept_parts p join created c on c.parent = p.id and is_part_of_parent(c.entity_type)
    ), kept as materialized (
      select k.id, 'contains' as reason from kept_with_ancestors k
      union all
      select p.id, 'part' from kept_parts p where p.id not in (select k.id from kept_with_ancestors k)
    ), deleted as materialized (
      select c.id from created c where c.id not in (select k.id from kept k)
    )
    select c.id, c.parent, c.title, c.entity_type, c.visible, case when k.id is not null then coalesce(c.kept, k.reason) end as kept,
      k.id is null and d.id is null as is_root
    from created c left join kept k on k.id = c.id left join deleted d on d.id = c.parent
    order by c.id
  `.execute(db, limits)
  return rows
}

/** Locks trees, so that nothing is added or changed in them until the transaction ends. */
export const lockTrees = async (db: Db, roots: readonly string[]): Promise<void> => {
  await sql`
    with recursive tree as (
      select r.id from resources r where r.id = any(${roots}::uuid[])
      union
      select c.id from tree t join resources c on c.parent = t.id
    )
    select from resources r where r.id in (select t.id from tree t) order by r.id for update
  `.execute(db)
}

/** Of these containers, those with a published child, other than the `unpublished` ones. */
export const findContainersInUse = async (
  { db, limits }: Context,
  ids: readonly string[],
  unpublished: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ parent: string }>`
    select distinct c.parent from resources c
    where c.parent = any(${ids}::uuid[]) and c.published and not exists (select from unnest(${unpublished}::uuid[]) u(id) where u.id = c.id)
  `.execute(db, limits)
  return new Set(rows.map(({ parent }) => parent))
}

/** The entries of manual edges that the import created and that still exist, if the actor sees both ends. Those of `deleted` resources are left out. */
export const findImportedEdges = async (
  { db, actor, limits }: Context,
  transaction: ImportTransaction,
  deleted: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select e.id from activities a
    cross join lateral jsonb_to_recordset(a.changes) as c(field text, "to" jsonb)
    cross join lateral jsonb_array_elements_text(case when c.field = 'downstream' then c.to end) as d(id)
    join lineage_edges e on e.upstream = a.resource_id and e.downstream = d.id::uuid and e.query is null and e.created_at = a.logged_at
    join resources u on u.id = e.upstream and ${visibleTo(actor, 'u')} join resources w on w.id = e.downstream and ${visibleTo(actor, 'w')}
    where ${isOfImportSql('a', transaction)} and a.activity_type = 'lineage_created'
      and not exists (select from unnest(${deleted}::uuid[]) x(id) where x.id in (e.upstream, e.downstream))
    order by e.id
  `.execute(db, limits)
  return rows.map(({ id }) => id)
}

/** Of these resources, those that exist and the actor can see. */
export const findExisting = async ({ db, actor, limits }: Context, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select r.id from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(actor)}`.execute(
    db,
    limits,
  )
  return new Set(rows.map(({ id }) => id))
}
