import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { checkDueViews } from '../../src/web-api/saved-views/matches.ts'
import { toViewSearch } from '../../src/web-api/saved-views/view-filter.ts'
import { editView } from '../../src/web-api/saved-views/views.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

test('the query of a view is read as the web app reads it', () => {
  expect(toViewSearch('q=orders&entity_type=table,column&pii=true&sort=title&columns=rows')).toEqual({
    search_term: 'orders',
    filter: JSON.stringify({
      operator: 'and',
      operands: [
        { operator: 'in', field: 'entity_type', value: ['table', 'column'] },
        { operator: 'exact', field: 'pii', value: true },
      ],
    }),
  })
  const filter = '{"operator":"is_set","field":"owners"}'
  expect(toViewSearch(`filter=${encodeURIComponent(filter)}&spelling=off`)).toEqual({ filter, spelling: 'off' })
  expect(toViewSearch('properties={"p":["gold"]}')).toEqual({ filter: '{"operator":"in","field":"custom_property:p","value":["gold"]}' })
  expect(toViewSearch('properties=nonsense&unknown=1')).toEqual({})
})

let minutes = 0
/** What the next round of checks puts into the inbox. */
const inboxAfterCheck = async (app: TestApp, token: string): Promise<string[]> => {
  minutes += 20
  const errors: unknown[] = []
  await checkDueViews({ ...app.ctx, now: new Date(Date.now() + minutes * 60_000) }, (error) => errors.push(error))
  expect(errors).toEqual([])
  while (await followChanges(app.ctx, [])) {}
  const { results } = (await app.call('GET', '/notification/inbox?unread=true', { token })).body
  await app.call('POST', '/notification/inbox/read_all', { token })
  return results.map(({ resource_title }: { resource_title: string }) => resource_title).sort()
}

test('a view notifies its owner about new matches only, as far as the owner may see them', async () => {
  await using app = await createTestApp()
  const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
  const team = await app.createTeam(true)
  const make = (title: string, more: object = {}) => app.createResource({ title, entity_type: 'table', published: true, ...more })
  await make('orders_old')
  const saved = await app.call('POST', '/view', {
    token: viewer.token,
    body: { name: 'Orders', query: 'q=orders&entity_type=table', notify: true },
  })
  expect([saved.status, saved.body.notify]).toEqual([201, true])
  expect(await inboxAfterCheck(app, viewer.token)).toEqual([])

  const draft = await make('orders_draft', { published: false })
  await make('orders_new')
  await make('orders_closed', { teams: [team] })
  await make('customers')
  await make('orders_dashboard', { entity_type: 'dashboard' })
  expect(await inboxAfterCheck(app, viewer.token)).toEqual(['orders_new'])
  expect(await inboxAfterCheck(app, viewer.token)).toEqual([])
  await app.call('PATCH', `/resource/all/${draft.id}`, { body: { published: true } })
  expect(await inboxAfterCheck(app, viewer.token)).toEqual(['orders_draft'])

  // What matched before, and then not, is new again.
  await app.call('PATCH', `/resource/all/${draft.id}`, { body: { published: false } })
  expect(await inboxAfterCheck(app, viewer.token)).toEqual([])
  await app.call('PATCH', `/resource/all/${draft.id}`, { body: { published: true } })
  expect(await inboxAfterCheck(app, viewer.token)).toEqual(['orders_draft'])

  await app.call('PATCH', `/view/${saved.body.id}`, { token: viewer.token, body: { notify: false } })
  await make('orders_later')
  expect(await inboxAfterCheck(app, viewer.token)).toEqual([])

  // Others neither see nor change whether the owner is notified.
  const shared = await app.call('POST', '/view', { token: editor.token, body: { name: 'All', query: '', shared: true, notify: true } })
  expect((await app.call('GET', `/view/${shared.body.id}`, { token: viewer.token })).body.notify).toBe(false)
  expect((await app.call('PATCH', `/view/${shared.body.id}`, { body: { notify: true } })).status).toBe(403)
  expect((await app.call('POST', '/view', { body: { name: 'x', query: '', page_name: 'incidents', notify: true } })).body.errors).toEqual({
    notify: ['Only views of the catalog can notify you about new matches.'],
  })
  expect((await app.call('POST', '/view', { body: { name: 'x', query: 'filter=nonsense', notify: true } })).status).toBe(400)
})

test('a view that is edited while it is checked notifies about neither query', async () => {
  await using app = await createTestApp()
  const owner = await app.createUser('editor')
  const { body: view } = await app.call('POST', '/view', { token: owner.token, body: { name: 'Mine', query: 'q=orders', notify: true } })
  const make = (title: string) => app.createResource({ title, entity_type: 'table' })
  for (const title of ['orders_new', 'customers']) await make(title)
  const checked = await inTransaction(owner.ctx, async (ctx) => {
    await editView(ctx, view.id, { query: 'q=customers' })
    const checking = inboxAfterCheck(app, owner.token)
    await sleep(300) // the check has read the view as it was and waits for the edit
    return { checking }
  })
  expect(await checked.checking).toEqual([])
  expect(await inboxAfterCheck(app, owner.token)).toEqual([])
  await make('customers_new')
  expect(await inboxAfterCheck(app, owner.token)).toEqual(['customers_new'])
})

test('a view that has grown beyond the limit is silent until it is narrowed', async () => {
  await using app = await createTestApp()
  const owner = await app.createUser('editor')
  await app.call('POST', '/view', { token: owner.token, body: { name: 'All', query: 'entity_type=table', notify: true } })
  const insert = (from: number, to: number) =>
    sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
      select gen_random_uuid(), now(), now(), 1, 'table', 't' || n, 't' || n, 't' || n from generate_series(${from}::int, ${to}::int) n
    `.execute(app.db)
  await insert(1, 10_100)
  for (const _ of ['first', 'again']) {
    expect(await inboxAfterCheck(app, owner.token)).toEqual([])
    await sql`update resources set external_usage = external_usage + 1 where title < 't2'`.execute(app.db) // other rows come first
  }
  await sql`delete from resources where title <> 't1'`.execute(app.db)
  expect(await inboxAfterCheck(app, owner.token)).toEqual(['t1'])
})
