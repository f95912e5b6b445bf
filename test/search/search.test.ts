import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createRuntime } from '../../src/app/runtime.ts'
import type { Resource } from '../../src/catalog/records/schema.ts'
import { createResource } from '../../src/catalog/resources/create.ts'
import type { Reason } from '../../src/catalog/search/schema.ts'
import { parseSearchRequest, search } from '../../src/catalog/search/search.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const find = async (app: TestApp, parameters: Record<string, string | boolean | number>, token?: string) => {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const response = await app.call('GET', `/search?${query.join('&')}`, token ? { token } : {})
  expect(response.status, response.text).toBe(200)
  return response.body
}
const titles = (page: { results: { title: string }[] }) => page.results.map(({ title }) => title)
const setUsage = (app: TestApp, id: string, external_usage: number) =>
  sql`update resources set external_usage = ${external_usage} where id = ${id}`.execute(app.db)

describe('ranking', () => {
  test('ranks exact title, prefix, phrase, words, description and documentation in this order, regardless of usage', async () => {
    await using app = await createTestApp()
    const created = [
      await app.createResource({ title: 'notes', definition: 'Here the order items are explained.' }),
      await app.createResource({ title: 'lines', description: 'One row for each order; its items are elsewhere.' }),
      await app.createResource({ title: 'items_by_order' }),
      await app.createResource({ title: 'all_order_items' }),
      await app.createResource({ title: 'order_items_daily' }),
      await app.createResource({ title: 'order_items' }),
    ]
    for (const [i, { id }] of created.entries()) await setUsage(app, id, 1000 - i * 100)
    const page = await find(app, { q: 'order items' })
    expect(page.results.map(({ title, reason }: { title: string; reason: { tier: string } }) => [title, reason.tier])).toEqual([
      ['order_items', 'exact_title'],
      ['order_items_daily', 'title_prefix'],
      ['all_order_items', 'title_phrase'],
      ['items_by_order', 'title_words'],
      ['lines', 'description'],
      ['notes', 'documentation'],
    ])
    expect(page).toMatchObject({ count: 6, capped: false, corrections: [] })
  })

  test('ranks by what titles, columns and namesakes say', async () => {
    await using app = await createTestApp()
    const viewer = await app.createUser('viewer')
    const table = (title: string, more: Record<string, unknown> = {}) => app.createResource({ title, published: true, ...more })
    await table('refunds_wide', { description: 'Money given back to buyers.' })
    await table('fct_refunds', { verified: true })
    await table('stg_shopify__refunds')
    await table('refunds_bak_2021')
    await table('refund_policies')
    const duties = await table('border_crossings')
    const column = await app.createResource({ title: 'tariff_number', entity_type: 'column', parent: duties.id, published: true })
    const tariffs = await table('tariff_zones')
    await app.createResource({ title: 'number', entity_type: 'column', parent: tariffs.id, published: true })
    await table('exchange_rates')
    const found = async (q: string, token?: string) => titles(await find(app, { q, entity_type: 'table' }, token))

    // A table is found by the description of its namesake, and words of naming rules do not count: a policy is something else.
    expect(await found('money given back to buyers')).toEqual(['refunds_wide', 'fct_refunds', 'stg_shopify__refunds', 'refunds_bak_2021'])
    expect((await found('refund')).slice(0, 3).sort()).toEqual(['fct_refunds', 'refunds_wide', 'stg_shopify__refunds'])
    const { results } = await find(app, { q: 'money given back', entity_type: 'table', explain: true })
    expect(results[1]).toMatchObject({ title: 'fct_refunds', reason: { matched: 3, words: 3 } })
    expect(results[1].score.words[0]).toEqual({ word: 'money', match: 'namesake' })

    // The name of a column means its table, as long as the caller can see the column.
    expect(await found('tariff number', viewer.token)).toEqual(['border_crossings', 'tariff_zones'])
    await app.call('PATCH', `/resource/all/${column.id}`, { body: { published: false } })
    expect(await found('tariff number', viewer.token)).toEqual(['tariff_zones'])

    for (const q of ['fx', 'fx rates']) expect(await found(q), q).toEqual(['exchange_rates'])
  })

  test('orders by usage within a tier, with archived resources last', async () => {
    await using app = await createTestApp()
    for (const [title, usage] of [
      ['orders_a', 5],
      ['orders_b', 50],
      ['orders_c', 1],
    ] as const)
      await setUsage(app, (await app.createResource({ title })).id, usage)
    const gone = await app.createResource({ title: 'orders', archived: true })
    await setUsage(app, gone.id, 9000)
    expect(titles(await find(app, { q: 'orders' }))).toEqual(['orders_b', 'orders_a', 'orders_c', 'orders'])
  })

  test('a table comes before a column with the same name, even a raw table before a described column', async () => {
    await using app = await createTestApp()
    const schema = await app.createResource({ title: 'raw', entity_type: 'schema' })
    const table = await app.createResource({ title: 'orders', entity_type: 'table', parent: schema.id, description: 'All orders.' })
    const parent = await app.createResource({ title: 'dim_customer', entity_type: 'table' })
    const column = await app.createResource({ title: 'orders', entity_type: 'column', parent: parent.id, description: 'How many.' })
    const { results } = await find(app, { q: 'orders' })
    expect(results.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([table.id, column.id])
  })

  test('matches an exact title with repeated words, other case, accents and symbols', async () => {
    await using app = await createTestApp()
    for (const title of ['Bora Bora', 'bora_lines', 'C++ (draft)']) await app.createResource({ title })
    for (const [q, title] of [
      ['bora bora', 'Bora Bora'],
      ['c++ (DRAFT)', 'C++ (draft)'],
      ['borá-lines', 'bora_lines'],
    ] as const)
      expect((await find(app, { q })).results[0]).toMatchObject({ title, reason: { tier: 'exact_title' } })
  })

  test('ranks the same for a frequent word that is looked up in stages', async () => {
    await using app = await createTestApp()
    await sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, description, definition, external_usage, archived)
      select gen_random_uuid(), now(), now(), 1, case when n % 5 < 2 then 'table' else 'column' end, t, t, t, d, f, case when n % 4 = 0 then n % 700 else 0 end, n % 50 = 0
      from generate_series(1, 6000) n, lateral (values (
        (array['order', 'order_line', 'ordering', 'daily order', 'thing', 'other'])[1 + n % 6],
        case when n % 6 = 4 then 'Part of an order' end, case when n % 6 = 5 then 'See order' end
      )) x (t, d, f)
    `.execute(app.db)
    const places = async (q: string, more: object) => {
      const request = await parseSearchRequest(app.ctx, { q, facets: false, ...more }, { page: 1, page_size: 500, offset: 0, address: '' })
      await using runtime = createRuntime(app.url)
      const page = JSON.parse(await search({ ...app.ctx, runtime }, request))
      return page.results.map((each: Resource & { reason: Reason }) => [each.archived, each.reason.tier, each.external_usage])
    }
    const cases = ['order', 'ord', 'o', 'ordr', 'order daily'].flatMap(
      (q) =>
        [
          [q, {}],
          [q, { entity_type: 'table' }],
          [q, { filter: JSON.stringify({ operator: 'gt', field: 'external_usage', value: 600 }) }],
        ] as const,
    )
    const whole = []
    for (const [q, more] of cases) whole.push(await places(q, more))
    await sql`vacuum analyze search_titles, search_texts`.execute(app.db)
    for (const [i, [q, more]] of cases.entries()) expect(await places(q, more), q).toEqual(whole[i])
    expect(whole[0]).toHaveLength(500)
  })

  test('lists everything by usage without a term, archived resources last', async () => {
    await using app = await createTestApp()
    await setUsage(app, (await app.createResource({ title: 'quiet' })).id, 1)
    await setUsage(app, (await app.createResource({ title: 'loud' })).id, 10)
    await setUsage(app, (await app.createResource({ title: 'old', archived: true })).id, 100)
    const page = await find(app, {})
    expect(titles(page)).toEqual(['loud', 'quiet', 'old'])
    expect(page.results[0].reason).toEqual({ tier: 'usage', matched: 0, words: 0, field: 'title', snippet: 'loud', ranges: [] })
  })
})

describe('words', () => {
  const PAIRS = [
    ['order items', 'orderItems'],
    ['items', 'order_items'],
    ['orderItems', 'order_items'],
    ['orderitems', 'Order-Items'],
    ['xml feed', 'XMLFeed'],
    ['line 2', 'line2'],
    ['line2', 'line_2'],
    ['cust', 'customer_orders'],
    ['orde', 'customer_orders'],
    ['universi', 'universities'],
    ['order', 'Orders'],
    ['ecole', 'École'],
    ['заказ', 'Заказы'],
    ['custmer', 'customers'],
    ['ivnoice', 'invoice_lines'],
    ['c', 'customer_orders'],
    ['customer o', 'customer_orders'],
    ['customer_o', 'customer_orders'],
    ['customerO', 'customer_orders'],
    ['%', '%_of_total'],
    ['🔥', '🔥 hot'],
  ] as const

  test('are found in every spelling, form and prefix, in the search and in the list', async () => {
    await using app = await createTestApp()
    await app.createResource({ title: 'something else' })
    for (const title of new Set(PAIRS.map(([, title]) => title))) await app.createResource({ title })
    for (const [q, title] of PAIRS) {
      const page = await find(app, { q })
      expect(titles(page), q).toContain(title)
      expect(titles(page), q).not.toContain('something else')
      const list = await app.call('GET', `/resource/catalog?search_term=${encodeURIComponent(q)}`)
      const complete = page.results.filter(({ reason }: { reason: Reason }) => !['context', 'partial'].includes(reason.tier))
      expect(titles(list.body), q).toEqual(expect.arrayContaining([title, ...titles({ results: complete })]))
    }
  })

  test('a dotted path finds the resource with the correct count', async () => {
    await using app = await createTestApp()
    const table = await app.createResource({ title: 'orders' })
    const other = await app.createResource({ title: 'invoices' })
    const column = await app.createResource({ title: 'id', entity_type: 'column', parent: table.id })
    await app.createResource({ title: 'id', entity_type: 'column', parent: other.id })
    const page = await find(app, { q: column.title_full.split('.').slice(-2).join('.') })
    expect(page.results.map(({ id }: { id: string }) => id)).toEqual([column.id])
    const list = await app.call('GET', '/resource/catalog?search_term=Orders.ID')
    expect([list.body.count, list.body.results[0].id]).toEqual([1, column.id])
  })

  test('phrases and every field of the query language narrow lists and exports, alone and with words', async () => {
    await using app = await createTestApp()
    const database = await app.createResource({ title: 'shop', entity_type: 'database' })
    const orders = await app.createResource({ title: 'daily orders', parent: database.id, verified: true })
    await app.createResource({ title: 'orders daily' })
    for (const [term, expected] of [
      ['"daily orders"', [orders.title]],
      ['"daily orders" orders', [orders.title]],
      ['orders "daily orders" -weekly', [orders.title]],
      ['in:shop type:table', [orders.title]],
      ['is:verified orders', [orders.title]],
      ['is:deprecated', []],
      ['orders is:deprecated', []],
    ] as const) {
      const query = `search_term=${encodeURIComponent(term)}`
      const { status, body } = await app.call('GET', `/resource/catalog?${query}`)
      expect([term, status, body.count, titles(body)]).toEqual([term, 200, expected.length, expected])
      expect((await app.call('GET', `/resource/export?fields=title&${query}`)).text).toBe(['title', ...expected, ''].join('\r\n'))
    }
  })

  test('resources with most of the words follow those with all of them, as long as these are few', async () => {
    await using app = await createTestApp()
    await app.createResource({ title: 'orders' })
    expect((await find(app, { q: 'orders invoices' })).results[0]).toMatchObject({
      title: 'orders',
      reason: { tier: 'partial', matched: 1, words: 2 },
    })
    await app.createResource({ title: 'invoices_of_orders' })
    expect(titles(await find(app, { q: 'orders invoices' }))).toEqual(['invoices_of_orders', 'orders'])
    for (let i = 0; i < 20; i += 1) await app.createResource({ title: `orders_and_invoices_${i}` })
    expect((await find(app, { q: 'orders invoices' })).count).toBe(21)
    // One of three words fills a page and no more, and says so. Only nonsense finds nothing.
    const one = await find(app, { q: 'orders qzxwvk vbnmqw' })
    expect([one.count, one.results[0].reason]).toMatchObject([10, { tier: 'partial', matched: 1, words: 3 }])
    expect((await find(app, { q: 'qzxwvk vbnmqw' })).count).toBe(0)
  })

  test('reports corrections and does not correct known words', async () => {
    await using app = await createTestApp()
    await app.createResource({ title: 'customers' })
    await app.createResource({ title: 'costumes' })
    expect((await find(app, { q: 'custmers' })).corrections).toEqual([{ typed: 'custmers', meant: ['customers'] }])
    const page = await find(app, { q: 'costumes' })
    expect([titles(page), page.corrections]).toEqual([['costumes'], []])
  })
})

test('the match reason contains the field and the ranges to highlight', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'dailyOrderItems' })
  await app.createResource({ title: 'lines', description: `${'Nothing to see here. '.repeat(20)}The order of a customer.` })
  const page = await find(app, { q: 'order' })
  const [inTitle, inDescription] = page.results.map(({ reason }: { reason: unknown }) => reason)
  expect(inTitle).toEqual({ tier: 'title_phrase', matched: 1, words: 1, field: 'title', snippet: 'dailyOrderItems', ranges: [[5, 10]] })
  expect(inDescription.field).toBe('description')
  const [[from, to]] = inDescription.ranges
  expect(inDescription.snippet.slice(from, to)).toBe('order')
  expect(inDescription.snippet.length).toBeLessThanOrEqual(200)
})

describe('facets', () => {
  test('count values and ignore their own selection', async () => {
    await using app = await createTestApp()
    const [owner, tag] = [newId(), newId()]
    await app.createResource({ title: 'orders', entity_type: 'table', verified: true, owners: [owner] })
    await app.createResource({ title: 'orders', entity_type: 'table', tags: [tag] })
    await app.createResource({ title: 'orders', entity_type: 'dashboard', pii: true, owners: [owner] })
    await app.createResource({ title: 'invoices', entity_type: 'chart' })
    const all = await find(app, { q: 'orders' })
    expect(all.facets.entity_type).toEqual({
      capped: false,
      values: [
        { value: 'table', count: 2, selected: false },
        { value: 'dashboard', count: 1, selected: false },
      ],
    })
    expect(all.facets.owners.values).toEqual([{ value: owner, count: 2, selected: false }])
    const narrowed = await find(app, { q: 'orders', entity_type: 'dashboard' })
    expect([narrowed.count, narrowed.results[0].entity_type]).toEqual([1, 'dashboard'])
    expect(narrowed.facets.entity_type.values).toEqual([
      { value: 'dashboard', count: 1, selected: true },
      { value: 'table', count: 2, selected: false },
    ])
    expect(narrowed.facets.tags.values).toEqual([])
    expect(narrowed.facets.pii.values).toEqual([{ value: true, count: 1, selected: false }])
    const both = await find(app, { q: 'orders', entity_type: 'dashboard,table', owners: owner, verified: true })
    expect(both.count).toBe(1)
    expect(both.facets.verified.values).toEqual([
      { value: true, count: 1, selected: true },
      { value: false, count: 1, selected: false },
    ])
  })

  test('respect the catalog filter and are omitted with facets=false', async () => {
    await using app = await createTestApp()
    await app.createResource({ title: 'orders', description: 'a' })
    await app.createResource({ title: 'orders' })
    const page = await find(app, { q: 'orders', facets: false, filter: JSON.stringify({ operator: 'is_set', field: 'description' }) })
    expect([page.count, page.facets]).toEqual([1, undefined])
  })

  test('count every resource without a term', async () => {
    await using app = await createTestApp()
    await sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, external_usage)
      select gen_random_uuid(), now(), now(), 1, case when n <= 1005 then 'column' else 'chart' end, 'id', 'Id', 'id', case when n <= 1005 then 5 else 0 end
      from generate_series(1, 1008) n
    `.execute(app.db)
    const page = await find(app, { page_size: 2 })
    expect(page.facets.entity_type).toMatchObject({
      capped: false,
      values: [
        { value: 'column', count: 1005 },
        { value: 'chart', count: 3 },
      ],
    })
    const charts = await find(app, { entity_type: 'chart', page_size: 2 })
    expect(charts.facets.entity_type).toMatchObject({ capped: false, values: [{ value: 'chart', count: 3 }, { count: 1005 }] })
    expect(charts.facets.published).toMatchObject({ capped: false, values: [{ value: false, count: 3 }] })
  })

  test('are exact for any number of matches, and all of them can be reached', async () => {
    await using app = await createTestApp()
    await sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, verified)
      select gen_random_uuid(), now(), now(), 1, 'column', 'id', 'Id', 'id', n <= 600 from generate_series(1, 1005) n
    `.execute(app.db)
    const page = await find(app, { q: 'id', page_size: 2 })
    expect(page).toMatchObject({ count: 1005, capped: false, total_pages: 503 })
    expect(page.facets.entity_type).toEqual({ capped: false, values: [{ value: 'column', count: 1005, selected: false }] })
    const verified = await find(app, { q: 'id', page_size: 2, verified: true })
    expect([verified.count, verified.facets.verified.values.map(({ count }: { count: number }) => count)]).toEqual([600, [600, 405]])
    const ids = new Set<string>()
    for (const page of [1, 2, 3, 4]) for (const { id } of (await find(app, { q: 'id', page_size: 300, page })).results) ids.add(id)
    expect(ids.size).toBe(1005)
    const walked = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await find(app, { q: 'id', page_size: 400, cursor, facets: false })
      for (const { id } of page.results) walked.add(id)
      cursor = page.links.next === null ? null : new URL(page.links.next).searchParams.get('cursor')
    }
    expect(walked).toEqual(ids)
    expect((await app.call('GET', '/search?q=id&page=5001&page_size=2')).body.code).toBe('window_exceeded')
    expect((await find(app, { q: 'id', page_size: 2, facets: false })).capped).toBe(true)

    // Every write is counted by the next search, repeated or not.
    const counts = async () => {
      const { count, facets } = await find(app, { q: 'id', page_size: 2 })
      const byValue = (name: string) => facets[name].values.map(({ value, count }: { value: unknown; count: number }) => [value, count])
      return [count, byValue('verified'), byValue('health')]
    }
    const [edited, renamed, deleted] = [...ids] as [string, string, string]
    const before = await counts()
    expect(await counts()).toEqual(before)
    expect(before).toEqual([1005, [[true, 600], [false, 405]], [['unknown', 1005]]]) // biome-ignore format: pairs
    const edit = (id: string, body: object) => app.call('PATCH', `/resource/all/${id}`, { body })
    await edit(edited, { deprecation: { reason: 'gone' }, verified: true })
    await edit(renamed, { title: 'number', verified: true })
    await app.call('DELETE', `/resource/all/${deleted}`)
    const after = await find(app, { q: 'id', page_size: 2 })
    expect([after.count, after.facets.health.values]).toMatchObject([
      1003,
      [
        { value: 'unknown', count: 1002 },
        { value: 'warning', count: 1 },
      ],
    ])
    expect(await counts()).toEqual(await counts())
    expect((await app.call('POST', '/table/tables', { body: { title: 'id of an order' } })).status).toBe(201)
    expect((await counts())[0]).toBe(1004)
  })
})

test('a repeated search follows new names of tags and people', async () => {
  await using app = await createTestApp()
  const tag = (await app.call('POST', '/tag', { body: { name: 'harvest' } })).body
  const table = await app.createResource({ title: 'payments', tags: [tag.id] })
  await app.createResource({ title: 'other' })
  const found = async (q: string) => titles(await find(app, { q, facets: false }))
  expect([await found('harvest'), await found('vintage')]).toEqual([['payments'], []])
  expect((await app.call('PATCH', `/tag/${tag.id}`, { body: { name: 'vintage' } })).status).toBe(200)
  expect([await found('harvest'), await found('vintage')]).toEqual([[], ['payments']])

  const owner = await app.createUser('editor')
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { owners: [owner.id] } })
  expect(await found('quentin')).toEqual([])
  await sql`update users set first_name = 'Quentin' where id = ${owner.id}`.execute(app.db)
  expect(await found('quentin')).toEqual(['payments'])
  await sql`update users set first_name = 'Rufus' where id = ${owner.id}`.execute(app.db)
  expect([await found('quentin'), await found('rufus')]).toEqual([[], ['payments']])
})

test('hidden resources appear neither in hits, counts, facets nor corrections', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  const team = await app.createTeam(true)
  await app.createResource({ title: 'payroll', published: true })
  await app.createResource({ title: 'payroll', entity_type: 'dashboard' })
  await app.createResource({ title: 'payroll', entity_type: 'chart', published: true, teams: [team] })
  await app.createResource({ title: 'zeppelin' })
  const page = await find(app, { q: 'payroll' }, viewer.token)
  expect([page.count, page.facets.entity_type.values]).toEqual([1, [{ value: 'table', count: 1, selected: false }]])
  expect(await find(app, { q: 'zepelin' }, viewer.token)).toMatchObject({ count: 0, results: [], corrections: [] })
  expect((await app.call('GET', '/resource/catalog?search_term=payroll', { token: viewer.token })).body.count).toBe(1)
  expect((await find(app, { q: 'payroll' })).count).toBe(3)
})

describe('context', () => {
  const shop = async (app: TestApp) => {
    const database = await app.createResource({ title: 'warehouse', entity_type: 'database', published: true })
    const schema = await app.createResource({ title: 'billing', entity_type: 'schema', parent: database.id, published: true })
    const table = await app.createResource({ title: 'fct_postings', parent: schema.id, published: true })
    const column = await app.createResource({ title: 'dunning_level', entity_type: 'column', parent: table.id, published: true })
    return { table, column, schema }
  }

  test('a table is found by its path, its columns, its tags, its owners and its custom properties', async () => {
    await using app = await createTestApp()
    const { table, column } = await shop(app)
    const found = async (q: string) => titles(await find(app, { q, entity_type: 'table' }))
    expect(await found('billing postings')).toEqual(['fct_postings'])
    expect(await found('dunning')).toEqual(['fct_postings'])
    const tag = await app.call('POST', '/tag', { body: { name: 'month-end closing' } })
    const property = await app.call('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Tier', value_type: 'string' } })
    expect([await found('closing'), await found('platinum')]).toEqual([[], []])
    await app.call('PATCH', `/resource/all/${table.id}`, { body: { tags: [tag.body.id] } })
    const response = await app.call('PUT', '/resource/all_v2/bulk_update/custom_properties/', {
      body: { entity_ids: [table.id], properties: { [property.body.id]: 'platinum' } },
    })
    expect(response.status, response.text).toBe(200)
    expect([await found('closing'), await found('platinum')]).toEqual([['fct_postings'], ['fct_postings']])
    await app.call('PUT', '/resource/all_v2/bulk_update/custom_properties/', {
      body: { entity_ids: [table.id], properties: { [property.body.id]: 'golden' } },
    })
    expect([await found('platinum'), await found('golden')]).toEqual([[], ['fct_postings']])
    // The words of columns stay when only a property changes.
    expect(await found('dunning')).toEqual(['fct_postings'])
    expect(titles(await find(app, { q: 'golden', entity_type: 'column,table' }))).toEqual(['fct_postings'])
    expect(titles(await find(app, { q: 'golden', entity_type: 'column,dashboard' }))).toEqual([])
    await app.call('PATCH', `/tag/${tag.body.id}`, { body: { name: 'yearly review' } })
    expect([await found('closing'), await found('yearly')]).toEqual([[], ['fct_postings']])
    await app.call('PATCH', `/resource/all/${column.id}`, { body: { title: 'flux_phase' } })
    expect([await found('dunning level'), await found('flux')]).toEqual([[], ['fct_postings']])
    await app.call('DELETE', `/resource/all/${column.id}`)
    expect(await found('flux')).toEqual([])
  })

  test('a hidden column does not show through its table', async () => {
    await using app = await createTestApp()
    const viewer = await app.createUser('viewer')
    const { column } = await shop(app)
    const found = async () => titles(await find(app, { q: 'dunning', entity_type: 'table' }, viewer.token))
    expect(await found()).toEqual(['fct_postings'])
    await app.call('PATCH', `/resource/all/${column.id}`, { body: { published: false } })
    expect(await found()).toEqual([])
    expect(titles(await find(app, { q: 'dunning', entity_type: 'table' }))).toEqual(['fct_postings'])
  })

  test('two transactions that add columns to one table at the same time are both found', async () => {
    await using app = await createTestApp()
    const { table } = await shop(app)
    const add = (title: string) => inTransaction(app.ctx, (ctx) => createResource(ctx, { title, entity_type: 'column', parent: table.id }))
    await Promise.all(['alpha_ray', 'beta_ray', 'gamma_ray', 'delta_ray'].map(add))
    for (const q of ['alpha', 'beta', 'gamma', 'delta'])
      expect(titles(await find(app, { q, entity_type: 'table' })), q).toEqual(['fct_postings'])
  })
})

describe('query language', () => {
  test('phrases, excluded words and fields narrow the results', async () => {
    await using app = await createTestApp()
    const maria = await app.createUser('editor')
    await app.db.updateTable('users').set({ first_name: 'Maria', last_name: 'Lopez' }).where('id', '=', maria.id).execute()
    const database = await app.createResource({ title: 'shop', entity_type: 'database' })
    await app.createResource({ title: 'daily_orders', owners: [maria.id], verified: true, parent: database.id })
    await app.createResource({ title: 'orders_daily' })
    await app.createResource({ title: 'orders_test', entity_type: 'dashboard' })
    const found = async (q: string) => titles(await find(app, { q })).toSorted()
    expect(await found('"daily orders"')).toEqual(['daily_orders'])
    expect(await found('orders -test')).toEqual(['daily_orders', 'orders_daily'])
    expect(await found('orders type:dashboard')).toEqual(['orders_test'])
    expect(await found('owner:maria')).toEqual(['daily_orders'])
    expect(await found('orders owner:"maria lopez"')).toEqual(['daily_orders'])
    expect(await found('orders is:verified')).toEqual(['daily_orders'])
    expect(await found('orders in:shop')).toEqual(['daily_orders'])
    expect(await found('orders owner:nobody')).toEqual([])
    expect(await found('unknown:field')).toEqual([])
  })

  test('a repeated phrase or excluded word is not mixed up with the words alone and follows edits', async () => {
    await using app = await createTestApp()
    const { id } = await app.createResource({ title: 'orders', description: 'Daily orders of customers.' })
    const found = async () =>
      Promise.all(['daily orders', '"daily orders"', 'daily orders -customers'].map(async (q) => titles(await find(app, { q })).length))
    expect(await found()).toEqual([1, 1, 0])
    expect(await found()).toEqual([1, 1, 0])
    await app.call('PATCH', `/resource/all/${id}`, { body: { description: 'Orders, daily.' } })
    expect(await found()).toEqual([1, 0, 1])
    await app.call('PATCH', `/resource/all/${id}`, { body: { description: 'Daily orders of customers.' } })
    expect(await found()).toEqual([1, 1, 0])
  })

  test('explain returns the parts of each score', async () => {
    await using app = await createTestApp()
    await app.createResource({ title: 'orders', description: 'Orders of customers' })
    const page = await find(app, { q: 'orders', explain: true })
    const { total, parts, words } = page.results[0].score
    expect(parts.reduce((sum: number, { value }: { value: number }) => sum + value, 0)).toBeCloseTo(total)
    expect(words).toEqual([{ word: 'orders', match: 'title' }])
    expect((await find(app, { q: 'orders' })).results[0].score).toBeUndefined()
  })
})

describe('never stale', () => {
  test('a new resource is found inside its transaction, and by others only after the commit', async () => {
    await using app = await createTestApp()
    const request = await parseSearchRequest(app.ctx, { q: 'nebula' }, { page: 1, page_size: 10, offset: 0, address: '' })
    await inTransaction(app.ctx, async (ctx) => {
      await createResource(ctx, { title: 'nebula' })
      expect(JSON.parse(await search(ctx, request)).count).toBe(1)
      expect(JSON.parse(await search(app.ctx, request)).count).toBe(0)
    })
    expect(JSON.parse(await search(app.ctx, request)).count).toBe(1)
  })

  test('a rename, edit, archive and delete are visible immediately, even in raw SQL', async () => {
    await using app = await createTestApp()
    const { id } = await app.createResource({ title: 'orders' })
    const count = async (q: string) => (await find(app, { q })).count
    await app.call('PATCH', `/resource/all/${id}`, { body: { title: 'invoices', description: 'quarterly', definition: 'amortised' } })
    expect([await count('orders'), await count('invoices'), await count('quarterly'), await count('amortised')]).toEqual([0, 1, 1, 1])
    await sql`update resources set description = 'weekly', definition = null where id = ${id}`.execute(app.db)
    expect([await count('quarterly'), await count('amortised'), await count('weekly')]).toEqual([0, 0, 1])
    await app.call('PATCH', `/resource/all/${id}`, { body: { description: 'fortnightly' } })
    expect([await count('weekly'), await count('fortnightly'), await count('invoices fortnight')]).toEqual([0, 1, 1])
    expect(await find(app, { q: 'fortnigthly' })).toMatchObject({ count: 1, corrections: [{ meant: ['fortnightly'] }] })
    await app.call('DELETE', `/resource/all/${id}`)
    expect(await count('invoices')).toBe(0)
    expect(await sql`select from search_titles`.execute(app.db)).toMatchObject({ rows: [] })
  })

  test('an edited resource is indexed like a newly created one', async () => {
    await using app = await createTestApp()
    const some = fc.record(
      {
        title: fc.constantFrom('customer_orders', 'orderItems', 'Ledger', 'weekly finance'),
        description: fc.constantFrom(null, '', 'Booked weekly', 'Customers and what they ordered', 'A ledger for finance', 'Zephyr'),
        definition: fc.constantFrom(null, '', 'Finance closes it weekly.', 'Customer orders, see ledger'),
        external_usage: fc.constantFrom(0, 1, 40),
        archived: fc.boolean(),
        entity_type: fc.constantFrom('table', 'document'),
      },
      { requiredKeys: [] },
    )
    const edits = fc.sample(fc.array(some, { minLength: 1, maxLength: 5 }), { numRuns: 90, seed: 22 })
    const [edited, created] = [new Set<string>(), new Set<string>()]
    for (const each of edits) {
      const { id } = await app.createResource({ title: 'unedited', description: 'As it was' })
      await app.db.updateTable('resources').set({ title_full: '' }).where('id', '=', id).execute()
      for (const fields of each)
        if (Object.keys(fields).length > 0) await app.db.updateTable('resources').set(fields).where('id', '=', id).execute()
      edited.add(id)
    }
    for (const each of edits) {
      const id = newId()
      const first = { title: 'unedited', description: 'As it was', entity_type: 'table', title_cased: '', title_full: '', version: 1 }
      const now = new Date()
      await app.db
        .insertInto('resources')
        .values(Object.assign({ id, created_at: now, updated_at: now }, first, ...each))
        .execute()
      created.add(id)
    }
    const found = async (q: string, more: object, ids: ReadonlySet<string>) => {
      const page = await find(app, { q, page_size: 500, facets: false, ...more })
      const hits = page.results.filter(({ id }: Resource) => ids.has(id))
      return hits.map((hit: Resource & { reason: Reason }) => [
        hit.reason.tier,
        hit.archived,
        hit.external_usage,
        hit.title,
        hit.description,
      ])
    }
    const words = ['customer', 'order', 'ledger', 'finance', 'weekly', 'booked', 'zephyr', 'unedited', 'was']
    const two = [
      'customer orde',
      'finance ledg',
      'weekly le',
      'order weekly',
      'zephyr custom',
      'ledger closes',
      'booked orderite',
      'zefyr led',
    ]
    for (const q of [...words, ...words.map((word) => word.slice(0, 4)), ...two])
      for (const more of [{}, { entity_type: 'document' }]) {
        const [a, b] = [await found(q, more, edited), await found(q, more, created)]
        expect(a.map(String).toSorted(), q).toEqual(b.map(String).toSorted())
      }
  })

  test('other edits do not rewrite the search row, a change of usage class or type does', async () => {
    await using app = await createTestApp()
    const { id } = await app.createResource({ title: 'orders' })
    const version = async () =>
      (
        await sql<{
          v: string
          marks: string[]
        }>`select xmin::text as v, array(select w from unnest(tsvector_to_array(words)) w where starts_with(w, '#')) as marks from search_titles where resource_id = ${id}`.execute(
          app.db,
        )
      ).rows[0]!
    const before = await version()
    await app.call('PATCH', `/resource/all/${id}`, { body: { verified: true } })
    expect((await version()).v).toBe(before.v)
    await setUsage(app, id, 100)
    expect((await version()).marks).toEqual(
      Array.from({ length: 10 }, (_, i) => `#u${i + 1}`)
        .concat('#table')
        .sort(),
    )
  })
})

describe('hostile input', () => {
  test('gets a valid response', async () => {
    await using app = await createTestApp()
    await app.createResource({ title: 'a_thing' })
    for (const q of [
      'a',
      'the',
      '%',
      '\'"`',
      '& | ! ( ) :* <->',
      "'a' & !'b'",
      '😀😀',
      '-- ; drop table resources',
      '\\',
      '..//',
      '\ud800',
      ' ',
      'x'.repeat(500),
      'ab '.repeat(166),
      'Ω≈ç√∫˜µ',
      'ﷺ',
      '日本語',
      '<script>',
      '{}[]',
      '_',
      'a\u0301',
      '%00',
    ]) {
      const address = `/search?q=${q.isWellFormed() ? encodeURIComponent(q) : '%ED%A0%80'}`
      expect([q, (await app.call('GET', address)).status]).toEqual([q, 200])
      expect([q, (await app.call('GET', address.replace('/search?q', '/resource/catalog?search_term'))).status]).toEqual([q, 200])
    }
  })

  test('rejects an empty or too long q, an unknown type and an invalid ID by field', async () => {
    await using app = await createTestApp()
    for (const [query, field] of [
      ['q=', 'q'],
      ['q=%00', 'q'],
      [`q=${'x'.repeat(501)}`, 'q'],
      ['entity_type=tabel', 'entity_type'],
      ['owners=me', 'owners'],
      ['verified=perhaps', 'verified'],
    ]) {
      const { status, body } = await app.call('GET', `/search?${query}`)
      expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
    }
    expect((await app.call('GET', '/search?filter=x')).body.code).toBe('invalid_filter')
  })

  test('a very long text can be stored and is found by its first words', async () => {
    await using app = await createTestApp()
    const words = Array.from({ length: 200_000 }, (_, i) => `w${i.toString(36)}`).join(' ')
    await app.createResource({ title: 'book', definition: `prologue ${words}` })
    expect(titles(await find(app, { q: 'prologue' }))).toEqual(['book'])
  })
})

describe('search_term on the catalog', () => {
  test('orders by relevance without sort, filters with sort, and supports cursors', async () => {
    await using app = await createTestApp()
    for (const title of ['zz_orders', 'orders', 'orders_b', 'invoices']) await app.createResource({ title })
    const list = async (more: string) => (await app.call('GET', `/resource/catalog?search_term=orders${more}`)).body
    expect(titles(await list(''))).toEqual(['orders', 'orders_b', 'zz_orders'])
    const sort = encodeURIComponent(JSON.stringify({ field: 'title', order: 'desc' }))
    expect(titles(await list(`&sort=${sort}`))).toEqual(['zz_orders', 'orders_b', 'orders'])
    expect(titles(await list('&page=2&page_size=2'))).toEqual(['zz_orders'])
    expect((await list('&page=2&page_size=2')).count).toBe(3)
    const first = await list('&page_size=2&cursor=')
    expect(first.count, JSON.stringify(first)).toBe(3)
    const second = await list(`&page_size=2&cursor=${first.meta.next_cursor}`)
    expect([...titles(first), ...titles(second)].sort()).toEqual(['orders', 'orders_b', 'zz_orders'])
  })

  test('the count stays exact during concurrent writes', async () => {
    await using app = await createTestApp()
    for (let i = 0; i < 20; i += 1) await app.createResource({ title: i % 2 ? 'orders' : 'other' })
    const count = async () => (await app.call('GET', '/resource/catalog?search_term=orders&page_size=1')).body.count
    const truth = async () =>
      Number((await sql<{ n: number }>`select count(*) as n from resources where title = 'orders'`.execute(app.db)).rows[0]!.n)
    expect(await count()).toBe(10)
    const { rows } = await sql<{ id: string; title: string }>`select id, title from resources`.execute(app.db)
    await Promise.all(
      rows.flatMap(({ id, title }, i) => [
        i % 3 === 0
          ? app.call('DELETE', `/resource/all/${id}`)
          : app.call('PATCH', `/resource/all/${id}`, { body: { title: title === 'orders' ? 'other' : 'orders', description: `${i}` } }),
        app.createResource({ title: i % 4 ? 'other' : 'orders' }),
        count(),
      ]),
    )
    expect(await count()).toBe(await truth())
  })
})

test('reuses a cached result only until a relevant resource is written', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ title: 'orders', description: 'old' })
  const other = await app.createResource({ title: 'invoices' })
  const summarize = async () => {
    const page = await find(app, { q: 'orders' })
    return [page.count, page.facets.verified.values.map(({ value }: { value: boolean }) => value), page.results[0]?.reason.tier]
  }
  expect(await summarize()).toEqual([1, [false], 'exact_title'])
  await app.call('PATCH', `/resource/all/${other.id}`, { body: { description: 'unrelated' } })
  expect(await summarize()).toEqual([1, [false], 'exact_title'])
  await app.call('PATCH', `/resource/all/${id}`, { body: { verified: true } })
  expect(await summarize()).toEqual([1, [true], 'exact_title'])
  await app.call('PATCH', `/resource/all/${other.id}`, { body: { title: 'orders' } })
  expect((await summarize())[0]).toBe(2)
  await app.call('PATCH', `/resource/all/${id}`, { body: { title: 'all_orders' } })
  await app.call('DELETE', `/resource/all/${other.id}`)
  expect(await summarize()).toEqual([1, [true], 'title_phrase'])
})
