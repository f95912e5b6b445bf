import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts'

/** Runs a benchmark on an empty Postgres that is deleted afterwards. */
export const withTemporaryPostgres = async <T>(
  run: (serverUrl: string) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-bench-'))
  const server = await startEmbeddedPostgres({ dataFolder: folder, settings: { shared_buffers: '512MB', ...settings } })
  try {
    return await run(server.url)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
