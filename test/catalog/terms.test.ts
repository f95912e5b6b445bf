import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nameKey } from '../../src/catalog/glossary/name-key.ts'
import { deriveLineage } from '../lineage/lineage-queries.ts'
import { createLineageCatalog } from '../support/lineage-catalog.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { importLines } from '../support/transfer.ts'

/** Glossary terms of resources: written, found, counted and suggested. */
let app: TestApp
let viewer: Awaited<ReturnType<TestApp['createUser']>>
beforeAll(async () => {
  app = await createTestApp()
  viewer = await app.createUser('viewer')
})
afterAll(() => app[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: JSON
const get = async (path: string, token?: string): Promise<any> => {
  const { status, body } = await app.call('GET', path, { token })
  expect([path, status]).toEqual([path, 200])
  return body
}
const createTerm = async (title: string, more: object = {}): Promise<string> =>
  (await app.createResource({ title, entity_type: 'glossary', published: true, ...more })).id
const bulk = (...edits: object[]) => app.call('POST', '/resource/all/bulk_update/', { body: edits })
const withTerm = (id: string) => encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'terms', value: id }))

test('terms are written, kept in the history, exported, imported and restored like tags', async () => {
  const [revenue, margin] = [await createTerm('Revenue'), await createTerm('Margin')]
  const table = await app.createResource({ title: 'sales', published: true, terms: [revenue] })
  expect(table.terms).toEqual([revenue])
  expect((await app.call('PATCH', `/resource/all/${table.id}`, { body: { terms: [revenue, margin] } })).body.terms).toEqual([
    revenue,
    margin,
  ])
  const [version] = (await get(`/resource/all/${table.id}/versions`)).results
  expect(version.changes).toEqual([{ field: 'terms', from: [revenue], to: [revenue, margin] }])
  expect((await get(`/resource/all/${table.id}/versions/1`)).terms).toEqual([revenue])

  const csv = (await app.call('GET', `/resource/export?format=csv&fields=id,terms,term_names&filter=${withTerm(margin)}`)).text
  expect(csv.trim().split('\n')[1]).toBe(`${table.id},${revenue};${margin},"Margin, Revenue"`)
  const imported = await importLines(app, [{ databuilder_id: 'sums', title: 'sums', terms: [margin] }])
  expect(imported.body).toMatchObject({ created: 1 })
  expect((await get(`/resource/catalog?filter=${withTerm(margin)}&sort={"field":"title"}`)).results).toMatchObject([
    { title: 'sales' },
    { title: 'sums' },
  ])

  // A deleted term is removed from its resources, and comes back with the term.
  await app.call('DELETE', `/glossary/${margin}`)
  expect((await get(`/resource/all/${table.id}`)).terms).toEqual([revenue])
  expect((await app.call('POST', `/resource/all/${margin}/restore`, { body: {} })).status).toBe(200)
  expect((await get(`/resource/all/${table.id}`)).terms).toEqual([revenue, margin])
  await app.call('DELETE', `/resource/all/${table.id}`)
  expect((await get(`/glossary/${revenue}/usage`)).count).toBe(0)
  await app.call('POST', `/resource/all/${table.id}/restore`, { body: {} })
  expect((await get(`/resource/catalog?filter=${withTerm(revenue)}`)).results).toMatchObject([{ id: table.id, terms: [revenue, margin] }])
})

test('a bulk update adds to lists and removes from them', async () => {
  const [a, b, c] = [await createTerm('Term a'), await createTerm('Term b'), await createTerm('Term c')]
  const one = await app.createResource({ title: 'bulk_one', terms: [a] })
  const two = await app.createResource({ title: 'bulk_two', terms: [a, b], tags: [c] })
  const edits = [one, two].map(({ id }) => ({ id, data: {}, add: { terms: [c.toUpperCase(), c] }, remove: { terms: [a], tags: [c] } }))
  expect((await bulk(...edits)).body).toEqual([one.id, two.id])
  expect((await get(`/resource/all/${one.id}`)).terms).toEqual([c])
  expect(await get(`/resource/all/${two.id}`)).toMatchObject({ terms: [b, c], tags: [] })
  const again = (await get(`/resource/all/${one.id}`)).version
  expect((await bulk({ id: one.id, data: {}, add: { terms: [c] } })).status).toBe(200)
  expect((await get(`/resource/all/${one.id}`)).version).toBe(again)
  // Twice in one request, and after a replaced list.
  await bulk({ id: one.id, data: { terms: [a] }, add: { terms: [b] } }, { id: one.id, data: {}, remove: { terms: [a] } })
  expect((await get(`/resource/all/${one.id}`)).terms).toEqual([b])
  expect((await bulk({ id: one.id, data: {}, add: { terms: ['x'] } })).status).toBe(400)
  const many = Array.from({ length: 1000 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`)
  expect((await bulk({ id: one.id, data: {}, add: { terms: many } })).body.errors).toEqual({
    'add.terms': ['The list would have more than 1,000 IDs.'],
  })
})

describe('usage and suggestions', () => {
  let term: string
  let hiddenTerm: string
  let table: string
  beforeAll(async () => {
    term = await createTerm('Net revenue', { description: 'After refunds.' })
    await app.call('PATCH', `/glossary/${term}`, { body: { synonyms: ['Turnover'] } })
    hiddenTerm = await createTerm('Takeover target', { published: false })
    table = (await app.createResource({ title: 'daily', published: true })).id
    for (const title of ['net_revenue', 'NetRevenues', 'turnover', 'net_revenue_usd', 'takeover_target'])
      await app.createResource({ title, entity_type: 'column', parent: table, published: true })
    await app.createResource({ title: 'net_revenue', entity_type: 'column', published: false })
  })

  test('counts what the caller can see, the same as the list', async () => {
    const columns = (await get(`/table/columns?parent_id=${table}`)).results
    const hidden = await app.createResource({ title: 'hidden_sums', published: false, terms: [term] })
    await bulk(...columns.slice(0, 3).map(({ id }: { id: string }) => ({ id, data: {}, add: { terms: [term] } })), {
      id: table,
      data: {},
      add: { terms: [term, hiddenTerm] },
    })
    expect(await get(`/glossary/${term}/usage`)).toEqual({
      count: 5,
      by_type: [
        { entity_type: 'column', count: 3 },
        { entity_type: 'table', count: 2 },
      ],
    })
    expect(await get(`/glossary/${term}/usage`, viewer.token)).toMatchObject({
      count: 4,
      by_type: [{}, { entity_type: 'table', count: 1 }],
    })
    expect((await get(`/resource/catalog?filter=${withTerm(term)}`, viewer.token)).count).toBe(4)
    expect((await app.call('GET', `/glossary/${hiddenTerm}/usage`, { token: viewer.token })).status).toBe(404)
    expect((await app.call('GET', `/glossary/${table}/usage`)).status).toBe(404)
    expect((await get('/search?q=daily', viewer.token)).facets.terms.values).toMatchObject([{ value: term, label: 'Net revenue' }])
    const { names } = await get(`/ui/resource/${table}`, viewer.token)
    expect([names[term], names[hiddenTerm]]).toMatchObject([{ name: 'Net revenue', description: 'After refunds.' }, undefined])
    await bulk(...[...columns, hidden, { id: table }].map(({ id }) => ({ id, data: { terms: [] } })))
  })

  test('suggests terms by their words, for a table and its columns, and resources for a term', async () => {
    const pairs = async (token?: string) =>
      (await get(`/resource/all/${table}/term_suggestions`, token)).results.map(
        ({ resource_title, term_title }: Record<string, string>) => `${resource_title} ${term_title}`,
      )
    const seen = ['net_revenue Net revenue', 'NetRevenues Net revenue', 'turnover Net revenue']
    expect((await pairs()).sort()).toEqual([...seen, 'takeover_target Takeover target'].sort())
    expect((await pairs(viewer.token)).sort()).toEqual(seen.sort())
    const alike = async (token?: string) => (await get(`/glossary/${term}/named_alike`, token)).results
    expect((await alike()).map(({ title }: { title: string }) => title).sort()).toEqual([
      'NetRevenues',
      'net_revenue',
      'net_revenue',
      'turnover',
    ])
    expect(await alike(viewer.token)).toHaveLength(3)
    await bulk(...(await alike()).map(({ id }: { id: string }) => ({ id, data: {}, add: { terms: [term] } })))
    expect(await alike()).toEqual([])
    expect(await pairs()).toEqual(['takeover_target Takeover target'])
  })

  test('an accepted suggestion adds an existing term or creates it', async () => {
    const suggest = async (value: string) => {
      const { body } = await app.call('POST', '/change_suggestions', { body: { resource_id: table, field: 'term', value } })
      expect((await app.call('POST', `/change_suggestions/${body.id}/accept`)).status).toBe(200)
    }
    await suggest('net revenue')
    await suggest('Gross revenue')
    const [gross] = (await get('/glossary?title=Gross')).results
    expect((await get(`/resource/all/${table}`)).terms).toEqual([term, gross.id])
  })
})

test('suggests terms along lineage that passes values on, until they are rejected', async () => {
  const ids = await createLineageCatalog(
    app,
    {
      'flow.raw.sales': ['id', 'amt', 'region'],
      'flow.staging.sales': ['id', 'amt', 'region'],
      'flow.marts.daily': ['area', 'gmv', 'doubled'],
      'flow.marts.copied': ['id', 'amt', 'region'],
    },
    { published: true },
  )
  await deriveLineage(
    app,
    'insert into flow.staging.sales (id, amt, region) select id, amt, region from flow.raw.sales',
    'insert into flow.marts.daily (area, gmv, doubled) select region, sum(amt), max(amt * 2) from flow.staging.sales group by region',
    'insert into flow.marts.copied (id, amt, region) select id, amt, region from flow.staging.sales where amt > 0',
  )
  const id = (name: string) => ids.get(name)!
  const [territory, turnover, sale] = [await createTerm('Territory'), await createTerm('Amount taken'), await createTerm('Purchase')]
  await bulk(
    { id: id('flow.raw.sales.region'), data: { terms: [territory] } },
    { id: id('flow.raw.sales.amt'), data: { terms: [turnover] } },
    { id: id('flow.raw.sales'), data: { terms: [sale] } },
  )
  const list = async (name: string, token?: string): Promise<string[]> =>
    (await get(`/resource/all/${id(name)}/term_suggestions`, token)).results.map(
      ({ resource_title, term_title, reasons }: { resource_title: string; term_title: string; reasons: Record<string, string>[] }) =>
        `${resource_title} ${term_title}: ${reasons.map(({ type, resource_title }) => `${type} ${resource_title}`).join(', ')}`,
    )
  expect(await list('flow.staging.sales')).toEqual([
    'sales Purchase: lineage flow.raw.sales',
    'amt Amount taken: lineage flow.raw.sales.amt',
    'region Territory: lineage flow.raw.sales.region',
  ])
  // Terms arrive over two steps, but not through an aggregation or expression, and not at the table, whose rows differ.
  expect(await list('flow.marts.daily')).toEqual(['area Territory: lineage flow.raw.sales.region'])
  // The nearest column with terms counts.
  await bulk({ id: id('flow.staging.sales.region'), data: { terms: [sale] } })
  expect(await list('flow.marts.daily')).toEqual(['area Purchase: lineage flow.staging.sales.region'])
  // Suggestions come only through lineage that the caller can see.
  await bulk({ id: id('flow.staging.sales.region'), data: { published: false } })
  expect(await list('flow.marts.daily', viewer.token)).toEqual([])

  const dismiss = (name: string, term: string, token?: string) =>
    app.call('POST', `/resource/all/${id(name)}/term_suggestions/${term}/dismiss`, { token })
  expect((await dismiss('flow.marts.daily.area', sale, viewer.token)).status).toBe(403)
  expect((await dismiss('flow.marts.daily.area', turnover)).status).toBe(404)
  const { status, body } = await dismiss('flow.marts.daily.area', sale)
  expect([status, body]).toMatchObject([
    200,
    {
      resource_id: id('flow.marts.daily.area'),
      field: 'term',
      value: 'Purchase',
      status: 'rejected',
      grounds: [{ type: 'lineage', text: 'flow.staging.sales.region', resource_id: id('flow.staging.sales.region') }],
    },
  ])
  expect(await list('flow.marts.daily')).toEqual([])
  expect((await dismiss('flow.marts.daily.area', sale)).status).toBe(404)
  const [entry] = (await get('/activity_log/audit_logs/?page_size=1')).results
  expect(entry).toMatchObject({ activity_type: 'change_suggestion_rejected', resource_id: id('flow.marts.daily.area') })
  // A table that repeats another one row by row.
  await bulk({ id: id('flow.staging.sales'), data: { terms: [sale] } })
  expect(await list('flow.marts.copied')).toContain('copied Purchase: lineage flow.staging.sales')
})

test.each([
  ['net_revenue', 'net revenue'],
  ['NetRevenues', 'net revenue'],
  ['dim_customer', 'customer'],
  ['Crème brûlée', 'creme brulee'],
  ['dim', 'dim'],
  ['?', ''],
])('the words of %s', (name, key) => {
  expect(nameKey(name)).toBe(key)
})
