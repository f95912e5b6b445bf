import { expect, test } from 'vitest'
import { findByTitle, runTestJob } from '../support/profiles.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Who can preview rows, and which cells. */
const PEOPLE = [
  'create table people (id int primary key, contact text, phone text, note text)',
  `insert into people select i, 'person' || i || '@example.de', '+49 30 1234' || (1000 + i), 'note ' || i from generate_series(1, 200) i`,
  'analyze',
]

const path = (id: string) => `/resource/preview_v2/table/${id}/`
const INTEGRATIONS = '/integration/integrations'

const createShop = async (app: TestApp, credentials: object, more: object = {}) => {
  const integration = await createTestIntegration(app, 'postgres', credentials, more)
  await runSync(app, integration)
  const table = await findByTitle(app, 'people')
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { published: true } })
  return { integration, table }
}

test('previews are off for a new source; the error says who can turn them on', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...PEOPLE)
  const created = await app.call('POST', INTEGRATIONS, { body: { name: 'Shop', type: 'postgres', credentials: source.credentials } })
  expect(created.body.preview_enabled).toBe(false)
  await runSync(app, created.body.id)
  const table = await findByTitle(app, 'people')
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { published: true } })
  const viewer = await app.createUser('viewer')
  for (const token of [app.token, viewer.token]) {
    const { status, body } = await app.call('GET', path(table.id), { token })
    expect([status, body.detail]).toEqual([
      409,
      'Previews are turned off for Shop. An admin can turn them on in the settings of the integration.',
    ])
  }
  const editor = await app.createUser('editor')
  const turnOn = (token: string) => app.call('PATCH', `${INTEGRATIONS}/${created.body.id}`, { token, body: { preview_enabled: true } })
  expect((await turnOn(editor.token)).status).toBe(403)
  expect((await turnOn(app.token)).body.preview_enabled).toBe(true)
  expect((await app.call('GET', path(table.id), { token: viewer.token })).body.rows).toHaveLength(50)
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${created.body.id}`)
  expect(log.non_versioned_logs[0].activity_type).toBe('integration_updated')
  expect((await app.call('PATCH', `${INTEGRATIONS}/${created.body.id}`, { body: { preview_enabled: null } })).status).toBe(400)
})

test('masks columns with pending PII suggestions for users who cannot edit', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...PEOPLE)
  const { integration, table } = await createShop(app, source.credentials)
  expect(await runTestJob(app, (await app.call('POST', `/pii/scan/${integration}`)).body.id)).toMatchObject({ status: 'COMPLETED' })
  const suggestions = (await app.call('GET', '/pii/suggestions?status=open')).body.results
  expect(suggestions.map((each: { resource_title: string }) => each.resource_title).sort()).toEqual(['contact', 'phone'])
  const viewer = await app.createUser('viewer')
  const editor = await app.createUser('editor')
  const masked = async (token: string) => {
    const { body, text } = await app.call('GET', path(table.id), { token })
    const columns = body.columns.filter((each: { masked: boolean }) => each.masked).map((each: { name: string }) => each.name)
    return { columns, shows: { contact: text.includes('@example.de'), phone: text.includes('+49 30'), note: text.includes('note 1') } }
  }
  expect(await masked(viewer.token)).toEqual({ columns: ['contact', 'phone'], shows: { contact: false, phone: false, note: true } })
  expect(await masked(editor.token)).toEqual({ columns: [], shows: { contact: true, phone: true, note: true } })
  const [contact, phone] = ['contact', 'phone'].map((title) =>
    suggestions.find((each: { resource_title: string }) => each.resource_title === title),
  )
  await app.call('POST', `/pii/suggestions/${contact.id}/accept`)
  await app.call('POST', `/pii/suggestions/${phone.id}/reject`)
  for (const { token } of [viewer, editor])
    expect(await masked(token)).toEqual({ columns: ['contact'], shows: { contact: false, phone: true, note: true } })

  // Agents get no more than the web app shows, and never unmasked cells.
  for (const { token } of [viewer, editor]) {
    const body = { name: 'preview_table', arguments: { id: table.id, max_tokens: 1_000 } }
    const { content } = (await app.call('POST', '/ai/mcp/tools/call/', { token, body })).body
    const result = JSON.parse(content[0].text)
    expect(content[0].text).not.toContain('@example.de')
    expect(result).toMatchObject({ total: 50, total_exact: false, truncated: true, columns_total: 4 })
    expect(result.columns.filter((each: { masked: boolean }) => each.masked)).toMatchObject([{ name: 'contact' }])
    expect(result.items[0]).toHaveLength(result.columns.length)
  }
})

test('adds a tag when a suggestion is accepted, and removes it when it is rejected', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...PEOPLE)
  const { integration } = await createShop(app, source.credentials)
  await runTestJob(app, (await app.call('POST', `/pii/scan/${integration}`)).body.id)
  const of = async (status: string) => (await app.call('GET', `/pii/suggestions?class=email&status=${status}`)).body.results
  const [email] = await of('open')
  const kept = (await app.call('POST', '/tag', { body: { name: 'contact data' } })).body
  await app.call('PATCH', `/resource/all/${email.resource_id}`, { body: { tags: [kept.id] } })
  await app.call('POST', `/pii/suggestions/${email.id}/accept`)

  const [tag] = (await app.call('GET', '/tag?name=PII:')).body.results
  expect(tag).toMatchObject({ name: 'PII: email', resource_count: 1 })
  const column = async () => (await app.call('GET', `/resource/all/${email.resource_id}`)).body
  expect(await column()).toMatchObject({ pii: true, tags: expect.arrayContaining([tag.id, kept.id]) })
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'tags', value: tag.id }))
  expect((await app.call('GET', `/resource/catalog?filter=${filter}`)).body.results).toMatchObject([{ id: email.resource_id }])

  await app.call('PATCH', `/resource/all/${email.resource_id}`, { body: { pii: false } })
  await app.call('POST', `/pii/suggestions/${email.id}/reject`)
  expect((await column()).tags).toEqual([kept.id])
  // By rule, the system accepts.
  const [phone] = (await app.call('GET', '/pii/suggestions?class=phone&status=open')).body.results
  await app.call('PATCH', `/pii/rules/${integration}`, { body: { accept_from: 0.5 } })
  await runTestJob(app, (await app.call('POST', `/pii/scan/${integration}`)).body.id)
  const names = (await app.call('GET', '/tag?name=PII:')).body.results.map((each: { name: string }) => each.name)
  expect(names).toContain('PII: phone')
  expect((await app.call('GET', `/resource/all/${phone.resource_id}`)).body.pii).toBe(true)
})
