import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { Item, ItemDefinition, ItemUsage } from './item.ts'
import type { Fields } from './merge.ts'
import type { PreviousSync } from './previous-sync.ts'

/** SQL of syncs: staged items, and what sources last reported. Private to this module. */

export interface StagedItem {
  readonly number: number
  readonly entity_type: string
  readonly key: string
  readonly stable_id: string | null
  readonly fingerprint: string
  /** Hash of its definition, if it has one. */
  readonly lineage: string | null
  /** Null: unchanged since last time. */
  readonly item: Item | null
  /** Usage of a query. */
  readonly used: ItemUsage | null
}

/** If a source lists the same key twice, the first one counts. Returns the number of staged items by entity type. */
export const insertItems = async (db: Db, sync_id: string, items: readonly StagedItem[]): Promise<{ entity_type: string; n: number }[]> => {
  const { rows } = await sql<{ entity_type: string; n: number }>`
    with added as (
      insert into sync_items (sync_id, number, entity_type, key, stable_id, fingerprint, lineage, item, used)
      select ${sync_id}::uuid, number, entity_type, key, stable_id, fingerprint, lineage, item, used
      from json_to_recordset(${JSON.stringify(items)}::text::json) as x(
        number int, entity_type text, key text, stable_id text, fingerprint text, lineage text, item jsonb, used jsonb)
      on conflict (sync_id, key) do nothing
      returning entity_type
    )
    select entity_type, count(*) as n from added group by entity_type
  `.execute(db)
  return rows
}

export const deleteStagedItems = async (db: Db, sync_id: string): Promise<void> => {
  await sql`delete from sync_items where sync_id = ${sync_id}`.execute(db)
}

const MAX_AGE_MS = 24 * 3_600_000

/** Left behind by processes that crashed. IDs start with their creation time. */
export const deleteOldItems = async ({ db, now }: Context): Promise<void> => {
  const hex = (now.getTime() - MAX_AGE_MS).toString(16).padStart(12, '0')
  await deleteInBatches(db, 'sync_items', sql`sync_id < ${`${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`}::uuid`)
}

/** Origins of resources that have been deleted since, so that they are created again. If there are any, their connector must report everything again. */
export const deleteOriginsOfDeleted = async (db: Db, integration: string): Promise<void> => {
  await sql`
    with deleted as (
      delete from resource_origins o where o.integration = ${integration} and not exists (select from resources r where r.id = o.resource_id) returning o.key
    )
    delete from connector_versions v where v.integration = ${integration} and exists (select from deleted)
  `.execute(db)
}

export const deleteOrigins = async (db: Db, ids: readonly string[]): Promise<void> => {
  await sql`delete from resource_origins where resource_id = any(${ids}::uuid[])`.execute(db)
}

export interface PlannedItem extends Omit<StagedItem, 'item' | 'used'> {
  readonly item: Item
  /** The resource it matches, if any. */
  readonly resource_id: string | null
  readonly reported_values: Fields | null
  readonly renamed: boolean
  readonly was_gone: boolean
}

type Candidate = Omit<PlannedItem, 'renamed'> & {
  /** The former key of the same object in the source, when the item's own key is new. */
  readonly former: string | null
}

/**
 * The next new or changed items, in the order the source listed them. An item is matched by its key; else by the source key of an existing
 * resource; else, when its old key is missing, by its stable ID in the source.
 */
export const nextStagedItems = async (
  db: Db,
  integration: string,
  sync_id: string,
  previous: PreviousSync,
  after: number,
  limit: number,
): Promise<PlannedItem[]> => {
  const { rows } = await sql<Candidate>`
    select s.number, s.entity_type, s.key, s.stable_id, s.fingerprint, s.lineage, s.item, coalesce(o.resource_id, m.resource_id, k.id) as resource_id,
      coalesce(o.reported_values, m.reported_values) as reported_values, m.key as former, coalesce(o.gone_at, m.gone_at) is not null as was_gone
    from sync_items s
    left join resource_origins o on o.integration = ${integration} and o.key = s.key
    left join lateral (
      select m.* from resource_origins m
      where o.resource_id is null and m.integration = ${integration} and m.stable_id = s.stable_id
        and not exists (select from sync_items t where t.sync_id = ${sync_id} and t.key = m.key)
        and not exists (select from resources r where r.integration = ${integration} and r.databuilder_id = s.key collate "default")
      order by m.gone_at desc nulls first, m.key limit 1
    ) m on true
    left join lateral (
      select r.id from resources r
      where o.resource_id is null and m.resource_id is null and r.integration = ${integration}
        and r.databuilder_id = s.key collate "default" -- under another collation the planner reads all of the integration
      limit 1
    ) k on true
    where s.sync_id = ${sync_id} and s.number > ${after}::int
      and (o.resource_id is null or o.fingerprint <> s.fingerprint or o.gone_at is not null)
    order by s.number limit ${sql.lit(limit)}
  `.execute(db)
  return rows.map(({ former, ...item }) => {
    if (former === null) return { ...item, renamed: false }
    // Unchanged items are not staged: the former one still exists, so this is a different object.
    return item.was_gone || previous.wasNotSeen(former)
      ? { ...item, renamed: true }
      : { ...item, resource_id: null, reported_values: null, renamed: false }
  })
}

export interface KnownItem {
  readonly key: string
  readonly resource_id: string
  readonly reported_values: Fields | null
  readonly fingerprint: string | null
  readonly was_gone: boolean
  readonly facts: unknown
  readonly children_count: number
  /** What flows through it, if it is a job, a run or a dataset of events. */
  readonly flows: unknown
}

/**
 * What is known about these items by key: from the last sync, or as an existing resource. New ones are absent. Resources that no source has
 * reported are rare, and looking for them reads a whole integration while the planner takes it for small: without `unreported` they are left
 * out, and creating them again violates a unique index.
 */
export const findKnownItems = async (
  db: Db,
  integration: string,
  keys: readonly string[],
  { unreported = true }: { unreported?: boolean } = {},
): Promise<Map<string, KnownItem>> => {
  if (keys.length === 0) return new Map()
  const withoutOrigin = sql`
    union all
    select r.databuilder_id, r.id, null, null, false, null, r.children_count, null, false from resources r
    where r.integration = ${integration} and r.databuilder_id = any(${keys}::text[])
      and not exists (select from resource_origins o where o.resource_id = r.id)`
  const { rows } = await sql<KnownItem & { is_deleted: boolean }>`
    select o.key, o.resource_id, o.reported_values, o.fingerprint, o.gone_at is not null as was_gone, r.display_metadata as facts, r.children_count,
      f.flows, r.id is null as is_deleted
    from resource_origins o left join resources r on r.id = o.resource_id left join openlineage_flows f on f.resource_id = o.resource_id
    where o.integration = ${integration} and o.key = any(${keys}::text[]) ${unreported ? withoutOrigin : sql``}
  `.execute(db)
  const deleted = rows.filter(({ is_deleted }) => is_deleted)
  if (deleted.length > 0)
    await deleteOrigins(
      db,
      deleted.map(({ resource_id }) => resource_id),
    )
  return new Map(rows.flatMap((row) => (row.is_deleted ? [] : [[row.key, row] as const])))
}

/** Resource IDs by key. */
export const findResourceIdsByKey = async (db: Db, integration: string, keys: readonly string[]): Promise<Map<string, string>> => {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: string; resource_id: string }>`
    select o.key, o.resource_id from resource_origins o where o.integration = ${integration} and o.key = any(${keys}::text[])
  `.execute(db)
  return new Map(rows.map(({ key, resource_id }) => [key, resource_id]))
}

export interface Origin {
  readonly resource_id: string
  readonly key: string
  readonly stable_id: string | null
  readonly reported_values: Fields
  readonly fingerprint: string
}

export const saveOrigins = async (db: Db, integration: string, origins: readonly Origin[]): Promise<void> => {
  await sql`
    insert into resource_origins (resource_id, integration, key, stable_id, reported_values, fingerprint)
    select resource_id, ${integration}::uuid, key, stable_id, reported_values, fingerprint
    from json_to_recordset(${JSON.stringify(origins)}::text::json) as x(
      resource_id uuid, key text, stable_id text, reported_values jsonb, fingerprint text)
    on conflict (resource_id) do update set integration = excluded.integration, key = excluded.key, stable_id = excluded.stable_id,
      reported_values = excluded.reported_values, fingerprint = excluded.fingerprint, gone_at = null
  `.execute(db)
}

export interface MissingItem {
  readonly key: string
  readonly resource_id: string
  readonly entity_type: string
}

/** The next resources that existed before this sync or were created by it. */
export const findExistingResources = async (db: Db, integration: string, after: string, limit: number): Promise<MissingItem[]> => {
  const { rows } = await sql<MissingItem>`
    select o.key, o.resource_id, r.entity_type from resource_origins o join resources r on r.id = o.resource_id
    where o.integration = ${integration} and o.gone_at is null and o.key > ${after}
    order by o.key limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

export const markMissing = async (db: Db, ids: readonly string[], at: Date): Promise<void> => {
  await sql`update resource_origins set gone_at = ${at}::timestamptz where resource_id = any(${ids}::uuid[])`.execute(db)
}

/** Missing for longer than this, stale and not archived yet. Resources that a user restored are excluded. */
export const findLongStale = async (db: Db, integration: string, before: Date, limit: number): Promise<MissingItem[]> => {
  const { rows } = await sql<MissingItem>`
    select o.key, o.resource_id, r.entity_type from resource_origins o join resources r on r.id = o.resource_id
    where o.integration = ${integration} and o.gone_at < ${before}::timestamptz and r.stale and not r.archived and not o.reported_values ? 'archived'
    order by o.resource_id limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

/** Records that the source archived it, so that the sync may unarchive it when it comes back. */
export const markArchivedBySource = async (db: Db, ids: readonly string[]): Promise<void> => {
  await sql`update resource_origins set reported_values = reported_values || '{"archived": true}' where resource_id = any(${ids}::uuid[])`.execute(
    db,
  )
}

export interface DefinedItem {
  readonly number: number
  readonly resource_id: string
  readonly entity_type: string
  readonly definition: ItemDefinition
  readonly lineage: string
  readonly before: string | null
  /** Its SQL reads tables of other sources: a chart, or a table in a dashboard group. */
  readonly reads_other_sources: boolean
}

/** Items whose definition differs from the one their lineage was derived from. */
export const nextDefinitions = async (
  db: Db,
  integration: string,
  sync_id: string,
  after: number,
  limit: number,
): Promise<DefinedItem[]> => {
  const { rows } = await sql<DefinedItem>`
    select s.number, o.resource_id, s.entity_type, s.item -> 'made_by' as definition, s.lineage, o.lineage as before,
      s.entity_type = 'chart' or exists (
        select from resources r join resources p on p.id = r.parent where r.id = o.resource_id and p.entity_type = 'dashboard_group'
      ) as reads_other_sources
    from sync_items s join resource_origins o on o.integration = ${integration} and o.key = s.key
    where s.sync_id = ${sync_id} and s.number > ${after}::int and s.lineage is not null and o.lineage is distinct from s.lineage
    order by s.number limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

export const saveLineageFingerprints = async (db: Db, items: readonly Pick<DefinedItem, 'resource_id' | 'lineage'>[]): Promise<void> => {
  if (items.length === 0) return
  await sql`
    update resource_origins o set lineage = l.lineage
    from unnest(${items.map(({ resource_id }) => resource_id)}::uuid[], ${items.map(({ lineage }) => lineage)}::text[]) l (resource_id, lineage)
    where o.resource_id = l.resource_id
  `.execute(db)
}
