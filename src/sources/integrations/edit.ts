import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { Credentials, CredentialsInput } from '../credentials/credentials.ts'
import { assertAddressNotOwnDatabase } from '../credentials/own-database.ts'
import { applyIntegrationEdit, diffIntegration, recordIntegrationChange } from './apply-edit.ts'
import { getIntegrationRow, lockIntegrationRow, updateIntegrationRow } from './integration-rows.ts'
import { getIntegration } from './read.ts'
import type { Integration, IntegrationEdit } from './schema.ts'

export const editIntegration = async (ctx: Context, id: string, edit: IntegrationEdit): Promise<Integration> => {
  requirePermission(ctx.actor, 'integrations.manage')
  const sent = edit.credentials as CredentialsInput | null | undefined
  if (sent) await assertAddressNotOwnDatabase(ctx, (await getIntegrationRow(ctx, id)).connection as Credentials | null, sent)
  return inTransaction(ctx, async (ctx) => {
    const before = await lockIntegrationRow(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    const after = await applyIntegrationEdit(ctx, before, edit)
    const changes = diffIntegration(before, after, sent)
    if (changes.length > 0) {
      await updateIntegrationRow(ctx, after)
      await recordIntegrationChange(ctx, 'updated', after, changes)
    }
    return getIntegration(ctx, id)
  })
}
