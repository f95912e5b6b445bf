import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './test-app.ts'

/** Up to 10,000 matches are counted exactly; of more, the most used ones are counted, and `capped` says so. */

let app: TestApp
let viewer: string

beforeAll(async () => {
  app = await createTestApp()
  viewer = (await app.createUser('viewer')).token
  const insert = (count: number, title: string, usage: number, values: { published?: boolean; verified?: boolean; description?: string }) => sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, external_usage, published, verified, description)
    select gen_random_uuid(), now(), now(), 1, ${values.description ? 'table' : 'column'}, ${title}, ${title}, ${title}, ${usage}::int,
      ${values.published ?? false}, ${values.verified ?? false}, ${values.description ?? null}
    from generate_series(1, ${count}::int)`.execute(app.db)
  await insert(6_000, 'ledger', 0, { published: true })
  await insert(3_000, 'ledger', 0, {})
  await insert(1_500, 'booking', 0, { published: true, description: 'Every ledger of the year.' })
  // Both match: in the title and in the description.
  await insert(10, 'ledger', 0, { published: true, description: 'One ledger.' })
  await insert(16_000, 'voyage', 5, { published: true })
  await insert(4_000, 'voyage', 0, { verified: true })
  await sql`vacuum analyze`.execute(app.db)
  return () => app[Symbol.asyncDispose]()
})

const search = async (query: string, token = app.token) => {
  const { status, body, text } = await app.call('GET', `/search?page_size=100&${query}`, { token })
  expect(status, text).toBe(200)
  const values = (facet: string) =>
    Object.fromEntries(body.facets[facet].values.map(({ value, count }: { value: unknown; count: number }) => [value, count]))
  return { ...body, values }
}

test('more matches than are counted are capped, and so are their facets', async () => {
  const { count, capped, total_pages, facets, values, links } = await search('q=ledger')
  expect([count, capped, total_pages]).toEqual([10_000, true, 100])
  for (const [name, facet] of Object.entries<{ capped: boolean }>(facets)) expect([name, facet.capped]).toEqual([name, true])
  const { column, table } = values('entity_type')
  // Lower bounds.
  expect(column).toBe(9_000)
  expect(table).toBeGreaterThan(0)
  expect(table).toBeLessThanOrEqual(1_510)
  expect(values('health')).toEqual({ unknown: 10_000 })
  expect(links.next).not.toBeNull()
  const last = await search('q=ledger&page=100')
  expect([last.results.length, last.links.next]).toEqual([100, null])
})

test('a viewer who sees fewer of them has exact counts', async () => {
  const { count, capped, facets, values } = await search('q=ledger', viewer)
  expect([count, capped, facets.entity_type.capped]).toEqual([7_510, false, false])
  expect(values('entity_type')).toEqual({ column: 6_000, table: 1_510 })
  expect(values('published')).toEqual({ true: 7_510 })
  expect(values('health')).toEqual({ unknown: 7_510 })
})

test('a selection that leaves fewer has exact counts, except for its own facet', async () => {
  const { count, capped, facets, values } = await search('q=ledger&published=false')
  expect([count, capped, facets.entity_type.capped, facets.published.capped]).toEqual([3_000, false, false, true])
  expect(values('entity_type')).toEqual({ column: 3_000 })
  expect(values('published').false).toBe(3_000)
  const tables = await search('q=ledger&entity_type=table')
  expect([tables.count, tables.capped, tables.values('published')]).toEqual([1_510, false, { true: 1_510 }])
})

test('of very frequent words the most used matches are counted, or all where few of those are left', async () => {
  const { count, capped, values } = await search('q=voyage')
  expect([count, capped, values('published')]).toEqual([10_000, true, { true: 10_000 }])
  const unused = await search('q=voyage&verified=true')
  expect([unused.count, unused.capped, unused.values('published')]).toEqual([4_000, false, { false: 4_000 }])
  const seen = await search('q=voyage&verified=true', viewer)
  expect([seen.count, seen.capped]).toEqual([0, false])
})

test('without words, too', async () => {
  const { count, capped, total_pages } = await search('entity_type=table')
  expect([count, capped, total_pages]).toEqual([1_510, false, 16])
  const all = await search('')
  expect([all.count, all.capped, all.facets.entity_type.capped]).toEqual([10_000, true, true])
})

test('the list of the catalog counts the same words exactly', async () => {
  const count = async (token: string, term: string) =>
    (await app.call('GET', `/resource/catalog?page_size=1&search_term=${term}`, { token })).body.count
  expect([await count(app.token, 'ledger'), await count(viewer, 'ledger'), await count(app.token, 'voyage')]).toEqual([10_510, 7_510, 20_000])
})

test('a write that leaves few enough makes the count exact', async () => {
  await sql`delete from resources where id in (select id from resources where title = 'ledger' and not published limit 1000)`.execute(app.db)
  const { count, capped, values } = await search('q=ledger')
  expect([count, capped, values('entity_type')]).toEqual([9_510, false, { column: 8_000, table: 1_510 }])
})
