import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { createSlackChannel } from '../../src/platform/channels/slack.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { recordEvent } from '../../src/platform/history/events.ts'
import { createTestMonitor, getJson, pushValues } from '../support/monitors.ts'
import { createMailServer, createSlackServer } from '../support/notification-servers.ts'
import { createRoutingFixture, openIncident, PUBLIC, recordIncident } from './routing.ts'

test('an incident is opened, acknowledged and closed in pagers under its own ID, and sent to Teams as a card', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const channels = [await fixture.teams(), await fixture.pagerduty(), await fixture.opsgenie()]
  const rule = await make('rules', { name: 'Critical', min_severity: 'high', channels: channels.map(({ id }) => id) })
  const orders = await app.createResource({ title: 'orders', entity_type: 'table' })
  await openIncident(app, notifier.ctx().now, orders, 'medium') // below the severity of the rule
  const { incident, ...more } = await openIncident(app, notifier.ctx().now, orders, 'critical')
  await notifier.round()
  await notifier.round()
  const of = (path: RegExp) => receiver.received.filter((each) => path.test(each.path))
  expect(receiver.received).toHaveLength(3)
  const [card] = of(/^\/workflow\?sig=s3cret$/)
  expect(card!.body).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [
            { type: 'TextBlock', text: expect.stringContaining('Incident (critical): orders, Row count') },
            { text: '- orders has 3 rows.' },
            { type: 'Image' },
          ],
          actions: [{ type: 'Action.OpenUrl', url: `${PUBLIC}/incidents/${incident}` }],
        },
      },
    ],
  })
  expect(of(/^\/v2\/enqueue$/)[0]!.body).toMatchObject({
    ...{ routing_key: 'R0UT1NG', event_action: 'trigger', dedup_key: incident },
    payload: { severity: 'critical', source: 'orders', summary: expect.stringContaining('orders has 3 rows.') },
    links: [{ href: `${PUBLIC}/incidents/${incident}` }],
  })
  expect(of(/^\/v2\/alerts$/)[0]).toMatchObject({
    authorization: 'GenieKey g3nie',
    body: { alias: incident, priority: 'P1', entity: 'orders' },
  })

  // What follows goes where the incident went, although the rule is gone. Only pagers get the acknowledgement.
  await app.call('DELETE', `/notification/rules/${rule.id}`)
  await recordIncident(app, notifier.ctx().now, 'incident_acknowledged', { incident, ...more })
  await recordIncident(app, notifier.ctx().now, 'incident_resolved', { incident, ...more })
  await notifier.round()
  await notifier.round()
  expect(of(/enqueue/).map(({ body }) => [body.event_action, body.dedup_key])).toEqual(
    ['trigger', 'acknowledge', 'resolve'].map((action) => [action, incident]),
  )
  expect(of(/alerts/).map(({ path }) => path)).toEqual([
    '/v2/alerts',
    `/v2/alerts/${incident}/acknowledge?identifierType=alias`,
    `/v2/alerts/${incident}/close?identifierType=alias`,
  ])
  expect(of(/workflow/).map(({ body }) => body.summary)).toEqual([
    expect.stringContaining('Incident (critical)'),
    expect.stringContaining('Resolved (critical): orders'),
  ])
  const { body: sent } = await app.call('GET', `/notification/deliveries?channel=pagerduty`)
  expect(sent.results).toMatchObject([1, 2, 3].map(() => ({ status: 'sent', user: null, channel_id: channels[1].id })))
})

test('the timeline of an incident names the channels that rules sent it to', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, make } = fixture
  const channels = [await fixture.teams(), await fixture.pagerduty()]
  await make('rules', { name: 'All', channels: channels.map(({ id }) => id) })
  const { id: target } = await app.createResource({ title: 'orders', entity_type: 'table' })
  const limits = { condition_auto_sensitivity: null, condition_manual_max: 10 }
  const monitor = await createTestMonitor(app, { target, metric_type: 'pushed', subscribe: false, ...limits })
  await pushValues(app, monitor.id, [[Date.now(), 11]])
  await notifier.round()
  const [{ id }] = (await getJson(app, `/monitor/incidents?monitor=${monitor.id}`)).results
  await app.call('PATCH', `/monitor/incident/${id}`, { body: { status: 'resolved' } })
  await notifier.round()
  const { actions } = await getJson(app, `/monitor/incident/${id}`)
  expect(actions.filter(({ type }: { type: string }) => type.startsWith('notification'))).toMatchObject(
    ['notification_initial', 'notification_resolved'].map((type) => ({ type, people: 0, channel: 'Data team, On-call' })),
  )
})

test('Retry-After is honoured, a rejected message is not repeated, and a lost response does not lose an incident', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const channel = await fixture.pagerduty()
  await make('rules', { name: 'All', channels: [channel.id] })
  const orders = await app.createResource({ title: 'orders', entity_type: 'table' })
  await openIncident(app, notifier.ctx().now, orders)
  receiver.respond = () => ({ status: 429, headers: { 'retry-after': '600' } })
  await notifier.round()
  notifier.later(9)
  await notifier.round()
  expect(receiver.received).toHaveLength(1)
  receiver.respond = () => 'hang up'
  notifier.later(2)
  await notifier.round()
  expect(receiver.received).toHaveLength(2)
  receiver.respond = () => ({ status: 202 })
  notifier.later(5)
  await notifier.round()
  await notifier.round()
  expect(receiver.received.map(({ body }) => body.dedup_key)).toEqual(Array(3).fill(receiver.received[0]!.body.dedup_key))
  receiver.respond = () => ({ status: 400, body: '{"status":"invalid event"}' })
  await openIncident(app, notifier.ctx().now, orders)
  await notifier.round()
  notifier.later(60)
  await notifier.round()
  expect(receiver.received).toHaveLength(4)
  const { body } = await app.call('GET', '/notification/channels')
  expect(body.results).toMatchObject([
    { id: channel.id, last_sent_at: expect.any(String), last_error: 'PagerDuty returned status 400: {"status":"invalid event"}' },
  ])
})

test('channels: secrets are never returned, a new address needs the key again, and a test says what the receiver answered', async () => {
  await using fixture = await createRoutingFixture()
  const { app, receiver, make } = fixture
  const teams = await fixture.teams()
  const pager = await fixture.pagerduty()
  expect(teams).toMatchObject({ type: 'teams', address: new URL(receiver.url).host, available: true })
  const all = await app.call('GET', '/notification/channels')
  const log = await app.call('GET', '/activity_log/audit_logs/')
  const { rows } = await sql<{ row: string }>`select row_to_json(c)::text as row from notification_channels c`.execute(app.db)
  for (const text of [JSON.stringify(all.body), JSON.stringify(log.body), ...rows.map(({ row }) => row)])
    expect(text).not.toMatch(/s3cret|R0UT1NG/)
  const one = (channel: { id: string }) => `/notification/channels/${channel.id}`
  expect(await app.call('PATCH', one(pager), { body: { url: 'https://events.eu.pagerduty.com' } })).toMatchObject({
    ...{ status: 400, body: { errors: { key: [expect.stringContaining('is required')] } } },
  })
  const moved = await app.call('PATCH', one(pager), { body: { url: receiver.url, key: 'N3W', name: 'Pager' } })
  expect(moved).toMatchObject({ status: 200, body: { name: 'Pager', address: receiver.url } })

  receiver.respond = () => ({ status: 200, body: 'welcome' })
  const test = async (channel: { id: string }) => (await app.call('POST', `${one(channel)}/test`)).body
  expect(await test(teams)).toMatchObject({ delivered: true, response_status: 200, response_body: 'welcome', error: null })
  expect(await test(pager)).toMatchObject({ delivered: true })
  // The alert of a test is closed at once.
  expect(receiver.received.slice(1).map(({ body }) => [body.routing_key, body.event_action])).toEqual([
    ['N3W', 'trigger'],
    ['N3W', 'resolve'],
  ])
  receiver.respond = () => ({ status: 404, body: 'workflow not found' })
  expect(await test(teams)).toMatchObject({
    ...{ delivered: false, response_status: 404, error: 'Microsoft Teams returned status 404: workflow not found' },
  })
  const slack = await make('channels', { name: 'Slack', type: 'slack', address: 'C0DATA' })
  expect(slack).toMatchObject({ available: false })
  expect(await app.call('POST', `${one(slack)}/test`)).toMatchObject({ status: 409 })

  const post = (body: object) => app.call('POST', '/notification/channels', { body: { name: 'x', ...body } })
  for (const [body, field] of [
    [{ type: 'teams' }, 'url'],
    [{ type: 'teams', url: 'http://10.0.0.7/hook' }, 'url'],
    [{ type: 'pagerduty', key: 'k', address: 'C1' }, 'address'],
    [{ type: 'opsgenie', key: 'k', url: 'http://169.254.169.254' }, 'url'],
    [{ type: 'email', address: 'nobody' }, 'address'],
    [{ type: 'slack', address: '#general' }, 'address'],
  ] as const)
    expect(await post(body)).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } })
  const used = await make('rules', { name: 'Uses it', channels: [teams.id] })
  expect(await app.call('DELETE', one(teams))).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Uses it') } })
  await app.call('PATCH', `/notification/rules/${used.id}`, { body: { channels: [] } })
  expect((await app.call('DELETE', one(teams))).status).toBe(204)
  const { body: activities } = await app.call('GET', '/activity_log/audit_logs/')
  const kinds = activities.results.map(({ activity_type }: { activity_type: string }) => activity_type)
  expect(kinds).toEqual(
    expect.arrayContaining([
      'notification_channel_created',
      'notification_channel_updated',
      'notification_channel_deleted',
      'notification_rule_updated',
    ]),
  )
})

test('rules: each condition, their order, and a preview of the last incidents', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const channel = await fixture.teams()
  const owner = await app.createUser('editor')
  const tag = (await app.call('POST', '/tag', { body: { name: 'gold' } })).body
  const team = (await app.call('POST', '/auth/teams', { body: { name: 'Finance', closed: true } })).body
  const schema = await app.createResource({ title: 'mart', entity_type: 'schema' })
  const table = (title: string, more = {}) => app.createResource({ title, entity_type: 'table', ...more })
  const tagged = await table('tagged', { tags: [tag.id] })
  const column = await app.createResource({ title: 'amount', entity_type: 'column', parent: tagged.id })
  const owned = await table('owned', { owners: [owner.id] })
  const inside = await table('inside', { parent: schema.id })
  const secret = await table('secret', { teams: [team.id] })
  for (const target of [column, owned, inside, secret]) await openIncident(app, notifier.ctx().now, target, 'high')
  await openIncident(app, notifier.ctx().now, inside, 'low')
  await notifier.round()
  const preview = async (body: object) => {
    const { body: found } = await app.call('POST', '/notification/rules/preview', { body })
    expect(found.checked).toBe(5)
    return found.matched.map((each: { resource_title: string; severity: string }) => `${each.resource_title} ${each.severity}`).sort()
  }
  expect(await preview({ tags: [tag.id] })).toEqual(['amount high'])
  expect(await preview({ owners: [owner.id] })).toEqual(['owned high'])
  expect(await preview({ below: [schema.id] })).toEqual(['inside high', 'inside low'])
  expect(await preview({ below: [schema.id], min_severity: 'high' })).toEqual(['inside high'])
  expect(await preview({ teams: [team.id] })).toEqual(['secret high'])
  // A resource of a closed team is left out unless the rule names the team or includes all of them.
  expect(await preview({ min_severity: 'high' })).toEqual(['amount high', 'inside high', 'owned high'])
  expect(await preview({ min_severity: 'high', include_restricted: true })).toHaveLength(4)
  expect(await preview({ events: ['schema_changed'] })).toEqual([])
  expect(receiver.received).toEqual([]) // without rules nothing is sent to channels

  // The first rule that matches decides: the second keeps the schema out of the channel, the third is for the rest.
  const last = await make('rules', { name: 'Rest', channels: [channel.id] })
  const mute = await make('rules', { name: 'Mute', below: [schema.id], position: 1 })
  expect([last.position, mute.position]).toEqual([1, 1])
  const names = async () => (await app.call('GET', '/notification/rules')).body.results.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['Mute', 'Rest'])
  const break_ = async () => {
    for (const target of [owned, inside, secret]) await openIncident(app, notifier.ctx().now, target)
    await notifier.round()
    return receiver.received.splice(0).map(({ body }) => /: (\w+),/.exec(body.summary)![1])
  }
  expect(await break_()).toEqual(['owned'])
  await app.call('PATCH', `/notification/rules/${mute.id}`, { body: { continues: true } })
  expect((await break_()).sort()).toEqual(['inside', 'owned'])
  await app.call('PATCH', `/notification/rules/${mute.id}`, { body: { continues: false, position: 2 } })
  expect(await names()).toEqual(['Rest', 'Mute'])
  expect((await break_()).sort()).toEqual(['inside', 'owned'])
  await app.call('PATCH', `/notification/rules/${last.id}`, { body: { enabled: false } })
  expect(await break_()).toEqual([])
  expect(await app.call('PATCH', `/notification/rules/${last.id}`, { body: { channels: [newId()] } })).toMatchObject({
    ...{ status: 400, body: { errors: { channels: [expect.stringContaining('no notification channel')] } } },
  })
  const editor = await app.createUser('editor')
  expect((await app.call('GET', '/notification/rules', { token: editor.token })).status).toBe(403)
})

test('schema changes follow rules too, but do not reach pagers', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const channels = [await fixture.teams(), await fixture.pagerduty()]
  await make('rules', { name: 'Schemas', events: ['schema_changed'], channels: channels.map(({ id }) => id) })
  const orders = await app.createResource({ title: 'orders', entity_type: 'table' })
  const change = { columns_added: ['tax'], columns_removed: ['vat'], columns_retyped: [], columns_renamed: [], columns: 2 }
  await inTransaction({ ...app.ctx, now: notifier.ctx().now }, (ctx) =>
    recordEvent(ctx, { kind: 'schema_changed', resource: { id: orders.id, type: 'table', title: 'orders' }, payload: change }),
  )
  await openIncident(app, notifier.ctx().now, orders)
  await notifier.round()
  await notifier.round()
  expect(receiver.received.map(({ path, body }) => [path, body.summary])).toEqual([
    ['/workflow?sig=s3cret', 'Schema changed: orders: Added: tax'],
  ])
})

test('a rule notifies people, groups and teams in their inbox and by e-mail, once, if they can see the resource', async () => {
  await using mail = await createMailServer()
  await using fixture = await createRoutingFixture([createEmailChannel({ url: mail.url, from: 'Tablinum <tablinum@example.com>' })])
  const { app, notifier, make } = fixture
  const team = await app.createTeam()
  const [ada, ben, cy, eve] = [
    await app.createUser('editor'),
    await app.createUser('editor'),
    await app.createUser('editor', { teams: [team] }),
    await app.createUser('viewer'),
  ]
  const { body: group } = await app.call('POST', '/auth/group', { body: { name: 'on call', members: [ben.id, ada.id] } })
  const recipients = [ada.id, group.id, team, eve.id]
  const rule = await make('rules', { name: 'Severe', min_severity: 'high', events: ['incident', 'schema_changed'], recipients })
  expect(rule).toMatchObject({ recipients, channels: [] })
  const orders = await app.createResource({ title: 'orders', entity_type: 'table', owners: [ada.id] }) // not published
  const inbox = async ({ token }: { token: string }): Promise<string[]> =>
    (await app.call('GET', `/notification/inbox?resource_id=${orders.id}`, { token })).body.results.flatMap(
      ({ changes }: { changes: { text: string }[] }) => changes.map(({ text }) => text),
    )
  await openIncident(app, notifier.ctx().now, orders, 'low')
  await notifier.round()
  expect([(await inbox(ada)).length, await inbox(ben)]).toEqual([1, []]) // the owner, and nobody by the rule
  const severe = await openIncident(app, notifier.ctx().now, orders, 'high')
  await notifier.round()
  expect([(await inbox(ada)).length, (await inbox(ben)).length, (await inbox(cy)).length, await inbox(eve)]).toEqual([2, 1, 1, []])
  const recipientsOf = (word: string) => mail.mails.filter(({ subject }) => subject.includes(word)).flatMap(({ to }) => to)
  expect(recipientsOf('Incident (high): orders').sort()).toEqual([ada, ben, cy].map(({ id }) => `editor-${id}@example.com`).sort())
  const explain = async (user: { token: string }) =>
    (await app.call('GET', `/notification/explanation/incident/${severe.incident}`, { token: user.token })).body
  expect(await explain(ben)).toMatchObject({ relation: 'rule', inbox: { reason: 'notified' }, rules: [{ name: 'Severe' }] })
  expect(await explain(ada)).toMatchObject({ relation: 'owner', inbox: { reason: 'notified' } })
  // The end goes where the beginning went, whatever the rules are by then.
  await app.call('PATCH', `/notification/rules/${rule.id}`, { body: { recipients: [], min_severity: null } })
  await recordIncident(app, notifier.ctx().now, 'incident_resolved', severe)
  await notifier.round()
  expect((await inbox(cy)).length).toBe(2)

  // A schema change reaches the owner in two ways and is listed once.
  await app.call('PATCH', `/notification/rules/${rule.id}`, { body: { recipients: [ada.id, ben.id] } })
  const change = { columns_added: ['tax'], columns_removed: [], columns_retyped: [], columns_renamed: [], columns: 2 }
  await inTransaction({ ...app.ctx, now: notifier.ctx().now }, (ctx) =>
    recordEvent(ctx, { kind: 'schema_changed', resource: { id: orders.id, type: 'table', title: 'orders' }, payload: change }),
  )
  await notifier.round()
  const ofSchema = (texts: readonly string[]) => texts.filter((text) => text.includes('tax'))
  expect([ofSchema(await inbox(ada)).length, ofSchema(await inbox(ben)).length, ofSchema(await inbox(cy)).length]).toEqual([1, 1, 0])
  const wrong = await app.call('PATCH', `/notification/rules/${rule.id}`, { body: { recipients: [newId()] } })
  expect(wrong).toMatchObject({ status: 400, body: { errors: { recipients: [expect.stringContaining('no user, group or team')] } } })
})

test('one rule on severity, tag, team and owner reaches all seven kinds of targets', async () => {
  await using mail = await createMailServer()
  await using slack = await createSlackServer()
  await using fixture = await createRoutingFixture([
    createEmailChannel({ url: mail.url, from: 'Tablinum <tablinum@example.com>' }),
    createSlackChannel({ token: 'xoxb-test', url: slack.url }),
  ])
  const { app, notifier, receiver, make } = fixture
  const [owner, reader, team] = [await app.createUser('editor'), await app.createUser('editor'), await app.createTeam()]
  const { body: tag } = await app.call('POST', '/tag', { body: { name: 'core' } })
  const channels = [
    ...[await fixture.teams(), await fixture.pagerduty(), await fixture.opsgenie()],
    await make('channels', { name: 'Bot', type: 'webhook', url: `${receiver.url}/hook`, key: 'a-secret-of-our-own' }),
    await make('channels', { name: 'List', type: 'email', address: 'team@example.com' }),
    await make('channels', { name: 'Data', type: 'slack', address: 'C0ROUTED' }),
  ]
  const conditions = { min_severity: 'high', tags: [tag.id], teams: [team], owners: [owner.id] }
  await make('rules', { name: 'All of it', ...conditions, channels: channels.map(({ id }) => id), recipients: [reader.id] })
  const has = { tags: [tag.id], teams: [team], owners: [owner.id] }
  const create = (title: string, more: object) => app.createResource({ title, entity_type: 'table', ...more })
  const [orders, ...others] = [
    await create('orders', has),
    await create('untagged', { ...has, tags: [] }),
    await create('elsewhere', { ...has, teams: [] }),
    await create('unowned', { ...has, owners: [] }),
  ]
  for (const table of others) await openIncident(app, notifier.ctx().now, table, 'critical')
  await openIncident(app, notifier.ctx().now, orders, 'medium')
  await notifier.round()
  const inbox = async () => (await app.call('GET', '/notification/inbox', { token: reader.token })).body.results
  expect([receiver.received, slack.posts, await inbox()]).toEqual([[], [], []])
  await openIncident(app, notifier.ctx().now, orders, 'high')
  await notifier.round()
  await notifier.round()
  expect(receiver.received.map(({ path }) => path.replace(/\?.*/, '')).sort()).toEqual(['/hook', '/v2/alerts', '/v2/enqueue', '/workflow'])
  expect(slack.posts.map(({ channel }) => channel)).toEqual(['C0ROUTED'])
  expect(mail.mails.map(({ to }) => to)).toContain('team@example.com')
  expect(await inbox()).toMatchObject([{ resource_id: orders!.id }])
})

test('an incident that ends and returns before anything was sent is open in a pager, whether its values come one by one or at once', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const pager = await fixture.pagerduty()
  await make('rules', { name: 'All', channels: [pager.id] })
  const orders = await app.createResource({ title: 'orders', entity_type: 'table' })
  const VALUES = [11, 5, 5, 5, 12] // outside, three times inside, outside again
  const incidents: string[] = []
  for (const together of [true, false]) {
    const { id: monitor } = await createTestMonitor(app, {
      ...{ target: orders.id, metric_type: 'pushed', name: `together: ${together}` },
      ...{ condition_auto_sensitivity: null, condition_manual_max: 10 },
    })
    const points = VALUES.map((value, i): [number, number] => [Date.now() - 600_000 + i * 60_000, value])
    for (const some of together ? [points] : points.map((point) => [point])) await pushValues(app, monitor, some)
    const { results } = await getJson(app, `/monitor/incidents?monitor=${monitor}`)
    expect(results.map(({ status }: { status: string }) => status)).toEqual(['active'])
    incidents.push(results[0].id)
  }
  for (let i = 0; i < 4; i += 1) await notifier.round()
  for (const incident of incidents) {
    const sent = receiver.received.flatMap(({ body }) => (body.dedup_key === incident ? [body.event_action] : []))
    expect(sent).toEqual(['trigger', 'resolve', 'trigger'])
  }

  // Nobody could close what is about a deleted monitor.
  const { monitor } = await getJson(app, `/monitor/incident/${incidents[0]}`)
  expect((await app.call('DELETE', `/monitor/monitors/${monitor}`)).status).toBe(204)
  await notifier.round()
  expect(receiver.received.at(-1)!.body).toMatchObject({ event_action: 'resolve', dedup_key: incidents[0] })

  // No incident of a resource in the trash stays open. After a restore, the next measurement opens one if necessary.
  const { monitor: kept } = await getJson(app, `/monitor/incident/${incidents[1]}`)
  expect((await app.call('DELETE', `/resource/all/${orders.id}`)).status).toBe(204)
  await notifier.round()
  expect(receiver.received.at(-1)!.body).toMatchObject({ event_action: 'resolve', dedup_key: incidents[1] })
  const sent = receiver.received.length
  expect((await app.call('POST', `/resource/all/${orders.id}/restore`, { body: {} })).status).toBe(200)
  await notifier.round()
  expect(await getJson(app, `/monitor/incident/${incidents[1]}`)).toMatchObject({ status: 'resolved' })
  expect(receiver.received.length).toBe(sent)
  await pushValues(app, kept, [[Date.now(), 5]])
  await notifier.round()
  expect(receiver.received.length).toBe(sent)
  await pushValues(app, kept, [[Date.now() + 1000, 12]])
  await notifier.round()
  expect(receiver.received.slice(sent).map(({ body }) => body.event_action)).toEqual(['trigger'])
})
