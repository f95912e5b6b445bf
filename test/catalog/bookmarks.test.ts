import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Bookmarks and subscriptions. */
const USER_RELATIONS = [
  ['bookmark', 'bookmarked_by'],
  ['subscription', 'subscribers'],
] as const

const list = async (app: TestApp, noun: string, token: string, query = '') => {
  const { body } = await app.call('GET', `/${noun}?sort={"field":"title"}${query}`, { token })
  return [body.count, body.results.map(({ title }: { title: string }) => title).join('')]
}

for (const [noun, field] of USER_RELATIONS)
  test(`a viewer can add, list and remove a ${noun}`, async () => {
    await using app = await createTestApp()
    const [vera, victor] = [await app.createUser('viewer'), await app.createUser('viewer')]
    const [a, b] = [
      await app.createResource({ title: 'a', published: true }),
      await app.createResource({ title: 'b', published: true, entity_type: 'chart' }),
    ]
    const at = (id: string) => `/resource/all/${id}/${noun}`
    for (const id of [a.id, b.id, a.id]) {
      const put = await app.call('PUT', at(id), { token: vera.token })
      expect([put.status, put.body[field]]).toEqual([200, [vera.id]])
    }
    await app.call('PUT', at(a.id), { token: victor.token })
    const shown = async (token: string) => (await app.call('GET', `/resource/all/${a.id}`, { token })).body[field]
    const recorded = noun === 'subscription'
    expect(await shown(app.token)).toEqual(recorded ? [vera.id, victor.id] : [])
    expect(await shown(victor.token)).toEqual(recorded ? [vera.id, victor.id] : [victor.id])
    expect(await list(app, noun, vera.token)).toEqual([2, 'ab'])
    expect(await list(app, noun, vera.token, '&entity_type=chart')).toEqual([1, 'b'])
    expect(await list(app, noun, app.token)).toEqual([0, ''])
    // Concurrent requests by users with the same visibility return each user's own list.
    const both = await Promise.all([vera, victor, vera, victor].map(({ token }) => list(app, noun, token)))
    expect(both).toEqual([
      [2, 'ab'],
      [1, 'a'],
      [2, 'ab'],
      [1, 'a'],
    ])
    for (const _ of ['once', 'twice']) expect((await app.call('DELETE', at(a.id), { token: vera.token })).status).toBe(204)
    expect(await list(app, noun, vera.token)).toEqual([1, 'b'])
    expect(await shown(victor.token)).toEqual([victor.id])
    expect(await shown(vera.token)).toEqual(recorded ? [victor.id] : [])
    await app.call('PATCH', `/resource/all/${b.id}`, { body: { published: false } })
    expect(await list(app, noun, vera.token)).toEqual([0, ''])
  })

test('creates no version, keeps the ETag and ignores If-Match', async () => {
  await using app = await createTestApp()
  const table = await app.createResource({ title: 'orders' })
  for (const [noun] of USER_RELATIONS) {
    const put = await app.call('PUT', `/resource/all/${table.id}/${noun}`, { headers: { 'if-match': '"v99"' } })
    expect([put.status, put.headers.etag, put.body.version, put.body.updated_at]).toEqual([200, '"v1"', 1, table.updated_at])
    expect((await app.call('DELETE', `/resource/all/${table.id}/${noun}`, { headers: { 'if-match': '"v99"' } })).status).toBe(204)
  }
})

test('records a subscription once and a bookmark never', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ title: 'orders' })
  for (const [noun] of USER_RELATIONS)
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) await app.call(method, `/resource/all/${id}/${noun}`)
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toEqual([
    'resource_created',
    'subscription_created',
    'subscription_deleted',
  ])
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}`)
  const sentences = log.non_versioned_logs.map(({ event_blocks }: { event_blocks: { value: string }[] }) => event_blocks[1]!.value)
  expect(sentences).toEqual(['unsubscribed from', 'subscribed to'])
})

test('shows bookmarks only to their owner in records, lists, searches, filters, exports and versions', async () => {
  await using app = await createTestApp()
  const [vera, eve] = [await app.createUser('editor'), await app.createUser('editor')]
  const { id } = await app.createResource({ title: 'orders', published: true })
  const plain = await app.createResource({ title: 'plain', published: true })
  await app.call('PUT', `/resource/all/${id}/bookmark`, { token: vera.token })
  const filter = (operator: string, value?: unknown) => encodeURIComponent(JSON.stringify({ operator, field: 'bookmarked_by', value }))
  const seenBy = async (token: string) => {
    const get = async (path: string) => (await app.call('GET', path, { token })).body
    const ids = async (query: string) => (await get(`/resource/catalog?${query}`)).results.map((each: { id: string }) => each.id)
    return {
      record: (await get(`/resource/all/${id}`)).bookmarked_by,
      list: (await get('/resource/catalog?title=orders')).results[0].bookmarked_by,
      search: (await get('/search?q=orders')).results[0].bookmarked_by,
      export: JSON.parse((await app.call('GET', '/resource/export?format=jsonl&fields=bookmarked_by&title=orders', { token })).text),
      exact: await ids(`filter=${filter('exact', vera.id)}`),
      in: await ids(`filter=${filter('in', [eve.id, vera.id])}`),
      set: await ids(`filter=${filter('is_set')}`),
      unset: await ids(`filter=${filter('is_not_set')}&sort={"field":"title"}`),
    }
  }
  const [toVera, toEve, toAdmin] = await Promise.all([vera, eve, app].map(({ token }) => seenBy(token)))
  const [mine, found] = [[vera.id], [id]]
  expect(toVera).toEqual({
    ...{ record: mine, list: mine, search: mine, exact: found, in: found, set: found },
    export: { bookmarked_by: mine },
    unset: [plain.id],
  })
  const nothing = { ...{ record: [], list: [], search: [], exact: [], in: [], set: [] }, export: toEve!.export, unset: [id, plain.id] }
  expect(JSON.stringify(toEve!.export)).not.toContain(vera.id)
  expect([toEve, toAdmin]).toEqual([nothing, nothing])

  await app.call('DELETE', `/resource/all/${id}`)
  for (const path of [
    `/resource/all/${id}/versions`,
    `/resource/all/${id}/versions/2`,
    `/activity_log/resource_logs/?resource_id=${id}`,
    '/activity_log/export?format=jsonl&fields=changes',
  ])
    expect((await app.call('GET', path)).text).not.toContain(vera.id)
  await app.call('POST', `/resource/all/${id}/restore`, { body: { version: 1 } })
  expect((await seenBy(vera.token)).record).toEqual([vera.id])
})

test('keeps all concurrent subscriptions, and a restore does not change them', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ title: 'orders', published: true })
  const people = await Promise.all(Array.from({ length: 6 }, () => app.createUser('viewer')))
  await Promise.all(people.map(({ token }) => app.call('PUT', `/resource/all/${id}/subscription`, { token })))
  const subscribed = async () => (await app.call('GET', `/resource/all/${id}`)).body.subscribers.toSorted()
  expect(await subscribed()).toEqual(people.map((each) => each.id).sort())
  await app.call('PATCH', `/resource/all/${id}`, { body: { description: 'new' } })
  await app.call('POST', `/resource/all/${id}/restore`, { body: { version: 1 } })
  expect(await subscribed()).toEqual(people.map((each) => each.id).sort())
  await app.call('DELETE', `/resource/all/${id}`)
  await app.call('POST', `/resource/all/${id}/restore`, { body: { version: 1 } })
  expect(await subscribed()).toEqual(people.map((each) => each.id).sort())
})

test('rejects hidden and missing resources with the same error', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  const hidden = await app.createResource({ title: 'hidden' })
  for (const [noun] of USER_RELATIONS)
    for (const method of ['PUT', 'DELETE'])
      for (const id of [hidden.id, newId(), 'nothing']) {
        const response = await app.call(method, `/resource/all/${id}/${noun}`, { token: viewer.token })
        expect([method, noun, response.status]).toEqual([method, noun, 404])
      }
  expect((await app.call('GET', `/resource/all/${hidden.id}`)).body).toMatchObject({ bookmarked_by: [], subscribers: [] })
  const reader = await app.createUser('viewer', { scope: 'read' })
  expect((await app.call('PUT', `/resource/all/${hidden.id}/bookmark`, { token: reader.token })).status).toBe(403)
})
