import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createResources } from '../../src/catalog/resources/create.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Facets compared with counts in memory, over a few thousand tables. */

const TABLES = 2_400 // of which each word has more than are counted by their IDs
interface TableFacts {
  readonly title: string
  readonly published: boolean
  readonly tags: string[]
  readonly terms: string[]
  readonly teams: string[]
  readonly collections: string[]
  readonly health: string[]
  readonly tier: string[]
  readonly channels: string[]
}
type FacetKey = Exclude<keyof TableFacts, 'title' | 'published'>
const FACET_KEYS = ['tags', 'terms', 'teams', 'collections', 'health', 'tier', 'channels'] as const satisfies readonly FacetKey[]

let app: TestApp
let viewer: string
let facts: TableFacts[]
let ids: Record<'tags' | 'terms' | 'teams' | 'collections', string[]>
let hidden: string[]
let properties: { tier: string; channels: string }

beforeAll(async () => {
  app = await createTestApp()
  viewer = (await app.createUser('viewer')).token
  const createNamed = async (entity_type: string, names: readonly string[]) => {
    const created: string[] = []
    for (const title of names) created.push((await app.createResource({ title, entity_type, published: !title.startsWith('Secret') })).id)
    return created
  }
  const tags: string[] = []
  for (const name of ['blue', 'green', 'red']) tags.push((await app.call('POST', '/tag', { body: { name } })).body.id)
  ids = {
    tags,
    terms: await createNamed('glossary', ['Margin', 'Churn', 'Secret term']),
    teams: [await app.createTeam(), await app.createTeam()],
    collections: await createNamed('collection', ['Finance', 'Logistics', 'People', 'Secret collection']),
  }
  hidden = [ids.terms.at(-1)!, ids.collections.at(-1)!]
  const createProperty = async (body: object): Promise<string> =>
    (await app.call('POST', '/resource/all_v2/custom_properties/', { body })).body.id
  properties = {
    tier: await createProperty({ name: 'Tier', value_type: 'select', options: ['gold', 'silver'] }),
    channels: await createProperty({ name: 'Channels', value_type: 'multi_select', options: ['web', 'shop', 'phone'] }),
  }
  facts = Array.from({ length: TABLES }, (_, i) => createFacts(i))
  await createTables()
  return () => app[Symbol.asyncDispose]()
})

/** Every value has its own period, so that all combinations occur. */
const createFacts = (i: number): TableFacts => {
  const every = (period: number, values: readonly string[]) => values.filter((_, n) => (i + n) % (period + n) === 0)
  return {
    title: `${i % 2 === 0 ? 'zebra' : 'gecko'}_${i}`,
    published: i % 7 !== 0,
    tags: every(3, ids.tags),
    terms: every(4, ids.terms),
    teams: every(5, ids.teams),
    collections: every(2, ids.collections),
    health: [i % 11 === 0 || i % 13 === 0 ? 'warning' : 'unknown'],
    tier: i % 6 === 0 ? ['gold'] : i % 6 === 1 ? ['silver'] : [],
    channels: every(3, ['web', 'shop', 'phone']),
  }
}

const createTables = async () => {
  const created: { id: string }[] = []
  for (let at = 0; at < TABLES; at += 500)
    created.push(
      ...(await createResources(
        app.ctx,
        facts.slice(at, at + 500).map(({ title, published, tags, terms, teams, collections }, n) => ({
          ...{ title, published, tags, terms, teams, collections, entity_type: 'table' },
          ...((at + n) % 13 === 0 ? { deprecation: { reason: 'Old.' } } : {}),
        })),
      )),
    )
  const stale = created.filter((_, i) => i % 11 === 0).map(({ id }) => id)
  await sql`update resources set stale = true, stale_at = now() where id = any(${stale}::uuid[])`.execute(app.db)
  const rows = created.flatMap(({ id }, i) => {
    const { tier, channels } = facts[i]!
    return [
      ...(tier.length > 0 ? [{ resource_id: id, property_id: properties.tier, value: tier[0]!, items: null }] : []),
      ...(channels.length > 0
        ? [{ resource_id: id, property_id: properties.channels, value: JSON.stringify(channels), items: channels }]
        : []),
    ]
  })
  for (let at = 0; at < rows.length; at += 1000)
    await app.db
      .insertInto('property_values')
      .values(rows.slice(at, at + 1000).map((row) => ({ ...row, updated_at: new Date() })))
      .execute()
  await sql`analyze`.execute(app.db) // otherwise Postgres plans for empty tables, until autovacuum has seen these
}

type Selection = Partial<Record<FacetKey, readonly string[]>>

const toParams = (q: string | undefined, selection: Selection): URLSearchParams => {
  const { tier, channels, ...lists } = selection
  const chosen = { ...(tier ? { [properties.tier]: tier } : {}), ...(channels ? { [properties.channels]: channels } : {}) }
  return new URLSearchParams({
    entity_type: 'table',
    page_size: '1',
    ...(q ? { q } : {}),
    ...Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.join(',')])),
    ...(Object.keys(chosen).length > 0 ? { properties: JSON.stringify(chosen) } : {}),
  })
}

const facetName = (key: FacetKey): string => (key === 'tier' || key === 'channels' ? `custom_property:${properties[key]}` : key)

const countInMemory = (q: string | undefined, selection: Selection, all: boolean) => {
  const matching = (but?: FacetKey) =>
    facts.filter(
      (each) =>
        (all || each.published) &&
        each.title.startsWith(q ?? '') &&
        FACET_KEYS.every((key) => key === but || !selection[key] || each[key].some((value) => selection[key]!.includes(value))),
    )
  const facets = FACET_KEYS.map((key) => {
    const counts = new Map<string, number>()
    for (const each of matching(key)) for (const value of each[key]) counts.set(value, (counts.get(value) ?? 0) + 1)
    if (!all) for (const id of hidden) counts.delete(id)
    return [key, Object.fromEntries([...counts].sort())] as const
  })
  return { count: matching().length, facets: Object.fromEntries(facets) }
}

const countBySearch = async (q: string | undefined, selection: Selection, token: string) => {
  const { status, body, text } = await app.call('GET', `/search?${toParams(q, selection)}`, { token })
  expect(status, text).toBe(200)
  const facets = FACET_KEYS.map((key) => {
    const { capped = false, values = [] } = body.facets[facetName(key)] ?? {}
    expect([key, capped]).toEqual([key, false])
    const counted = values.filter(({ count }: { count: number }) => count > 0)
    return [key, Object.fromEntries(counted.map(({ value, count }: { value: string; count: number }) => [value, count]).sort())] as const
  })
  return { count: body.count, facets: Object.fromEntries(facets) }
}

describe('the facets of terms, teams, collections, health and custom properties are exact', () => {
  for (const q of ['zebra', undefined])
    for (const who of ['an admin', 'a viewer'])
      test(`${q ? `for ${q}` : 'without words'}, for ${who}`, async () => {
        const selections: Selection[] = [
          {},
          ...FACET_KEYS.map((key) => ({
            [key]: [facts.find((each) => each.title.startsWith('zebra') && each.published && each[key].length > 0)![key][0]!],
          })),
          { collections: ids.collections.slice(0, 2), health: ['warning'] },
          { terms: [ids.terms[0]!], teams: [ids.teams[0]!], tier: ['gold', 'silver'] },
          { channels: ['web', 'phone'], collections: [ids.collections[1]!], tags: [ids.tags[2]!] },
        ]
        for (const selection of selections) {
          const all = who === 'an admin'
          const expected = countInMemory(q, selection, all)
          expect([selection, await countBySearch(q, selection, all ? app.token : viewer)]).toEqual([selection, expected])
          expect(expected.count).toBeGreaterThan(0)
        }
      })
})

test('collections have their names, and one that the caller cannot see is neither offered nor counted', async () => {
  const labels = async (token: string) => {
    const { body } = await app.call('GET', '/search?q=zebra&entity_type=table', { token })
    return body.facets.collections.values.map(({ label }: { label: string }) => label).sort()
  }
  expect(await labels(app.token)).toEqual(['Finance', 'Logistics', 'People', 'Secret collection'])
  expect(await labels(viewer)).toEqual(['Finance', 'Logistics', 'People'])
  const wrong = await app.call('GET', '/search?collections=finance')
  expect([wrong.status, wrong.body.errors]).toEqual([400, { collections: ['must be a comma-separated list of UUIDs.'] }])
})

test('every result after the 500th is reached, once', async () => {
  const titles: string[] = []
  for (let page = 1; page <= 5; page += 1) {
    const { body } = await app.call('GET', `/search?q=zebra&entity_type=table&page_size=250&page=${page}`)
    titles.push(...body.results.map(({ title }: { title: string }) => title))
  }
  expect([titles.length, new Set(titles).size]).toEqual([TABLES / 2, TABLES / 2])
  const { body } = await app.call('GET', '/search?q=zebra&entity_type=table&page_size=1&page=501')
  expect(body.results[0].title).toBe(titles[500])
})

test.each([
  ['q=walrus', 0],
  ['entity_type=table', 0],
  ['q=walrus', 1_500],
])('repeated, the search %s counts changed health and changed custom properties, with %i other matches', async (query, others) => {
  await using app = await createTestApp()
  await createResources(
    app.ctx,
    Array.from({ length: others }, () => ({ title: 'walrus', entity_type: 'table' })),
  )
  const unknown = (n: number) => (n + others > 0 ? [`unknown ${n + others}`] : [])
  const { id } = await app.createResource({ title: 'walrus', entity_type: 'table', published: true })
  const all = '/resource/all_v2/custom_properties/'
  const { body: property } = await app.call('POST', all, { body: { name: 'Tier', value_type: 'select', options: ['gold', 'silver'] } })
  const setTier = async (value: string) =>
    expect((await app.call('PUT', `${all}${property.id}/${id}`, { body: { value } })).status).toBe(200)
  const count = async () => {
    const { facets } = (await app.call('GET', `/search?${query}`)).body
    const toTexts = (facet?: { values: { value: string; count: number }[] }) => facet?.values.map(({ value, count }) => `${value} ${count}`)
    const tier = facets[`custom_property:${property.id}`]
    return [toTexts(facets.health), tier?.label, toTexts(tier)]
  }
  expect(await count()).toEqual([unknown(1), undefined, undefined])
  await setTier('gold')
  expect(await count()).toEqual([unknown(1), 'Tier', ['gold 1']])
  expect(await count()).toEqual([unknown(1), 'Tier', ['gold 1']])
  // Health changes without a change of the resource.
  await sql`insert into activities (id, activity_type, performer_type, resource_id, resource_type, logged_at, payload)
    values (gen_random_uuid(), 'schema_changed', 'SYSTEM', ${id}, 'table', now(), '{}')`.execute(app.db)
  expect(await count()).toEqual([[...unknown(0), 'warning 1'], 'Tier', ['gold 1']])
  await setTier('silver')
  await app.call('PATCH', `${all}${property.id}`, { body: { name: 'Level' } })
  await app.call('PATCH', `/resource/all/${id}`, { body: { deprecation: { reason: 'Old.' } } })
  expect(await count()).toEqual([[...unknown(0), 'warning 1'], 'Level', ['silver 1']])
})
