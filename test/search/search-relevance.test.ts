import { beforeAll, expect, test } from 'vitest'
import type { ResourceCreate } from '../../src/catalog/records/schema.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The order of results, by what the words of a search mean in names. */
let app: TestApp
let viewer: string

const create = async (title: string, { usage = 0, ...more }: { usage?: number } & ResourceCreate = {}) => {
  const resource = await app.createResource({ title, published: true, ...more })
  if (usage > 0) await app.db.updateTable('resources').set({ external_usage: usage }).where('id', '=', resource.id).execute()
  return resource
}
const search = async (q: string, token?: string) => {
  const { status, body, text } = await app.call(
    'GET',
    `/search?${new URLSearchParams({ q, entity_type: 'table' })}`,
    token ? { token } : {},
  )
  expect(status, text).toBe(200)
  return body
}
const titles = async (q: string, token?: string): Promise<string[]> =>
  (await search(q, token)).results.map(({ title }: { title: string }) => title)

beforeAll(async () => {
  app = await createTestApp()
  viewer = (await app.createUser('viewer')).token
  return () => app[Symbol.asyncDispose]()
})

test('a name comes first as it is written, although another table with its words is used more', async () => {
  await create('TillReceipt')
  await create('fct_till_receipts', { usage: 5_000, verified: true })
  expect(await titles('TillReceipt')).toEqual(['TillReceipt', 'fct_till_receipts'])
  expect(await titles('till receipt')).toEqual(['fct_till_receipts', 'TillReceipt'])
})

test('a whole word comes before a longer word that begins with it, also in another form', async () => {
  await create('tbl_kunde')
  await create('tbl_kundenkonto')
  await create('tbl_lieferant')
  await create('tbl_lieferantenbewertung', { usage: 90 })
  await create('bus_punctuality')
  expect(await titles('Kunden')).toEqual(['tbl_kunde', 'tbl_kundenkonto'])
  expect(await titles('Lieferanten')).toEqual(['tbl_lieferant', 'tbl_lieferantenbewertung'])
  expect(await titles('buses')).toEqual(['bus_punctuality'])
})

test('a word that consists of two words of the catalog finds them, and is no correction', async () => {
  await create('dim_gift_card')
  for (const token of [app.token, viewer]) expect(await titles('giftcard', token)).toEqual(['dim_gift_card'])
  expect(await search('giftcards')).toMatchObject({ count: 1, corrections: [] })
})

test('a group with the same stem is not named by the word', async () => {
  const { body: group } = await app.call('POST', '/auth/group', { body: { name: 'Purchasing' } })
  await create('supplier_ratings', { owners_groups: [group.id], usage: 500 })
  await create('purchase_orders')
  expect(await titles('purchases')).toEqual(['purchase_orders', 'supplier_ratings'])
  expect((await titles('purchasing'))[0]).toBe('supplier_ratings')
})

test('a sentence of which a table has one word finds it, and the result says so', async () => {
  await create('ed_arrivals', { description: 'Minutes that somebody spends in the corridor.' })
  const { results } = await search('people sitting unattended along hospital corridor seats')
  expect(results).toMatchObject([{ title: 'ed_arrivals', reason: { tier: 'partial', matched: 1 } }])
})

test('a path to a schema finds what is inside of it first', async () => {
  const database = await create('lakehouse', { entity_type: 'database' })
  const schema = await create('staffing', { entity_type: 'schema', parent: database.id })
  await create('rotas', { parent: schema.id })
  await create('lakehouse_staffing_plan', { usage: 900 })
  expect(await titles('lakehouse.staffing')).toEqual(['rotas', 'lakehouse_staffing_plan'])
})
