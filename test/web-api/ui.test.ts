import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { flushViews } from '../../src/catalog/engagement/page-views.ts'
import { editResource } from '../../src/catalog/resources/edit.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import { PRODUCT_VERSION } from '../../src/platform/config/product-version.ts'
import { newId } from '../../src/platform/core/id.ts'
import { getInitials } from '../../src/web-api/pages/names.ts'
import { signInAdmin } from '../support/browser-session.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The pages of the web app, one request each. */
const titles = (results: { title: string }[]) => results.map(({ title }) => title)

/** A shop: a table with a visible and a hidden column, and two documents that link to it, one of them unpublished. */
const createShop = async (app: TestApp) => {
  const { body: integration } = await app.call('POST', '/integration/integrations', { body: { name: 'Shop' } })
  const own = { integration: integration.id as string, published: true }
  const database = await app.createResource({ title: 'shop', entity_type: 'database', ...own })
  const schema = await app.createResource({ title: 'public', entity_type: 'schema', parent: database.id, ...own })
  const owner = await app.createUser('editor')
  const { body: tag } = await app.call('POST', '/tag', { body: { name: 'gold', color: '#ffcc00' } })
  const orders = await app.createResource({ title: 'orders', parent: schema.id, owners: [owner.id], tags: [tag.id], ...own })
  await app.createResource({ title: 'id', entity_type: 'column', parent: orders.id, ...own })
  const secret = await app.createResource({ title: 'secret', entity_type: 'column', parent: orders.id, integration: integration.id })
  await app.call('PATCH', `/resource/all/${secret.id}`, { body: { published: false } })
  const link = `See [orders](/r/${orders.id}) and [it again](/r/${orders.id.toUpperCase()}), but not /r/${newId()}.`
  const guide = await app.createResource({ title: 'Guide', entity_type: 'document', published: true, definition: link })
  const draft = await app.createResource({ title: 'Draft', entity_type: 'document', definition: link })
  return { integration, database, schema, orders, owner, tag, guide, draft }
}

test('the page of a resource is one request: record, breadcrumbs, names and counts of its tabs', async () => {
  await using app = await createTestApp()
  const { database, schema, orders, owner, tag, integration } = await createShop(app)
  const upstream = await app.createResource({ title: 'raw_orders', published: true })
  await app.call('POST', '/lineage/manual', { body: { from_entity: upstream.id, to_entity: orders.id, direction: 'DOWNSTREAM' } })
  await app.call('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Tier', value_type: 'string' } })
  await app.call('PUT', `/resource/all_v2/custom_properties/Tier/${orders.id}`, { body: { value: 'one' } })
  await app.call('POST', '/question/questions', { body: { title: 'Why?', base_entity_id: orders.id } })
  await app.call('PUT', `/resource/all/${orders.id}/bookmark`)
  const { status, body, headers } = await app.call('GET', `/ui/resource/${orders.id.toUpperCase().replaceAll('-', '')}/`)
  const record = await app.call('GET', `/resource/all/${orders.id}`)
  expect([status, headers.etag]).toEqual([200, record.headers.etag])
  expect(body.resource).toEqual(record.body)
  expect(body.breadcrumbs).toEqual([
    { id: database.id, title: 'shop', entity_type: 'database', icon: 'database' },
    { id: schema.id, title: 'public', entity_type: 'schema', icon: 'folder' },
  ])
  expect(body.names).toEqual({
    [owner.id]: { type: 'user', name: 'editor Person', initials: 'EP' },
    [tag.id]: { type: 'tag', name: 'gold', color: '#ffcc00' },
    [integration.id]: { type: 'integration', name: 'Shop', integration_type: 'custom' },
  })
  expect(body.properties).toMatchObject([{ name: 'Tier', value: 'one' }])
  expect([body.bookmarked, body.subscribed]).toEqual([true, false])
  const tabs = {
    children: 2,
    code: 0,
    columns: 2,
    columns_gone: 0,
    first_columns_described: 0,
    upstream: 1,
    downstream: 0,
    monitors: 0,
    incidents: 0,
    questions: 1,
    discussions: 0,
    queries: 0,
    backlinks: 2,
    suggestions: 0,
    versions: 1,
  }
  expect(body.tabs).toEqual(tabs)

  // A viewer sees what is published of it, and who owns it.
  const viewer = await app.createUser('viewer')
  const seen = await app.call('GET', `/ui/resource/${orders.id}`, { token: viewer.token })
  expect(seen.body.tabs).toEqual({ ...tabs, children: 1, columns: 1, backlinks: 1 })
  expect(Object.values(seen.body.names)).toEqual([
    { type: 'user', name: 'editor Person', initials: 'EP' },
    expect.objectContaining({ name: 'gold' }),
    { type: 'integration', name: 'Shop', integration_type: 'custom' },
  ])
  await editResource({ ...app.ctx, now: new Date() }, schema.id, { published: false })
  expect(titles((await app.call('GET', `/ui/resource/${orders.id}`, { token: viewer.token })).body.breadcrumbs)).toEqual(['shop'])
  await editResource({ ...app.ctx, now: new Date() }, orders.id, { published: false })
  for (const id of [orders.id, newId(), 'nonsense'])
    expect((await app.call('GET', `/ui/resource/${id}`, { token: viewer.token })).status).toBe(404)
})

test('the page of a verified resource says who verified it, and when', async () => {
  await using app = await createTestApp()
  const editor = await app.createUser('editor')
  const viewer = await app.createUser('viewer')
  const { id } = await app.createResource({ title: 'orders', entity_type: 'table', published: true })
  const read = async () => (await app.call('GET', `/ui/resource/${id}`, { token: viewer.token })).body
  const edit = (body: object) => app.call('PATCH', `/resource/all/${id}`, { token: editor.token, body })
  expect((await read()).verification).toBeNull()
  await edit({ verified: true })
  await edit({ description: 'One row per order.' })
  const { verification, names } = await read()
  expect(verification).toEqual({ by: editor.id, at: expect.stringMatching(/Z$/) })
  expect(names[editor.id]).toMatchObject({ type: 'user', name: 'editor Person' })
  await edit({ verified: false })
  expect((await read()).verification).toBeNull()
})

test('backlinks follow the text and are cut to what the caller can see', async () => {
  await using app = await createTestApp()
  const { orders, guide, draft } = await createShop(app)
  const links = async (token?: string) => titles((await app.call('GET', `/resource/all/${orders.id}/backlinks`, { token })).body.results)
  const viewer = await app.createUser('viewer')
  expect([await links(), await links(viewer.token)]).toEqual([['Draft', 'Guide'], ['Guide']])
  const ctx = () => ({ ...app.ctx, now: new Date() })
  await editResource(ctx(), guide.id, { definition: `Now only /r/${draft.id}` })
  expect(await links()).toEqual(['Draft'])
  await editResource(ctx(), guide.id, { definition: null })
  await app.call('DELETE', `/resource/all/${draft.id}`)
  expect(await links()).toEqual([])
  expect(await app.db.selectFrom('resource_links').selectAll().execute()).toEqual([])
  await app.call('DELETE', `/resource/all/${orders.id}`)
  expect((await app.call('GET', `/resource/all/${orders.id}/backlinks`)).status).toBe(404)
})

test('the tree is read level by level, with counts of visible children', async () => {
  await using app = await createTestApp()
  const { integration, database, schema, orders } = await createShop(app)
  const viewer = await app.createUser('viewer')
  const level = async (query: string, token?: string) =>
    (await app.call('GET', `/ui/tree?${query}`, { token })).body.results.map((each: { title: string; children_count: number }) => [
      each.title,
      each.children_count,
    ])
  expect(await level('')).toEqual([['Shop', 5]])
  expect(await level('', viewer.token)).toEqual([['shop', 1]]) // the tree of users who cannot see integrations starts below them
  expect(await level(`integration_id=${integration.id}`)).toEqual([['shop', 1]])
  expect(await level(`parent_id=${database.id}`)).toEqual([['public', 1]])
  expect([await level(`parent_id=${schema.id}`), await level(`parent_id=${schema.id}`, viewer.token)]).toEqual([
    [['orders', 2]],
    [['orders', 1]],
  ])
  expect(await level(`parent_id=${orders.id}`, viewer.token)).toEqual([['id', 0]])
  const page = (await app.call('GET', `/ui/tree?parent_id=${orders.id}&page_size=1&page=2`)).body
  expect([page.count, page.total_pages, titles(page.results)]).toEqual([2, 2, ['secret']])
  expect(await level(`parent_id=${newId()}`)).toEqual([])
  for (const wrong of ['parent_id=x', 'integration_id=1', 'page=0']) expect((await app.call('GET', `/ui/tree?${wrong}`)).status).toBe(400)
})

test('the home page lists changes, drafts, questions, bookmarks, most used and recently viewed resources', async () => {
  await using app = await createTestApp()
  const { orders, draft } = await createShop(app)
  const writer = await app.createUser('editor')
  const { token } = writer
  await app.db.updateTable('resources').set({ external_usage: 7 }).where('id', '=', orders.id).execute()
  await app.call('POST', '/document', { token, body: { title: 'My draft' } })
  await app.call('POST', '/document', { token, body: { title: 'Out already', published: true } })
  await app.call('POST', '/question/questions', { token, body: { title: 'How so?' } })
  await app.call('PUT', `/resource/all/${orders.id}/subscription`, { token })
  for (const { id } of [orders, draft]) await app.call('PUT', `/resource/all/${id}/bookmark`, { token })
  await editResource({ ...app.ctx, now: new Date() }, orders.id, { description: 'All of them.' })
  await followChanges({ ...app.ctx, now: new Date() }, [])
  await app.call('GET', `/ui/resource/${draft.id}`, { token })
  await flushViews({ ...app.ctx, now: new Date('2026-03-01T10:00:00Z') })
  await app.call('GET', `/resource/all/${orders.id}`, { token })
  await flushViews({ ...app.ctx, now: new Date('2026-03-01T11:00:00Z') })
  const { body } = await app.call('GET', '/ui/home', { token })
  expect(titles(body.drafts)).toEqual(['My draft'])
  expect(titles(body.bookmarks)).toEqual(['Draft', 'orders'])
  expect(titles(body.questions)).toEqual(['How so?'])
  expect(titles(body.most_used)).toEqual(['orders'])
  expect(body.recent.map((each: { title: string; viewed_at: string }) => [each.title, each.viewed_at])).toEqual([
    ['orders', '2026-03-01T11:00:00.000Z'],
    ['Draft', '2026-03-01T10:00:00.000Z'],
  ])
  expect(body.changes).toMatchObject([{ resource_title: 'orders', read: false, text: expect.stringContaining('description') }])
  expect(body.incidents).toEqual([])
  expect(Object.values(body.names)).toContainEqual({ type: 'tag', name: 'gold', color: '#ffcc00' })
  expect((await app.call('GET', '/ui/home?limit=1', { token })).body.recent).toHaveLength(1)
  // Resources that are hidden now are left out, even if they were viewed before.
  await app.db.updateTable('users').set({ role: 'viewer' }).where('id', '=', writer.id).execute()
  const after = (await app.call('GET', '/ui/home', { token })).body
  expect([after.recent, after.bookmarks, after.drafts].map(titles)).toEqual([['orders'], ['orders'], []])
  for (const limit of ['0', '51', 'x']) expect((await app.call('GET', `/ui/home?limit=${limit}`)).status).toBe(400)
})

test('the home page lists open incidents, those of own resources first', async () => {
  await using app = await createTestApp()
  const { orders, owner } = await createShop(app)
  const other = await app.createResource({ title: 'other' })
  const at = new Date('2026-03-01T12:00:00Z')
  for (const [target, status] of [
    [orders.id, 'active'],
    [other.id, 'acknowledged'],
    [other.id, 'resolved'],
  ] as const) {
    const monitor = newId()
    const common = { target, name: `rows of ${target}`, created_at: at, updated_at: at }
    await app.db
      .insertInto('monitors')
      .values({
        id: monitor,
        ...common,
        metric_type: 'row_count',
        metric_config: '{}',
        schedule: '{}',
        frequency: 24,
        is_enabled: true,
        status: 'incident',
      })
      .execute()
    await app.db
      .insertInto('monitor_incidents')
      .values({
        id: newId(),
        ...common,
        monitor,
        status,
        summary: 'Too few.',
        value: 3,
        first_seen_at: at,
        last_seen_at: at,
        resolved_at: status === 'resolved' ? at : null,
      })
      .execute()
  }
  const { body } = await app.call('GET', '/ui/home', { token: owner.token })
  expect(body.incidents.map((each: { status: string; target: { title: string } }) => [each.status, each.target.title])).toEqual([
    ['active', 'orders'],
    ['acknowledged', 'other'],
  ])
  expect((await app.call('GET', `/ui/resource/${other.id}`)).body.tabs).toMatchObject({ monitors: 2, incidents: 1 })
  const viewer = await app.createUser('viewer')
  const { body: viewerHome } = await app.call('GET', '/ui/home', { token: viewer.token })
  expect(viewerHome.incidents.map(({ target }: { target: { title: string } }) => target.title)).toEqual(['orders']) // the other is not published
  expect((await app.call('GET', `/ui/resource/${orders.id}`, { token: viewer.token })).body.tabs).toMatchObject({
    monitors: 1,
    incidents: 1,
  })
})

test('the web app starts with one request: user, permissions, settings and names', async () => {
  await using app = await createTestApp()
  const browser = await signInAdmin(app)
  expect((await browser.call('GET', '/ui/bootstrap')).body).toMatchObject({ empty: true, tags: [], integrations: [] })
  const { tag, integration } = await createShop(app)
  const team = await app.createTeam()
  const { body } = await browser.call('GET', '/ui/bootstrap')
  expect(body).toMatchObject({
    me: { role: 'admin', initials: 'A', permissions: expect.arrayContaining(['audit.read']) },
    workspace: { name: 'Tablinum' },
    session: { method: 'password', current: true, has_password: true },
    unread_count: 0,
    settings: { version: PRODUCT_VERSION, public_url: null, email: false, slack: false },
    tags: [{ id: tag.id, name: 'gold', color: '#ffcc00' }],
    teams: [{ id: team, closed: false }],
    groups: [],
    integrations: [{ id: integration.id, name: 'Shop', type: 'custom' }],
    properties: [],
    empty: false,
  })
  const guest = await app.createUser('guest')
  const seen = (await app.call('GET', '/ui/bootstrap', { token: guest.token })).body
  expect(seen).toMatchObject({ session: null, teams: [], integrations: [], empty: true, me: { role: 'guest' } })
})

test('names are returned only for what the caller can see', async () => {
  await using app = await createTestApp()
  const { orders, draft, owner, tag } = await createShop(app)
  const [team, closed] = [await app.createTeam(), await app.createTeam(true)]
  const viewer = await app.createUser('viewer', { teams: [team] })
  const ids = [orders.id, draft.id, owner.id, viewer.id, tag.id, team, closed, newId()]
  const types = async (token?: string) =>
    Object.values((await app.call('GET', `/ui/names?ids=${ids.join(',')}`, { token })).body)
      .map((each) => (each as { type: string }).type)
      .sort()
  expect(await types()).toEqual(['resource', 'resource', 'tag', 'team', 'team', 'user', 'user'])
  expect(await types(viewer.token)).toEqual(['resource', 'tag', 'team', 'user', 'user']) // themselves, and the owner of what they see
  expect((await app.call('GET', '/ui/names?ids=')).body).toEqual({})
  for (const wrong of ['', '?ids=x', `?ids=${Array(201).fill(orders.id).join(',')}`, '?ids=%00'])
    expect((await app.call('GET', `/ui/names${wrong}`)).status).toBe(400)
})

for (const [name, initials] of [
  ['Ada Lovelace', 'AL'],
  ['ada@example.com', 'A'],
  ['grace.hopper@example.com', 'GH'],
  ['Юлия Ким', 'ЮК'],
  ['  María  José  ', 'MJ'],
  ['🙂', '?'],
  ['', '?'],
] as const)
  test(`the initials of ${name || 'an empty name'} are ${initials}`, () => expect(getInitials(name)).toBe(initials))

test('a long response is compressed if the client accepts it', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ title: 'long', definition: 'word '.repeat(10_000) })
  const plain = await app.call('GET', `/ui/resource/${id}`)
  expect(plain.headers['content-encoding']).toBeUndefined()
  const get = (encoding: string) =>
    app.fastify.inject({ url: `/api/v1/ui/resource/${id}`, headers: { authorization: `Bearer ${app.token}`, 'accept-encoding': encoding } })
  const compressed = await get('gzip, deflate, br')
  expect([compressed.headers['content-encoding'], compressed.headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
  expect(compressed.rawPayload.length).toBeLessThan(5_000)
  expect(JSON.parse(gunzipSync(compressed.rawPayload).toString()).resource).toEqual(plain.body.resource)
  for (const encoding of ['gzip;q=0', 'br', 'identity']) expect((await get(encoding)).headers['content-encoding']).toBeUndefined()
})
