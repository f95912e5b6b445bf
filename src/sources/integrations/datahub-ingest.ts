import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { saveChanges } from '../datahub/aspect-rows.ts'
import type { ParsedEvents } from '../datahub/change.ts'
import { groupByPipeline } from '../datahub/pipelines.ts'
import { saveRejected } from '../datahub/rejected-rows.ts'
import { recordSender } from '../sync/sender-access.ts'
import { getIntegrationRow } from './integration-rows.ts'
import { findOrRegisterIntegration } from './register-by-name.ts'
import { queueSync } from './sync.ts'

/**
 * Saves events and queues the sync that builds the catalog from them. They belong to the given integration, or to the one with the name of
 * their pipeline, which the first event creates. Returns the events that could not be read or applied, in sentences.
 */
export const ingestEvents = (
  ctx: Context,
  { changes, rejected }: ParsedEvents,
  integration?: string,
): Promise<{ jobs: Job[]; rejected: string[] }> => {
  requirePermission(ctx.actor, 'catalog.write')
  return inTransaction(ctx, async (ctx) => {
    const jobs: Job[] = []
    const lines: string[] = []
    const rejectedBy = groupByPipeline(rejected, changes)
    const named = integration === undefined ? undefined : await requireIntegration(ctx, integration)
    let first: string | undefined
    for (const [name, group] of groupByPipeline(changes, changes)) {
      const id = named ?? (await findOrRegisterIntegration(ctx, 'datahub', name))
      first ??= id
      await recordSender(ctx, id, { replaces: false })
      const inapplicable = await saveChanges(ctx, id, group)
      if (inapplicable.length === changes.length) throw inapplicable[0]!.error
      const others = [...(rejectedBy.get(name) ?? []), ...inapplicable]
      rejectedBy.delete(name)
      lines.push(...(await saveRejected(ctx, id, others)))
      jobs.push(await queueSync(ctx, id))
    }
    // Of pipelines with no other event in this request.
    if (first) lines.push(...(await saveRejected(ctx, first, [...rejectedBy.values()].flat())))
    return { jobs, rejected: lines }
  })
}

const requireIntegration = async (ctx: Context, text: string): Promise<string> => {
  const id = parseId(text)
  if (!id) throw invalid({ integration: ['must be a UUID.'] })
  const { type } = await getIntegrationRow(ctx, id).catch((error) => {
    throw error instanceof ApiError ? invalid({ integration: [`Integration ${id} does not exist.`] }) : error
  })
  if (type !== 'datahub') throw invalid({ integration: ['must be an integration of type datahub.'] })
  return id
}
