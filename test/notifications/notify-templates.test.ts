import { expect, test } from 'vitest'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { recordEvent } from '../../src/platform/history/events.ts'
import { buildSignatureHeaders } from '../../src/platform/outbound/sign.ts'
import { eventually } from '../support/eventually.ts'
import { createMailServer } from '../support/notification-servers.ts'
import { createRoutingFixture, openIncident, PUBLIC, recordIncident } from './routing.ts'

const TEMPLATE = { title: '{{severity}}: {{ resource }}', body: '{{monitor}} is {{value}}, not {{expected}}\n{{impact}}\n{{link}}' }
const put = (channel: string, event = 'incident_opened', body: object = TEMPLATE) =>
  ({ method: 'PUT', path: `/notification/templates/${channel}/${event}`, options: { body } }) as const

test('an admin changes the texts of messages; values cannot add markup', async () => {
  await using mail = await createMailServer()
  await using fixture = await createRoutingFixture([createEmailChannel({ url: mail.url, from: 'Tablinum <t@example.com>' })])
  const { app, notifier, receiver, make } = fixture
  const channels = [await fixture.teams(), await fixture.pagerduty(), await fixture.opsgenie()]
  channels.push(await make('channels', { name: 'List', type: 'email', address: 'team@example.com' }))
  await make('rules', { name: 'All', channels: channels.map(({ id }) => id) })
  for (const channel of ['teams', 'pagerduty', 'opsgenie', 'email', 'slack']) {
    const { method, path, options } = put(channel)
    expect(await app.call(method, path, options)).toMatchObject({ status: 200, body: { custom: true, ...TEMPLATE } })
  }
  const table = await app.createResource({ title: '[x](https://evil.example) <b>', entity_type: 'table' })
  const { incident, ...more } = await openIncident(app, notifier.ctx().now, table, 'high')
  await notifier.round()
  await notifier.round()
  const of = (path: RegExp) => receiver.received.filter((each) => path.test(each.path))[0]!.body
  const [title, ...lines] = of(/workflow/).attachments[0].content.body.map(({ text }: { text?: string }) => text)
  expect(title).toBe(`[high: \\[x\\](https://evil.example) \\<b\\>](${PUBLIC}/incidents/${incident})`)
  expect(lines.slice(0, 2)).toEqual(['- Row count is 3, not 980–1,120', `- ${PUBLIC}/incidents/${incident}`]) // nothing depends on it, so no line
  expect(of(/enqueue/).payload).toMatchObject({ summary: 'high: [x](https://evil.example) <b>' })
  expect(of(/alerts/)).toMatchObject({
    message: 'high: [x](https://evil.example) <b>',
    description: expect.stringContaining('not 980–1,120'),
  })
  expect(mail.mails[0]).toMatchObject({ to: 'team@example.com' })
  const raw = mail.mails[0]!.raw.replace(/=\r?\n/g, '') // line breaks of the encoding
  expect(raw).toContain('&lt;b&gt;</a>')
  expect(raw).not.toMatch(/<b>(?!<)[^\n]*<\/a>/)

  // Each event has its own text; resetting brings back the default.
  await recordIncident(app, notifier.ctx().now, 'incident_resolved', { incident, ...more })
  await notifier.round()
  await notifier.round()
  const cards = receiver.received.filter(({ path }) => /workflow/.test(path))
  expect(cards[1]!.body.summary).toContain('Resolved (high)')
  expect((await app.call('DELETE', '/notification/templates/teams/incident_opened')).status).toBe(204)
  const { body: all } = await app.call('GET', '/notification/templates')
  expect(all).toHaveLength(15)
  expect(
    all.find((each: { channel: string; event: string }) => each.channel === 'teams' && each.event === 'incident_opened'),
  ).toMatchObject({
    custom: false,
    title: '{{headline}}',
    body: '{{summary}}\n{{impact}}',
    placeholders: expect.arrayContaining([{ name: 'monitor', description: expect.any(String) }]),
  })
  const { body: log } = await app.call('GET', '/activity_log/audit_logs/?page_size=100')
  expect(log.results.filter(({ activity_type }: { activity_type: string }) => activity_type === 'message_template_updated')).toHaveLength(6)
})

test('a template is checked, previewed with a real incident, and for admins only', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const save = async (event: string, body: object) => {
    const { method, path } = put('slack', event)
    const response = await app.call(method, path, { body })
    return [response.status, response.body.errors]
  }
  expect(await save('incident_opened', { title: '{{resorce}}', body: 'ok' })).toEqual([
    400,
    { title: [expect.stringContaining('Unknown placeholder {{resorce}}. Available: {{headline}}')] },
  ])
  expect(await save('schema_changed', { title: 'x', body: '{{monitor}}' })).toEqual([
    400,
    { body: [expect.stringContaining('{{monitor}}')] },
  ])
  expect(await save('incident_opened', { title: 'x', body: 'open {{value' })).toEqual([400, { body: [expect.stringContaining('{{value')] }])
  expect((await save('incident_opened', { title: ' ', body: '' }))[0]).toBe(400)
  expect((await app.call('PUT', '/notification/templates/webhook/incident_opened', { body: TEMPLATE })).status).toBe(400)

  const preview = async (body: object) =>
    app.call('POST', '/notification/templates/preview', { body: { channel: 'slack', event: 'incident_opened', ...body } })
  expect((await preview(TEMPLATE)).body).toMatchObject({ incident: null, resource_title: null, title: 'high: orders' })
  const table = await app.createResource({ title: 'a <!channel> b', entity_type: 'table' })
  const { incident } = await openIncident(app, notifier.ctx().now, table, 'critical')
  expect((await preview(TEMPLATE)).body).toMatchObject({
    incident,
    resource_title: 'a <!channel> b',
    subject: 'critical: a <!channel> b',
    lines: ['Row count is 3, not 980–1,120'],
    text: '*critical: a &lt;!channel&gt; b*\n• Row count is 3, not 980–1,120',
  })
  expect((await preview({ title: '{{nope}}', body: '' })).status).toBe(400)
  // A nested column is named as in a message.
  const nest = (title: string, parent: string) => app.createResource({ title, entity_type: 'column', parent })
  const customers = await app.createResource({ title: 'customers', entity_type: 'table' })
  const street = await nest('street', (await nest('main', (await nest('address', customers.id)).id)).id)
  await openIncident(app, notifier.ctx().now, street, 'critical')
  await make('rules', { name: 'All', channels: [(await fixture.teams()).id] })
  await notifier.round()
  const [named] = receiver.received.at(-1)!.body.attachments[0].content.body
  expect(named.text).toContain('customers.address.main.street')
  expect((await preview(TEMPLATE)).body.title).toBe('critical: customers.address.main.street')
  const { token } = await app.createUser('editor')
  expect((await app.call('GET', '/notification/templates', { token })).status).toBe(403)
  expect((await app.call('PUT', '/notification/templates/slack/incident_opened', { body: TEMPLATE, token })).status).toBe(403)
})

test('a rule sends to a URL: one signed request for each incident, its end, and a schema change', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const body = { name: 'Bot', type: 'webhook', url: `${receiver.url}/hook`, key: 'a-secret-of-our-own' }
  expect((await app.call('POST', '/notification/channels', { body: { ...body, key: 'short' } })).body.errors).toEqual({
    key: [expect.stringContaining('at least 16')],
  })
  expect((await app.call('POST', '/notification/channels', { body: { ...body, url: undefined } })).body.errors).toHaveProperty('url')
  const channel = await make('channels', body)
  expect(channel).toMatchObject({ type: 'webhook', address: `${receiver.url}/hook`, available: true })
  expect(JSON.stringify(channel)).not.toContain(body.key)
  await make('rules', { name: 'All', events: ['incident', 'schema_changed'], channels: [channel.id] })
  const table = await app.createResource({ title: 'orders', entity_type: 'table' })
  const opened = await openIncident(app, notifier.ctx().now, table, 'high')
  for (const kind of ['incident_acknowledged', 'incident_resolved'] as const) await recordIncident(app, notifier.ctx().now, kind, opened)
  await inTransaction({ ...app.ctx, now: notifier.ctx().now }, (ctx) =>
    recordEvent(ctx, {
      kind: 'schema_changed',
      resource: { id: table.id, type: 'table', title: table.title },
      payload: { columns_added: [], columns_removed: ['coupon'], columns_retyped: [], columns_renamed: [], columns: 1 },
    }),
  )
  await eventually(async () => {
    await notifier.round()
    expect(receiver.received.length).toBeGreaterThanOrEqual(4)
  })
  await notifier.round() // sends nothing twice
  const events = receiver.received.map(({ body }) => [body.type, body.data.events[0].resource_id, body.data.events[0].incident ?? null])
  expect(events.sort()).toEqual(
    [
      ['incident_opened', table.id, opened.incident],
      ['incident_acknowledged', table.id, opened.incident],
      ['incident_resolved', table.id, opened.incident],
      ['schema_changed', table.id, null],
    ].sort(),
  )
  const first = receiver.received.find(({ body }) => body.type === 'incident_opened')! // they are sent at the same time
  expect(first.body.data.events[0]).toMatchObject({ severity: 'high', link: `${PUBLIC}/incidents/${opened.incident}` })
  for (const { headers, raw } of receiver.received) {
    const at = new Date(1000 * Number(headers['webhook-timestamp']))
    expect(headers).toMatchObject(buildSignatureHeaders({ id: String(headers['webhook-id']), at, body: raw }, [body.key]))
  }
  const { body: test } = await app.call('POST', `/notification/channels/${channel.id}/test`)
  expect(test).toMatchObject({ delivered: true, response_status: 202 })
  expect(receiver.received.at(-1)!.body).toMatchObject({ type: 'ping', data: { text: expect.stringContaining('Test message') } })
})
