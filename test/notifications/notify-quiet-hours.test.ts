import { expect, test } from 'vitest'
import { deleteOldNotifications } from '../../src/notifications/deliveries/deliveries.ts'
import { findQuietEnd, type QuietHours } from '../../src/notifications/inbox/quiet-hours.ts'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { createMailServer } from '../support/notification-servers.ts'
import { createRoutingFixture, openIncident } from './routing.ts'

const WEEKDAYS = [1, 2, 3, 4, 5]
const NIGHTS: QuietHours = { timezone: 'Europe/Berlin', days: WEEKDAYS, from: '22:00', to: '07:00', except_critical: true }
const NEW_YORK: QuietHours = { ...NIGHTS, timezone: 'America/New_York', days: [6], to: '01:30' }
const WEEKENDS: QuietHours = { ...NIGHTS, days: [6, 7], from: '00:00', to: '00:00' }

test.for<[what: string, QuietHours, at: string, end: string | undefined]>([
  ['before they begin', NIGHTS, '2026-11-16T20:59:00Z', undefined],
  ['at their beginning', NIGHTS, '2026-11-16T21:00:00Z', '2026-11-17T06:00:00.000Z'],
  ['after midnight they still belong to the day before', NIGHTS, '2026-11-17T05:59:59Z', '2026-11-17T06:00:00.000Z'],
  ['at their end', NIGHTS, '2026-11-17T06:00:00Z', undefined],
  ['on Saturday morning they end, and do not begin again', NIGHTS, '2026-11-21T02:00:00Z', '2026-11-21T06:00:00.000Z'],
  ['on Saturday night', NIGHTS, '2026-11-21T22:00:00Z', undefined],
  ['whole days that follow each other', WEEKENDS, '2026-11-21T10:00:00Z', '2026-11-22T23:00:00.000Z'],
  ['on a Monday', WEEKENDS, '2026-11-23T10:00:00Z', undefined],
  ['by day', { ...NIGHTS, from: '12:00', to: '13:00' }, '2026-11-16T11:30:00Z', '2026-11-16T12:00:00.000Z'],
  ['the night in which clocks go back is an hour longer', { ...NIGHTS, days: [6] }, '2026-10-24T20:30:00Z', '2026-10-25T06:00:00.000Z'],
  ['the night in which clocks go forward is an hour shorter', { ...NIGHTS, days: [6] }, '2026-03-28T21:30:00Z', '2026-03-29T05:00:00.000Z'],
  ['in the hour that is repeated they end in the future', NEW_YORK, '2026-11-01T06:15:00Z', '2026-11-01T06:30:00.000Z'],
  ['and at its first pass with the first', NEW_YORK, '2026-11-01T05:15:00Z', '2026-11-01T05:30:00.000Z'],
])('quiet hours: %s', ([, quiet, at, end]) => {
  expect(findQuietEnd(quiet, new Date(at))?.toISOString()).toBe(end)
})

test('quiet hours hold messages back and deliver them afterwards, except for critical incidents; the explanation says so', async () => {
  await using mail = await createMailServer()
  await using fixture = await createRoutingFixture([createEmailChannel({ url: mail.url, from: 'Tablinum <tablinum@example.com>' })])
  const { app, notifier, make } = fixture
  const owner = await app.createUser('editor')
  const stranger = await app.createUser('viewer')
  const table = (title: string) => app.createResource({ title, entity_type: 'table', owners: [owner.id] })
  const [orders, items] = [await table('orders'), await table('items')]
  const settings = (body: object) => app.call('PATCH', '/notification/settings', { token: owner.token, body })
  // Quiet for three days, in UTC.
  const today = notifier.ctx().now.getUTCDay() || 7
  const quiet_hours = {
    timezone: 'UTC',
    days: [0, 1, 2].map((n) => ((today + n - 1) % 7) + 1),
    from: '00:00',
    to: '00:00',
    except_critical: true,
  }
  expect(await settings({ quiet_hours })).toMatchObject({ status: 200, body: { quiet_hours } })
  expect(await settings({ quiet_hours: { ...quiet_hours, timezone: 'Mars' } })).toMatchObject({ status: 400 })
  expect(await settings({ quiet_hours: { ...quiet_hours, days: [1, 2, 3, 4, 5, 6, 7] } })).toMatchObject({ status: 400 })

  const low = await openIncident(app, notifier.ctx().now, orders, 'high')
  await notifier.round()
  expect(mail.mails).toEqual([])
  const explain = async (query: string, token = owner.token) =>
    (await app.call('GET', `/notification/explanation/${query}`, { token })).body
  const email = { channel: 'email', reason: 'held', at: expect.any(String) }
  const why = await explain(`incident/${low.incident}`)
  expect(why).toMatchObject({ relation: 'owner', inbox: { reason: 'notified' }, channels: [email, { channel: 'slack' }] })
  const critical = await openIncident(app, notifier.ctx().now, items, 'critical')
  await notifier.round()
  expect(mail.mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('Incident (critical): items')])
  // The test app has no mail server, but the ledger knows better.
  expect((await explain(`incident/${critical.incident}`)).channels[0]).toMatchObject({ reason: 'sent', at: expect.any(String) })

  // Changes are held back too, for longer than unsent messages are stored otherwise.
  await app.call('PATCH', `/resource/all/${orders.id}`, { body: { description: 'First' } })
  await notifier.round()
  await app.call('PATCH', `/resource/all/${items.id}`, { body: { description: 'Second' } })
  notifier.later(24 * 60 + 30)
  await notifier.round()
  await deleteOldNotifications(notifier.ctx())
  expect(mail.mails).toHaveLength(1)
  notifier.later(48 * 60)
  await notifier.round()
  notifier.later(10)
  await notifier.round()
  const texts = mail.mails.slice(1).map(({ raw }) => raw.replace(/=\r\n/g, ''))
  expect(texts.filter((text) => text.includes('Incident (high): orders'))).toHaveLength(1)
  expect(texts.filter((text) => text.includes('First'))).toHaveLength(1)
  expect(texts.filter((text) => text.includes('Second'))).toHaveLength(1)

  // Why not: no relation, own action, hidden resources, rules.
  const edit = await app.db
    .selectFrom('activities')
    .select('id')
    .where('resource_id', '=', orders.id)
    .where('version', '>', 1)
    .executeTakeFirstOrThrow()
  expect(await explain(`incident/${low.incident}?user=${stranger.id}`)).toMatchObject({ code: 'permission_denied' })
  expect(await explain(`incident/${low.incident}`, stranger.token)).toMatchObject({ code: 'not_found' }) // not published
  const admin = async (query: string) => (await app.call('GET', `/notification/explanation/${query}`)).body
  expect(await admin(`incident/${low.incident}?user=${stranger.id}`)).toMatchObject({ inbox: { reason: 'cannot_see' } })
  await app.call('PATCH', `/resource/all/${orders.id}`, { body: { published: true } })
  expect(await explain(`incident/${low.incident}`, stranger.token)).toMatchObject({ relation: 'none', inbox: { reason: 'no_relation' } })
  expect(await admin(`activity/${edit.id}`)).toMatchObject({ inbox: { reason: 'own_action' } })
  const channel = await fixture.teams()
  await make('rules', { name: 'Finance only', min_severity: 'critical', channels: [channel.id] })
  await make('rules', { name: 'Rest', channels: [channel.id] })
  const next = await openIncident(app, notifier.ctx().now, orders, 'high')
  await notifier.round()
  const rules = [
    { name: 'Finance only', result: 'not_matched', failed: 'severity', channels: [] },
    { name: 'Rest', result: 'matched', failed: null, channels: [{ name: 'Data team', reason: 'sent' }] },
  ]
  expect(await admin(`incident/${next.incident}?user=${owner.id}`)).toMatchObject({ rules })
  expect((await explain(`incident/${next.incident}`)).rules).toMatchObject([rules[1]]) // only those that matched
})
