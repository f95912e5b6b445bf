import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** Error codes of a server or host that is still starting. */
const STARTING_ERROR_CODES = /^(57P03|ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EAI_AGAIN)$/
const RETRY_MS = 500

/** Waits for a database that starts together with Tablinum, as in a compose file. Any other error is thrown immediately. */
export const waitForServer = async (url: string, { timeoutMs = 60_000, log = (_: string) => {} } = {}): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  for (let tries = 0; ; tries += 1) {
    const client = new Client({ connectionString: url, application_name: 'tablinum start', connectionTimeoutMillis: 10_000 })
    client.on('error', () => {}) // connect() reports it
    try {
      await client.connect()
      return
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (!STARTING_ERROR_CODES.test(code ?? '')) throw error
      if (performance.now() > deadline) throw new Error(`Cannot connect to the database: ${message}`, { cause: error })
      if (tries === 0) log('  Waiting for the database …')
      await sleep(RETRY_MS)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
