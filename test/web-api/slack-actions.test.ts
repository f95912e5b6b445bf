import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSlackChannel } from '../../src/platform/channels/slack.ts'
import { createPushMonitor, getJson, pushValues } from '../support/monitors.ts'
import { createSlackServer, createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp } from '../support/test-app.ts'

const SECRET = 'a signing secret'
const PATH = '/api/v1/notification/slack/actions'

test('buttons of a Slack message acknowledge and resolve an incident as the person who clicked', async () => {
  await using slack = await createSlackServer()
  await using app = await createTestApp()
  await using server = await app.createInstance({
    config: { slackBotToken: 'xoxb-test', slackApiUrl: slack.url, slackSigningSecret: SECRET },
  })
  const monitor = await createPushMonitor(app, {
    notify_slack_channel: 'C0DATA',
    condition_auto_sensitivity: null,
    condition_manual_max: 10,
  })
  await pushValues(app, monitor.id, [[Date.now(), 11]])
  const [{ id }] = (await getJson(app, '/monitor/incidents')).results
  const notifier = createTestNotifier(app, [createSlackChannel({ url: slack.url, token: 'xoxb-test', interactive: true })])
  await notifier.round()
  const buttons = (slack.posts[0]!.attachments!.at(-1)!.blocks![0] as { elements: { action_id: string; value: string }[] }).elements
  expect(buttons).toMatchObject([
    { action_id: 'incident_acknowledged', value: id },
    { action_id: 'incident_resolved', value: id },
  ])

  const [editor, viewer] = [await app.createUser('editor'), await app.createUser('viewer')]
  slack.people.set('UEDITOR', { team_id: 'T1', profile: { email: `EDITOR-${editor.id}@example.com` } })
  slack.people.set('UVIEWER', { team_id: 'T1', profile: { email: `viewer-${viewer.id}@example.com` } })
  slack.people.set('UNOBODY', { team_id: 'T1', profile: { email: 'nobody@example.com' } })
  slack.people.set('USTRANGER', { team_id: 'T2', profile: { email: `editor-${editor.id}@example.com` } })
  const sign = (body: string, at = Date.now(), secret = SECRET) => {
    const timestamp = String(Math.floor(at / 1000))
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
    return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature }
  }
  const encode = (user: string, button: object) =>
    `payload=${encodeURIComponent(JSON.stringify({ type: 'block_actions', user: { id: user }, channel: { id: 'C0DATA' }, message: { ts: slack.posts[0]!.ts }, actions: [button] }))}`
  const post = async (body: string, headers: Record<string, string>) =>
    (await server.call('POST', PATH, { token: null, body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }))
      .status
  const click = (user: string, button: object) => post(encode(user, button), sign(encode(user, button)))
  const statusOf = async () => (await getJson(app, `/monitor/incident/${id}`)).status
  const [acknowledge, resolve] = buttons as [object, object]

  // Not signed by Slack, changed on the way, or too old.
  const body = encode('UEDITOR', acknowledge)
  expect(await post(body, {})).toBe(401)
  expect(await post(body, sign(body, Date.now(), 'another secret'))).toBe(401)
  expect(await post(encode('UVIEWER', acknowledge), sign(body))).toBe(401)
  expect(await post(body, sign(body, Date.now() - 6 * 60_000))).toBe(401)
  expect(
    (await app.call('POST', PATH, { token: null, body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...sign(body) } }))
      .status,
  ).toBe(409)

  // A viewer may not, and neither may someone without an account or of another workspace.
  for (const user of ['UVIEWER', 'UNOBODY', 'USTRANGER', 'UUNKNOWN']) expect(await click(user, acknowledge)).toBe(200)
  expect(slack.ephemeralMessages.map(({ user, text }) => [user, text])).toEqual([
    ['UVIEWER', expect.stringContaining('does not include the permission')],
    ...['UNOBODY', 'USTRANGER', 'UUNKNOWN'].map((user) => [user, expect.stringContaining('no account')]),
  ])
  expect(await statusOf()).toBe('active')

  expect(await click('UEDITOR', acknowledge)).toBe(200)
  expect(await statusOf()).toBe('acknowledged')
  expect(slack.posts[1]).toMatchObject({ channel: 'C0DATA', thread_ts: slack.posts[0]!.ts, text: 'Acknowledged by editor Person.' })
  expect(await click('UEDITOR', resolve)).toBe(200)
  expect(await statusOf()).toBe('resolved')
  const { actions } = await getJson(app, `/monitor/incident/${id}`)
  expect(actions.filter(({ user_id }: { user_id: string }) => user_id === editor.id).map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['acknowledged', 'resolved']),
  )
  await notifier.round()
  expect(slack.posts[2]).toMatchObject({ thread_ts: slack.posts[0]!.ts, text: expect.stringContaining('Resolved by editor Person.') })
})

test('a direct message has the buttons only if its reader may use them', async () => {
  await using slack = await createSlackServer()
  await using app = await createTestApp()
  const monitor = await createPushMonitor(app, { condition_auto_sensitivity: null, condition_manual_max: 10 })
  const readers = { U0EDITOR: await app.createUser('editor'), U0VIEWER: await app.createUser('viewer') }
  await app.call('PATCH', `/resource/all/${monitor.target}`, {
    body: { published: true, subscribers: Object.values(readers).map(({ id }) => id) },
  })
  for (const [slack_id, { token }] of Object.entries(readers))
    await app.call('PATCH', '/notification/settings', { token, body: { email: false, slack: true, slack_id } })
  await pushValues(app, monitor.id, [[Date.now(), 11]])
  await createTestNotifier(app, [createSlackChannel({ url: slack.url, token: 'xoxb-test', interactive: true })]).round()
  const buttons = slack.posts.map(({ channel, attachments = [] }) => [channel, attachments.filter(({ blocks }) => blocks).length])
  expect(Object.fromEntries(buttons)).toEqual({ U0EDITOR: 1, U0VIEWER: 0 })
})
