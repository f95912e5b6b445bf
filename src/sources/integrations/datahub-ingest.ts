import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { saveChanges } from '../datahub/aspect-rows.ts'
import type { AspectChange } from '../datahub/change.ts'
import { getIntegrationRow } from './integration-rows.ts'
import { findOrRegisterIntegration } from './register.ts'
import { queueSync } from './sync.ts'

const DEFAULT_NAME = 'DataHub'

/**
 * Saves events and queues the sync that builds the catalog from them. They belong to the given integration, or to the one with the name of
 * their pipeline, which the first event creates.
 */
export const ingestChanges = (ctx: Context, changes: readonly AspectChange[], integration?: string): Promise<Job[]> => {
  requirePermission(ctx.actor, 'catalog.write')
  return inTransaction(ctx, async (ctx) => {
    const jobs: Job[] = []
    for (const [name, group] of groupByPipeline(changes)) {
      const id =
        integration === undefined ? await findOrRegisterIntegration(ctx, 'datahub', name) : await requireIntegration(ctx, integration)
      await saveChanges(ctx, id, group)
      jobs.push(await queueSync(ctx, id))
    }
    return jobs
  })
}

/** DataHub names the pipeline in some events of a run only. */
const groupByPipeline = (changes: readonly AspectChange[]): Map<string, AspectChange[]> => {
  const ofRuns = new Map(changes.flatMap(({ run, pipeline }) => (run && pipeline ? [[run, pipeline] as const] : [])))
  return Map.groupBy(changes, ({ run, pipeline }) => pipeline ?? (run ? ofRuns.get(run) : undefined) ?? DEFAULT_NAME)
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
