import { describe, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { aHouse, type House } from './house.ts'

/** Everyone can ask and answer, and edit what they wrote. */
const QUESTIONS = '/question/questions'
const REPLIES = '/question/replies'

const as = (house: House, token: string) => ({
  ask: async (body: object) => house.call('POST', QUESTIONS, { body, token }),
  reply: async (parent: string, description = 'So.') => house.call('POST', REPLIES, { body: { parent, description }, token }),
  edit: (path: string, id: string, body: object) => house.call('PATCH', `${path}/${id}`, { body, token }),
  remove: (path: string, id: string) => house.call('DELETE', `${path}/${id}`, { token }),
  read: (id: string) => house.call('GET', `${QUESTIONS}/${id}`, { token }),
})

test('a viewer asks, another one replies, and the author accepts the reply', async () => {
  await using house = await aHouse()
  const [vera, victor, editor] = [await house.someone('viewer'), await house.someone('viewer'), await house.someone('editor')]
  const [asker, helper] = [as(house, vera.token), as(house, victor.token)]
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
  await as(house, editor.token).reply(question.id, 'Yes.')
  const { body: replies } = await house.call('GET', `${REPLIES}?parent_id=${question.id}`, { token: vera.token })
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
  expect((await house.call('GET', `${QUESTIONS}?filter=${filter}`)).body.count).toBe(1)
  const { body: log } = await house.call('GET', `/activity_log/resource_logs/?resource_id=${question.id}`)
  expect(log.version_histories).toHaveLength(6)
})

test('deleting the accepted reply reopens the question', async () => {
  await using house = await aHouse()
  const [vera, victor] = [await house.someone('viewer'), await house.someone('viewer')]
  const { body: question } = await as(house, vera.token).ask({ title: 'Why?' })
  const { body: reply } = await as(house, victor.token).reply(question.id)
  const accepted = await as(house, vera.token).edit(QUESTIONS, question.id, { accepted_reply: reply.id })
  expect(accepted.body.question_status).toBe('answered')
  expect((await as(house, victor.token).remove(REPLIES, reply.id)).status).toBe(204)
  expect((await as(house, vera.token).read(question.id)).body).toMatchObject({
    question_status: 'open',
    accepted_reply: null,
    children_count: 0,
  })
})

test('only a reply to the question can be accepted', async () => {
  await using house = await aHouse()
  const me = as(house, house.token)
  const [{ body: one }, { body: other }] = [await me.ask({ title: 'a' }), await me.ask({ title: 'b' })]
  const { body: reply } = await me.reply(other.id)
  const table = await house.resource({ title: 'orders' })
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
    expect((await house.call('POST', REPLIES, { body: { parent } })).body.errors).toHaveProperty('parent')
})

test('a viewer cannot edit questions of others or the rest of the catalog', async () => {
  await using house = await aHouse()
  const [vera, victor, editor] = [await house.someone('viewer'), await house.someone('viewer'), await house.someone('editor')]
  const { body: question } = await as(house, vera.token).ask({ title: 'Why?' })
  const { body: reply } = await as(house, victor.token).reply(question.id)
  const table = await house.resource({ title: 'orders', published: true })
  const before = await house.changes()
  const [mine, theirs] = [as(house, vera.token), as(house, victor.token)]
  for (const [what, answer] of [
    ['edit another’s question', await theirs.edit(QUESTIONS, question.id, { title: 'x' })],
    ['accept an answer to it', await theirs.edit(QUESTIONS, question.id, { accepted_reply: reply.id })],
    ['delete it', await theirs.remove(QUESTIONS, question.id)],
    ['edit another’s reply', await mine.edit(REPLIES, reply.id, { description: 'x' })],
    ['delete it with another’s reply', await mine.remove(QUESTIONS, question.id)],
    ['hide one’s own', await mine.edit(QUESTIONS, question.id, { published: false })],
    ['put it into a team', await mine.edit(QUESTIONS, question.id, { teams: [newId()] })],
    ['tag it', await mine.edit(QUESTIONS, question.id, { tags: [newId()] })],
    ['ask as verified', await mine.ask({ title: 'x', verified: true })],
    ['ask for others', await mine.ask({ title: 'x', owners: [newId()] })],
    ['edit it through the catalog', await house.call('PATCH', `/resource/all/${question.id}`, { body: { title: 'x' }, token: vera.token })],
    ['create through the catalog', await house.call('POST', '/resource/catalog', { body: { entity_type: 'question' }, token: vera.token })],
  ] as const)
    expect([what, answer.status]).toEqual([what, 403])
  expect((await mine.edit(QUESTIONS, table.id, { title: 'x' })).status).toBe(404)
  expect(await house.changes()).toEqual(before)
  expect((await mine.edit(QUESTIONS, question.id, { description: 'More.', published: true })).body.description).toBe('More.')
  expect((await as(house, editor.token).edit(QUESTIONS, question.id, { tags: [newId()], verified: true })).status).toBe(200)
  const reader = await house.someone('viewer', { scope: 'read' })
  expect((await as(house, reader.token).ask({ title: 'x' })).status).toBe(403)
  await theirs.remove(REPLIES, reply.id)
  expect((await mine.remove(QUESTIONS, question.id)).status).toBe(204)
})

describe('a question has the visibility of the resource it is about', () => {
  test('members of a closed team can see it', async () => {
    await using house = await aHouse()
    const team = await house.team(true)
    const [member, stranger] = [await house.someone('viewer', { teams: [team] }), await house.someone('viewer')]
    const table = await house.resource({ title: 'salaries', published: true, teams: [team] })
    const { body: question } = await as(house, member.token).ask({ title: 'Gross?', base_entity_id: table.id })
    expect(question).toMatchObject({ base_entity_id: table.id, teams: [team], published: true })
    const { body: reply } = await as(house, house.token).reply(question.id)
    expect(reply.teams).toEqual([team])
    expect((await as(house, member.token).read(question.id)).status).toBe(200)
    expect((await as(house, stranger.token).read(question.id)).status).toBe(404)
    for (const path of [QUESTIONS, REPLIES]) expect((await house.call('GET', path, { token: stranger.token })).body.count).toBe(0)
    const unseen = await as(house, stranger.token).ask({ title: 'x', base_entity_id: table.id })
    const unknown = await as(house, stranger.token).ask({ title: 'x', base_entity_id: newId() })
    expect([unseen.status, Object.keys(unseen.body.errors)]).toEqual([unknown.status, Object.keys(unknown.body.errors)])
    expect((await as(house, stranger.token).reply(question.id)).body.errors).toHaveProperty('parent')
  })

  test('users who can see a draft can see questions about it', async () => {
    await using house = await aHouse()
    const editor = await house.someone('editor')
    const draft = await house.resource({ title: 'draft' })
    const { body } = await as(house, editor.token).ask({ title: 'When?', base_entity_id: draft.id })
    expect(body.published).toBe(false)
    expect((await as(house, editor.token).ask({ title: 'When?', base_entity_id: draft.id, published: true })).body.published).toBe(true)
  })

  test('a guest asks in their own teams', async () => {
    await using house = await aHouse()
    const team = await house.team()
    const [guest, homeless] = [await house.someone('guest', { teams: [team] }), await house.someone('guest')]
    const { body } = await as(house, guest.token).ask({ title: 'Who?' })
    expect(body.teams).toEqual([team])
    expect((await as(house, guest.token).read(body.id)).status).toBe(200)
    expect((await as(house, homeless.token).ask({ title: 'Who?' })).body.errors).toHaveProperty('teams')
  })
})
