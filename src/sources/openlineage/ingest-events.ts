import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { Event } from './event.ts'

/**
 * Ingests events, together with those of concurrent requests. Resolves after they are committed. Repeated or reordered events have the same
 * result.
 */
export const ingestEvents = async (ctx: Context, events: readonly Event[], integration?: string): Promise<void> => {
  requirePermission(ctx.actor, 'catalog.write')
  if (integration !== undefined && !parseId(integration)) throw invalid({ integration: ['must be a UUID.'] })
  if (events.length > 0) await ctx.runtime.eventGroups.add({ ...ctx, if_match: undefined }, events, integration)
}
