import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const WIKI = 'https://wiki.example.com'
const allow = (app: TestApp, body: object) =>
  app.call('PUT', '/sharing/settings', { body: { embed_origins: [], public_links: false, ...body } })
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

test('a card shows a table in frames of allowed origins only, as its creator sees it', async () => {
  await using app = await createTestApp()
  const editor = await app.createUser('editor')
  const table = await app.createResource({
    entity_type: 'table',
    title: 'orders <b>',
    description: 'One row per order. <script>alert(1)</script>',
    owners: [editor.id],
  })
  const team = await app.createTeam(true)
  await app.createResource({ entity_type: 'column', title: 'order_id', parent: table.id, native_type: 'bigint', description: 'The key.' })
  await app.createResource({ entity_type: 'column', title: 'hidden_margin', parent: table.id, teams: [team] })
  const link = (token = editor.token) => app.call('GET', `/resource/all/${table.id}/embed_link`, { token })
  expect((await link()).status).toBe(409) // off by default
  for (const origin of ['wiki.example.com', `${WIKI}/path`, `${WIKI}; script-src *`, 'https://*', "'self'", 'javascript:alert(1)'])
    expect([origin, (await allow(app, { embed_origins: [origin] })).status]).toEqual([origin, 400])
  expect((await allow(app, { embed_origins: [`${WIKI}/`, 'http://localhost:8080'] })).body.embed_origins).toEqual([
    WIKI,
    'http://localhost:8080',
  ])
  expect(
    (await app.call('PUT', '/sharing/settings', { token: editor.token, body: { embed_origins: [], public_links: true } })).status,
  ).toBe(403)
  const viewer = await app.createUser('viewer')
  expect((await link(viewer.token)).status).toBe(403)

  const { body } = await link()
  expect(body.html).toContain('<iframe src="')
  const open = (path = pathOf(body.url)) => app.call('GET', path.replace('/api/v1', ''), { token: null })
  const card = await open()
  expect([card.status, card.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = card.headers['content-security-policy']!
  expect(policy).toContain(`frame-ancestors ${WIKI} http://localhost:8080`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(card.headers['x-frame-options']).toBeUndefined()
  expect(card.text).toContain('editor Person')
  expect(card.text).toContain('order_id')
  expect(card.text).toContain('orders &#60;b&#62;')
  expect(card.text).not.toMatch(/<script|hidden_margin/)
  expect((await open(`${pathOf(body.url)}&lang=de`)).text).toContain('Spalten')
  // Every other response still forbids frames.
  const other = await app.call('GET', `/resource/all/${table.id}/badge_link`, { token: editor.token })
  expect([other.headers['x-frame-options'], other.headers['content-security-policy']]).toEqual([
    'DENY',
    "default-src 'none'; frame-ancestors 'none'",
  ])

  const another = await app.createResource({ entity_type: 'table', title: 'secret' })
  for (const path of [
    pathOf(body.url).replace(table.id, another.id),
    pathOf(body.url).replace(/card_signature=(.)/, (_, first) => `card_signature=${first === '_' ? '-' : '_'}`),
    pathOf(body.url).replace(editor.id, viewer.id),
  ]) {
    const wrong = await open(path)
    expect([wrong.status, wrong.headers['x-frame-options']]).toEqual([404, 'DENY'])
  }
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { teams: [team] } }) // its creator no longer sees it
  expect((await open()).status).toBe(404)
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { teams: [] } })
  expect((await open()).status).toBe(200)
  await allow(app, {})
  expect((await open()).status).toBe(404)
})

test('a public link shows one document until it is revoked, expires, or is turned off', async () => {
  await using app = await createTestApp()
  const secret = await app.createResource({ entity_type: 'table', title: 'salaries_2026' })
  const document = await app.createResource({
    entity_type: 'document',
    title: 'How we count revenue',
    description: 'For partners.',
    definition: `Net of returns, see [salaries_2026](/r/${secret.id}) and [our site](https://example.com/terms).`,
    published: false,
  })
  const path = `/resource/all/${document.id}/public_links`
  const editor = await app.createUser('editor')
  expect((await app.call('POST', path, { body: {}, token: editor.token })).status).toBe(403)
  expect((await app.call('POST', path, { body: {} })).status).toBe(409) // off by default
  await allow(app, { public_links: true })
  expect((await app.call('POST', `/resource/all/${secret.id}/public_links`, { body: {} })).status).toBe(409) // a table
  expect((await app.call('POST', path, { body: { expires_in_days: 366 } })).status).toBe(400)
  const { status, body: created } = await app.call('POST', path, { body: { expires_in_days: 7 } })
  expect(status).toBe(201)
  expect(new Date(created.expires_at).getTime() - new Date(created.created_at).getTime()).toBe(7 * 24 * 3_600_000)
  const code = new URL(created.url).hash.slice(1)
  const open = (code: string) => app.call('POST', '/public_link/open', { token: null, body: { code } })
  const page = await open(code)
  expect(page.body).toEqual({
    title: 'How we count revenue',
    entity_type: 'document',
    description: 'For partners.',
    definition: 'Net of returns, see […] and [our site](https://example.com/terms).',
    health: 'unknown',
    deprecated: false,
    updated_at: expect.any(String),
  })
  expect(page.text).not.toMatch(new RegExp(`salaries|${secret.id}|${document.id}`))
  const list = await app.call('GET', path)
  expect(list.body).toMatchObject({ enabled: true, results: [{ id: created.id, hint: `…${code.slice(-4)}`, revoked_at: null }] })
  expect(list.text).not.toContain(code)
  expect((await open('x')).status).toBe(404)

  // Turned off, its creator loses the right, expired, revoked: always the same answer.
  await allow(app, { public_links: false })
  const refused = await open(code)
  expect(refused.status).toBe(404)
  await allow(app, { public_links: true })
  expect((await open(code)).status).toBe(200)
  await app.db.updateTable('users').set({ role: 'editor' }).where('id', '=', app.ctx.actor.user_id!).execute()
  expect((await open(code)).body.detail).toBe(refused.body.detail)
  await app.db.updateTable('users').set({ role: 'admin' }).where('id', '=', app.ctx.actor.user_id!).execute()
  await app.db
    .updateTable('public_links')
    .set({ expires_at: new Date(0) })
    .execute()
  expect((await open(code)).status).toBe(404)
  const { body: second } = await app.call('POST', path, { body: {} })
  const again = new URL(second.url).hash.slice(1)
  expect((await app.call('DELETE', `/public_link/${second.id}`, { token: editor.token })).status).toBe(403)
  expect((await app.call('DELETE', `/public_link/${second.id}`)).status).toBe(204)
  expect((await app.call('DELETE', `/public_link/${second.id}`)).status).toBe(204)
  expect((await open(again)).status).toBe(404)
  const log = await app.db
    .selectFrom('activities')
    .select('activity_type')
    .where('resource_id', '=', document.id)
    .where('activity_type', 'like', 'public%')
    .orderBy('id')
    .execute()
  expect(log.map(({ activity_type }) => activity_type)).toEqual(['public_link_created', 'public_link_created', 'public_link_revoked'])
})
