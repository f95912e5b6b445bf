import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { CredentialsInput } from '../credentials/credentials.ts'
import { assertAddressNotOwnDatabase } from '../credentials/own-database.ts'
import { applyIntegrationEdit, emptyIntegrationRow } from './apply-edit.ts'
import type { IntegrationRow } from './integration-rows.ts'
import type { IntegrationCreate } from './schema.ts'

/** An integration that is tried before it is saved: nothing is stored, and the secrets of the request are used for the trial only. */
export const buildUnsavedRow = async (ctx: Context, create: IntegrationCreate): Promise<IntegrationRow> => {
  await assertAddressNotOwnDatabase(ctx, null, create.credentials as CredentialsInput | null | undefined)
  return applyIntegrationEdit(ctx, emptyIntegrationRow(newId(), ctx.now), create)
}
