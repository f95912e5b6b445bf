import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { JobFlows } from '../job-flows/flows.ts'

/** SQL of lineage that pipelines report for resources of other integrations. Private to this module. */

export interface AddedFlow {
  /** Of the entity, as an item. */
  readonly key: string
  readonly resource_id: string
  readonly flows: JobFlows
}

export const findAddedFlows = async (db: Db, integration: string): Promise<Map<string, AddedFlow>> => {
  const { rows } = await sql<AddedFlow>`
    select f.key, f.resource_id, f.flows from datahub_added_flows f where f.integration = ${integration}
  `.execute(db)
  return new Map(rows.map((row) => [row.key, row]))
}

export const saveAddedFlowRows = async (
  db: Db,
  integration: string,
  sync_id: string | null,
  added: readonly AddedFlow[],
): Promise<void> => {
  if (added.length === 0) return
  await sql`
    insert into datahub_added_flows (integration, key, resource_id, flows, sync_id)
    select ${integration}::uuid, x.key, x.resource_id, x.flows, ${sync_id}::uuid
    from json_to_recordset(${JSON.stringify(added)}::text::json) as x(key text, resource_id uuid, flows jsonb)
    on conflict (integration, key) do update set resource_id = excluded.resource_id, flows = excluded.flows
  `.execute(db)
}

/** An evidence that does not say which pipeline it is from, as SHA-256, hex. */
export interface SharedEvidence extends Pick<AddedFlow, 'key' | 'resource_id'> {
  readonly hash: string
}

/** Those of them that are stored, except those of resources whose own integration reports the same entity: they are its evidence. */
export const findSharedEvidence = async (db: Db, evidence: readonly SharedEvidence[]): Promise<Map<string, string>> => {
  if (evidence.length === 0) return new Map()
  const { rows } = await sql<Pick<SharedEvidence, 'key' | 'hash'>>`
    select distinct x.key, x.hash from json_to_recordset(${JSON.stringify(evidence)}::text::json) as x(key text, resource_id uuid, hash text)
      join lineage_queries q on q.hash = decode(x.hash, 'hex')
    where not exists (
      select from resource_origins o join openlineage_flows f on f.resource_id = o.resource_id
      where o.resource_id = x.resource_id and o.key = x.key)
  `.execute(db)
  return new Map(rows.map(({ key, hash }) => [key, hash]))
}

/** Deletes and returns a batch, of all syncs or of one. */
export const popAddedFlows = async (db: Db, integration: string, limit: number, sync_id?: string): Promise<AddedFlow[]> => {
  const ofSync = sync_id === undefined ? sql`true` : sql`f.sync_id = ${sync_id}`
  const { rows } = await sql<AddedFlow>`
    delete from datahub_added_flows f where f.integration = ${integration} and f.key in (
      select f.key from datahub_added_flows f where f.integration = ${integration} and ${ofSync} order by f.key limit ${sql.lit(limit)}
    )
    returning f.key, f.resource_id, f.flows
  `.execute(db)
  return rows
}

export const deleteAddedFlows = async (db: Db, integration: string, keys: readonly string[]): Promise<void> => {
  if (keys.length > 0)
    await sql`delete from datahub_added_flows where integration = ${integration} and key = any(${keys}::text[])`.execute(db)
}

/** Runs every hour: deletes what was reported for deleted resources. Their edges are gone; the trash has a copy of both. */
export const deleteOrphanedAddedFlows = ({ db }: Context): Promise<void> =>
  deleteInBatches(db, 'datahub_added_flows', sql`not exists (select from resources r where r.id = datahub_added_flows.resource_id)`)
