import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestApp, type TestInstance } from '../support/test-app.ts'

const MB = 1024 * 1024

const metric = async ({ fastify: app }: TestInstance, name: string): Promise<Map<string, number>> => {
  const { body } = await app.inject('/metrics')
  return new Map(
    [...body.matchAll(new RegExp(`^${name}\\{cache="(\\w+)"\\} (\\S+)$`, 'gm'))].map(([, cache, value]) => [cache!, Number(value)]),
  )
}
const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

/** A unique filter of about this many bytes that matches nothing. */
const buildFilter = (i: number, bytes: number): string =>
  encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'title', value: `${i} ${'x'.repeat(bytes)}` }))

test('long filters stay within the cache budget', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'one' })
  const reader = await app.createUser('viewer')
  const cacheBytes = 32 * MB
  await using instance = await app.createInstance({ config: { cacheBytes } })
  const list = async (i: number) => {
    const { status, body } = await instance.call('GET', `/resource/catalog?filter=${buildFilter(i, 100_000)}`, { token: reader.token })
    expect([status, body.count]).toEqual([200, 0])
  }
  const until = async (from: number, to: number) => {
    for (let i = from; i < to; i += 10) await Promise.all(Array.from({ length: 10 }, (_, k) => list(i + k)))
    return metric(instance, 'tablinum_cache_bytes')
  }
  const early = await until(0, 100)
  const late = await until(100, 500)
  expect(sum(late.values())).toBeLessThan(cacheBytes)
  // 500 keys of 100 KB would be 50 MB: the keys are stored as hashes, so each entry is small.
  const entries = sum((await metric(instance, 'tablinum_cache_entries')).values())
  expect(entries).toBeGreaterThan(500)
  expect(sum(late.values()) / entries).toBeLessThan(2_000)
  expect(sum(late.values()) - sum(early.values())).toBeLessThan(4 * MB)
})

test('many small results stay within the budget: the least recently used are evicted', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'one' })
  const cacheBytes = 1 * MB
  await using instance = await app.createInstance({ config: { cacheBytes } })
  const counts: number[] = []
  for (let i = 0; i < 600; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, k) => instance.call('GET', `/resource/catalog?filter=${buildFilter(i + k, 10)}`)))
    counts.push((await metric(instance, 'tablinum_cache_entries')).get('counts')!)
  }
  expect(sum((await metric(instance, 'tablinum_cache_bytes')).values())).toBeLessThanOrEqual(cacheBytes)
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts.at(-1)).toBeLessThan(600)
  // Full: ten in, ten out. Entries differ by a few bytes, and other caches of the process share the budget.
  expect(Math.abs(counts.at(-1)! - counts.at(-2)!)).toBeLessThan(5)
})

test('a page that does not fit into the cache is returned in full every time', async () => {
  await using app = await createTestApp()
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, description)
    select gen_random_uuid(), now(), now(), 1, 'column', 'c' || n, 'C', 'c' || n, repeat('long ', 600) from generate_series(1, 300) n
  `.execute(app.db)
  await using instance = await app.createInstance({ config: { cacheBytes: MB } })
  for (let i = 0; i < 3; i += 1) expect((await instance.call('GET', '/resource/catalog?page_size=300')).body.results).toHaveLength(300)
})
