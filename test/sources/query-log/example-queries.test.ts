import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLineageCatalog } from '../../support/lineage-catalog.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

let app: TestApp
let table: string
beforeAll(async () => {
  app = await createTestApp()
  table = (await createLineageCatalog(app, { 'shop.public.orders': ['id'] }, { published: true })).get('shop.public.orders')!
})
afterAll(() => app[Symbol.asyncDispose]())

interface Example {
  readonly id: string
  readonly title: string
}
const list = async (token = app.token): Promise<Example[]> =>
  (await app.call('GET', `/resource/all/${table}/queries`, { token })).body.results
const add = async (title: string, definition: string, more: object = {}, token = app.token): Promise<string> =>
  (await app.call('POST', '/query/queries', { token, body: { title, definition, published: true, ...more } })).body.id

test('queries that read a table, ranked, with author, people, runs and last run, as far as the caller sees them', async () => {
  const editor = await app.createUser('editor')
  const viewer = await app.createUser('viewer')
  const rare = await add('rare', 'select * from SHOP."public".orders', { freq: 1 }, editor.token)
  const often = await add('often', 'select id from public.orders', { freq: 500 })
  const verified = await add('verified', 'select count(*) from [public].[orders]', { freq: 2, verified: true })
  await add('another table', 'select * from public.orders_old')
  await add('a comment', 'select 1 -- public.orders', {}).then((id) => saveRead(id, null)) // parsed: it reads something else
  const hidden = await add('hidden', 'select * from public.orders', { published: false })
  await saveRead(often, table)
  const at = new Date('2026-03-01T12:00:00Z')
  const integration = (await app.call('POST', '/integration/integrations', { body: { name: 'Shop', type: 'custom' } })).body.id
  await sql`insert into query_uses (query_id, counted_at, integration, calls) values (${often}, ${at}, ${integration}, 500)`.execute(app.db)
  await sql`update resources set external_users = array['maria', 'ben'] where id = ${often}`.execute(app.db)

  expect((await list()).map(({ title }) => title)).toEqual(['often', 'verified', 'rare', 'hidden'])
  expect((await list(viewer.token)).map(({ id }) => id)).toEqual([often, verified, rare])
  expect(await list(viewer.token)).toMatchObject([
    { executions: 500, people: ['maria', 'ben'], last_run_at: at.toISOString(), parsed: true, verified: false },
    { verified: true, parsed: false, last_run_at: null },
    { author: editor.id, author_name: 'editor Person', executions: 1, parsed: false },
  ])
  expect((await app.call('GET', `/resource/all/${hidden}/queries`, { token: viewer.token })).status).toBe(404)

  const { content } = (
    await app.call('POST', '/ai/mcp/tools/call/', { token: viewer.token, body: { name: 'list_queries', arguments: { id: table } } })
  ).body
  const { items, total } = JSON.parse(content[0].text)
  expect(total).toBe(3)
  expect(items[0]).toMatchObject({
    id: often,
    sql: 'select id from public.orders',
    executions: 500,
    people: ['maria', 'ben'],
    last_run_at: at.toISOString(),
  })
})

const saveRead = (query: string, resource: string | null) =>
  sql`insert into query_reads (query_id, resource_id) values (${query}, ${resource ?? query})`.execute(app.db)
