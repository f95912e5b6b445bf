import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { asc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getIntegrationRow } from './integration-rows.ts'
import type { Loss } from './schema.ts'

/** What the last sync of an integration could not take over. */
export const listLosses = async (ctx: Context, integration: string, page: PageRequest) => {
  requirePermission(ctx.actor, 'integrations.read')
  await getIntegrationRow(ctx, integration)
  return readPage<Loss>(ctx, page, {
    select: sql`l.number, l.line`,
    from: sql`integration_losses l`,
    where: sql`l.integration = ${integration}`,
    order: [asc('number', 'l.number')],
  })
}
