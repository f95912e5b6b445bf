import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
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

export const saveAddedFlowRow = async (db: Db, integration: string, sync_id: string | null, added: AddedFlow): Promise<void> => {
  await sql`
    insert into datahub_added_flows (integration, key, resource_id, flows, sync_id)
    values (${integration}, ${added.key}, ${added.resource_id}, ${JSON.stringify(added.flows)}::text::jsonb, ${sync_id})
    on conflict (integration, key) do update set resource_id = excluded.resource_id, flows = excluded.flows
  `.execute(db)
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

export const deleteAddedFlow = async (db: Db, integration: string, key: string): Promise<void> => {
  await sql`delete from datahub_added_flows where integration = ${integration} and key = ${key}`.execute(db)
}
