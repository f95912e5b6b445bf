import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import type { JobFlows } from '../job-flows/flows.ts'
import { applyChanges, TIMED_ASPECTS } from './apply-changes.ts'
import type { Aspect, AspectChange, RejectedEvent } from './change.ts'
import { EntityStore, type StoredAspect } from './stored-aspects.ts'

/** SQL of DataHub's aspects. Private to this module. */

const pairKey = (urn: string, aspect: string): string => `${aspect}\0${urn}`

/** Applies the changes in their order. Two callers who change the same aspect wait for each other. Returns the patches that cannot be applied. */
export const saveChanges = async (
  ctx: Context,
  integration: string,
  changes: readonly AspectChange[],
): Promise<readonly RejectedEvent[]> => {
  await lockAspects(ctx.db, integration)
  const values = await loadValues(ctx.db, integration, changes)
  const { changed, deleted, rejected } = applyChanges(changes, (urn, aspect) => values.get(pairKey(urn, aspect)))
  if (deleted.size > 0) await deleteEntities(ctx.db, integration, [...deleted])
  const saved = changed.filter(({ value }) => value !== undefined)
  const removed = changed.filter(({ value }) => value === undefined)
  if (removed.length > 0)
    await sql`
      delete from datahub_aspects a using unnest(${removed.map(({ change }) => hashUrn(change.urn))}::bytea[], ${removed.map(({ change }) => change.aspect)}::text[]) d (urn_hash, aspect)
      where a.integration = ${integration} and a.urn_hash = d.urn_hash and a.aspect = d.aspect
    `.execute(ctx.db)
  if (saved.length > 0)
    await sql`
      insert into datahub_aspects (integration, urn_hash, aspect, urn, entity_type, value, changed_at)
      select ${integration}, n.urn_hash, n.aspect, n.urn, n.entity_type, n.value::jsonb, clock_timestamp()
      from unnest(${saved.map(({ change }) => hashUrn(change.urn))}::bytea[], ${saved.map(({ change }) => change.aspect)}::text[],
        ${saved.map(({ change }) => change.urn)}::text[], ${saved.map(({ change }) => change.entity_type)}::text[],
        ${saved.map(({ value }) => toStorableJson(value))}::text[]) n (urn_hash, aspect, urn, entity_type, value)
      on conflict (integration, urn_hash, aspect) do update set value = excluded.value, changed_at = excluded.changed_at
      where datahub_aspects.value <> excluded.value
    `.execute(ctx.db)
  return rejected
}

/** Postgres stores neither NUL nor unpaired surrogates. */
const toStorableJson = (value: Aspect): string => JSON.stringify(value).replace(/\\u0000|\\ud[89a-f][0-9a-f]{2}/gi, '\\ufffd')

const hashUrn = (urn: string): Buffer => hash('sha256', urn, 'buffer')

/** The present values of what is patched or measured. */
const loadValues = async (db: Db, integration: string, changes: readonly AspectChange[]): Promise<Map<string, Aspect>> => {
  const needed = changes.filter(({ change, aspect }) => change === 'patch' || TIMED_ASPECTS.has(aspect))
  if (needed.length === 0) return new Map()
  const { rows } = await sql<{ urn: string; aspect: string; value: Aspect }>`
    select a.urn, a.aspect, a.value from datahub_aspects a
    where a.integration = ${integration} and a.urn_hash = any(${[...new Set(needed.map(({ urn }) => urn))].map(hashUrn)}::bytea[])
  `.execute(db)
  return new Map(rows.map(({ urn, aspect, value }) => [pairKey(urn, aspect), value]))
}

const deleteEntities = async (db: Db, integration: string, urns: readonly string[]): Promise<void> => {
  await sql`delete from datahub_aspects where integration = ${integration} and urn_hash = any(${urns.map(hashUrn)}::bytea[])`.execute(db)
}

/** This bounds the memory of a sync: all entities are in memory, as text. */
const MAX_LOADED_CHARACTERS = 512 * 1024 * 1024
const PAGE_SIZE = 1_000

/** All reported entities, by URN. Changes during the sync are processed by the next one. */
export const loadEntities = async (db: Db, integration: string): Promise<EntityStore> => {
  const entities = new EntityStore()
  let loaded = 0
  let last: StoredAspect | undefined
  for (;;) {
    const after = last ? sql`(a.urn_hash, a.aspect) > (${hashUrn(last.urn)}, ${last.aspect})` : sql`true`
    const { rows } = await sql<StoredAspect>`
      select a.urn, a.entity_type, a.aspect, a.value::text as text, a.changed_at from datahub_aspects a
      where a.integration = ${integration} and ${after} order by a.urn_hash, a.aspect limit ${sql.lit(PAGE_SIZE)}
    `.execute(db)
    for (const row of rows) {
      entities.add(row)
      loaded += row.text.length
    }
    if (loaded > MAX_LOADED_CHARACTERS)
      throw new Error(
        `The events of this integration have more than ${MAX_LOADED_CHARACTERS / 1024 ** 2} MB together. Split the pipeline: events of each pipeline_name have an integration of their own.`,
      )
    if (rows.length < PAGE_SIZE) return entities
    last = rows.at(-1)
  }
}

/** What clients ask for: the state of the last run of a pipeline, which names everything that it has reported. */
const READABLE_ASPECT = 'datahubIngestionCheckpoint'

/**
 * The value of an aspect, if an integration that the caller can see has it. What else is known of an entity, its resource says to those who may see
 * it; and the names in a state are only for callers from whom nothing of the integration is hidden.
 */
export const findNewestAspect = async (ctx: Context, urn: string, aspect: string): Promise<Aspect | undefined> => {
  if (aspect !== READABLE_ASPECT) return undefined
  const seen = ctx.actor.role === 'admin' ? sql`true` : visibleTo(ctx.actor, 'i')
  const seesAll = seesEverything(ctx.actor)
    ? sql`true`
    : sql`not exists (select from resources r where r.integration = i.id and not ${visibleTo(ctx.actor)})`
  const { rows } = await sql<{ value: Aspect }>`
    select a.value from datahub_aspects a join integrations i on i.id = a.integration
    where a.urn_hash = ${hashUrn(urn)} and a.aspect = ${aspect} and ${seen} and ${seesAll} order by a.changed_at desc limit 1
  `.execute(ctx.db, ctx.limits)
  return rows[0]?.value
}

const lockAspects = async (db: Db, integration: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`datahub ${integration}`}, 0))`.execute(db)
}

/** Everything saved until this time can be loaded now; whatever is saved later has a later time. */
export const getLoadTime = (ctx: Context, integration: string): Promise<string> =>
  inTransaction(ctx, async ({ db }) => {
    await lockAspects(db, integration)
    const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
    return rows[0]!.now
  })

export const hasChangesSince = async (db: Db, integration: string, time: string): Promise<boolean> => {
  const { rows } = await sql`
    select from datahub_aspects a where a.integration = ${integration} and a.changed_at > ${time}::timestamptz limit 1
  `.execute(db)
  return rows.length > 0
}

/** By name as given, regardless of case. */
export const findGroupsByName = async (db: Db, names: readonly string[]): Promise<Map<string, string>> => {
  if (names.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select g.id, w.name from unnest(${names}::text[]) w (name) join groups g on lower(g.name) = lower(w.name)
  `.execute(db)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

export const findTagDescriptions = async (db: Db, ids: readonly string[]): Promise<Map<string, string | null>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; description: string | null }>`
    select id, description from tags where id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ id, description }) => [id, description]))
}

interface StoredFlow {
  readonly resource_id: string
  readonly key: string
  readonly flows: JobFlows
}

/** The flows that these resources of an integration reported before, by resource. */
export const findStoredFlows = async (db: Db, integration: string, ids: readonly string[]): Promise<Map<string, StoredFlow>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<StoredFlow>`
    select o.resource_id, o.key, f.flows from resource_origins o join openlineage_flows f on f.resource_id = o.resource_id
    where o.integration = ${integration} and o.resource_id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map((row) => [row.resource_id, row]))
}

/** The resources of an integration that reported flows before. */
export const listFlowOwners = async (db: Db, integration: string): Promise<string[]> => {
  const { rows } = await sql<{ resource_id: string }>`
    select o.resource_id from resource_origins o join openlineage_flows f on f.resource_id = o.resource_id where o.integration = ${integration}
  `.execute(db)
  return rows.map(({ resource_id }) => resource_id)
}

/** The glossary terms and collections of these resources. */
export const findMemberships = async (db: Db, ids: readonly string[]): Promise<Map<string, readonly string[]>> => {
  const { rows } = await sql<{ id: string; members: string[] }>`
    select id, coalesce(terms, '{}') || coalesce(collections, '{}') as members from resources where id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ id, members }) => [id, members]))
}

export interface DescribedElsewhere {
  readonly urn: string
  readonly integration: string
  readonly resource_id: string
}

/** The resources of other pipelines that describe these entities. */
export const findDescribedElsewhere = async (
  ctx: Context,
  integration: string,
  urns: readonly string[],
  aspects: readonly string[],
  toKey: (urn: string) => string,
): Promise<DescribedElsewhere[]> => {
  if (urns.length === 0) return []
  const { rows } = await sql<DescribedElsewhere>`
    select distinct on (n.urn) n.urn, o.integration, o.resource_id
    from unnest(${urns}::text[], ${urns.map(hashUrn)}::bytea[], ${urns.map(toKey)}::text[]) n (urn, urn_hash, key)
    join integrations i on i.type = 'datahub' and i.id <> ${integration} and i.removal_job is null
    join resource_origins o on o.integration = i.id and o.key = n.key and o.gone_at is null
    join resources r on r.id = o.resource_id and ${visibleTo(ctx.names_for ?? ctx.actor)}
    where exists (
      select from datahub_aspects a where a.integration = i.id and a.urn_hash = n.urn_hash and a.aspect = any(${aspects}::text[])
    )
    order by n.urn, o.integration
  `.execute(ctx.db)
  return rows
}

/** The columns below these tables, nested ones too: IDs by key. */
export const findColumnsByKey = async (db: Db, integration: string, tables: readonly string[]): Promise<Map<string, string>> => {
  if (tables.length === 0) return new Map()
  const { rows } = await sql<{ key: string; id: string }>`
    with recursive below as (
      select r.id from resources r where r.parent = any(${tables}::uuid[]) and r.entity_type = 'column'
      union all
      select r.id from below b join resources r on r.parent = b.id and r.entity_type = 'column'
    )
    select o.key, o.resource_id as id from below b join resource_origins o on o.resource_id = b.id where o.integration = ${integration}
  `.execute(db)
  return new Map(rows.map(({ key, id }) => [key, id]))
}
