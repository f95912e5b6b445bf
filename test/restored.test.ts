import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { settleRestored } from '../src/db/restored.ts'
import { aHouse } from './house.ts'

const counts = async (house: Awaited<ReturnType<typeof aHouse>>) => [
  (await house.call('GET', '/activity_log/audit_logs/')).body.count,
  (await house.call('GET', '/resource/catalog')).body.count,
]

test('a dump from a server that was further on is counted right', async () => {
  await using house = await aHouse()
  for (let i = 0; i < 3; i += 1) await house.resource({ title: `t${i}` })
  // As pg_restore leaves it: the numbers of another server's transactions, far ahead of this one's.
  for (const table of ['activities', 'resource_changes'])
    await sql`update ${sql.table(table)} set xid = '99999999999'::xid8`.execute(house.db)
  expect(await settleRestored(house.db)).toBe(true)
  const before = await counts(house)
  for (let i = 0; i < 2; i += 1) await house.call('POST', '/resource/catalog', { body: { title: `new ${i}` } })
  expect(await counts(house)).toEqual(before.map((count) => count + 2))
  expect(await settleRestored(house.db)).toBe(false)
})
