import { describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Everyone can ask and answer, and edit what they wrote. */
const QUESTIONS = '/question/questions'
const REPLIES = '/question/replies'

const asUser = (app: TestApp, token: string) => ({
  ask: async (body: object) => app.call('POST', QUESTIONS, { body, token }),
  reply: async (parent: string, description = 'So.') => app.call('POST', REPLIES, { body: { parent, description }, token }),
  edit: (path: string, id: string, body: object) => app.call('PATCH', `${path}/${id}`, { body, token }),
  remove: (path: string, id: string) => app.call('DELETE', `${path}/${id}`, { token }),
  read: (id: string) => app.call('GET', `${QUESTIONS}/${id}`, { token }),
})

test('a viewer asks, another one replies, and the author accepts the reply', async () => {
  await using app = await createTestApp()
  const [vera, victor, editor] = [await app.createUser('viewer'), await app.createUser('viewer'), await app.createUser('editor')]
  const [asker, helper] = [asUser(app, vera.token), asUser(app, victor.token)]
  const { status, body: question } = await asker.ask({ title: 'Do refunds count?', question_priority: 'high' })
  expect(status).toBe(201)
  expect(question).toMatchObject({
    ...{ published: true, question_status: 'open', question_priority: 'high', accepted_reply: null, subscribers: [vera.id] },
  })
  const { body: reply } = await helper.reply(question.id, 'On the day of the order.')
  expect(reply).toMatchObject({
    entity_type: 'question_reply',
    parent: question.id,
    published: true,
    description: 'On the day of the order.',
  })
  await asUser(app, editor.token).reply(question.id, 'Yes.')
  const { body: replies } = await app.call('GET', `${REPLIES}?parent_id=${question.id}`, { token: vera.token })
  expect(replies.results.map(({ description }: { description: string }) => description)).toEqual(['On the day of the order.', 'Yes.'])

  const accepted = await asker.edit(QUESTIONS, question.id, { accepted_reply: reply.id })
  expect(accepted.body).toMatchObject({ question_status: 'answered', question_answered_by: victor.id, accepted_reply: reply.id })
  expect((await helper.read(question.id)).body).toMatchObject({ question_status: 'answered', accepted_reply: reply.id })
  // Sending the record back changes nothing.
  expect((await asker.edit(QUESTIONS, question.id, accepted.body)).body).toEqual(accepted.body)
  const { body: open } = await asker.edit(QUESTIONS, question.id, { ...accepted.body, question_status: 'open' })
  expect(open).toMatchObject({ question_status: 'open', question_answered_by: null, accepted_reply: null })
  await asker.edit(QUESTIONS, question.id, { accepted_reply: reply.id })
  expect((await asker.edit(QUESTIONS, question.id, { accepted_reply: null })).body).toMatchObject({
    question_status: 'open',
    question_answered_by: null,
  })
  expect((await asker.edit(QUESTIONS, question.id, { question_status: 'answered' })).body).toMatchObject({ question_answered_by: vera.id })
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'question_status', value: 'answered' }))
  expect((await app.call('GET', `${QUESTIONS}?filter=${filter}`)).body.count).toBe(1)
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${question.id}`)
  expect(log.version_histories).toHaveLength(6)
})

test('deleting the accepted reply reopens the question', async () => {
  await using app = await createTestApp()
  const [vera, victor] = [await app.createUser('viewer'), await app.createUser('viewer')]
  const { body: question } = await asUser(app, vera.token).ask({ title: 'Why?' })
  const { body: reply } = await asUser(app, victor.token).reply(question.id)
  const accepted = await asUser(app, vera.token).edit(QUESTIONS, question.id, { accepted_reply: reply.id })
  expect(accepted.body.question_status).toBe('answered')
  expect((await asUser(app, victor.token).remove(REPLIES, reply.id)).status).toBe(204)
  expect((await asUser(app, vera.token).read(question.id)).body).toMatchObject({
    question_status: 'open',
    accepted_reply: null,
    children_count: 0,
  })
})

test('only a reply to the question can be accepted', async () => {
  await using app = await createTestApp()
  const me = asUser(app, app.token)
  const [{ body: one }, { body: other }] = [await me.ask({ title: 'a' }), await me.ask({ title: 'b' })]
  const { body: reply } = await me.reply(other.id)
  const table = await app.createResource({ title: 'orders' })
  for (const accepted_reply of [reply.id, table.id, newId(), one.id])
    expect((await me.edit(QUESTIONS, one.id, { accepted_reply })).body.errors).toHaveProperty('accepted_reply')
  for (const [field, value] of [
    ['accepted_reply', 'x'],
    ['question_status', 'maybe'],
    ['question_priority', 5],
    ['question_answered_by', 'ada'],
    ['question_assigned_to', 1],
  ] as const)
    expect([field, Object.keys((await me.edit(QUESTIONS, one.id, { [field]: value })).body.errors)]).toEqual([field, [field]])
  expect((await me.read(one.id)).body).toEqual(one)
  for (const parent of [undefined, null, table.id, reply.id, newId()])
    expect((await app.call('POST', REPLIES, { body: { parent } })).body.errors).toHaveProperty('parent')
})

test('a viewer cannot edit questions of others or the rest of the catalog', async () => {
  await using app = await createTestApp()
  const [vera, victor, editor] = [await app.createUser('viewer'), await app.createUser('viewer'), await app.createUser('editor')]
  const { body: question } = await asUser(app, vera.token).ask({ title: 'Why?' })
  const { body: reply } = await asUser(app, victor.token).reply(question.id)
  const table = await app.createResource({ title: 'orders', published: true })
  const before = await app.listActivities()
  const [asVera, asVictor] = [asUser(app, vera.token), asUser(app, victor.token)]
  for (const [what, response] of [
    ['edit another’s question', await asVictor.edit(QUESTIONS, question.id, { title: 'x' })],
    ['accept an answer to it', await asVictor.edit(QUESTIONS, question.id, { accepted_reply: reply.id })],
    ['delete it', await asVictor.remove(QUESTIONS, question.id)],
    ['edit another’s reply', await asVera.edit(REPLIES, reply.id, { description: 'x' })],
    ['delete it with another’s reply', await asVera.remove(QUESTIONS, question.id)],
    ['hide one’s own', await asVera.edit(QUESTIONS, question.id, { published: false })],
    ['put it into a team', await asVera.edit(QUESTIONS, question.id, { teams: [newId()] })],
    ['tag it', await asVera.edit(QUESTIONS, question.id, { tags: [newId()] })],
    ['ask as verified', await asVera.ask({ title: 'x', verified: true })],
    ['ask for others', await asVera.ask({ title: 'x', owners: [newId()] })],
    ['edit it through the catalog', await app.call('PATCH', `/resource/all/${question.id}`, { body: { title: 'x' }, token: vera.token })],
    ['create through the catalog', await app.call('POST', '/resource/catalog', { body: { entity_type: 'question' }, token: vera.token })],
  ] as const)
    expect([what, response.status]).toEqual([what, 403])
  expect((await asVera.edit(QUESTIONS, table.id, { title: 'x' })).status).toBe(404)
  expect(await app.listActivities()).toEqual(before)
  expect((await asVera.edit(QUESTIONS, question.id, { description: 'More.', published: true })).body.description).toBe('More.')
  expect((await asUser(app, editor.token).edit(QUESTIONS, question.id, { tags: [newId()], verified: true })).status).toBe(200)
  const reader = await app.createUser('viewer', { scope: 'read' })
  expect((await asUser(app, reader.token).ask({ title: 'x' })).status).toBe(403)
  await asVictor.remove(REPLIES, reply.id)
  expect((await asVera.remove(QUESTIONS, question.id)).status).toBe(204)
})

describe('a question has the visibility of the resource it is about', () => {
  test('members of a closed team can see it', async () => {
    await using app = await createTestApp()
    const team = await app.createTeam(true)
    const [member, outsider] = [await app.createUser('viewer', { teams: [team] }), await app.createUser('viewer')]
    const table = await app.createResource({ title: 'salaries', published: true, teams: [team] })
    const { body: question } = await asUser(app, member.token).ask({ title: 'Gross?', base_entity_id: table.id })
    expect(question).toMatchObject({ base_entity_id: table.id, teams: [team], published: true })
    const { body: reply } = await asUser(app, app.token).reply(question.id)
    expect(reply.teams).toEqual([team])
    expect((await asUser(app, member.token).read(question.id)).status).toBe(200)
    expect((await asUser(app, outsider.token).read(question.id)).status).toBe(404)
    for (const path of [QUESTIONS, REPLIES]) expect((await app.call('GET', path, { token: outsider.token })).body.count).toBe(0)
    const unseen = await asUser(app, outsider.token).ask({ title: 'x', base_entity_id: table.id })
    const unknown = await asUser(app, outsider.token).ask({ title: 'x', base_entity_id: newId() })
    expect([unseen.status, Object.keys(unseen.body.errors)]).toEqual([unknown.status, Object.keys(unknown.body.errors)])
    expect((await asUser(app, outsider.token).reply(question.id)).body.errors).toHaveProperty('parent')
  })

  test('users who can see a draft can see questions about it', async () => {
    await using app = await createTestApp()
    const editor = await app.createUser('editor')
    const draft = await app.createResource({ title: 'draft' })
    const { body } = await asUser(app, editor.token).ask({ title: 'When?', base_entity_id: draft.id })
    expect(body.published).toBe(false)
    expect((await asUser(app, editor.token).ask({ title: 'When?', base_entity_id: draft.id, published: true })).body.published).toBe(true)
  })

  test('a guest asks in their own teams', async () => {
    await using app = await createTestApp()
    const team = await app.createTeam()
    const [guest, homeless] = [await app.createUser('guest', { teams: [team] }), await app.createUser('guest')]
    const { body } = await asUser(app, guest.token).ask({ title: 'Who?' })
    expect(body.teams).toEqual([team])
    expect((await asUser(app, guest.token).read(body.id)).status).toBe(200)
    expect((await asUser(app, homeless.token).ask({ title: 'Who?' })).body.errors).toHaveProperty('teams')
  })
})
