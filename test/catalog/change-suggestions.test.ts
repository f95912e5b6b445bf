import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let owner: { id: string; token: string }
let viewer: { id: string; token: string }
let other: { id: string; token: string }

beforeAll(async () => {
  app = await createTestApp()
  owner = await app.createUser('editor')
  viewer = await app.createUser('viewer')
  other = await app.createUser('viewer')
})
afterAll(() => app[Symbol.asyncDispose]())

const suggest = (body: object, token = viewer.token) => app.call('POST', '/change_suggestions', { token, body })
const decide = (id: string, decision: string, token = owner.token) => app.call('POST', `/change_suggestions/${id}/${decision}`, { token })

test('a viewer suggests, nothing changes, and an editor accepts it as their own edit', async () => {
  const table = await app.createResource({ title: 'orders', entity_type: 'table', published: true, owners: [owner.id] })
  const read = async () => (await app.call('GET', `/resource/all/${table.id}`)).body
  const description = (await suggest({ resource_id: table.id, field: 'description', value: 'One row for each order.', reason: 'Its SQL.' }))
    .body
  const tag = (await suggest({ resource_id: table.id, field: 'tag', value: 'finance' })).body
  const steward = (await suggest({ resource_id: table.id, field: 'owner', value: `viewer-${other.id}@example.com` })).body
  expect(await read()).toMatchObject({ description: null, tags: [], owners: [owner.id], version: 1 })
  expect(description).toMatchObject({
    status: 'open',
    created_by: viewer.id,
    by: 'user',
    resource_title: 'orders',
    reason: 'Its SQL.',
  })
  // The same again is the same suggestion.
  expect((await suggest({ resource_id: table.id, field: 'tag', value: ' finance ' })).body.id).toBe(tag.id)

  expect((await decide(description.id, 'accept', viewer.token)).status).toBe(403)
  for (const { id } of [description, tag, steward])
    expect((await decide(id, 'accept')).body).toMatchObject({ status: 'accepted', decided_by: owner.id })
  const after = await read()
  expect(after).toMatchObject({ description: 'One row for each order.', owners: [owner.id, other.id], version: 4 })
  expect(after.tags).toHaveLength(1)
  expect((await decide(description.id, 'accept')).body.status).toBe('accepted')
  expect((await decide(description.id, 'reject')).status).toBe(409)
  const log = (await app.call('GET', '/activity_log/audit_logs/')).body.results
  expect(log.map(({ activity_type }: { activity_type: string }) => activity_type)).toEqual(
    expect.arrayContaining(['change_suggested', 'change_suggestion_accepted', 'resource_updated']),
  )
})

test('a rejected suggestion changes nothing, and an unknown owner can only be rejected', async () => {
  const table = await app.createResource({ title: 'customers', entity_type: 'table', published: true })
  const { id } = (await suggest({ resource_id: table.id, field: 'owner', value: 'nobody@example.com' })).body
  expect(await decide(id, 'accept')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('nobody@example.com is not a user') },
  })
  expect((await decide(id, 'reject')).body.status).toBe('rejected')
  expect((await app.call('GET', `/resource/all/${table.id}`)).body).toMatchObject({ owners: [], version: 1 })
})

test('an accepted term becomes a glossary term', async () => {
  const { id } = (await suggest({ field: 'term', value: 'Churn', detail: 'Customers who left.' })).body
  expect((await decide(id, 'accept')).status).toBe(200)
  const terms = (await app.call('GET', '/glossary?title=Churn')).body.results
  expect(terms).toMatchObject([{ title: 'Churn', description: 'Customers who left.', published: true }])
})

test('wrong suggestions are rejected with a reason', async () => {
  const table = await app.createResource({ title: 'refunds', entity_type: 'table', published: true })
  const problem = async (body: object) => (await suggest(body)).body.detail
  expect(await problem({ field: 'tag', value: 'finance' })).toBe('resource_id: is required.')
  expect(await problem({ resource_id: table.id, field: 'tag', value: '  ' })).toContain('value')
  expect(await problem({ resource_id: table.id, field: 'tag', value: 'x'.repeat(201) })).toContain('at most 200 characters')
  expect(await problem({ resource_id: table.id, field: 'tag', value: 'x', detail: 'y' })).toBe('detail: is only for terms.')
  const { token } = await app.createUser('viewer', { scope: 'read' })
  expect((await suggest({ resource_id: table.id, field: 'tag', value: 'finance' }, token)).status).toBe(403)
})

test('people see only suggestions for what they see: viewers their own, editors all of visible resources', async () => {
  const draft = await app.createResource({ title: 'draft', entity_type: 'table' })
  const team = await app.createTeam(true)
  const closed = await app.createResource({ title: 'closed', entity_type: 'table', published: true, teams: [team] })
  expect((await suggest({ resource_id: draft.id, field: 'tag', value: 'a' })).status).toBe(404)
  const mine = (await suggest({ resource_id: draft.id, field: 'tag', value: 'a' }, app.token)).body
  const secret = (await suggest({ resource_id: closed.id, field: 'tag', value: 'a' }, app.token)).body
  const list = async (token: string) =>
    (await app.call('GET', '/change_suggestions?page_size=100', { token })).body.results.map(({ id }: { id: string }) => id)
  expect(await list(owner.token)).toContain(mine.id)
  expect(await list(owner.token)).not.toContain(secret.id)
  expect(await list(other.token)).toEqual([])
  expect((await app.call('GET', `/change_suggestions/${secret.id}`, { token: owner.token })).status).toBe(404)
  expect((await decide(secret.id, 'accept')).status).toBe(404)
  expect((await app.call('GET', `/change_suggestions?resource_id=${closed.id}`, { token: owner.token })).body.count).toBe(0)
  expect((await app.call('GET', `/change_suggestions?resource_id=${draft.id}`, { token: owner.token })).body.count).toBe(1)
})
