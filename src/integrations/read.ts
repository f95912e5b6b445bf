import { sql } from 'kysely'
import { can, mustBeAble, viewOf, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { exactCount } from '../lists/count.ts'
import type { PageRequest } from '../lists/page.ts'
import { mapPage } from '../lists/read-page.ts'
import { countingOf } from '../resources/count.ts'
import { BY_INTEGRATION, countEach } from '../resources/count-each.ts'
import { CONNECTORS } from './connectors/all.ts'
import { applyCredentials, type Credentials } from './credentials.ts'
import type { Integration, IntegrationQuery, IntegrationTypeRecord, Schedule } from './schema.ts'
import { getRow, type IntegrationRow, listRows } from './store.ts'
import { TYPES, typeOf } from './types.ts'

export const listIntegrations = async (ctx: Context, query: IntegrationQuery, page: PageRequest) => {
  mustBeAble(ctx.actor, 'integrations.read')
  const integrations = await listRows(ctx, query, page)
  const counts = await countEach(
    ctx,
    BY_INTEGRATION,
    integrations.results.map(({ id }) => id),
  )
  return mapPage(integrations, (row) => toIntegration(ctx, row, counts.get(row.id)!))
}

export const readIntegration = async (ctx: Context, id: string): Promise<Integration> => {
  mustBeAble(ctx.actor, 'integrations.read')
  const row = await getRow(ctx, id)
  return toIntegration(ctx, row, await countResources(ctx, id))
}

/** The name only, without counting resources. */
export const readName = async (ctx: Context, id: string): Promise<string> => {
  mustBeAble(ctx.actor, 'integrations.read')
  return (await getRow(ctx, id)).name
}

export const listTypes = (): IntegrationTypeRecord[] =>
  [...TYPES.values()].map(({ fields, ...type }) => ({
    ...type,
    connects: CONNECTORS.has(type.type),
    fields: fields.map((field) => ({ ...field })),
  }))

const toIntegration = (ctx: Context, row: IntegrationRow, resource_count: number): Integration => ({
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  name: row.name,
  title: row.name,
  type: row.type,
  icon: typeOf(row.type).icon,
  workspace_id: ctx.workspace_id,
  teams: row.teams ?? [],
  // Hosts and account names are visible only to users who manage the connection.
  connection: can(ctx.actor, 'integrations.manage') ? applyCredentials(typeOf(row.type), (row.connection ?? {}) as Credentials, {}) : null,
  secrets_set: row.secret_fields ?? [],
  schedule: row.schedule as Schedule | null,
  preview_enabled: row.preview_enabled,
  last_synced_at: row.last_synced_at,
  last_sync_status: row.last_sync_status as Integration['last_sync_status'],
  last_sync_error: row.last_sync_error,
  next_sync_at: row.next_sync_at,
  resource_count,
  removal_job: row.removal_job,
})

/** Exact for what the caller can see; cached between requests and updated with later writes. */
const countResources = async (ctx: Context, id: string): Promise<number> => {
  const counting = countingOf(
    `resources of ${id} ${JSON.stringify(viewOf(ctx.actor))}`,
    (alias) => sql<boolean>`${sql.ref(`${alias}.integration`)} = ${id}::uuid and ${visibleTo(ctx.actor, alias)}`,
  )
  // A count taken inside a transaction must not be cached: the transaction may roll back.
  return ctx.in_transaction ? (await counting.countAll(ctx)).count : exactCount(ctx, counting)
}
