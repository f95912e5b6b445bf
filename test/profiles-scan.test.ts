import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { scanDue } from '../src/profiles/scan.ts'
import { aHouse, type House } from './house.ts'
import { doJob } from './profiling.ts'
import { aPostgres, connectTo, sync } from './sources.ts'

/** What the scheduler queues. */
const due = async (house: House): Promise<string[]> => {
  await scanDue({ ...house.ctx, now: new Date() })
  const { body } = await house.call('GET', '/background_jobs?status=PENDING')
  return body.results.flatMap(({ id, title }: { id: string; title: string }) => (title.endsWith(' for PII') ? [id] : []))
}

const wait = async (house: House, minutes: number) => {
  const ago = sql`make_interval(mins => ${minutes})`
  await sql`update pii_rules set scan_retry_at = scan_retry_at - ${ago}`.execute(house.db)
  await sql`update pii_failed_scans set retry_at = retry_at - ${ago}`.execute(house.db)
}

test('retries failed scans and tables with growing delays', { timeout: 60_000 }, async () => {
  await using house = await aHouse()
  await using source = await aPostgres(
    `create table people as select 'person' || i || '@example.com' as email from generate_series(1, 50) i`,
    `create table staff as select 'staff' || i || '@example.com' as email from generate_series(1, 50) i`,
  )
  const integration = await connectTo(house, 'postgres', source.credentials)
  await sync(house, integration)
  await house.call('PATCH', `/pii/rules/${integration}`, { body: { scan_after_sync: true } })
  const scannedAt = async () => (await house.call('GET', `/pii/rules/${integration}`)).body.scanned_at
  const suggested = async () => (await house.call('GET', '/pii/suggestions')).body.count

  await source.run('alter table people rename to people_away', 'alter table staff rename to staff_away')
  for (const minutes of [5, 10]) {
    const jobs = await due(house)
    expect(jobs).toHaveLength(1)
    expect(await due(house)).toEqual(jobs) // no second scan while one is queued
    expect(await doJob(house, jobs[0]!)).toMatchObject({ status: 'FAILED' })
    expect([await scannedAt(), await suggested()]).toEqual([null, 0])
    await wait(house, minutes - 1)
    expect(await due(house)).toEqual([])
    await wait(house, 2)
  }

  await source.run('alter table people_away rename to people')
  const [second] = await due(house)
  const before = Date.now()
  expect(await doJob(house, second!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 1 of 2 tables') })
  expect(Date.parse(await scannedAt())).toBeGreaterThan(before - 1000)
  expect([await suggested(), await due(house)]).toEqual([1, []])

  await wait(house, 60)
  const [third] = await due(house)
  expect(await doJob(house, third!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 0 of 1 tables') })
  // A table that stays unreadable does not delay new ones.
  await source.run(`create table guests as select 'guest' || i || '@example.com' as email from generate_series(1, 50) i`)
  await source.run('alter table staff_away rename to staff')
  await sync(house, integration)
  const [fourth] = await due(house)
  expect(await doJob(house, fourth!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 1 of 1 tables') })
  expect(await suggested()).toBe(2)

  await wait(house, 60)
  const [fifth] = await due(house)
  expect(await doJob(house, fifth!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 1 of 1 tables') })
  expect(await suggested()).toBe(3)
  await wait(house, 24 * 60)
  expect(await due(house)).toEqual([])
})
