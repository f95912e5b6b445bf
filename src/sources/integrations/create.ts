import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { CredentialsInput } from '../credentials/credentials.ts'
import { assertAddressNotOwnDatabase } from '../credentials/own-database.ts'
import { applyIntegrationEdit, diffIntegration, emptyIntegrationRow, recordIntegrationChange } from './apply-edit.ts'
import { insertIntegrationRow } from './integration-rows.ts'
import { getIntegration } from './read.ts'
import type { Integration, IntegrationCreate } from './schema.ts'

export const createIntegration = async (ctx: Context, create: IntegrationCreate): Promise<Integration> => {
  requirePermission(ctx.actor, 'integrations.manage')
  await assertAddressNotOwnDatabase(ctx, null, create.credentials as CredentialsInput | null | undefined)
  return inTransaction(ctx, async (ctx) => {
    const row = await applyIntegrationEdit(ctx, emptyIntegrationRow(newId(), ctx.now), create)
    await insertIntegrationRow(ctx, row)
    await recordIntegrationChange(ctx, 'created', row, diffIntegration({ preview_enabled: false }, row, undefined))
    return getIntegration(ctx, row.id)
  })
}
