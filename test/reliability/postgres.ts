import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/embedded.ts'
import type { TestServer } from '../faults/server.ts'

/** A Postgres server in a temporary folder, which is removed with it. */
export const startTemporaryPostgres = async (name: string, settings: Readonly<Record<string, string>> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), `tablinum-${name}-`))
  const postgres = await startEmbeddedPostgres({ dataFolder: folder, settings: { max_connections: '100', ...settings } })
  return {
    url: postgres.url,
    /** Its folder, and one for the files of a script. */
    folder: postgres.folder,
    file: (name: string) => join(folder, name),
    [Symbol.asyncDispose]: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Until a write is acknowledged again. */
export const waitUntilWritable = async ({ call }: TestServer): Promise<void> => {
  for (;;) {
    const response = await call('POST', '/resource/catalog', { title: 'probe', entity_type: 'table' }).catch(() => undefined)
    if (response?.status === 201) return
    await sleep(20)
  }
}
