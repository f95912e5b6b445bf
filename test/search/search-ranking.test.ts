import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What admins adjust in search: weights, and resources that are pinned or hidden for a query. */
const find = async (app: TestApp, parameters: Record<string, string>, token?: string) => {
  const response = await app.call('GET', `/search?${new URLSearchParams(parameters)}`, token ? { token } : {})
  expect(response.status, response.text).toBe(200)
  return response.body
}
const titles = (page: { results: { title: string }[] }) => page.results.map(({ title }) => title)

test('pinned resources come first and hidden ones are not found, for this query and who can see them', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  const [daily, , old, handbook, secret] = [
    await app.createResource({ title: 'revenue_daily', published: true }),
    await app.createResource({ title: 'revenue_monthly', published: true }),
    await app.createResource({ title: 'revenue_old', published: true }),
    await app.createResource({ title: 'handbook', entity_type: 'document', published: true }),
    await app.createResource({ title: 'secret_plan' }),
  ]
  const setRules = (body: object) => app.call('PUT', '/search/ranking/rules', { body })
  const before = await find(app, { q: 'revenue' })
  expect(before.count).toBe(3)
  const trial = { ranking: JSON.stringify({ pinned: [handbook.id], hidden: [old.id] }) }
  expect(titles(await find(app, { q: 'revenue', ...trial }))).toEqual(['handbook', 'revenue_daily', 'revenue_monthly'])
  expect(titles(await find(app, { q: 'revenue' }))).toEqual(titles(before))
  const all = titles(await find(app, {}))
  expect(titles(await find(app, trial))).toEqual(['handbook', ...all.filter((title) => title !== 'handbook' && title !== 'revenue_old')])
  expect(titles(await find(app, {}))).toEqual(all)

  const response = await setRules({ query: '  Revenue ', pinned: [secret.id, handbook.id, daily.id], hidden: [old.id] })
  expect(response.body.rules).toMatchObject([
    { query: 'revenue', action: 'pin', resource: secret.id, title: 'secret_plan' },
    { action: 'pin', title: 'handbook' },
    { action: 'pin', title: 'revenue_daily' },
    { action: 'hide', title: 'revenue_old' },
  ])
  for (const q of ['revenue', 'REVENUE ']) {
    const page = await find(app, { q })
    expect([titles(page), page.count]).toEqual([['secret_plan', 'handbook', 'revenue_daily', 'revenue_monthly'], 4])
    expect(page.facets.entity_type.values).toMatchObject([
      { value: 'table', count: 3 },
      { value: 'document', count: 1 },
    ])
  }
  const [first, , third] = (await find(app, { q: 'revenue', explain: 'true' })).results
  expect([first.reason, first.score.total]).toMatchObject([{ pinned: true, matched: 0 }, null])
  expect(third.reason).toMatchObject({ pinned: true, matched: 1 })
  expect(titles(await find(app, { q: 'revenue' }, viewer.token))).toEqual(['handbook', 'revenue_daily', 'revenue_monthly'])
  expect(titles(await find(app, { q: 'revenue', entity_type: 'document' }))).toEqual(['handbook'])
  expect(titles(await find(app, { q: 'revenue daily' }))[0]).toBe('revenue_daily')
  expect(titles(await find(app, { q: 'revenue old' }))).toContain('revenue_old')
  expect(titles(await find(app, { q: 'revenue', page_size: '2', page: '2' }))).toEqual(['revenue_daily', 'revenue_monthly'])

  // Rules survive the deletion of their resource, without effect.
  await app.call('DELETE', `/resource/all/${secret.id}`)
  expect(titles(await find(app, { q: 'revenue' }))[0]).toBe('handbook')
  expect((await app.call('GET', '/search/ranking')).body.rules[0]).toMatchObject({ resource: secret.id, title: null })
  expect((await setRules({ query: 'revenue', pinned: [secret.id], hidden: [] })).status).toBe(200)
  await setRules({ query: 'revenue', pinned: [], hidden: [] })
  expect(titles(await find(app, { q: 'revenue' }))).toEqual(titles(before))
  expect((await app.listActivities()).filter(({ activity_type }) => activity_type === 'search_rules_updated')).toHaveLength(3)
  for (const body of [
    { query: ' ', pinned: [], hidden: [] },
    { query: 'a', pinned: [daily.id], hidden: [daily.id] },
    { query: 'a', pinned: [secret.id], hidden: [] },
    { query: 'a', pinned: ['x'], hidden: [] },
  ])
    expect((await setRules(body)).status).toBe(400)
})

test('weights change the order for everyone, are recorded and can be tried out by admins only', async () => {
  await using app = await createTestApp()
  const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
  await app.createResource({ title: 'orders', published: true })
  await app.createResource({ title: 'orders_of_all_customers', published: true, verified: true })
  const inOrder = async (more = {}, token?: string) => titles(await find(app, { q: 'orders', ...more }, token))
  const verifiedFirst = ['orders_of_all_customers', 'orders']
  expect(await inOrder()).toEqual(['orders', 'orders_of_all_customers'])
  expect(await inOrder({ ranking: '{"weights":{"verified":50}}' })).toEqual(verifiedFirst)
  for (const { token } of [viewer, editor])
    for (const [method, path] of [
      ['GET', '/search?q=orders&ranking={}'],
      ['GET', '/search/ranking'],
      ['PUT', '/search/ranking/weights'],
      ['PUT', '/search/ranking/rules'],
    ] as const)
      expect(
        (await app.call(method, path, { token, ...(method === 'PUT' && { body: { query: 'a', pinned: [], hidden: [] } }) })).status,
      ).toBe(403)
  const saved = await app.call('PUT', '/search/ranking/weights', { body: { verified: 50 } })
  expect(saved.body).toMatchObject({ weights: { verified: 50, text: saved.body.defaults.text }, defaults: { verified: 0.4 } })
  expect(await inOrder({}, viewer.token)).toEqual(verifiedFirst)
  const { body: log } = await app.call('GET', '/activity_log/audit_logs/?page_size=1')
  const [entry] = log.results
  expect(entry.event_blocks.map(({ value }: { value: string }) => value)).toContain('changed the ranking of search')
  const stored = await app.db.selectFrom('activities').select('changes').where('id', '=', entry.id).executeTakeFirstOrThrow()
  expect(stored.changes).toEqual([{ field: 'verified', from: 0.4, to: 50 }])
  await app.call('PUT', '/search/ranking/weights', { body: {} })
  expect(await inOrder()).toEqual(['orders', 'orders_of_all_customers'])
  for (const body of [{ verified: 101 }, { verified: 'much' }, { shininess: 1 }])
    expect((await app.call('PUT', '/search/ranking/weights', { body })).status).toBe(400)
  for (const ranking of ['x', '[]', '{"weights":{"shininess":1}}', '{"weights":{"usage":"1"}}', '{"pinned":["x"]}', '{"hidden":1}'])
    expect((await app.call('GET', `/search?${new URLSearchParams({ q: 'a', ranking })}`)).body.errors).toHaveProperty('ranking')
})
