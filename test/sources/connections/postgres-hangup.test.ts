import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { withSourceConnection } from '../../../src/sources/integrations/with-source-connection.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createPostgresSource, createTestIntegration } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

/** A server that closes each connection: immediately, or after the first message. */
const createClosingServer = async (when: 'at once' | 'later') => {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.on('error', () => {})
    if (when === 'at once') socket.destroy()
    else socket.once('data', () => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => visits,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

test.each(['at once', 'later'] as const)(
  'connects once per request to a Postgres that closes the connection %s, and reports it',
  async (when) => {
    await using app = await createTestApp()
    await using server = await createClosingServer(when)
    const id = await createTestIntegration(app, 'postgres', {
      host: '127.0.0.1',
      port: server.port,
      database: 'shop',
      user: 'me',
      password: 'swordfish',
    })
    const tested = await app.call('POST', `/integration/integrations/${id}/test`)
    expect([tested.status, tested.body.detail]).toEqual([400, expect.stringContaining('The source closed the connection')])
    expect(server.visits()).toBe(1)
    await expect(
      withSourceConnection(app.ctx, id, AbortSignal.timeout(PATIENCE_MS), (source) =>
        source.query('select 1', { timeout_ms: 1000, max_rows: 1 }),
      ),
    ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('The source closed the connection') })
    expect(server.visits()).toBe(2)
  },
)

test('resets the session between queries and applies the limits to each', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource()
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  const runQuery = async (sql: string) =>
    (
      await withSourceConnection(app.ctx, id, AbortSignal.timeout(PATIENCE_MS), (open) =>
        open.query(sql, { timeout_ms: 9000, max_rows: 10 }),
      )
    ).rows
  await runQuery('select pg_advisory_lock(77)')
  expect(await runQuery(`select count(*) from pg_locks where locktype = 'advisory' and objid = 77`)).toEqual([[0]])
  await runQuery(`select set_config('work_mem', '77MB', false)`)
  for (const [setting, value] of [
    ['work_mem', expect.not.stringContaining('77MB')],
    ['transaction_read_only', 'on'],
    ['search_path', expect.stringMatching(/^pg_catalog, .*pg_temp$/)],
    ['lock_timeout', '5s'],
    ['statement_timeout', '9s'],
    ['temp_file_limit', '2GB'],
    ['standard_conforming_strings', 'on'],
  ] as const)
    expect([setting, (await runQuery(`select current_setting('${setting}')`))[0]![0]]).toEqual([setting, value])
  expect(source.visits()).toBe(1)
})
