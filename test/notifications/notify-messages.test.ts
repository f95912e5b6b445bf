import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { editResource, editResources } from '../../src/catalog/resources/edit.ts'
import { deleteOldNotifications } from '../../src/notifications/deliveries/deliveries.ts'
import { markSubmitted } from '../../src/notifications/deliveries/ledger.ts'
import { claimMessages, type MessageDelivery } from '../../src/notifications/deliveries/message-deliveries.ts'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { createSlackChannel } from '../../src/platform/channels/slack.ts'
import { newId } from '../../src/platform/core/id.ts'
import {
  createMailServer,
  createSlackServer,
  createTestNotifier,
  type MailServer,
  type SlackServer,
} from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Digests by e-mail and Slack: combined, sent once and retried. */
const FROM = 'Tablinum <tablinum@example.com>'
const mailOf = ({ url }: MailServer) => createEmailChannel({ url, from: FROM })
const slackOf = ({ url }: SlackServer) => createSlackChannel({ url, token: 'xoxb-test' })

const createMessageFixture = async (app: TestApp) => {
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const resource = await app.createResource({ title: 'orders', owners: [bob.id] })
  const edit = (description: string, id = resource.id) => editResource({ ...ada.ctx, now: new Date() }, id, { description })
  const email = `editor-${bob.id}@example.com`
  return { ada, bob, resource, edit, email }
}
const deliveries = async (app: TestApp, query = '') => (await app.call('GET', `/notification/deliveries${query}`)).body.results
const bodyOf = ({ raw }: { raw: string }) =>
  raw.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

test('the first change is sent immediately, changes within the next five minutes in one later message', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { edit, email, resource } = await createMessageFixture(app)
  const notifier = createTestNotifier(app, [mailOf(mail)], 'https://catalog.example.com')
  await edit('one')
  await notifier.round()
  expect(mail.mails.map(({ to }) => to)).toEqual([email])
  expect(mail.mails[0]!.subject).toBe('editor Person set the description of orders')

  for (const text of ['two', 'three', 'four']) {
    await edit(text)
    notifier.later(1)
    await notifier.round()
  }
  expect(mail.mails).toHaveLength(1)
  notifier.later(3)
  await notifier.round()
  expect(mail.mails).toHaveLength(2)
  const { raw, subject, id } = mail.mails[1]!
  expect(subject).toBe('3 changes to orders')
  const text = Buffer.from(bodyOf({ raw }), 'latin1').toString()
  for (const part of [
    'from “one” to “two”',
    'from “two” to “three”',
    'from “three” to “four”',
    `https://catalog.example.com/r/${resource.id}`,
  ])
    expect(text).toContain(part)
  const [last] = await deliveries(app)
  expect(id).toBe(`<${last.id}@example.com>`)
  expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/catalog\.example\.com\/settings\/notifications>/m)
  expect(raw).toMatch(/^Auto-Submitted: auto-generated/m)
  await notifier.round()
  notifier.later(60)
  await notifier.round()
  expect(mail.mails).toHaveLength(2)
  expect((await app.call('GET', 'metrics')).text).toContain('tablinum_notification_attempts_total{channel="email",status="sent"} 2')
})

test('a bulk edit is one message, and so is a script that edits for a minute', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { ada, bob, edit } = await createMessageFixture(app)
  const ids: string[] = []
  for (let i = 0; i < 100; i += 1) ids.push((await app.createResource({ title: `t${i}`, subscribers: [bob.id] })).id)
  const notifier = createTestNotifier(app, [mailOf(mail)])
  await editResources(
    { ...ada.ctx, now: new Date() },
    ids.map((id) => ({ id, data: { description: 'all of them' } })),
  )
  await notifier.round()
  expect(mail.mails).toHaveLength(1)
  expect(mail.mails[0]!.subject).toMatch(/^100 resources changed: t\d+, t\d+, t\d+ and others$/)
  expect(bodyOf(mail.mails[0]!)).toContain('And 50 more')
  expect((await app.call('GET', '/notification/inbox', { token: bob.token })).body.count).toBe(100)

  await edit('elsewhere')
  await notifier.round()
  expect(mail.mails).toHaveLength(1)
  notifier.later(1.1)
  await notifier.round()
  expect(mail.mails.map(({ subject }) => subject).slice(1)).toEqual(['editor Person set the description of orders'])
})

test('messages are sent only on the channels a user has enabled', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  await using slack = await createSlackServer()
  const { bob, edit, resource, ada } = await createMessageFixture(app)
  const eve = await app.createUser('editor')
  await editResource(ada.ctx, resource.id, { subscribers: [eve.id] })
  const settings = (who: { token: string }, body: object) => app.call('PATCH', '/notification/settings', { token: who.token, body })
  await settings(bob, { email: false, slack: true, slack_id: 'U0BOB' })
  await settings(eve, { email: false })
  const notifier = createTestNotifier(app, [mailOf(mail), slackOf(slack)], 'https://catalog.example.com')
  await edit('<b>&</b>')
  await notifier.round()
  expect(mail.mails).toEqual([])
  expect(slack.posts.map(({ channel }) => channel)).toEqual(['U0BOB'])
  expect(slack.posts[0]!.text).toContain(
    `*<https://catalog.example.com/r/${resource.id}|orders>*\n• editor Person set the description of orders to “&lt;b&gt;&amp;&lt;/b&gt;”`,
  )
  for (const who of [bob, eve]) expect((await app.call('GET', '/notification/inbox', { token: who.token })).body.count).toBe(1)

  // Disabled before it was sent.
  notifier.later(6)
  await edit('next')
  await notifier.follow()
  await notifier.gather()
  await settings(bob, { slack: false })
  await notifier.send()
  expect(slack.posts).toHaveLength(1)
  expect((await deliveries(app, '?status=dropped')).length).toBe(1)
})

test('special characters in a title are escaped in headers and HTML', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { bob, edit } = await createMessageFixture(app)
  const { id } = await app.createResource({ title: 'a\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>', owners: [bob.id] })
  const notifier = createTestNotifier(app, [mailOf(mail)])
  await edit('<img src=x onerror=alert(1)>\r\n.\r\nQUIT', id)
  await notifier.round()
  expect(mail.mails.map(({ to }) => to)).toEqual([`editor-${bob.id}@example.com`])
  const raw = bodyOf(mail.mails[0]!)
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im)
  expect(raw).toContain('&lt;script&gt;')
  expect(raw.slice(raw.indexOf('<!doctype'))).not.toMatch(/<script|<img/)
})

test('changes the reader can no longer see are not sent', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { ada } = await createMessageFixture(app)
  const viewer = await app.createUser('viewer')
  const [one, two] = [
    await app.createResource({ title: 'open', published: true, subscribers: [viewer.id] }),
    await app.createResource({ title: 'closing', published: true, subscribers: [viewer.id] }),
  ]
  const notifier = createTestNotifier(app, [mailOf(mail)])
  const both = (data: object) =>
    editResources(
      { ...ada.ctx, now: new Date() },
      [one, two].map(({ id }) => ({ id, data })),
    )
  await both({ description: 'x' })
  await notifier.follow()
  await notifier.gather()
  await editResource({ ...ada.ctx, now: new Date() }, two.id, { published: false })
  await notifier.send()
  expect(mail.mails).toHaveLength(1)
  expect(mail.mails[0]!.raw).not.toContain('closing')

  notifier.later(6)
  await both({ published: true })
  await both({ description: 'y' })
  await notifier.follow()
  await notifier.gather()
  await both({ published: false })
  await notifier.send()
  expect(mail.mails).toHaveLength(1)
  expect((await deliveries(app)).map(({ status }: { status: string }) => status)).toEqual(['dropped', 'sent'])
  // A user who was disabled in the meantime gets nothing either.
  await both({ published: true })
  await both({ description: 'z' })
  notifier.later(6)
  await notifier.follow()
  await notifier.gather()
  await app.call('PATCH', `/user/${viewer.id}`, { body: { disabled: true } })
  await notifier.send()
  expect(mail.mails).toHaveLength(1)
})

test('a deletion is e-mailed to those who could see the resource', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { ada, bob, resource } = await createMessageFixture(app)
  await app.call('DELETE', `/resource/all/${resource.id}`, { token: ada.token })
  await createTestNotifier(app, [mailOf(mail)], 'https://catalog.example.com').round()
  expect(mail.mails.map(({ subject }) => subject)).toEqual(['editor Person deleted the table orders'])
  expect(mail.mails[0]!.raw).not.toContain('/r/')
  expect((await app.call('GET', '/notification/inbox', { token: bob.token })).body.count).toBe(1)
})

test('a delivery to an unknown recipient fails immediately, and admins can see and retry it', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { edit, bob } = await createMessageFixture(app)
  const notifier = createTestNotifier(app, [mailOf(mail)])
  mail.reject = () => ({ code: 550, text: 'No such user here' })
  await edit('one')
  await notifier.round()
  const [failed] = await deliveries(app, '?status=failed')
  expect(failed).toMatchObject({
    user: bob.id,
    channel: 'email',
    status: 'failed',
    attempts: 1,
    due_at: null,
    sent_at: null,
    resources_count: 1,
  })
  expect(failed.error).toContain('No such user here')
  expect((await app.call('GET', `/notification/deliveries?status=failed&channel=slack`)).body.count).toBe(0)
  expect((await app.call('GET', `/notification/deliveries?user=${bob.id}`)).body.count).toBe(1)
  notifier.later(600)
  await notifier.round()
  expect(mail.mails).toEqual([])

  const retry = (id: string, token?: string) => app.call('POST', `/notification/deliveries/${id}/retry`, { token })
  expect((await retry(failed.id, bob.token)).status).toBe(403)
  for (const id of [newId(), 'x', '%00']) expect((await retry(id)).status).toBe(404)
  mail.reject = () => undefined
  expect((await retry(failed.id)).body).toMatchObject({ status: 'pending', attempts: 0, due_at: expect.any(String) })
  expect((await retry(failed.id)).status).toBe(409)
  await notifier.round()
  expect(mail.mails.map(({ id }) => id)).toEqual([`<${failed.id}@example.com>`])
  expect((await app.call('GET', `/notification/deliveries/${failed.id}`)).body).toMatchObject({
    status: 'sent',
    error: null,
    sent_at: expect.any(String),
  })
  expect((await retry(failed.id)).status).toBe(409)
  for (const query of ['status=lost', 'channel=pigeon', 'user=x', 'page=0'])
    expect([query, (await app.call('GET', `/notification/deliveries?${query}`)).status]).toEqual([query, 400])
})

test('an unavailable mail server is retried with backoff, then one message contains all changes', async () => {
  await using app = await createTestApp()
  const away = await createMailServer()
  const port = Number(new URL(away.url).port)
  await away[Symbol.asyncDispose]()
  const { edit } = await createMessageFixture(app)
  const notifier = createTestNotifier(app, [mailOf(away)])
  await edit('one')
  await notifier.round()
  const [waiting] = await deliveries(app)
  expect(waiting).toMatchObject({ status: 'pending', attempts: 1, error: expect.stringContaining('ECONNREFUSED') })
  let pause = 0
  for (let i = 2; i <= 5; i += 1) {
    notifier.later(20)
    await edit(`edit ${i}`)
    await notifier.round()
    const [now, ...others] = await deliveries(app)
    expect([now.attempts, others]).toEqual([i, []]) // later changes wait for the first message
    const next = Date.parse(now.due_at) - notifier.ctx().now.getTime()
    expect(next).toBeGreaterThan(pause)
    pause = next
  }
  await using back = await createMailServer(port)
  notifier.later(20)
  await notifier.round()
  notifier.later(6)
  await notifier.round()
  expect(back.mails.map(({ subject }) => subject)).toEqual(['editor Person set the description of orders', '4 changes to orders'])
})

test('a busy mail server and a rejected login are retried', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { edit } = await createMessageFixture(app)
  mail.reject = () => ({ code: 451, text: 'Try again later' })
  const notifier = createTestNotifier(app, [mailOf(mail)])
  await edit('one')
  await notifier.round()
  expect((await deliveries(app))[0]).toMatchObject({ status: 'pending', attempts: 1, error: expect.stringContaining('Try again later') })
  mail.reject = () => undefined
  mail.login = { user: 'user', password: 'right' }
  const wrongLogin = createTestNotifier(app, [createEmailChannel({ url: mail.url.replace('//', '//user:wrong@'), from: FROM })])
  wrongLogin.later(5)
  await wrongLogin.round()
  expect((await deliveries(app))[0]).toMatchObject({ status: 'pending', attempts: 2, error: expect.stringMatching(/auth|login|535/i) })
  notifier.later(10)
  await notifier.round()
  expect(mail.mails).toHaveLength(1)
})

test('Slack: Retry-After is respected, an unknown channel fails, and an unknown result is left to an admin', async () => {
  await using app = await createTestApp()
  await using slack = await createSlackServer()
  const { edit, bob } = await createMessageFixture(app)
  await app.call('PATCH', '/notification/settings', { token: bob.token, body: { slack: true, slack_id: 'U0BOB' } })
  const notifier = createTestNotifier(app, [slackOf(slack)])
  slack.respond = () => ({ status: 429, headers: { 'retry-after': '7200' }, body: { ok: false, error: 'ratelimited' } })
  await edit('one')
  await notifier.round()
  const [paused] = await deliveries(app)
  expect(paused.status).toBe('pending')
  expect(Date.parse(paused.due_at) - notifier.ctx().now.getTime()).toBeGreaterThan(7_100_000)
  slack.respond = () => ({ body: { ok: false, error: 'channel_not_found' } })
  notifier.later(121)
  await notifier.round()
  expect((await deliveries(app))[0]).toMatchObject({
    id: paused.id,
    status: 'failed',
    error: 'Slack returned an error: channel_not_found',
  })
  slack.respond = () => ({ body: { ok: false, error: 'internal_error' } })
  await edit('two')
  await notifier.round()
  expect((await deliveries(app))[0]).toMatchObject({ status: 'uncertain' })
  notifier.later(600)
  await notifier.round()
  expect(slack.posts).toEqual([])
  slack.respond = () => ({ body: { ok: true } })
  await app.call('POST', `/notification/deliveries/${(await deliveries(app, '?status=uncertain'))[0].id}/retry`)
  await notifier.round()
  expect(slack.posts).toHaveLength(1)
})

test('after a crash unsent deliveries are sent by another instance, submitted ones again with the same ID or left to an admin', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  await using slack = await createSlackServer()
  const { edit, bob } = await createMessageFixture(app)
  await app.call('PATCH', '/notification/settings', { token: bob.token, body: { slack: true, slack_id: 'U0BOB' } })
  const notifier = createTestNotifier(app, [mailOf(mail), slackOf(slack)])
  const claimAndDie = async (handing: boolean): Promise<MessageDelivery[]> => {
    const claimed = await claimMessages(notifier.ctx(), ['email', 'slack'], 10)
    expect(claimed.map(({ channel }) => channel).sort()).toEqual(['email', 'slack'])
    if (handing) for (const each of claimed) expect(await markSubmitted(app.ctx, each)).toBe(true)
    await notifier.send()
    return claimed
  }
  const endLeases = () =>
    sql`update deliveries set leased_until = clock_timestamp() - interval '1 second' where status = 'sending'`.execute(app.db)
  const statuses = async () => (await deliveries(app)).map(({ channel, status }: Record<string, string>) => `${channel} ${status}`).sort()

  await edit('one')
  await notifier.follow()
  await notifier.gather()
  const first = await claimAndDie(false)
  expect([mail.mails.length, slack.posts.length]).toEqual([0, 0]) // the lease has not expired
  await endLeases()
  await notifier.send()
  expect([mail.mails.length, slack.posts.length, await statuses()]).toEqual([1, 1, ['email sent', 'slack sent']])
  for (const each of first) expect(await markSubmitted(app.ctx, each)).toBe(false) // the original sender may no longer send

  await sql`delete from deliveries`.execute(app.db)
  notifier.later(6)
  await edit('two')
  await notifier.follow()
  await notifier.gather()
  const [{ id }] = (await deliveries(app)).filter(({ channel }: { channel: string }) => channel === 'email')
  await claimAndDie(true)
  await endLeases()
  await notifier.send()
  expect([slack.posts.length, await statuses()]).toEqual([1, ['email sent', 'slack uncertain']])
  expect(mail.mails.map((each) => each.id).slice(1)).toEqual([`<${id}@example.com>`])
})

test('a sender that loses its lease at the last moment sends nothing', async () => {
  await using mail = await createMailServer()
  const channel = mailOf(mail)
  const message = { id: newId(), to: 'bob@example.com', subject: 'x', sections: [{ title: 'x', lines: ['y'] }] }
  await expect(channel.send(message, () => Promise.reject(new Error('lost')))).rejects.toMatchObject({ fate: 'again' })
  expect(mail.mails).toEqual([])
  let seen = -1
  await channel.send(message, async () => {
    seen = mail.mails.length
  })
  expect([seen, mail.mails.length]).toEqual([0, 1])
})

test('a connection lost after submitting has an unknown result, a response is definite', async () => {
  await using mail = await createMailServer()
  const channel = mailOf(mail)
  const message = { id: newId(), to: 'bob@example.com', subject: 'x', sections: [] }
  mail.before = () => Promise.reject(Object.assign(new Error('full'), { responseCode: 552 }))
  await expect(channel.send(message, async () => {})).rejects.toMatchObject({ fate: 'never' })
  mail.before = () => Promise.reject(Object.assign(new Error('busy'), { responseCode: 452 }))
  await expect(channel.send(message, async () => {})).rejects.toMatchObject({ fate: 'again' })
  mail.before = async () => mail.cut()
  await expect(channel.send(message, async () => {})).rejects.toMatchObject({ fate: 'unknown' })
  await expect(channel.send(message, async () => mail.cut())).rejects.toMatchObject({ fate: expect.stringMatching(/again|unknown/) })
})

test('deliveries unsent for a day are dropped, and everything is deleted after ninety days', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  const { edit, bob } = await createMessageFixture(app)
  const notifier = createTestNotifier(app, [mailOf(mail)])
  await edit('one')
  await notifier.round()
  notifier.later(10)
  mail.reject = () => ({ code: 451, text: 'later' })
  await edit('two')
  await notifier.round()
  await edit('three')
  await notifier.round()
  const counts = async () => [
    (await app.call('GET', '/notification/inbox', { token: bob.token })).body.count,
    ...(await deliveries(app)).map(({ status }: { status: string }) => status),
    (await app.db.selectFrom('notification_windows').select('due_at').execute()).filter(({ due_at }) => due_at).length,
  ]
  notifier.later(60 * 20)
  await deleteOldNotifications(notifier.ctx())
  expect(await counts()).toEqual([1, 'pending', 'sent', 1])
  notifier.later(60 * 10)
  await deleteOldNotifications(notifier.ctx())
  expect(await counts()).toEqual([1, 'dropped', 'sent', 0])
  mail.reject = () => undefined
  await notifier.round()
  expect(mail.mails).toHaveLength(1)
  notifier.later(60 * 24 * 87)
  await deleteOldNotifications(notifier.ctx())
  expect(await counts()).toEqual([1, 'dropped', 'sent', 0])
  notifier.later(60 * 24 * 3)
  await deleteOldNotifications(notifier.ctx())
  expect(await counts()).toEqual([0, 0])
})
