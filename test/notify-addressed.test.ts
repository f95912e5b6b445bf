import { expect, test } from 'vitest'
import { mentionsIn } from '../src/access/mentions.ts'
import { emailChannel } from '../src/notify/channels/email.ts'
import { aHouse, type House } from './house.ts'
import { aPushed, push } from './monitors.ts'
import { aMailServer, aPostman } from './post.ts'

/** Changes addressed to a user reach them even if they do not follow the resource. */
type Someone = Awaited<ReturnType<House['someone']>>

const named = async (house: House, role: 'editor' | 'viewer' | 'guest', name: string): Promise<Someone> => {
  const someone = await house.someone(role)
  const email = `${name.toLowerCase()}@example.com`
  await house.db.updateTable('users').set({ first_name: name, last_name: '', email }).where('id', '=', someone.id).execute()
  return someone
}
const texts = async (house: House, { token }: { token: string }): Promise<string[]> => {
  const { body } = await house.call('GET', '/notification/inbox', { token })
  return body.results.flatMap(({ changes }: { changes: { text: string }[] }) => changes.map(({ text }) => text))
}
const as = (house: House, { token }: Someone) => ({
  post: async (path: string, body: object) => {
    const answer = await house.call('POST', path, { token, body })
    expect([path, answer.status, answer.body?.detail]).toEqual([path, 201, undefined])
    return answer.body
  },
  patch: async (path: string, body: object) => {
    const answer = await house.call('PATCH', path, { token, body })
    expect([path, answer.status, answer.body?.detail]).toEqual([path, 200, undefined])
    return answer.body
  },
})

test('a question notifies owners and assignee, a reply its author and earlier repliers, an accepted answer its author', async () => {
  await using house = await aHouse()
  const [grace, katsu, dana] = [
    await named(house, 'editor', 'Grace'),
    await named(house, 'editor', 'Katsu'),
    await named(house, 'editor', 'Dana'),
  ]
  const [vera, victor] = [await named(house, 'viewer', 'Vera'), await named(house, 'viewer', 'Victor')]
  const { body: group } = await house.call('POST', '/auth/group', { body: { name: 'stewards', members: [dana.id, vera.id] } })
  const table = await house.resource({ title: 'fct_orders', published: true, owners: [grace.id], owners_groups: [group.id] })
  const postman = aPostman(house)
  await postman.follow()

  const question = await as(house, vera).post('/question/questions', {
    title: 'Do refunds count?',
    base_entity_id: table.id,
    question_assigned_to: katsu.id,
  })
  await postman.follow()
  const asked = 'Vera asked a question about fct_orders: Do refunds count?'
  expect(await texts(house, grace)).toEqual([asked])
  expect(await texts(house, dana)).toEqual([asked])
  expect(await texts(house, katsu)).toEqual(['Vera assigned the question Do refunds count? to Katsu'])
  expect(await texts(house, vera)).toEqual([])
  expect(await texts(house, victor)).toEqual([])

  const first = await as(house, victor).post('/question/replies', { parent: question.id, description: 'On the day of the order.' })
  await postman.follow()
  const replied = 'Victor replied to the question Do refunds count? – On the day of the order.'
  expect(await texts(house, vera)).toEqual([replied])
  expect((await texts(house, katsu))[0]).toBe(replied)
  await as(house, grace).post('/question/replies', { parent: question.id, description: 'Yes.' })
  await postman.follow()
  expect(await texts(house, victor)).toEqual(['Grace replied to the question Do refunds count? – Yes.'])
  expect(await texts(house, grace)).toEqual([asked])

  await as(house, vera).patch(`/question/questions/${question.id}`, { accepted_reply: first.id })
  await postman.follow()
  expect((await texts(house, victor))[0]).toBe('Vera accepted the reply of Victor to Do refunds count?')
  expect(await texts(house, vera)).toHaveLength(2)

  // The names of askers and repliers are visible to everyone who can see the question, including viewers.
  const { body: names } = await house.call('GET', `/ui/names?ids=${question.id},${first.id}`, { token: victor.token })
  expect([names[question.id].author, names[first.id].author]).toEqual(['Vera', 'Victor'])
})

test('a question about a hidden resource notifies only users who can see it', async () => {
  await using house = await aHouse()
  const [owner, guest, ada] = [
    await named(house, 'viewer', 'Vera'),
    await named(house, 'guest', 'Gus'),
    await named(house, 'editor', 'Ada'),
  ]
  const table = await house.resource({ title: 'salaries', published: false, owners: [owner.id, guest.id] })
  const postman = aPostman(house)
  await postman.follow()
  const question = await as(house, ada).post('/question/questions', {
    title: 'Who is paid?',
    base_entity_id: table.id,
    question_assigned_to: owner.id,
    description: 'Ask @gus@example.com.',
  })
  await postman.follow()
  expect([await texts(house, owner), await texts(house, guest)]).toEqual([[], []])
  // Publishing the resource later does not notify of changes made while it was hidden.
  await as(house, ada).patch(`/question/questions/${question.id}`, { published: true })
  await postman.follow()
  expect([await texts(house, owner), await texts(house, guest)]).toEqual([[], []])
})

test('a mention notifies once, when it is written, on the enabled channels', async () => {
  await using house = await aHouse()
  await using mail = await aMailServer()
  const [ada, katsu] = [await named(house, 'editor', 'Ada'), await named(house, 'editor', 'Katsu')]
  const { id } = await house.resource({ title: 'orders' })
  const postman = aPostman(house, [emailChannel({ url: mail.url, from: 'Tablinum <tablinum@example.com>' })])
  await postman.follow()
  const path = `/resource/all/${id}`
  await as(house, ada).patch(path, { definition: 'Ask @Katsu@example.com, not @nobody@example.com. Mail: katsu@example.com' })
  await postman.follow()
  expect(await texts(house, katsu)).toEqual(['Ada mentioned Katsu in orders'])
  await as(house, ada).patch(path, { definition: 'Please ask @katsu@example.com.' })
  await as(house, katsu).patch(path, { description: 'Me: @katsu@example.com' })
  await postman.follow()
  expect(await texts(house, katsu)).toEqual(['Ada mentioned Katsu in orders'])
  await postman.round()
  expect(mail.letters.map(({ to, subject }) => [to, subject])).toEqual([['katsu@example.com', 'Ada mentioned Katsu in orders']])
  expect(mail.letters[0]!.raw).toContain('addressed to you')
})

test('a mention is an e-mail address after an @ that is not part of another word', () => {
  expect(mentionsIn('@ada@example.com and (@Bob.C@example.co.uk), @ada@EXAMPLE.com.')).toEqual(['ada@example.com', 'bob.c@example.co.uk'])
  expect(mentionsIn('ada@example.com, x@ada@example.com, @orders, @ ada@example.com')).toEqual([])
  expect(mentionsIn(null)).toEqual([])
})

test('assigning an incident and mentioning a user in its comments notify that user', async () => {
  await using house = await aHouse()
  const [ada, katsu, vera] = [
    await named(house, 'editor', 'Ada'),
    await named(house, 'editor', 'Katsu'),
    await named(house, 'viewer', 'Vera'),
  ]
  const monitor = await aPushed(house, { condition_auto_sensitivity: null, condition_manual_max: 10 })
  await push(house, monitor.id, [[Date.now() - 1000, 11]])
  const postman = aPostman(house)
  await postman.follow()
  const { body } = await house.call('GET', `/monitor/incidents?monitor=${monitor.id}`)
  const [{ id }] = body.results
  const incident = await as(house, ada).patch(`/monitor/incident/${id}`, {
    assignee: katsu.id,
    comment: 'Look, @katsu@example.com and @vera@example.com.',
  })
  expect(incident.actions.find(({ type }: { type: string }) => type === 'assigned')).toMatchObject({ user_name: 'Ada', comment: 'Katsu' })
  await postman.follow()
  expect(await texts(house, katsu)).toEqual([
    'Ada commented on the incident on orders – Look, @katsu@example.com and @vera@example.com.',
    'Ada assigned the incident on orders to Katsu',
  ])
  expect(await texts(house, vera)).toEqual([]) // the table is not published
  await as(house, katsu).patch(`/monitor/incident/${id}`, { assignee: ada.id })
  await postman.follow()
  expect(await texts(house, ada)).toEqual(['Katsu assigned the incident on orders to Ada'])
  expect(await texts(house, katsu)).toHaveLength(2)
})
