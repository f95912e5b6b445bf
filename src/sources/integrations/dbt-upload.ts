import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { fetchesArtifacts } from '../dbt/connector.ts'
import { saveArtifacts } from '../dbt/dbt-rows.ts'
import { ArtifactError } from '../dbt/project.ts'
import { type CompressedFiles, readProject } from '../dbt/reader.ts'
import { recordSender } from '../sync/sender-access.ts'
import { getIntegrationRow, lockIntegrationRow } from './integration-rows.ts'
import { queueSync } from './sync.ts'
import { findActiveSync, getSync } from './sync-records.ts'

/** Saves the artifacts of a project and syncs the catalog with them in a background job. They are parsed first, so that the caller gets errors immediately. */
export const uploadArtifacts = async (ctx: Context, id: string, files: CompressedFiles, transaction = inTransaction): Promise<Job> => {
  await requireArtifactUpload(ctx, id)
  const project = await readProject(files, ctx.runtime.fileThreads).catch((error: Error) => {
    throw error instanceof ArtifactError ? invalid({ [error.file]: [error.message.slice(error.file.length + 2)] }) : error
  })
  return transaction(ctx, async (ctx) => {
    await lockIntegrationRow(ctx, id)
    const active = await findActiveSync(ctx, id)
    if (active && (await getSync(ctx, id, active)).status === 'RUNNING')
      throw conflict(translatable('A sync of this project is running. Upload the artifacts again when it has finished.'))
    await recordSender(ctx, id, { replaces: true })
    await saveArtifacts(ctx, id, files, project)
    return queueSync(ctx, id)
  })
}

/** Checked before the files are read. */
export const requireArtifactUpload = async (ctx: Context, id: string): Promise<void> => {
  requirePermission(ctx.actor, 'catalog.write')
  const { type, connection } = await getIntegrationRow(ctx, id)
  if (type !== 'dbt') throw invalid({ integration_id: [translatable('This integration is not a dbt project.')] })
  if (fetchesArtifacts({ credentials: (connection ?? {}) as Credentials }))
    throw invalid({ integration_id: [translatable('This project reads its artifacts from a path or URL. Clear both to upload them.')] })
}
