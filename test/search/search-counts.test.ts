import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** All matches are counted; with `count=bounded` up to 1,000 exactly, and of more as many, and `capped` says so. */

let app: TestApp
let viewer: string

beforeAll(async () => {
  app = await createTestApp()
  viewer = (await app.createUser('viewer')).token
  const insert = (count: number, title: string, usage: number, values: { published?: boolean; verified?: boolean; description?: string }) =>
    sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, external_usage, published, verified, description)
    select gen_random_uuid(), now(), now(), 1, ${values.description ? 'table' : 'column'}, ${title}, ${title}, ${title}, ${usage}::int,
      ${values.published ?? false}, ${values.verified ?? false}, ${values.description ?? null}
    from generate_series(1, ${count}::int)`.execute(app.db)
  await insert(600, 'ledger', 0, { published: true })
  await insert(300, 'ledger', 0, {})
  await insert(150, 'booking', 0, { published: true, description: 'Every ledger of the year.' })
  // Both match: in the title and in the description.
  await insert(10, 'ledger', 0, { published: true, description: 'One ledger.' })
  await insert(4_000, 'voyage', 5, { published: true })
  await insert(400, 'voyage', 0, { verified: true })
  await sql`vacuum analyze`.execute(app.db)
  return () => app[Symbol.asyncDispose]()
})

const search = async (query: string, token = app.token, count?: 'bounded' | 'exact') => {
  const { status, body, text } = await app.call('GET', `/search?page_size=100&${query}${count ? `&count=${count}` : ''}`, { token })
  expect(status, text).toBe(200)
  const values = (facet: string) =>
    Object.fromEntries(body.facets[facet].values.map(({ value, count }: { value: unknown; count: number }) => [value, count]))
  return { ...body, values }
}

test('with a bounded count more matches are capped, and so are their facets', async () => {
  const { count, capped, total_pages, facets, values, links } = await search('q=ledger', app.token, 'bounded')
  expect([count, capped, total_pages]).toEqual([1_000, true, 10])
  for (const [name, facet] of Object.entries<{ capped: boolean }>(facets)) expect([name, facet.capped]).toEqual([name, true])
  const { column, table } = values('entity_type')
  // Lower bounds.
  expect(column).toBe(900)
  expect(table).toBeGreaterThan(0)
  expect(table).toBeLessThanOrEqual(160)
  expect(values('health')).toEqual({ unknown: 1_000 })
  expect(links.next).not.toBeNull()
})

test('all pages of capped matches are reached', async () => {
  const ids = new Set<string>()
  let pages = 0
  for (let query: string | null = 'q=ledger&count=bounded&page=1'; query !== null && pages < 20; pages += 1) {
    const { results, links, count } = await search(query)
    for (const { id } of results) ids.add(id)
    expect(count).toBeGreaterThanOrEqual(ids.size)
    query = links.next && new URL(links.next).search.slice(1).replace('page_size=100&', '')
  }
  expect([ids.size, pages]).toEqual([1_060, 11])
})

test('by default all of them are counted', async () => {
  const { count, capped, total_pages, values } = await search('q=ledger')
  expect([count, capped, total_pages]).toEqual([1_060, false, 11])
  expect(values('entity_type')).toEqual({ column: 900, table: 160 })
  expect(values('published')).toEqual({ true: 760, false: 300 })
  expect(values('health')).toEqual({ unknown: 1_060 })
  const voyages = await search('q=voyage')
  expect([voyages.count, voyages.capped, voyages.values('verified')]).toEqual([4_400, false, { false: 4_000, true: 400 }])
  expect((await search('q=voyage', viewer)).count).toBe(4_000)
})

test('a viewer who sees fewer of them has exact counts', async () => {
  const { count, capped, facets, values } = await search('q=ledger', viewer, 'bounded')
  expect([count, capped, facets.entity_type.capped]).toEqual([760, false, false])
  expect(values('entity_type')).toEqual({ column: 600, table: 160 })
  expect(values('published')).toEqual({ true: 760 })
  expect(values('health')).toEqual({ unknown: 760 })
})

test('a selection that leaves fewer has exact counts, except for its own facet', async () => {
  const { count, capped, facets, values } = await search('q=ledger&published=false', app.token, 'bounded')
  expect([count, capped, facets.entity_type.capped, facets.published.capped]).toEqual([300, false, false, true])
  expect(values('entity_type')).toEqual({ column: 300 })
  expect(values('published').false).toBe(300)
  const tables = await search('q=ledger&entity_type=table', app.token, 'bounded')
  expect([tables.count, tables.capped, tables.values('published')]).toEqual([160, false, { true: 160 }])
})

test('of very frequent words the most used matches are counted, or all where few of those are left', async () => {
  const { count, capped, values } = await search('q=voyage', app.token, 'bounded')
  expect([count, capped, values('published')]).toEqual([1_000, true, { true: 1_000 }])
  const unused = await search('q=voyage&verified=true', app.token, 'bounded')
  expect([unused.count, unused.capped, unused.values('published')]).toEqual([400, false, { false: 400 }])
  const seen = await search('q=voyage&verified=true', viewer, 'bounded')
  expect([seen.count, seen.capped]).toEqual([0, false])
})

test('without words, too', async () => {
  const { count, capped, total_pages } = await search('entity_type=table')
  expect([count, capped, total_pages]).toEqual([160, false, 2])
  const all = await search('', app.token, 'exact')
  expect([all.count, all.capped, all.facets.entity_type.capped]).toEqual([5_460, false, false])
})

test('the list of the catalog counts the same words exactly', async () => {
  const count = async (token: string, term: string) =>
    (await app.call('GET', `/resource/catalog?page_size=1&search_term=${term}`, { token })).body.count
  expect([await count(app.token, 'ledger'), await count(viewer, 'ledger'), await count(app.token, 'voyage')]).toEqual([1_060, 760, 4_400])
})

test('a write that leaves few enough makes the count exact', async () => {
  await sql`delete from resources where id in (select id from resources where title = 'ledger' and not published limit 100)`.execute(app.db)
  const { count, capped, values } = await search('q=ledger', app.token, 'bounded')
  expect([count, capped, values('entity_type')]).toEqual([960, false, { column: 800, table: 160 }])
})
