import { expect, test } from 'vitest'
import { followChanges } from '../src/notifications/inbox/follow.ts'
import { checkDueViews } from '../src/web-api/saved-views/matches.ts'
import { toViewSearch } from '../src/web-api/saved-views/view-filter.ts'
import { createTestApp, type TestApp } from './test-app.ts'

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
    notify: ['Only views of the catalog can notify.'],
  })
  expect((await app.call('POST', '/view', { body: { name: 'x', query: 'filter=nonsense', notify: true } })).status).toBe(400)
})
