import { sql } from 'kysely'
import { expect } from 'vitest'
import type { LoopbackServer } from '../../protocols/loopback.ts'
import { runSync } from '../../support/sources.ts'
import type { TestApp } from '../../support/test-app.ts'

/** Syncs a source that was synced before: one failed request is repeated, and a login that ends half-way makes nothing stale. */
export const expectFaultsLoseNothing = async (app: TestApp, id: string, server: LoopbackServer): Promise<void> => {
  for (const status of [503, 429]) {
    server.fail({ status, headers: { 'retry-after': '0' }, body: 'Try again.', after: 3, times: 1 })
    const { error, report } = await runSync(app, id)
    expect([status, error, report?.stale]).toEqual([status, null, {}])
  }
  server.fail({ status: 401, body: 'The token has expired.', after: 4 })
  const { status, report } = await runSync(app, id)
  expect([status, report?.stale ?? {}]).toEqual([expect.stringMatching(/FAILED|COMPLETED/), {}])
  expect((await sql`select from resources where stale`.execute(app.db)).rows).toEqual([])
  server.fail(undefined)
  expect((await runSync(app, id)).error).toBeNull()
}
