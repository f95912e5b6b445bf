import { expect, test } from 'vitest'
import { createResources } from '../../src/catalog/resources/create.ts'
import { editResources } from '../../src/catalog/resources/edit.ts'
import { toAlertItem } from '../../src/notifications/alerts/alert-item.ts'
import { type AlertIncident, groupAlerts } from '../../src/notifications/alerts/group-alerts.ts'
import { followAlerts, sendAlerts } from '../../src/notifications/alerts/send-alerts.ts'
import type { AlertRow } from '../../src/notifications/alerts/store.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { createSlackChannel } from '../../src/platform/channels/slack.ts'
import { type Context, inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { type EventPayloads, recordEvent } from '../../src/platform/history/events.ts'
import { createMailServer, createSlackServer, createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PUBLIC = 'https://catalog.example.com'

interface OpenedIncident {
  readonly incident: string
  readonly target: { id: string; title: string | null }
  readonly monitor: string
}

type ResolvedPayload = EventPayloads['incident_resolved']

/** The event recorded when an incident is opened or resolved. */
const recordIncident = (
  ctx: Context,
  { incident, target, monitor }: OpenedIncident,
  opened: boolean,
  more: Partial<ResolvedPayload> = {},
) => {
  const at = ctx.now.toISOString()
  const payload: ResolvedPayload = {
    ...{ incident, monitor, name: 'Row count', metric_type: 'row_count', frequency: 24, severity: 'medium', first_seen_at: at },
    ...{ value: 3, lower_threshold: 980, upper_threshold: 1120, summary: `${target.title} has 3 rows, usually 980 to 1,120.` },
    ...{ notify_slack_channel: 'C0DATA', upstream_incident: null, resolved_at: at, reason: 'in_range' },
    ...more,
  }
  const about = {
    resource: { id: target.id, type: 'table', title: target.title },
    related: { type: 'incident', ids: [incident, monitor] },
  }
  return inTransaction(ctx, (ctx) => recordEvent(ctx, { kind: opened ? 'incident_opened' : 'incident_resolved', ...about, payload }))
}

const createAlertFixture = async (app: TestApp) => {
  await using stack = new AsyncDisposableStack()
  const mail = stack.use(await createMailServer())
  const slack = stack.use(await createSlackServer())
  const channels = [
    createEmailChannel({ url: mail.url, from: 'Tablinum <tablinum@example.com>' }),
    createSlackChannel({ url: slack.url, token: 'xoxb-test' }),
  ]
  const notifier = createTestNotifier(app, channels, PUBLIC)
  const breaks = async (target: OpenedIncident['target'], more: Partial<ResolvedPayload> = {}): Promise<OpenedIncident> => {
    const broken = { incident: newId(), monitor: newId(), target }
    await recordIncident(notifier.ctx(), broken, true, more)
    return broken
  }
  const flow = (from: { id: string }, to: { id: string }) =>
    app.call('POST', '/lineage/manual', { body: { from_entity: from.id, to_entity: to.id, direction: 'DOWNSTREAM' } })
  const parts = stack.move()
  return { mail, slack, notifier, breaks, flow, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

test('an incident is sent once when opened and once when resolved: to its channel, owners and subscribers, also of downstream resources', async () => {
  await using app = await createTestApp()
  await using fixture = await createAlertFixture(app)
  const { mail, slack, notifier, breaks, flow } = fixture
  const [owner, follower, below, outsider, unrelated] = [
    await app.createUser('editor'),
    await app.createUser('viewer'),
    await app.createUser('editor'),
    await app.createUser('viewer'),
    await app.createUser('editor'),
  ]
  const orders = await app.createResource({ title: 'orders', entity_type: 'table', owners: [owner.id], subscribers: [outsider.id] })
  const shown = await app.createResource({ title: 'shown', entity_type: 'table', published: true, subscribers: [follower.id] })
  const report = await app.createResource({ title: 'report', entity_type: 'dashboard', owners: [below.id] })
  await flow(orders, report)
  const broken = await breaks(orders)
  const other = await breaks(shown, { notify_slack_channel: null })
  await notifier.round()
  await notifier.round()
  const addressOf = ({ id }: { id: string }, role = 'editor') => `${role}-${id}@example.com`
  // The viewer who subscribed to the hidden table gets nothing, nor do unrelated users.
  expect(mail.mails.map(({ to }) => to).sort()).toEqual([addressOf(owner), addressOf(follower, 'viewer'), addressOf(below)].sort())
  const letter = mail.mails.find(({ to }) => to === addressOf(below))!
  expect(letter.subject).toMatch(/^Incident: orders, Row count: orders has 3 rows, usually 980 to 1,120\./)
  expect(letter.raw.replace(/=\r\n/g, '')).toContain(`${PUBLIC}/incidents/${broken.incident}`)
  expect(letter.raw.replace(/=\r\n/g, '').replaceAll('=3D', '=')).toMatch(
    new RegExp(`<img src="${PUBLIC}/api/v1/monitor/chart/${broken.monitor}\\.png\\?exp=\\d+&amp;sig=[\\w-]{43}"`),
  )
  expect(slack.posts).toHaveLength(1)
  expect(slack.posts[0]).toMatchObject({ channel: 'C0DATA', attachments: [{ image_url: expect.stringContaining(broken.monitor) }] })
  expect(slack.posts[0]!.text).toBe(
    `*<${PUBLIC}/incidents/${broken.incident}|Incident: orders, Row count>*\n• orders has 3 rows, usually 980 to 1,120.\n• 1 downstream resource depends on it, including 1 dashboard. Affected owners: editor Person.`,
  )
  // The impact contains only what the reader can see: the owner of the table sees the report, the subscriber of the other table does not.
  expect(mail.mails.find(({ to }) => to === addressOf(owner))!.raw.replace(/=\r\n/g, '')).toContain('1 downstream resource depends on it')
  const inbox = (await app.call('GET', '/notification/inbox', { token: owner.token })).body
  expect(inbox.results).toMatchObject([{ resource_id: orders.id, text: expect.stringContaining('opened an incident on orders') }])
  expect((await app.call('GET', '/notification/inbox', { token: unrelated.token })).body.count).toBe(0)
  const { body } = await app.call('GET', '/notification/deliveries')
  expect(body.results.map(({ kind }: { kind: string }) => kind)).toEqual(['alert', 'alert', 'alert', 'alert'])
  expect(body.results.find(({ user }: { user: string | null }) => user === null)).toMatchObject({ address: 'C0DATA', channel: 'slack' })

  notifier.later(10)
  await recordIncident({ ...notifier.ctx(), actor: owner.ctx.actor }, broken, false, { reason: 'by_hand' })
  await recordIncident(notifier.ctx(), other, false, { notify_slack_channel: null })
  await notifier.round()
  await notifier.round()
  expect(slack.posts).toHaveLength(2)
  // Sent in the thread of the first message, but not to the user who resolved it.
  expect(slack.posts[1]).toMatchObject({
    channel: 'C0DATA',
    thread_ts: slack.posts[0]!.ts,
    text: expect.stringContaining('Resolved by editor Person.'),
  })
  expect(
    mail.mails
      .slice(3)
      .map(({ to }) => to)
      .sort(),
  ).toEqual([addressOf(follower, 'viewer'), addressOf(below)].sort())
  const response = mail.mails.slice(3).find(({ to }) => to === addressOf(below))!
  expect(response.raw).toContain(`In-Reply-To: ${letter.id}`)
})

test('a downstream incident is sent in the message or thread of its upstream incident, in either order of detection', async () => {
  await using app = await createTestApp()
  await using fixture = await createAlertFixture(app)
  const { slack, mail, notifier, breaks, flow } = fixture
  const owner = await app.createUser('editor')
  const table = (title: string) => app.createResource({ title, entity_type: 'table', owners: [owner.id] })
  const [raw, clean, mart, alone] = [await table('raw'), await table('clean'), await table('mart'), await table('alone')]
  await flow(raw, clean)
  await flow(clean, mart)
  await breaks(mart) // detected first and sent last, because it waits for upstream incidents
  await notifier.round()
  expect(slack.posts).toEqual([])
  await breaks(raw)
  const single = await breaks(alone)
  await notifier.round()
  expect(slack.posts.map(({ text }) => text.match(/Incident: \w+/g)).sort()).toEqual([
    ['Incident: alone'],
    ['Incident: raw', 'Incident: mart'],
  ])
  expect(mail.mails).toHaveLength(1) // a person gets all alerts of a round in one message
  expect(mail.mails[0]!.subject).toMatch(/^Incident: (raw|alone), Row count and 2 more$/)
  await breaks(clean)
  await notifier.round()
  notifier.later(1)
  await notifier.round()
  expect(slack.posts).toHaveLength(3)
  const root = slack.posts.find(({ text }) => text.includes('Incident: raw'))!
  expect(slack.posts[2]).toMatchObject({ thread_ts: root.ts, text: expect.stringContaining('Incident: clean') })

  // Both at the same time: one message, furthest upstream first.
  notifier.later(60)
  await recordIncident(notifier.ctx(), single, false)
  await notifier.round()
  const before = slack.posts.length
  await breaks(mart, { notify_slack_channel: 'C0NEW' })
  await breaks(clean, { notify_slack_channel: 'C0NEW' })
  await notifier.round()
  notifier.later(1)
  await notifier.round()
  const posts = slack.posts.slice(before)
  expect(posts.map(({ channel, text }) => [channel, text.match(/Incident: \w+/g)])).toEqual([
    ['C0NEW', expect.arrayContaining(['Incident: mart', 'Incident: clean'])],
  ])

  // An incident from two days ago is not grouped.
  notifier.later(60 * 48)
  await breaks(mart, { notify_slack_channel: 'C0NEW' })
  await notifier.round()
  notifier.later(1)
  await notifier.round()
  expect(slack.posts.length).toBe(before + 2)
  expect(slack.posts.at(-1)!.thread_ts).toBeUndefined()
})

test('alerts are grouped by the earliest upstream incident within a day, also in cycles', () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString()
  const broken = (subject_id: string, table_id: string, hours: number, more: Partial<AlertIncident> = {}): AlertIncident => ({
    subject_id,
    table_id,
    opened_at: at(hours),
    upstream_incident: null,
    thread: null,
    ...more,
  })
  const upstream = new Map([
    ['b', new Set(['a'])],
    ['c', new Set(['a', 'b'])],
    ['x', new Set(['y'])],
    ['y', new Set(['x'])],
  ])
  const of = (...all: AlertIncident[]) => Object.fromEntries(groupAlerts(all, upstream))
  expect(of(broken('1', 'a', 0))).toEqual({ 1: '1' })
  expect(of(broken('1', 'a', 0), broken('2', 'b', 1), broken('3', 'c', 2))).toEqual({ 1: '1', 2: '1', 3: '1' })
  expect(of(broken('3', 'c', 0), broken('2', 'b', 1), broken('1', 'a', 2))).toEqual({ 1: '1', 2: '1', 3: '1' })
  expect(of(broken('2', 'b', 0), broken('3', 'c', 1))).toEqual({ 2: '2', 3: '2' })
  expect(of(broken('1', 'a', 0), broken('2', 'b', 25))).toEqual({ 1: '1', 2: '2' })
  expect(of(broken('1', 'a', 0, { thread: '0' }), broken('2', 'b', 1))).toEqual({ 1: '0', 2: '0' })
  expect(of(broken('1', 'z', 0), broken('2', 'q', 1, { upstream_incident: '1' }))).toEqual({ 1: '1', 2: '1' })
  expect(of(broken('1', 'a', 0), broken('2', 'a', 0))).toEqual({ 1: '1', 2: '2' }) // two monitors of one table are not grouped
  expect(of(broken('1', 'x', 1), broken('2', 'y', 0))).toEqual({ 1: '2', 2: '2' })
  expect(of(broken('1', 'x', 0), broken('2', 'y', 0))).toEqual({ 1: '1', 2: '1' })
})

test('after a lost connection to Slack only missing messages are sent again, and replies wait for their thread', async () => {
  await using app = await createTestApp()
  await using fixture = await createAlertFixture(app)
  const { slack, notifier, breaks } = fixture
  const orders = await app.createResource({ title: 'orders', entity_type: 'table' })
  const broken = await breaks(orders)
  slack.respond = () => ({ body: { ok: true }, lost: true }) // accepted, but the response is lost
  await notifier.round()
  expect(slack.posts).toHaveLength(1)
  await recordIncident(notifier.ctx(), broken, false)
  slack.respond = () => ({ body: { ok: true } })
  await notifier.round()
  expect(slack.posts).toHaveLength(1) // waits for the result of the first one
  notifier.later(1)
  await notifier.round()
  await notifier.round()
  expect(slack.posts.map(({ thread_ts }) => thread_ts)).toEqual([undefined, slack.posts[0]!.ts])

  await breaks(orders)
  slack.respond = () => ({ body: { ok: false }, lost: true }) // not accepted
  await notifier.round()
  slack.respond = () => ({ status: 500, body: {} })
  notifier.later(1)
  await notifier.round()
  expect(slack.posts).toHaveLength(2)
  slack.respond = () => ({ body: { ok: true } })
  notifier.later(2)
  await notifier.round()
  await notifier.round()
  expect(slack.posts).toHaveLength(3)
  const { body } = await app.call('GET', '/notification/deliveries')
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['sent', 'sent', 'sent'])
})

test('an incident does not wait for earlier changes to be processed', async () => {
  await using app = await createTestApp()
  await using fixture = await createAlertFixture(app)
  const owner = await app.createUser('editor')
  const [orders, ...others] = await createResources(
    app.ctx,
    Array.from({ length: 501 }, (_, i) => ({ title: i === 0 ? 'orders' : `table ${i}`, entity_type: 'table', owners: [owner.id] })),
  )
  await editResources(
    app.ctx,
    [orders!, ...others].map(({ id }) => ({ id, data: { description: 'edited' } })),
  )
  expect(await followChanges(app.ctx, [])).toBe(true) // there is more
  await fixture.breaks(orders!)
  await followAlerts(app.ctx)
  await sendAlerts(app.ctx, [])
  const { results } = (await app.call('GET', '/notification/inbox', { token: owner.token })).body
  expect(results[0].text).toContain('opened an incident on orders')
})

test.for<[name: string, resource: string, title: string]>([
  ['Row count of orders', 'orders', 'Incident: Row count of orders'],
  ['Null percentage of status', 'orders.status', 'Incident: Null percentage of orders.status'],
  ['Null percentage of orders.status', 'orders.status', 'Incident: Null percentage of orders.status'],
  ['Null percentage of street', 'orders.address.street', 'Incident: Null percentage of orders.address.street'],
  ['Share of of status', 'orders.status', 'Incident: Share of of orders.status'],
  ['Null percentage of tatus', 'orders.status', 'Incident: orders.status, Null percentage of tatus'],
  ['Nightly check', 'orders.status', 'Incident: orders.status, Nightly check'],
  ['', 'orders.status', 'Incident: orders.status, A monitor'],
])('an alert of the monitor “%s” of %s is titled “%s”', ([name, resource_title, title]) => {
  const row = { activity_id: 'a', subject_id: 'i', resource_id: 'r', table_id: 't', resource_title, phase: 'opened', payload: { name } }
  expect(toAlertItem(row as AlertRow).title).toBe(title)
})
