import type { Context } from '../../platform/context/context.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { getIntegrationRow } from '../integrations/integration-rows.ts'
import { findOrRegisterIntegration } from '../integrations/register-by-name.ts'
import { lockIntegration } from '../sync/apply.ts'

/** The integration of events, locked until the transaction ends: the one the caller names, else the one with the name of the namespace. */
export const lockEventIntegration = (ctx: Context, namespace: string, named: string | undefined): Promise<string> =>
  named === undefined ? findOrRegisterIntegration(ctx, 'openlineage', namespace) : requireEventIntegration(ctx, named)

const EVENT_INTEGRATION_TYPES = ['openlineage', 'custom']

const requireEventIntegration = async (ctx: Context, named: string): Promise<string> => {
  const id = parseId(named)! // checked before
  const row = await getIntegrationRow(ctx, id).catch((error) => {
    throw error instanceof ApiError ? invalid({ integration: [`Integration ${id} does not exist.`] }) : error
  })
  if (!EVENT_INTEGRATION_TYPES.includes(row.type))
    throw invalid({ integration: ['Only integrations of type openlineage or custom accept events.'] })
  await lockIntegration(ctx, id)
  return id
}
