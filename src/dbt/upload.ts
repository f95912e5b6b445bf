import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { conflict, invalid } from '../errors.ts'
import { pulls } from '../integrations/connectors/dbt.ts'
import type { Credentials } from '../integrations/credentials.ts'
import { getRow, lockRow } from '../integrations/store.ts'
import { startSync } from '../integrations/sync.ts'
import { findOpenSync, getSync } from '../integrations/syncs.ts'
import type { Job } from '../jobs/schema.ts'
import { ArtifactError } from './project.ts'
import { type Packed, readProject } from './reader.ts'
import { keepArtifacts } from './store.ts'

/** Saves the artifacts of a project and syncs the catalog with them in a background job. They are parsed first, so that the caller gets errors immediately. */
export const uploadArtifacts = async (ctx: Context, id: string, files: Packed, transaction = inTransaction): Promise<Job> => {
  await mustTake(ctx, id)
  const project = await readProject(files).catch((error: Error) => {
    throw error instanceof ArtifactError ? invalid({ [error.file]: [error.message.slice(error.file.length + 2)] }) : error
  })
  return transaction(ctx, async (ctx) => {
    await lockRow(ctx, id)
    const open = await findOpenSync(ctx, id)
    if (open && (await getSync(ctx, id, open)).status === 'RUNNING')
      throw conflict('A sync of this project is running. Upload the artifacts again when it has finished.')
    await keepArtifacts(ctx, id, files, project)
    return startSync(ctx, id)
  })
}

/** Checked before the files are read. */
export const mustTake = async (ctx: Context, id: string): Promise<void> => {
  mustBeAble(ctx.actor, 'catalog.write')
  const { type, connection } = await getRow(ctx, id)
  if (type !== 'dbt') throw invalid({ integration_id: ['This integration is not a dbt project.'] })
  if (pulls({ credentials: (connection ?? {}) as Credentials }))
    throw invalid({ integration_id: ['This project reads its artifacts from a path or URL. Clear both to upload them.'] })
}
