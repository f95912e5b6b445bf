import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What narrows a search: fields of the query language, their completion, facets of terms, teams and custom properties. */
const get = async (app: TestApp, path: string, parameters: Record<string, string>, token?: string) => {
  const response = await app.call('GET', `${path}?${new URLSearchParams(parameters)}`, token ? { token } : {})
  expect(response.status, response.text).toBe(200)
  return response.body
}
const find = (app: TestApp, parameters: Record<string, string>, token?: string) => get(app, '/search', parameters, token)
const titles = (page: { results: { title: string }[] }) => page.results.map(({ title }) => title).sort()
const complete = async (app: TestApp, field: string, value: string, token?: string): Promise<string[]> =>
  (await get(app, '/search/values', { field, value }, token)).results.map(({ term }: { term: string }) => term)

const createProperty = async (app: TestApp, body: object): Promise<string> =>
  (await app.call('POST', '/resource/all_v2/custom_properties/', { body })).body.id
const setProperties = async (app: TestApp, entity_ids: string[], properties: Record<string, string>) => {
  const response = await app.call('PUT', '/resource/all_v2/bulk_update/custom_properties/', { body: { entity_ids, properties } })
  expect(response.status, response.text).toBe(200)
}

/** Three tables of a shop with a team, a tier, channels, a steward and a term, one of them unpublished. */
const createShop = async (app: TestApp) => {
  const maria = await app.createUser('editor')
  await app.db.updateTable('users').set({ first_name: 'Maria', last_name: 'Lopez' }).where('id', '=', maria.id).execute()
  const team = await app.createTeam()
  await app.db.updateTable('teams').set({ name: 'Month end' }).where('id', '=', team).execute()
  const database = await app.createResource({ title: 'shop', entity_type: 'database', published: true })
  const schema = await app.createResource({ title: 'secret sales', entity_type: 'schema', parent: database.id })
  const term = await app.createResource({ title: 'Active customer', entity_type: 'glossary', published: true })
  const hiddenTerm = await app.createResource({ title: 'Takeover target', entity_type: 'glossary' })
  const gold = await app.createResource({ title: 'orders_gold', published: true, teams: [team], owners: [maria.id], terms: [term.id] })
  const silver = await app.createResource({ title: 'orders_silver', published: true, terms: [term.id] })
  const hidden = await app.createResource({ title: 'orders_hidden', parent: schema.id, terms: [hiddenTerm.id] })
  const tier = await createProperty(app, { name: 'Tier', value_type: 'select', options: ['gold', 'silver', 'dark matter'] })
  const channels = await createProperty(app, { name: 'Sales channels', value_type: 'multi_select', options: ['web', 'shop floor'] })
  const steward = await createProperty(app, { name: 'Steward', value_type: 'user' })
  const business = await createProperty(app, { name: 'Business term', value_type: 'resource' })
  const note = await createProperty(app, { name: 'Note', value_type: 'string' })
  await setProperties(app, [gold.id], {
    [tier]: 'gold',
    [channels]: '["web","shop floor"]',
    [steward]: maria.id,
    [business]: term.id,
    [note]: 'Old',
  })
  await setProperties(app, [silver.id], { [tier]: 'silver', [channels]: '["web"]' })
  await setProperties(app, [hidden.id], { [tier]: 'dark matter', [business]: hiddenTerm.id, [note]: 'Nobody knows' })
  return { maria, team, term, hiddenTerm, gold, silver, hidden, tier, channels, steward, business, note }
}

test('spelling=off searches the literal word, in the search, the catalog and the export', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'customer_orders' })
  await app.createResource({ title: 'invoices', description: 'Sent by post' })
  await app.createResource({ title: 'customers' })
  expect(await find(app, { q: 'customre' })).toMatchObject({
    corrections: [{ typed: 'customre', meant: ['customer', 'customers'] }],
    count: 2,
  })
  expect(await find(app, { q: 'customre', spelling: 'off' })).toMatchObject({ corrections: [], count: 0 })
  expect(titles(await find(app, { q: 'customre invoices', spelling: 'off' }))).toEqual(['invoices'])
  expect(titles(await get(app, '/resource/catalog', { search_term: 'customre' }))).toEqual(['customer_orders', 'customers'])
  expect(titles(await get(app, '/resource/catalog', { search_term: 'customre', spelling: 'off' }))).toEqual([])
  const file = async (more: string) => (await app.call('GET', `/resource/export?format=csv&fields=title&search_term=customre${more}`)).text
  expect((await file('')).trim().split(/\s+/)).toEqual(['title', expect.stringContaining('customer'), expect.stringContaining('customer')])
  expect((await file('&spelling=off')).trim()).toBe('title')
  expect((await app.call('GET', '/search?q=a&spelling=perhaps')).body).toMatchObject({ code: 'validation_failed' })
})

describe('terms, teams and custom properties', () => {
  let app: TestApp
  let viewer: Awaited<ReturnType<TestApp['createUser']>>
  let shop: Awaited<ReturnType<typeof createShop>>
  beforeAll(async () => {
    app = await createTestApp()
    viewer = await app.createUser('viewer')
    shop = await createShop(app)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test('are fields of the query language', async () => {
    const { tier, maria, hiddenTerm } = shop
    const found = async (q: string, token?: string) => titles(await find(app, { q }, token))
    for (const [q, expected] of [
      ['team:month', ['orders_gold']],
      ['team:"Month end" orders', ['orders_gold']],
      ['term:"active customer"', ['orders_gold', 'orders_silver']],
      ['term:act', ['orders_gold', 'orders_silver']],
      ['term:takeover', ['orders_hidden']],
      ['term:"?"', []],
      ['property:Tier=gold', ['orders_gold']],
      ['orders property:tier=SILVER', ['orders_silver']],
      ['property:"Tier=dark matter"', ['orders_hidden']],
      [`property:${tier}=gold`, ['orders_gold']],
      ['property:"Sales channels=web"', ['orders_gold', 'orders_silver']],
      ['property:"Sales channels=Shop Floor"', ['orders_gold']],
      ['property:"Sales channels"', ['orders_gold', 'orders_silver']],
      ['property:Steward=maria', ['orders_gold']],
      ['property:"Business term=active customer"', ['orders_gold']],
      ['property:Note=old', ['orders_gold']],
      ['property:Unknown=x', []],
      ['property:Tier=unknown', []],
    ] as const)
      expect([q, await found(q)]).toEqual([q, expected])
    // The list understands the same language, and filters by terms.
    const listed = async (query: Record<string, string>, token?: string) => {
      const page = await get(app, '/resource/catalog', { sort: '{"field":"title"}', ...query }, token)
      expect(page.count).toBe(page.results.length)
      return titles(page)
    }
    expect(await listed({ search_term: 'orders property:Tier=gold' })).toEqual(['orders_gold'])
    expect(await listed({ search_term: 'type:table -gold' })).toEqual(['orders_hidden', 'orders_silver'])
    expect(await listed({ search_term: 'term:active' }, viewer.token)).toEqual(['orders_gold', 'orders_silver'])
    const withTerm = (operator: string, value?: string[]) => ({ filter: JSON.stringify({ operator, field: 'terms', value }) })
    expect(await listed(withTerm('is_set'))).toEqual(['orders_gold', 'orders_hidden', 'orders_silver'])
    expect(await listed(withTerm('is_set'), maria.token)).toEqual(['orders_gold', 'orders_hidden', 'orders_silver'])
    expect(await listed(withTerm('in', [hiddenTerm.id]))).toEqual(['orders_hidden'])
    expect(await found('property:Tier', viewer.token)).toEqual(['orders_gold', 'orders_silver'])
    expect(await found('term:takeover', viewer.token)).toEqual([])
    expect(await found('team:month', viewer.token)).toEqual([]) // the names of teams need people.read
  })

  test('are completed with what the caller can see, values with spaces in quotes', async () => {
    const { hidden } = shop
    for (const [field, value, expected] of [
      ['type', 'das', ['type:dashboard', 'type:dashboard_group']],
      ['is', '', ['is:verified', 'is:published', 'is:pii', 'is:stale', 'is:archived', 'is:deprecated']],
      ['owner', 'lop', ['owner:"Maria Lopez"']],
      ['owner', 'm', ['owner:me', 'owner:"Maria Lopez"']],
      ['team', 'end', ['team:"Month end"']],
      ['term', '', ['term:"Active customer"', 'term:"Takeover target"']],
      ['term', 'cust', ['term:"Active customer"']],
      ['in', '', ['in:shop', 'in:"shop.secret sales"']],
      ['in', 'shop.', ['in:"shop.secret sales"']],
      ['in', 'sec', ['in:"shop.secret sales"']],
      ['property', 'ti', ['property:Tier=']],
      ['property', 'sales', ['property:"Sales channels="']],
      ['property', 'Tier=', ['property:Tier=gold', 'property:Tier=silver', 'property:"Tier=dark matter"']],
      ['property', 'sales channels=s', ['property:"Sales channels=shop floor"']],
      ['property', 'Note=', ['property:"Note=Nobody knows"', 'property:Note=Old']],
      ['property', 'Steward=mar', ['property:"Steward=Maria Lopez"']],
      ['property', 'Business term=a', ['property:"Business term=Active customer"']],
      ['property', 'None=', []],
    ] as const)
      expect([field, value, await complete(app, field, value)]).toEqual([field, value, expected])
    await app.call('POST', '/tag', { body: { name: 'say "hi" there' } })
    const [tag] = await complete(app, 'tag', 'hi')
    await app.call('PATCH', `/resource/all/${hidden.id}`, {
      body: { tags: [(await app.call('GET', '/tag?name=say')).body.results[0].id] },
    })
    expect(titles(await find(app, { q: tag! }))).toEqual(['orders_hidden'])

    const seen = (field: string, value: string) => complete(app, field, value, viewer.token)
    expect(await seen('in', '')).toEqual(['in:shop'])
    expect(await seen('term', '')).toEqual(['term:"Active customer"'])
    expect(await seen('team', '')).toEqual([])
    expect(await seen('property', 'Note=')).toEqual(['property:Note=Old'])
    expect(await seen('owner', 'mar')).toEqual(['owner:"Maria Lopez"']) // owns a visible resource
    expect(await seen('owner', 'person')).toEqual(['owner:"viewer Person"']) // not the admin
    expect((await get(app, '/search/values', { field: 'owner', value: 'mar' }, viewer.token)).results[0].detail).toBeNull()
    expect((await app.call('GET', '/search/values?field=color')).body.errors).toHaveProperty('field')
  })

  test('are facets that ignore their own selection, also without words', async () => {
    const { team, term, hiddenTerm, tier, channels, steward, maria, business, note, silver } = shop
    for (const q of ['orders', undefined]) {
      const words: Record<string, string> = q ? { q } : {}
      const { facets } = await find(app, words)
      expect(facets.teams.values).toEqual([{ value: team, count: 1, selected: false }])
      expect(facets.terms.values).toEqual([
        { value: term.id, count: 2, selected: false, label: 'Active customer' },
        { value: hiddenTerm.id, count: 1, selected: false, label: 'Takeover target' },
      ])
      expect(facets[`custom_property:${tier}`]).toEqual({
        capped: false,
        label: 'Tier',
        values: ['dark matter', 'gold', 'silver'].map((value) => ({ value, count: 1, selected: false })),
      })
      expect(facets[`custom_property:${channels}`].values).toMatchObject([
        { value: 'web', count: 2 },
        { value: 'shop floor', count: 1 },
      ])
      expect(facets[`custom_property:${steward}`].values).toMatchObject([{ value: maria.id, count: 1 }])
      expect(facets[`custom_property:${note}`]).toBeUndefined() // free text
      const gold = await find(app, { ...words, properties: '{"tier":["gold"]}' })
      expect(titles(gold)).toEqual(['orders_gold'])
      expect(gold.facets[`custom_property:${tier}`].values).toMatchObject([{ value: 'gold', count: 1, selected: true }, {}, {}])
      expect(gold.facets[`custom_property:${channels}`].values).toMatchObject([
        { value: 'shop floor', count: 1 },
        { value: 'web', count: 1 },
      ])
      const both = await find(app, {
        ...words,
        properties: JSON.stringify({ Tier: ['gold', 'silver'], [channels]: ['shop floor'] }),
        terms: term.id,
      })
      expect([titles(both), both.facets.terms.values]).toMatchObject([['orders_gold'], [{ value: term.id, count: 1, selected: true }]])
      expect(titles(await find(app, { ...words, teams: team }))).toEqual(['orders_gold'])

      const seen = await find(app, words, viewer.token)
      expect(seen.facets.terms.values).toMatchObject([{ value: term.id, count: 2 }])
      expect(seen.facets[`custom_property:${tier}`].values).toMatchObject([{ value: 'gold' }, { value: 'silver' }])
      expect(seen.facets[`custom_property:${business}`].values).toMatchObject([{ value: term.id }])
      expect(titles(await find(app, { ...words, terms: hiddenTerm.id }, viewer.token))).toEqual([])
    }
    // Never stale: a value is not part of the resource.
    await setProperties(app, [silver.id], { [tier]: 'gold' })
    const { facets } = await find(app, {})
    expect(facets[`custom_property:${tier}`].values).toMatchObject([
      { value: 'gold', count: 2 },
      { value: 'dark matter', count: 1 },
    ])
    for (const [query, errors] of [
      ['properties={}x', { properties: [expect.stringContaining('must be a JSON object')] }],
      ['properties={"Nothing":["a"]}', { properties: ['custom property "Nothing" does not exist.'] }],
      ['properties={"Tier":"gold"}', { 'properties.Tier': [expect.stringContaining('must be an array')] }],
      ['properties={"Steward":["gold"]}', { 'properties.Steward[0]': ['must be a UUID.'] }],
      ['terms=none', { terms: ['must be a comma-separated list of UUIDs.'] }],
    ] as const)
      expect((await app.call('GET', `/search?${query}`)).body).toMatchObject({ errors })
  })
})
