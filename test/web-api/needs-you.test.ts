import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResources } from '../../src/catalog/resources/create.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createPushMonitor, pushValues } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

type Someone = Awaited<ReturnType<TestApp['createUser']>>

let app: TestApp
let team: string
let steward: Someone
let viewer: Someone
let table: string
let column: string

beforeAll(async () => {
  app = await createTestApp()
  team = await app.createTeam()
  steward = await app.createUser('editor', { teams: [team] })
  viewer = await app.createUser('viewer')
  const owned = { entity_type: 'table' as const, published: true, owners: [steward.id] }
  table = (await app.createResource({ ...owned, title: 'orders' })).id
  column = (await app.createResource({ entity_type: 'column', title: 'email', parent: table, published: true })).id
})
afterAll(() => app[Symbol.asyncDispose]())

const read = async (token: string, query = '') => (await app.call('GET', `/needs_you?${query}`, { token })).body
const summarize = async (token: string): Promise<Record<string, (string | null)[]>> => {
  const { sections } = await read(token)
  return Object.fromEntries(
    sections.map(({ kind, items }: { kind: string; items: { text: string | null; resource: { title: string } | null }[] }) => [
      kind,
      items.map(({ text, resource }) => text ?? resource!.title),
    ]),
  )
}

test('what waits for a steward is listed by kind, and only for them', async () => {
  expect(await summarize(steward.token)).toEqual({})
  const monitor = await createPushMonitor(app, { name: 'Rows', target: table, condition_auto_sensitivity: null, condition_manual_max: 10 })
  await pushValues(app, monitor.id, [[Date.now() - 60_000, 11]])
  const as = (path: string, body: object) => app.call('POST', path, { token: viewer.token, body })
  await as('/question/questions', { title: 'Which currency?', base_entity_id: column })
  await as('/comments', { resource_id: column, text: 'Is this still filled?' })
  await as('/change_suggestions', { resource_id: table, field: 'description', value: 'One row for each order.' })
  const popular = await app.createResource({ title: 'payments', entity_type: 'table', published: true, owners: [steward.id] })
  await app.db.updateTable('resources').set({ external_usage: 5 }).where('id', '=', popular.id).execute()
  await app.createResource({ title: 'refunds', entity_type: 'table', teams: [team] })
  const other = await app.createResource({ title: 'others', entity_type: 'table', published: true })
  await as('/comments', { resource_id: other.id, text: 'Not theirs' })

  const all = await summarize(steward.token)
  expect(all).toMatchObject({
    questions: ['Which currency?'],
    discussions: ['Is this still filled?'],
    suggestions: ['One row for each order.'],
    undocumented: ['payments'],
    unowned: ['refunds'],
  })
  expect(all.incidents).toHaveLength(1)
  // A question says what it is about; both have a page.
  const [asked] = (await read(steward.token, 'kind=questions')).sections[0].items
  expect(asked).toMatchObject({ resource: { id: column } })
  for (const id of [asked.id, asked.resource.id])
    expect((await app.call('GET', `/ui/resource/${id}`, { token: steward.token })).status).toBe(200)
  expect(await summarize(viewer.token)).toEqual({})
  // Who writes last waits for the others.
  const [thread] = (await app.call('GET', `/comments?resource_id=${table}`)).body.results
  await app.call('POST', '/comments', { token: steward.token, body: { thread_id: thread.id, text: 'It is.' } })
  expect(await summarize(steward.token)).not.toHaveProperty('discussions')
  // A group that owns a table owns it for its members.
  const { body: group } = await app.call('POST', '/auth/group', { body: { name: 'stewards', members: [steward.id] } })
  await app.call('PATCH', `/resource/all/${other.id}`, { body: { owners_groups: [group.id] } })
  expect((await summarize(steward.token)).discussions).toEqual(['Not theirs'])
})

test('entries can be hidden for a while or for good, and shown again', async () => {
  const [{ items }] = (await read(steward.token, 'kind=undocumented')).sections
  const entry = { kind: 'undocumented', id: items[0].id }
  const hide = (body: object) => app.call('POST', '/needs_you/hidden', { token: steward.token, body })
  expect((await hide({ ...entry, until: '2020-01-01T00:00:00Z' })).status).toBe(400)
  expect((await hide({ ...entry, until: new Date(Date.now() + 3_600_000).toISOString() })).status).toBe(204)
  expect((await read(steward.token, 'kind=undocumented')).sections).toEqual([])
  await app.db
    .updateTable('needs_you_hidden')
    .set({ until: new Date(Date.now() - 1000) })
    .execute()
  expect((await read(steward.token, 'kind=undocumented')).total).toBe(1)
  await hide(entry)
  expect((await read(steward.token, 'kind=undocumented')).total).toBe(0)
  expect((await app.call('DELETE', `/needs_you/hidden/undocumented/${entry.id}`, { token: steward.token })).status).toBe(204)
  expect((await read(steward.token, 'kind=undocumented')).total).toBe(1)
})

test('the list is the same for somebody who owns hundreds of tables', async () => {
  const rich = await app.createUser('editor', { teams: [team] })
  const tables = Array.from({ length: 400 }, (_, i) => ({
    ...{ id: newId(), entity_type: 'table' as const, title: `many ${i}`, published: true, owners: [rich.id] },
  }))
  await createResources(app.ctx, tables)
  const last = tables.at(-1)!.id
  const inside = (await app.createResource({ entity_type: 'column', title: 'iban', parent: last, published: true })).id
  const as = (path: string, body: object) => app.call('POST', path, { token: viewer.token, body })
  await as('/question/questions', { title: 'Whose is it?', base_entity_id: inside })
  await as('/comments', { resource_id: inside, text: 'Is it checked?' })
  await as('/change_suggestions', { resource_id: inside, field: 'description', value: 'The account.' })
  await app.db
    .updateTable('resources')
    .set({ external_usage: 3 })
    .where(
      'id',
      'in',
      tables.slice(0, 2).map(({ id }) => id),
    )
    .execute()
  const monitor = await createPushMonitor(app, { name: 'Rows', target: inside, condition_auto_sensitivity: null, condition_manual_max: 10 })
  await pushValues(app, monitor.id, [[Date.now() - 60_000, 11]])
  const all = await summarize(rich.token)
  expect(all).toMatchObject({
    questions: ['Whose is it?'],
    discussions: ['Is it checked?'],
    suggestions: ['The account.'],
    undocumented: [expect.stringMatching(/^many [01]$/), expect.stringMatching(/^many [01]$/)],
    unowned: ['refunds'],
  })
  expect(all.incidents).toHaveLength(1)
})

test('the page of a person has what they did, cut to what the caller sees', async () => {
  const page = (token?: string, id = steward.id) => app.call('GET', `/ui/person/${id}`, { token })
  const question = (
    await app.call('POST', '/question/questions', { token: steward.token, body: { title: 'Open?', base_entity_id: table } })
  ).body
  const asked = (await app.call('POST', '/question/questions', { token: viewer.token, body: { title: 'When?', base_entity_id: table } }))
    .body
  await app.call('POST', '/question/replies', { token: steward.token, body: { parent: asked.id, title: 'Daily.' } })
  const hidden = await app.createResource({ title: 'salaries', entity_type: 'table', published: false })
  for (const id of [hidden.id, table]) await app.call('PATCH', `/resource/all/${id}`, { token: steward.token, body: { description: 'x' } })
  const titles = (briefs: { title: string }[]) => briefs.map(({ title }) => title)
  const forAdmin = (await page()).body
  expect(forAdmin).toMatchObject({ name: 'editor Person', email: expect.stringContaining('@'), role: 'editor', teams: [{ id: team }] })
  expect(titles(forAdmin.edited)).toEqual(['orders', 'salaries'])
  const forViewer = (await page(viewer.token)).body
  expect(forViewer).toMatchObject({ name: 'editor Person', email: null, role: null, teams: [] })
  expect(titles(forViewer.edited)).toEqual(['orders'])
  expect(forViewer.questions).toMatchObject([{ id: question.id }])
  expect(titles(forViewer.answers)).toEqual(['When?'])
  // Somebody who owns nothing that the viewer sees does not exist for them.
  const stranger = await app.createUser('editor')
  expect((await page(viewer.token, stranger.id)).status).toBe(404)
  expect((await page(viewer.token, viewer.id)).body.email).toContain('@')
})

test('the cause of a wrong number is found upstream, the most likely first, with the way to it', async () => {
  const create = (title: string, more: object = {}) => app.createResource({ title, entity_type: 'table', published: true, ...more })
  const [raw, staging, secret] = [await create('raw'), await create('staging'), await create('secret', { published: false })]
  const dashboard = await create('Revenue', { entity_type: 'dashboard' })
  const link = (from_entity: string, to_entity: string) =>
    app.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
  await link(raw.id, staging.id)
  await link(staging.id, dashboard.id)
  await link(secret.id, staging.id)
  const find = async (token?: string) => (await app.call('GET', `/lineage/root_cause?resource_id=${dashboard.id}`, { token })).body
  expect(await find()).toMatchObject({ checked: 4, causes: [] })
  for (const target of [raw.id, secret.id]) {
    const monitor = await createPushMonitor(app, { name: 'Rows', target, condition_auto_sensitivity: null, condition_manual_max: 10 })
    await pushValues(app, monitor.id, [[Date.now() - 60_000, 11]])
  }
  await app.db.updateTable('resources').set({ stale: true, stale_at: new Date() }).where('id', '=', staging.id).execute()
  const { causes } = await find(viewer.token)
  expect(
    causes.map(({ kind, resource, distance }: { kind: string; resource: string; distance: number }) => [kind, resource, distance]),
  ).toEqual([
    ['incident', 'raw', 2],
    ['stale', 'staging', 1],
  ])
  expect(causes[0].path.map(({ title }: { title: string }) => title)).toEqual(['raw', 'staging', 'Revenue'])
  expect((await find()).causes).toHaveLength(3)
  expect((await app.call('GET', `/lineage/root_cause?resource_id=${secret.id}`, { token: viewer.token })).status).toBe(404)
})

test('a connection is tested before it is saved, and nothing is stored', async () => {
  const body = {
    name: 'New',
    type: 'postgres',
    credentials: { host: '127.0.0.1', port: 1, database: 'shop', user: 'reader', password: 'secret-7' },
  }
  const failed = await app.call('POST', '/integration/integrations/test', { body })
  expect(failed.status).toBe(400)
  expect(failed.text).not.toContain('secret-7')
  expect((await app.call('POST', '/integration/integrations/test', { body: { ...body, credentials: {} } })).status).toBe(400)
  expect((await app.call('POST', '/integration/integrations/test', { token: steward.token, body })).status).toBe(403)
  expect((await app.call('GET', '/integration/integrations?name=New')).body.count).toBe(0)
})
