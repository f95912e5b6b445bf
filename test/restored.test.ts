import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { settleRestored } from '../src/db/restored.ts'
import { followForWebhooks } from '../src/notify/webhooks/follow.ts'
import { aHouse } from './house.ts'

const counts = async (house: Awaited<ReturnType<typeof aHouse>>) => [
  (await house.call('GET', '/activity_log/audit_logs/')).body.count,
  (await house.call('GET', '/resource/catalog')).body.count,
]

test('counts correctly after restoring a dump of a server with higher transaction IDs', async () => {
  await using house = await aHouse()
  for (let i = 0; i < 3; i += 1) await house.resource({ title: `t${i}` })
  // Like after pg_restore: transaction IDs of another server, far ahead of this one.
  for (const table of ['activities', 'resource_changes'])
    await sql`update ${sql.table(table)} set xid = '99999999999'::xid8`.execute(house.db)
  expect(await settleRestored(house.db)).toBe(true)
  const before = await counts(house)
  for (let i = 0; i < 2; i += 1) await house.call('POST', '/resource/catalog', { body: { title: `new ${i}` } })
  expect(await counts(house)).toEqual(before.map((count) => count + 2))
  expect(await settleRestored(house.db)).toBe(false)
})

test('a webhook restored from a server with higher transaction IDs receives new events', async () => {
  await using house = await aHouse()
  const { body } = await house.call('POST', '/notification/webhooks', {
    body: { url: 'https://hooks.example.com', events: ['resource_*'] },
  })
  await sql`update webhooks set since_snapshot = '99999999999:99999999999:'`.execute(house.db)
  await sql`update activities set xid = '99999999999'::xid8`.execute(house.db)
  await settleRestored(house.db)
  await house.call('POST', '/resource/catalog', { body: { title: 'new' } })
  while (await followForWebhooks({ ...house.ctx, now: new Date() })) {}
  const { body: deliveries } = await house.call('GET', `/notification/webhooks/${body.id}/deliveries`)
  expect(deliveries.results.map(({ event }: { event: string }) => event)).toEqual(['resource_created'])
})
