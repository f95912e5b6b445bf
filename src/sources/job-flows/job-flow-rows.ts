import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { JobFlows } from './flows.ts'

/** SQL of incoming events. Private to this module. */

/** What must not be ingested twice at the same time: events of the same job. */
export interface JobLock {
  readonly integration: string
  readonly key: string
}

/** Serializes the events of jobs: two of the same run must not both create it. In one order, so that groups do not deadlock. */
export const lockJobs = async (db: Db, locks: readonly JobLock[]): Promise<void> => {
  const names = locks.map(({ integration, key }) => `openlineage ${integration} ${key}`)
  await sql`
    select pg_advisory_xact_lock(l.lock) from (
      select distinct hashtextextended(n.name, 0) as lock from unnest(${names}::text[]) n(name) order by lock
    ) l
  `.execute(db)
}

/** The existing resources of these keys, with their children. */
export const findResourceIdsOfKeys = async (db: Db, integration: string, keys: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with these as (select resource_id as id from resource_origins where integration = ${integration} and key = any(${keys}::text[]))
    select o.resource_id as id from resource_origins o
    where o.resource_id in (select id from these union all select r.id from resources r join these t on r.parent = t.id) and o.gone_at is null
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** The jobs that OpenLineage events of these names created, by key. */
export const findEventJobs = async (db: Db, keys: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ key: string; resource_id: string }>`
    select o.key, o.resource_id from integrations i join resource_origins o on o.integration = i.id and o.key = any(${keys}::text[])
    where i.type in ('openlineage', 'custom') and o.gone_at is null order by i.created_at
  `.execute(db)
  return new Map(rows.reverse().map(({ key, resource_id }) => [key, resource_id]))
}

export const findFlows = async (db: Db, ids: readonly string[]): Promise<Map<string, JobFlows>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ resource_id: string; flows: JobFlows }>`
    select resource_id, flows from openlineage_flows where resource_id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ resource_id, flows }) => [resource_id, flows]))
}

interface ResourceWithFlows {
  readonly resource_id: string
  readonly key: string
  readonly entity_type: string
}

/** The resources of an integration that have flows. */
export const findResourcesWithFlows = async (db: Db, integration: string): Promise<ResourceWithFlows[]> => {
  const { rows } = await sql<ResourceWithFlows>`
    select o.resource_id, o.key, r.entity_type from resource_origins o
    join openlineage_flows f on f.resource_id = o.resource_id join resources r on r.id = o.resource_id
    where o.integration = ${integration}
  `.execute(db)
  return rows
}

export const saveFlows = async (db: Db, flows: ReadonlyMap<string, JobFlows>): Promise<void> => {
  if (flows.size === 0) return
  const rows = [...flows].map(([resource_id, flows]) => ({ resource_id, flows }))
  await sql`
    insert into openlineage_flows (resource_id, flows)
    select x.resource_id, x.flows from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(resource_id uuid, flows jsonb)
    on conflict (resource_id) do update set flows = excluded.flows
  `.execute(db)
}

export const deleteFlows = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await sql`delete from openlineage_flows where resource_id = any(${ids}::uuid[])`.execute(db)
}

export interface StoredFlows {
  readonly resource_id: string
  readonly key: string
  readonly flows: JobFlows
}

/** Deletes and returns a batch of the flows of an integration's jobs and runs. */
export const popFlows = async (db: Db, integration: string, limit: number): Promise<StoredFlows[]> => {
  const { rows } = await sql<StoredFlows>`
    delete from openlineage_flows f using (
      select o.resource_id, o.key from resource_origins o join openlineage_flows f on f.resource_id = o.resource_id
      where o.integration = ${integration} limit ${sql.lit(limit)}
    ) gone where f.resource_id = gone.resource_id
    returning f.resource_id, gone.key, f.flows
  `.execute(db)
  return rows
}

/** The same of some of them. */
export const popFlowsOf = async (db: Db, integration: string, ids: readonly string[]): Promise<StoredFlows[]> => {
  const { rows } = await sql<StoredFlows>`
    delete from openlineage_flows f using resource_origins o
    where f.resource_id = any(${ids}::uuid[]) and o.resource_id = f.resource_id and o.integration = ${integration}
    returning f.resource_id, o.key, f.flows
  `.execute(db)
  return rows
}

/** Runs every hour: deletes flows of deleted resources. */
export const deleteOrphanedFlows = ({ db }: Context): Promise<void> =>
  deleteInBatches(db, 'openlineage_flows', sql`not exists (select from resources r where r.id = openlineage_flows.resource_id)`)

/** The runs of jobs beyond the newest ones, of jobs with enough of them to delete. */
export const findOldRuns = async (db: Db, jobs: readonly string[], kept: number, slack: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select old.id from resources p cross join lateral (
      select r.id from resources r where r.parent = p.id and r.entity_type = 'run'
      order by r.external_updated_at desc nulls last, r.id desc offset ${kept}
    ) old
    where p.id = any(${jobs}::uuid[]) and p.children_count > ${kept + slack}
  `.execute(db)
  return rows.map(({ id }) => id)
}
