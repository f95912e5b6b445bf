import { expect, test } from 'vitest'
import { parseMentions } from '../../src/accounts/shared/mentions.ts'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { createSlackChannel } from '../../src/platform/channels/slack.ts'
import { createPushMonitor, pushValues } from '../support/monitors.ts'
import { createMailServer, createSlackServer, createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Changes addressed to a user reach them even if they do not follow the resource. */
type Someone = Awaited<ReturnType<TestApp['createUser']>>

const named = async (app: TestApp, role: 'editor' | 'viewer' | 'guest', name: string): Promise<Someone> => {
  const someone = await app.createUser(role)
  const email = `${name.toLowerCase()}@example.com`
  await app.db.updateTable('users').set({ first_name: name, last_name: '', email }).where('id', '=', someone.id).execute()
  return someone
}
const texts = async (app: TestApp, { token }: { token: string }): Promise<string[]> => {
  const { body } = await app.call('GET', '/notification/inbox', { token })
  return body.results.flatMap(({ changes }: { changes: { text: string }[] }) => changes.map(({ text }) => text))
}
const as = (app: TestApp, { token }: Someone) => ({
  post: async (path: string, body: object) => {
    const response = await app.call('POST', path, { token, body })
    expect([path, response.status, response.body?.detail]).toEqual([path, 201, undefined])
    return response.body
  },
  patch: async (path: string, body: object) => {
    const response = await app.call('PATCH', path, { token, body })
    expect([path, response.status, response.body?.detail]).toEqual([path, 200, undefined])
    return response.body
  },
})

test('a question notifies owners and assignee, a reply its author and earlier repliers, an accepted answer its author', async () => {
  await using app = await createTestApp()
  const [grace, katsu, dana] = [
    await named(app, 'editor', 'Grace'),
    await named(app, 'editor', 'Katsu'),
    await named(app, 'editor', 'Dana'),
  ]
  const [vera, victor] = [await named(app, 'viewer', 'Vera'), await named(app, 'viewer', 'Victor')]
  const { body: group } = await app.call('POST', '/auth/group', { body: { name: 'stewards', members: [dana.id, vera.id] } })
  const table = await app.createResource({ title: 'fct_orders', published: true, owners: [grace.id], owners_groups: [group.id] })
  const notifier = createTestNotifier(app)
  await notifier.follow()

  const question = await as(app, vera).post('/question/questions', {
    title: 'Do refunds count?',
    base_entity_id: table.id,
    question_assigned_to: katsu.id,
  })
  await notifier.follow()
  const asked = 'Vera asked a question about fct_orders: Do refunds count?'
  expect(await texts(app, grace)).toEqual([asked])
  expect(await texts(app, dana)).toEqual([asked])
  expect(await texts(app, katsu)).toEqual(['Vera assigned the question Do refunds count? to Katsu'])
  expect(await texts(app, vera)).toEqual([])
  expect(await texts(app, victor)).toEqual([])

  const first = await as(app, victor).post('/question/replies', { parent: question.id, description: 'On the day of the order.' })
  await notifier.follow()
  const replied = 'Victor replied to the question Do refunds count? – On the day of the order.'
  expect(await texts(app, vera)).toEqual([replied])
  expect((await texts(app, katsu))[0]).toBe(replied)
  await as(app, grace).post('/question/replies', { parent: question.id, description: 'Yes.' })
  await notifier.follow()
  expect(await texts(app, victor)).toEqual(['Grace replied to the question Do refunds count? – Yes.'])
  expect(await texts(app, grace)).toEqual([asked])

  await as(app, vera).patch(`/question/questions/${question.id}`, { accepted_reply: first.id })
  await notifier.follow()
  expect((await texts(app, victor))[0]).toBe('Vera accepted the reply of Victor to Do refunds count?')
  expect(await texts(app, vera)).toHaveLength(2)

  // The names of askers and repliers are visible to everyone who can see the question, including viewers.
  const { body: names } = await app.call('GET', `/ui/names?ids=${question.id},${first.id}`, { token: victor.token })
  expect([names[question.id].author, names[first.id].author]).toEqual(['Vera', 'Victor'])
})

test('a question about a hidden resource notifies only users who can see it', async () => {
  await using app = await createTestApp()
  const [owner, guest, ada] = [await named(app, 'viewer', 'Vera'), await named(app, 'guest', 'Gus'), await named(app, 'editor', 'Ada')]
  const table = await app.createResource({ title: 'salaries', published: false, owners: [owner.id, guest.id] })
  const notifier = createTestNotifier(app)
  await notifier.follow()
  const question = await as(app, ada).post('/question/questions', {
    title: 'Who is paid?',
    base_entity_id: table.id,
    question_assigned_to: owner.id,
    description: 'Ask @gus@example.com.',
  })
  await notifier.follow()
  expect([await texts(app, owner), await texts(app, guest)]).toEqual([[], []])
  // Publishing the resource later does not notify of changes made while it was hidden.
  await as(app, ada).patch(`/question/questions/${question.id}`, { published: true })
  await notifier.follow()
  expect([await texts(app, owner), await texts(app, guest)]).toEqual([[], []])
})

test('a mention notifies once, when it is written, on the enabled channels', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const [ada, katsu] = [await named(app, 'editor', 'Ada'), await named(app, 'editor', 'Katsu')]
  const { id } = await app.createResource({ title: 'orders' })
  const notifier = createTestNotifier(app, [createEmailChannel({ url: mail.url, from: 'Tablinum <tablinum@example.com>' })])
  await notifier.follow()
  const path = `/resource/all/${id}`
  await as(app, ada).patch(path, { definition: 'Ask @Katsu@example.com, not @nobody@example.com. Mail: katsu@example.com' })
  await notifier.follow()
  expect(await texts(app, katsu)).toEqual(['Ada mentioned Katsu in orders'])
  await as(app, ada).patch(path, { definition: 'Please ask @katsu@example.com.' })
  await as(app, katsu).patch(path, { description: 'Me: @katsu@example.com' })
  await notifier.follow()
  expect(await texts(app, katsu)).toEqual(['Ada mentioned Katsu in orders'])
  await notifier.round()
  expect(mail.mails.map(({ to, subject }) => [to, subject])).toEqual([['katsu@example.com', 'Ada mentioned Katsu in orders']])
  expect(mail.mails[0]!.raw).toContain('addressed to you')
})

test('a mention is an e-mail address after an @ that is not part of another word', () => {
  expect(parseMentions('@ada@example.com and (@Bob.C@example.co.uk), @ada@EXAMPLE.com.')).toEqual([
    'ada@example.com',
    'bob.c@example.co.uk',
  ])
  expect(parseMentions('Ask @admin@localhost. Or @admin@localhost, please.')).toEqual(['admin@localhost']) // the admin of a new workspace
  expect(parseMentions('ada@example.com, x@ada@example.com, @orders, @ ada@example.com')).toEqual([])
  expect(parseMentions(null)).toEqual([])
})

test('assigning an incident and mentioning a user in its comments notify that user', async () => {
  await using app = await createTestApp()
  const [ada, katsu, vera] = [await named(app, 'editor', 'Ada'), await named(app, 'editor', 'Katsu'), await named(app, 'viewer', 'Vera')]
  const monitor = await createPushMonitor(app, { condition_auto_sensitivity: null, condition_manual_max: 10 })
  await pushValues(app, monitor.id, [[Date.now() - 1000, 11]])
  const notifier = createTestNotifier(app)
  await notifier.follow()
  const { body } = await app.call('GET', `/monitor/incidents?monitor=${monitor.id}`)
  const [{ id }] = body.results
  const incident = await as(app, ada).patch(`/monitor/incident/${id}`, {
    assignee: katsu.id,
    comment: 'Look, @katsu@example.com and @vera@example.com.',
  })
  expect(incident.actions.find(({ type }: { type: string }) => type === 'assigned')).toMatchObject({ user_name: 'Ada', comment: 'Katsu' })
  await notifier.follow()
  expect(await texts(app, katsu)).toEqual([
    'Ada commented on the incident on orders – Look, @katsu@example.com and @vera@example.com.',
    'Ada assigned the incident on orders to Katsu',
  ])
  expect(await texts(app, vera)).toEqual([]) // the table is not published
  await as(app, katsu).patch(`/monitor/incident/${id}`, { assignee: ada.id })
  await notifier.follow()
  expect(await texts(app, ada)).toEqual(['Katsu assigned the incident on orders to Ada'])
  expect(await texts(app, katsu)).toHaveLength(2)
})

test('a notification of an assigned incident leads to it, in the inbox and in a direct message', async () => {
  await using app = await createTestApp()
  await using slack = await createSlackServer()
  const [ada, katsu] = [await named(app, 'editor', 'Ada'), await named(app, 'editor', 'Katsu')]
  await as(app, katsu).patch('/notification/settings', { email: false, slack: true, slack_id: 'U0KATSU' })
  const monitor = await createPushMonitor(app, { condition_auto_sensitivity: null, condition_manual_max: 10 })
  await pushValues(app, monitor.id, [[Date.now() - 1000, 11]])
  const channel = createSlackChannel({ url: slack.url, token: 'xoxb-test' })
  const notifier = createTestNotifier(app, [channel], 'https://catalog.example.com')
  await notifier.follow()
  const [{ id, target }] = (await app.call('GET', `/monitor/incidents?monitor=${monitor.id}`)).body.results
  await as(app, ada).patch(`/monitor/incident/${id}`, { assignee: katsu.id })
  await notifier.round()
  const newest = async () => (await app.call('GET', '/notification/inbox', { token: katsu.token })).body.results[0]
  expect(await newest()).toMatchObject({ resource_id: target, incident: id })
  expect(slack.posts).toMatchObject([
    { channel: 'U0KATSU', text: expect.stringContaining(`<https://catalog.example.com/incidents/${id}|orders>`) },
  ])
  // With something else in it, it is about the table.
  await as(app, ada).patch(`/resource/all/${target}`, { description: 'Ask @katsu@example.com.' })
  await notifier.follow()
  expect(await newest()).toMatchObject({ resource_id: target, changes_count: 2, incident: null })
})

test('a notification of an incident whose monitor was deleted leads to the table', async () => {
  await using app = await createTestApp()
  const [ada, katsu] = [await named(app, 'editor', 'Ada'), await named(app, 'editor', 'Katsu')]
  const monitor = await createPushMonitor(app, { condition_auto_sensitivity: null, condition_manual_max: 10 })
  await pushValues(app, monitor.id, [[Date.now() - 1000, 11]])
  const notifier = createTestNotifier(app)
  await notifier.follow()
  const [{ id, target }] = (await app.call('GET', `/monitor/incidents?monitor=${monitor.id}`)).body.results
  await as(app, ada).patch(`/monitor/incident/${id}`, { assignee: katsu.id })
  await notifier.follow()
  const newest = async () => (await app.call('GET', '/notification/inbox', { token: katsu.token })).body.results[0]
  expect(await newest()).toMatchObject({ resource_id: target, incident: id })
  expect((await app.call('DELETE', `/monitor/monitors/${monitor.id}`)).status).toBe(204)
  expect(await newest()).toMatchObject({ resource_id: target, incident: null })
})
