import { sql } from 'kysely'
import { buildCountQuery } from '../../catalog/listing/count.ts'
import { BY_INTEGRATION, countByGroup } from '../../catalog/listing/count-by-group.ts'
import type { Context } from '../../platform/context/context.ts'
import { countExactly } from '../../platform/lists/count.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage } from '../../platform/lists/read-page.ts'
import { can, getVisibilityKey, requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { CONNECTORS } from '../connectors/registry/all.ts'
import { applyCredentials, type Credentials } from '../credentials/credentials.ts'
import { GRANTS } from '../credentials/grants.ts'
import { getIntegrationType, INTEGRATION_TYPES } from '../credentials/types.ts'
import { getIntegrationRow, type IntegrationRow, listIntegrationRows } from './integration-rows.ts'
import type { Integration, IntegrationQuery, IntegrationTypeRecord, Schedule } from './schema.ts'

export const listIntegrations = async (ctx: Context, query: IntegrationQuery, page: PageRequest) => {
  requirePermission(ctx.actor, 'integrations.read')
  const integrations = await listIntegrationRows(ctx, query, page)
  const counts = await countByGroup(
    ctx,
    BY_INTEGRATION,
    integrations.results.map(({ id }) => id),
  )
  return mapPage(integrations, (row) => toIntegration(ctx, row, counts.get(row.id)!))
}

export const getIntegration = async (ctx: Context, id: string): Promise<Integration> => {
  requirePermission(ctx.actor, 'integrations.read')
  const row = await getIntegrationRow(ctx, id)
  return toIntegration(ctx, row, await countResources(ctx, id))
}

/** The name only, without counting resources. */
export const getIntegrationName = async (ctx: Context, id: string): Promise<string> => {
  requirePermission(ctx.actor, 'integrations.read')
  return (await getIntegrationRow(ctx, id)).name
}

export const listIntegrationTypes = ({ runtime }: Context): IntegrationTypeRecord[] =>
  [...INTEGRATION_TYPES.values()].map(({ fields, ...type }) => ({
    ...type,
    connects: CONNECTORS.has(type.type),
    grants: GRANTS[type.type] ?? null,
    missing_package: runtime.drivers.findMissingPackage(type.type) ?? null,
    fields: fields.map((field) => ({ ...field })),
  }))

const toIntegration = (ctx: Context, row: IntegrationRow, resource_count: number): Integration => ({
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  name: row.name,
  title: row.name,
  type: row.type,
  icon: getIntegrationType(row.type).icon,
  workspace_id: ctx.workspace_id,
  teams: row.teams ?? [],
  // Hosts and account names are visible only to users who manage the connection.
  connection: can(ctx.actor, 'integrations.manage')
    ? applyCredentials(getIntegrationType(row.type), (row.connection ?? {}) as Credentials, {})
    : null,
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
  const counting = buildCountQuery(
    `resources of ${id} ${JSON.stringify(getVisibilityKey(ctx.actor))}`,
    (alias) => sql<boolean>`${sql.ref(`${alias}.integration`)} = ${id}::uuid and ${visibleTo(ctx.actor, alias)}`,
  )
  // A count taken inside a transaction must not be cached: the transaction may roll back.
  return ctx.in_transaction ? (await counting.countAll(ctx)).count : countExactly(ctx, counting)
}
