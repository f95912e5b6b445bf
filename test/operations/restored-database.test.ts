import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { followForWebhooks } from '../../src/notifications/webhooks/follow.ts'
import { repairRestoredTransactionIds } from '../../src/platform/db/repair-restored.ts'
import { createTestApp } from '../support/test-app.ts'

const counts = async (app: Awaited<ReturnType<typeof createTestApp>>) => [
  (await app.call('GET', '/activity_log/audit_logs/')).body.count,
  (await app.call('GET', '/resource/catalog')).body.count,
]

test('counts are correct after restoring a dump from a server with higher transaction IDs', async () => {
  await using app = await createTestApp()
  for (let i = 0; i < 3; i += 1) await app.createResource({ title: `t${i}` })
  // The state after pg_restore: transaction IDs of another server, far ahead of this one's.
  for (const table of ['activities', 'resource_changes'])
    await sql`update ${sql.table(table)} set xid = '99999999999'::xid8`.execute(app.db)
  expect(await repairRestoredTransactionIds(app.db)).toBe(true)
  const before = await counts(app)
  for (let i = 0; i < 2; i += 1) await app.call('POST', '/resource/catalog', { body: { title: `new ${i}` } })
  expect(await counts(app)).toEqual(before.map((count) => count + 2))
  expect(await repairRestoredTransactionIds(app.db)).toBe(false)
})

test('a webhook restored from a server with higher transaction IDs receives new activities', async () => {
  await using app = await createTestApp()
  const { body } = await app.call('POST', '/notification/webhooks', {
    body: { url: 'https://hooks.example.com', events: ['resource_*'] },
  })
  await sql`update webhooks set since_snapshot = '99999999999:99999999999:'`.execute(app.db)
  await sql`update activities set xid = '99999999999'::xid8`.execute(app.db)
  await repairRestoredTransactionIds(app.db)
  await app.call('POST', '/resource/catalog', { body: { title: 'new' } })
  while (await followForWebhooks({ ...app.ctx, now: new Date() })) {}
  const { body: deliveries } = await app.call('GET', `/notification/webhooks/${body.id}/deliveries`)
  expect(deliveries.results.map(({ event }: { event: string }) => event)).toEqual(['resource_created'])
})
