import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** GET /resource/catalog: pages, links, the window, and rejected input. */
const list = (app: TestApp, query = '', headers = {}) => app.call('GET', `/resource/catalog${query}`, { headers })
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))

describe('120 resources', () => {
  let app: TestApp
  let ids: string[]
  beforeAll(async () => {
    app = await createTestApp()
    await sql`insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, external_usage)
      select gen_random_uuid(), now(), now(), 1, 'table', 't' || n, 'T' || n, 't' || n, n / 10 from generate_series(1, 120) n`.execute(
      app.db,
    )
    const { rows } = await sql<{ id: string }>`select id from resources order by external_usage desc, id`.execute(app.db)
    ids = rows.map(({ id }) => id)
  })
  afterAll(() => app[Symbol.asyncDispose]())
  const idsOf = ({ body }: { body: { results: { id: string }[] } }) => body.results.map(({ id }) => id)

  test('by default 50 per page, most used first, ties by ID', async () => {
    const { body, status } = await list(app)
    expect(status).toBe(200)
    expect(idsOf({ body })).toEqual(ids.slice(0, 50))
    const { results: _, ...envelope } = body
    expect(envelope).toEqual({
      links: { next: 'http://localhost:80/api/v1/resource/catalog?page=2', previous: null },
      meta: { page: 1, previous_page: 'None', next_page: 2 },
      count: 120,
      total_pages: 3,
    })
  })

  test('the middle and the last page', async () => {
    expect((await list(app, '?page=2')).body).toMatchObject({
      links: { next: expect.stringContaining('page=3'), previous: expect.stringContaining('page=1') },
      meta: { page: 2, previous_page: 1, next_page: 3 },
    })
    const last = await list(app, '?page=3')
    expect(idsOf(last)).toEqual(ids.slice(100))
    expect(last.body).toMatchObject({ links: { next: null }, meta: { page: 3, previous_page: 2, next_page: null } })
  })

  test('a page past the end is empty', async () => {
    const { status, body } = await list(app, '?page=4')
    expect(status).toBe(200)
    expect(body).toMatchObject({ results: [], count: 120, total_pages: 3, links: { next: null }, meta: { next_page: null } })
  })

  test('links are absolute on the caller’s host and keep all other parameters', async () => {
    const filter = json({ operator: 'contains', field: 'title', value: 't' })
    for (const [query, next] of [
      [`?page_size=7&filter=${filter}&page=2&entity_type=table`, `?page_size=7&filter=${filter}&entity_type=table&page=3`],
      ['?title=t&page_size=100', '?title=t&page_size=100&page=2'],
      ['?sort=%7B%22field%22:%22title%22%7D&x=a?b&page_size=100', '?sort=%7B%22field%22:%22title%22%7D&x=a?b&page_size=100&page=2'],
    ] as const) {
      const { body } = await list(app, query, { host: 'catalog.example:8080' })
      expect(body.links.next).toBe(`http://catalog.example:8080/api/v1/resource/catalog${next}`)
    }
  })

  test('following the links reads every resource once', async () => {
    const seen: string[] = []
    for (let url: string | null = '/api/v1/resource/catalog?page_size=17'; url; ) {
      const { body } = await app.call('GET', url.replace('http://localhost:80', ''))
      seen.push(...idsOf({ body }))
      url = body.links.next
    }
    expect(seen).toEqual(ids)
  })

  test('a cursor reads the whole list and ends with null', async () => {
    const seen: string[] = []
    for (let url: string | null = '/api/v1/resource/catalog?page_size=50&cursor='; url; ) {
      const { body } = await app.call('GET', url.replace('http://localhost:80', ''))
      expect(body).toMatchObject({ count: 120, meta: { page: null } })
      if (body.results.length < 50) expect(body.links.next).toBe(null)
      seen.push(...idsOf({ body }))
      url = body.links.next
    }
    expect(seen).toEqual(ids)
  })

  for (const [query, code] of [
    ['?page=0', 'invalid_page'],
    ['?page=-1', 'invalid_page'],
    ['?page=two', 'invalid_page'],
    ['?page=1.5', 'invalid_page'],
    ['?page=99999999999999999999', 'invalid_page'],
    ['?page=1&page=2', 'invalid_page'],
    ['?page_size=0', 'invalid_page'],
    ['?page_size=1001', 'invalid_page'],
    ['?page=201', 'window_exceeded'],
    ['?page=11&page_size=1000', 'window_exceeded'],
    ['?cursor=nonsense', 'invalid_page'],
    ['?teams=ours', 'validation_failed'],
    ['?integration_id=shop', 'validation_failed'],
    ['?title=%00', 'validation_failed'],
    ['?sort={', 'invalid_sort'],
    ['?sort=[]', 'invalid_sort'],
    [`?sort=${json({ field: 'colour' })}`, 'invalid_sort'],
    [`?sort=${json({ field: 'owners' })}`, 'invalid_sort'],
    [`?sort=${json({ field: 'title', order: 'up' })}`, 'invalid_sort'],
    [`?sort=${json({ field: 'title', tie_breaker: { field: 'x' } })}`, 'invalid_sort'],
    [`?sort=${json({ field: '__proto__' })}`, 'invalid_sort'],
  ] as const)
    test(`${decodeURIComponent(query).slice(0, 70)} is ${code}`, async () =>
      expect(await list(app, query)).toMatchObject({ status: 400, body: { code, detail: expect.any(String) } }))

  for (const [sort, position] of [
    ['', ['abc', newId()]],
    ['', ['1', 'abc']],
    ['', ['9'.repeat(40), newId()]],
    ['', [{}, newId()]],
    ['', [null, newId()]],
    ['title', ['a\0', newId()]],
    ['created_at', ['today', newId()]],
    ['created_at', ['2026-02-30 12:00:00+00', newId()]],
    ['published', ['perhaps', newId()]],
  ] as const)
    test(`a cursor changed to ${JSON.stringify(position[0])} is rejected`, async () => {
      const query = `?page_size=1&sort=${sort && json({ field: sort })}&cursor=`
      const { body } = await list(app, query)
      const [digest] = JSON.parse(Buffer.from(body.meta.next_cursor, 'base64url').toString()) as string[]
      const changed = Buffer.from(JSON.stringify([digest, ...position])).toString('base64url')
      expect(await list(app, query + changed)).toMatchObject({ status: 400, body: { code: 'invalid_page' } })
    })

  const nested = (depth: number): object =>
    depth === 1 ? { operator: 'is_set', field: 'title' } : { operator: 'and', operands: [nested(depth - 1)] }
  const leaf = (operator: unknown, field: unknown, value?: unknown) => ({ operator, field, value })
  for (const [filter, spot] of [
    ['{', 'filter'],
    [[], 'filter'],
    ['null', 'filter'],
    [{ operator: 'xor' }, 'filter.operator'],
    [{ operator: 'and' }, 'filter.operands'],
    [{ operator: 'not', operands: [] }, 'filter.operands'],
    [leaf('exact', 'colour', 'red'), 'filter.field'],
    [leaf('exact', 5, 'red'), 'filter.field'],
    [leaf('contains', 'external_usage', 5), 'filter.operator'],
    [leaf('exact', 'title', 5), 'filter.value'],
    [leaf('exact', 'title', 'a\0'), 'filter.value'],
    [leaf('exact', 'title', '\ud800'), 'filter.value'],
    [leaf('exact', 'pii', 'yes'), 'filter.value'],
    [leaf('gt', 'external_usage', 'many'), 'filter.value'],
    [leaf('gt', 'created_at', 'yesterday'), 'filter.value'],
    [leaf('exact', 'id', 'me'), 'filter.value'],
    [leaf('in', 'title', 'a'), 'filter.value'],
    [leaf('in', 'title', ['a', 5]), 'filter.value[1]'],
    [leaf('in', 'title', Array(1001).fill('a')), 'filter.value'],
    [{ operator: 'and', operands: [nested(1), { operator: 'like', field: 'title' }] }, 'filter.operands[1].operator'],
    [nested(11), `filter${'.operands[0]'.repeat(10)}`],
    [{ operator: 'or', operands: Array(101).fill(nested(1)) }, 'filter.operands[100]'],
  ] as const)
    test(`${JSON.stringify(filter).slice(0, 60)} is wrong at ${spot.slice(-30)}`, async () => {
      const { status, body } = await list(app, `?filter=${typeof filter === 'string' ? filter : json(filter)}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'invalid_filter', detail: expect.stringContaining(`${spot}:`) })
    })

  test('accepts input at the limits', async () => {
    for (const filter of [nested(10), { operator: 'and', operands: Array(100).fill(nested(1)) }, { operator: 'and', operands: [] }])
      expect((await list(app, `?filter=${json(filter)}&page_size=1`)).body.count).toBe(120)
    expect((await list(app, `?filter=${json({ operator: 'in', field: 'title', value: Array(1000).fill('t1') })}`)).body.count).toBe(1)
    expect((await list(app, `?filter=${json({ ...nested(1), operands: [] })}&page_size=1000`)).body.results).toHaveLength(120)
  })
})

test('the catalog’s own parameters narrow the list', async () => {
  await using app = await createTestApp()
  const [team, integration] = [await app.createTeam(), newId()]
  const schema = await app.createResource({ title: 'public', entity_type: 'schema', integration })
  const orders = await app.createResource({ title: 'orders', parent: schema.id, teams: [team] })
  await app.createResource({ title: 'Order_items', entity_type: 'query' })
  for (const [query, titles] of [
    [`?teams=${team}`, ['orders']],
    [`?integration_id=${integration}`, ['orders', 'public']],
    [`?parent_id=${schema.id.toUpperCase()}`, ['orders']],
    ['?entity_type=query', ['Order_items']],
    ['?title=ORDER', ['Order_items', 'orders']],
    ['?title=r_i', ['Order_items']],
    [`?title=order&filter=${json({ operator: 'exact', field: 'type', value: 'table' })}`, ['orders']],
    [`?filter=${json({ operator: 'in', field: 'schema', value: ['public'] })}`, ['orders', 'public']],
    [`?filter=${json({ operator: 'exact', field: 'parent_id', value: orders.id })}`, []],
  ] as const) {
    const { body } = await list(app, `${query}&sort=${json({ field: 'title' })}`)
    expect([query, body.results.map(({ title }: { title: string }) => title), body.count]).toEqual([query, titles, titles.length])
  }
})

test('a cursor works with texts of any length', async () => {
  await using app = await createTestApp()
  for (const end of ['c', 'b', 'a'])
    await app.createResource({ title: end, description: 'x'.repeat(100_000) + end, definition: `${end}${'\u0001'.repeat(50_000)}` })
  // The descriptions have the same beginning, so the tie breaker decides.
  for (const field of ['description', 'definition']) {
    let seen = ''
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await list(
        app,
        `?sort=${json({ field, tie_breaker: { field: 'title_full' } })}&page_size=1&cursor=${cursor}`,
      )
      expect(status).toBe(200)
      seen += body.results.map(({ title }: { title: string }) => title).join('')
      cursor = body.meta.next_cursor
    }
    expect([field, seen]).toEqual([field, 'abc'])
  }
})

test('a cursor works with numbers of any kind that a source wrote', async () => {
  await using app = await createTestApp()
  const written = ['-2.5', '1', '1.5', '12345678901234567890', '1e300']
  for (const number of written) {
    const { id } = await app.createResource({ title: number, entity_type: 'column' })
    await sql`update resources set details = ${`{"sort_order": ${number}}`}::text::jsonb where id = ${id}`.execute(app.db)
  }
  const titles: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await list(app, `?page_size=1&sort=${json({ field: 'sort_order' })}&cursor=${cursor}`)
    expect([status, body.detail]).toEqual([200, undefined])
    titles.push(...body.results.map(({ title }: { title: string }) => title))
    cursor = body.meta.next_cursor
  }
  expect(titles).toEqual(written)
})

test('10,000 resources can be read by page, all by cursor; the count includes all', async () => {
  await using app = await createTestApp()
  await sql`insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
    select gen_random_uuid(), now(), now(), 1, 'table', 't', 'T', 't' from generate_series(1, 10050)`.execute(app.db)
  await sql`analyze`.execute(app.db) // otherwise Postgres plans for empty tables, until autovacuum has seen these
  expect((await list(app, '?page_size=1000&page=10')).body).toMatchObject({
    count: 10_050,
    total_pages: 10,
    links: { next: null },
    meta: { next_page: null },
  })
  const beyond = await list(app, '?page_size=1000&page=11')
  expect(beyond).toMatchObject({ status: 400, body: { code: 'window_exceeded', detail: expect.stringMatching(/10,000.*cursor/) } })
  const last = await list(app, '?page_size=300&page=34')
  expect(last.body).toMatchObject({ total_pages: 34, links: { next: null } })
  expect(last.body.results, 'rows 9,901 to 10,000 and no further').toHaveLength(100)
  expect((await list(app, '?page_size=300&page=35')).status).toBe(400)
  const seen = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await list(app, `?page_size=1000&cursor=${cursor}`)
    for (const { id } of body.results) seen.add(id)
    cursor = body.meta.next_cursor
  }
  expect(seen.size).toBe(10_050)
})
