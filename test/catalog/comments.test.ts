import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

type Someone = Awaited<ReturnType<TestApp['createUser']>>

let app: TestApp
let owner: Someone
let ada: Someone
let victor: Someone

const createNamed = async (role: 'editor' | 'viewer', name: string): Promise<Someone> => {
  const someone = await app.createUser(role)
  const email = `${name.toLowerCase()}@example.com`
  await app.db.updateTable('users').set({ first_name: name, last_name: '', email }).where('id', '=', someone.id).execute()
  return someone
}

beforeAll(async () => {
  app = await createTestApp()
  owner = await createNamed('editor', 'Grace')
  ada = await createNamed('viewer', 'Ada')
  victor = await createNamed('viewer', 'Victor')
})
afterAll(() => app[Symbol.asyncDispose]())

const comment = (body: object, { token }: { token: string } = ada) => app.call('POST', '/comments', { token, body })
const list = async (query: string, token?: string) => (await app.call('GET', `/comments?${query}`, { token })).body.results
const edit = (id: string, body: object, { token }: { token: string }) => app.call('PATCH', `/comments/${id}`, { token, body })
const texts = async ({ token }: Someone): Promise<string[]> => {
  const { body } = await app.call('GET', '/notification/inbox', { token })
  return body.results.flatMap(({ changes }: { changes: { text: string }[] }) => changes.map(({ text }) => text))
}
const readInboxes = async () => ({ owner: await texts(owner), ada: await texts(ada), victor: await texts(victor) })

test('a discussion notifies owners, subscribers, participants and people mentioned, each once, and nobody of their own comment', async () => {
  const table = await app.createResource({
    ...{ title: 'orders', entity_type: 'table', published: true },
    ...{ owners: [owner.id], subscribers: [victor.id] },
  })
  const column = await app.createResource({ title: 'net', entity_type: 'column', parent: table.id, published: true })
  const notifier = createTestNotifier(app)
  await notifier.follow()

  const first = (await comment({ resource_id: column.id, text: ' Does this include **refunds**? ' })).body
  expect(first).toMatchObject({
    ...{ text: 'Does this include **refunds**?', status: 'open', created_by_name: 'Ada', resource_title: 'net', resource_type: 'column' },
    ...{ thread_id: first.id, edited_at: null },
  })
  await notifier.follow()
  const asked = 'Ada commented on net – Does this include **refunds**?'
  expect(await readInboxes()).toEqual({ owner: [asked], ada: [], victor: [asked] })

  const answer = (await comment({ thread_id: first.id, text: 'It does, @victor@example.com knows.' }, owner)).body
  expect(answer).toMatchObject({ resource_id: column.id, thread_id: first.id })
  await notifier.follow()
  expect(await readInboxes()).toEqual({
    owner: [asked],
    ada: ['Grace replied to a comment on net – It does, @victor@example.com knows.'],
    victor: ['Grace mentioned Victor in a comment on net – It does, @victor@example.com knows.', asked],
  })
  const { body: inbox } = await app.call('GET', '/notification/inbox', { token: victor.token })
  expect(inbox.results[0].changes).toMatchObject([
    { activity_type: 'person_mentioned', comment: answer.id },
    { activity_type: 'comment_added', comment: first.id },
  ])
  // A reply is part of a thread, never the start of one.
  expect((await comment({ thread_id: answer.id, text: 'x' })).body.detail).toContain('thread_id')

  expect((await edit(first.id, { status: 'resolved' }, victor)).status).toBe(403)
  expect((await edit(first.id, { status: 'resolved' }, owner)).body).toMatchObject({ status: 'resolved', resolved_by_name: 'Grace' })
  await notifier.follow()
  expect((await texts(ada))[0]).toBe('Grace resolved a discussion of net')
  expect(await list(`resource_id=${table.id}&status=open`)).toEqual([])
  // Who started it can reopen it; the list is that of the table with its columns, in the order of the discussion.
  expect((await edit(first.id, { status: 'open' }, ada)).body).toMatchObject({ status: 'open', resolved_at: null, resolved_by: null })
  expect((await list(`resource_id=${table.id}`, victor.token)).map(({ id }: { id: string }) => id)).toEqual([first.id, answer.id])
  const { tabs } = (await app.call('GET', `/ui/resource/${table.id}`, { token: ada.token })).body
  expect(tabs.discussions).toBe(1)
  expect((await app.call('GET', `/ui/columns/${table.id}`)).body[column.id].discussions).toBe(1)
})

test('authors edit and delete their own comments, admins delete any, and all of it is in the log', async () => {
  const table = await app.createResource({ title: 'refunds', entity_type: 'table', published: true })
  const first = (await comment({ resource_id: table.id, text: 'One' })).body
  const reply = (await comment({ thread_id: first.id, text: 'Two' }, victor)).body
  expect((await edit(first.id, { text: 'Mine' }, owner)).status).toBe(403)
  expect((await edit(first.id, { text: 'Ask @victor@example.com' }, ada)).body).toMatchObject({ edited_at: expect.any(String) })
  const remove = (id: string, token?: string) => app.call('DELETE', `/comments/${id}`, { token })
  expect((await remove(first.id, owner.token)).status).toBe(403)
  expect((await remove(first.id, ada.token)).status).toBe(204)
  // The thread stays readable; its first comment goes with the last reply.
  expect(await list(`resource_id=${table.id}`)).toMatchObject([
    { id: first.id, text: null },
    { id: reply.id, text: 'Two' },
  ])
  expect((await edit(first.id, { text: 'Back' }, ada)).status).toBe(409)
  expect((await remove(reply.id)).status).toBe(204)
  expect(await list(`resource_id=${table.id}`)).toEqual([])
  const log = (await app.call('GET', `/activity_log/resource_logs/?resource_id=${table.id}`)).body.non_versioned_logs
  expect(log.map(({ activity_type }: { activity_type: string }) => activity_type).sort()).toEqual(
    ['comment_added', 'comment_added', 'comment_deleted', 'comment_deleted', 'comment_updated', 'person_mentioned'].sort(),
  )
})

test('comments of a hidden resource do not exist for those who cannot see it', async () => {
  const table = await app.createResource({ title: 'salaries', entity_type: 'table', published: false })
  const { id } = (await comment({ resource_id: table.id, text: 'Secret' }, owner)).body
  expect((await comment({ resource_id: table.id, text: 'x' })).status).toBe(404)
  expect((await comment({ thread_id: id, text: 'x' })).status).toBe(404)
  expect((await app.call('GET', `/comments/${id}`, { token: ada.token })).status).toBe(404)
  expect((await edit(id, { status: 'resolved' }, ada)).status).toBe(404)
  expect(await list(`thread_id=${id}`, ada.token)).toEqual([])
  expect(await list(`created_by=${owner.id}`, ada.token)).not.toContainEqual(expect.objectContaining({ id }))
})

test('comments go to the trash with their resource and return with it', async () => {
  const table = await app.createResource({ title: 'returns', entity_type: 'table', published: true })
  const column = await app.createResource({ title: 'reason', entity_type: 'column', parent: table.id, published: true })
  const first = (await comment({ resource_id: column.id, text: 'Which codes exist?' })).body
  await comment({ thread_id: first.id, text: 'Three.' }, owner)
  const before = await list(`resource_id=${table.id}`)
  await app.call('DELETE', `/resource/all/${table.id}`)
  expect(await list(`thread_id=${first.id}`)).toEqual([])
  expect((await app.call('POST', `/resource/all/${table.id}/restore`, { body: {} })).status).toBe(200)
  expect(await list(`resource_id=${table.id}`)).toEqual(before)
})

test('bad input is rejected with a reason', async () => {
  const table = await app.createResource({ title: 'items', entity_type: 'table', published: true })
  expect((await comment({ text: 'x' })).body.detail).toBe('resource_id: is required.')
  expect((await comment({ resource_id: table.id, text: '  ' })).status).toBe(400)
  expect((await comment({ resource_id: table.id, text: 'x'.repeat(10_001) })).status).toBe(400)
  const { token } = await app.createUser('viewer', { scope: 'read' })
  expect((await comment({ resource_id: table.id, text: 'x' }, { token })).status).toBe(403)
  expect((await app.call('GET', '/comments?resource_id=nonsense')).status).toBe(400)
})

test('everyone who sees a comment reacts once with each kind, and nobody else learns of it', async () => {
  const table = await app.createResource({ title: 'parcels', entity_type: 'table', published: true, owners: [owner.id] })
  const { id } = (await comment({ resource_id: table.id, text: 'Counted twice.' })).body
  const react = (kind: string, { token }: { token: string }, method: 'PUT' | 'DELETE' = 'PUT') =>
    app.call(method, `/comments/${id}/reactions/${kind}`, { token })
  const notifier = createTestNotifier(app)
  await notifier.follow()
  const before = await readInboxes()
  expect((await react('eyes', owner)).body.reactions).toEqual([
    { kind: 'eyes', count: 1, mine: true, users: [{ id: owner.id, name: 'Grace' }] },
  ])
  await react('eyes', owner) // again: the same one
  await react('thumbs_up', victor)
  await react('eyes', victor)
  expect((await list(`resource_id=${table.id}`, ada.token))[0].reactions).toEqual([
    { kind: 'thumbs_up', count: 1, mine: false, users: [{ id: victor.id, name: 'Victor' }] },
    {
      ...{ kind: 'eyes', count: 2, mine: false },
      users: [
        { id: owner.id, name: 'Grace' },
        { id: victor.id, name: 'Victor' },
      ],
    },
  ])
  expect((await react('eyes', owner, 'DELETE')).body.reactions).toMatchObject([
    { kind: 'thumbs_up' },
    { kind: 'eyes', count: 1, mine: false },
  ])
  await notifier.follow()
  expect(await readInboxes()).toEqual(before)
  expect((await react('applause', owner)).status).toBe(400)
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${table.id}`)
  const types = log.non_versioned_logs.map(({ activity_type }: { activity_type: string }) => activity_type)
  expect(types.filter((type: string) => type.startsWith('comment_react')).sort()).toEqual([
    ...['comment_reacted', 'comment_reacted', 'comment_reacted', 'comment_reaction_removed'],
  ])

  // What is hidden cannot be reacted to; reactions return from the trash with their comment.
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { published: false } })
  expect((await react('heart', victor)).status).toBe(404)
  await app.call('DELETE', `/resource/all/${table.id}`)
  await app.call('POST', `/resource/all/${table.id}/restore`, { body: {} })
  expect((await list(`resource_id=${table.id}`))[0].reactions).toHaveLength(2)

  // A deleted comment with replies has none.
  await comment({ thread_id: id, text: 'It is fixed.' }, owner)
  await app.call('DELETE', `/comments/${id}`)
  expect((await list(`resource_id=${table.id}`))[0]).toMatchObject({ text: null, reactions: [] })
  expect((await react('heart', owner)).status).toBe(409)
})
