import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { editResource, editResources } from '../../src/catalog/resources/edit.ts'
import { deleteOldWebhookDeliveries } from '../../src/notifications/webhooks/deliveries.ts'
import { followForWebhooks } from '../../src/notifications/webhooks/follow.ts'
import { resealWebhookSecrets } from '../../src/notifications/webhooks/secrets.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { findAddressProblem, isAddressAllowed, parseAllowlist } from '../../src/platform/outbound/address-policy.ts'
import { postOutbound } from '../../src/platform/outbound/post.ts'
import { buildSignatureHeaders } from '../../src/platform/outbound/sign.ts'
import { createTestWebhookSender, createWebhookReceiver } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const LOOPBACK = ['127.0.0.0/8']
const ALL = '/notification/webhooks'

const create = async (app: TestApp, url: string, more: object = {}) => {
  const response = await app.call('POST', ALL, { body: { name: 'hook', url, ...more } })
  expect([response.status, response.text]).toEqual([201, expect.any(String)])
  return response.body as { id: string; secret: string }
}
const deliveriesOf = async (app: TestApp, id: string, query = '') => (await app.call('GET', `${ALL}/${id}/deliveries${query}`)).body.results
const isSignedBy = (secret: string, { headers, body }: { headers: Record<string, unknown>; body: string }): boolean =>
  String(headers['webhook-signature'])
    .split(' ')
    .includes(
      `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
        .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
        .digest('base64')}`,
    )

test('a webhook receives signed deliveries of subscribed activities from its creation on', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  const ada = await app.createUser('editor')
  const { id } = await app.createResource({ title: 'orders', entity_type: 'table' })
  const chart = await app.createResource({ title: 'sales', entity_type: 'chart' })
  await editResource({ ...ada.ctx, now: new Date() }, id, { description: 'before' })
  const hook = await create(app, receiver.url, { events: ['resource_updated', 'tag_*'], entity_types: ['table'] })
  const replay = (key: string) =>
    app.call('POST', ALL, { body: { url: 'https://hooks.example.com', enabled: false }, headers: { 'idempotency-key': key } })
  const [first, again] = [await replay('one'), await replay('one')]
  expect([first.body.id === again.body.id, typeof first.body.secret, again.body.secret]).toEqual([true, 'string', undefined])
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const sender = createTestWebhookSender(app, LOOPBACK, 'https://catalog.example.com')
  sender.later(1)
  await editResource({ ...ada.ctx, now: sender.ctx().now }, id, { description: 'after' })
  await editResource({ ...ada.ctx, now: sender.ctx().now }, chart.id, { description: 'not asked for' })
  await sender.round()
  await sender.round()
  expect(receiver.received).toHaveLength(1)
  const [delivered] = receiver.received
  expect(isSignedBy(hook.secret, delivered!)).toBe(true)
  expect(isSignedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, delivered!)).toBe(false)
  expect(JSON.parse(delivered!.body)).toMatchObject({
    type: 'resource_updated',
    data: {
      text: 'editor Person changed the description of orders from “before” to “after”',
      resource: { id, title: 'orders' },
      link: `https://catalog.example.com/r/${id}`,
      changes: [{ field: 'description', from: 'before', to: 'after' }],
      fields: { description: 'after' },
    },
  })
  const [delivery] = await deliveriesOf(app, hook.id)
  expect(delivery).toMatchObject({
    id: delivered!.headers['webhook-id'],
    status: 'delivered',
    attempts: 1,
    response_status: 200,
    error: null,
    due_at: null,
  })

  expect((await app.call('GET', 'metrics')).text).toContain('attempts_total{channel="webhook",status="delivered"} 1')

  // A webhook created later does not get earlier activities, even if they are still unsent.
  await editResource({ ...ada.ctx, now: new Date() }, id, { description: 'meanwhile' })
  const late = await create(app, receiver.url, { events: ['*'], entity_types: ['table'] })
  await sender.round()
  expect([receiver.received.length, await deliveriesOf(app, late.id)]).toEqual([2, []])

  // The secret is returned once and never again.
  for (const path of [`${ALL}`, `${ALL}/${hook.id}`, '/activity_log/audit_logs'])
    expect((await app.call('GET', path)).text).not.toContain(hook.secret.slice(6))
  const { rows } = await sql<{ text: string }>`select w::text as text from webhooks w where id = ${hook.id}`.execute(app.db)
  expect(rows[0]!.text).not.toContain(hook.secret.slice(6))
})

test('a failing receiver is retried with the same ID and backoff', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  const hook = await create(app, receiver.url, { events: ['resource_*'] })
  const sender = createTestWebhookSender(app, LOOPBACK)
  sender.later(1)
  await app.call('POST', '/resource/catalog', { body: { title: 'first' } })
  await sql`update activities set logged_at = logged_at + interval '1 minute' where activity_type = 'resource_created'`.execute(app.db)
  const responses = [500, 302, 'hang up', 429] as const
  for (const [i, response] of responses.entries()) {
    receiver.respond = () =>
      response === 'hang up'
        ? 'hang up'
        : { status: response, headers: { location: 'http://127.0.0.1:1/', ...(response === 429 ? { 'retry-after': '7200' } : {}) } }
    await sender.round()
    expect(receiver.received).toHaveLength(i + 1)
    expect((await deliveriesOf(app, hook.id))[0]).toMatchObject({
      status: 'pending',
      attempts: i + 1,
      response_status: response === 'hang up' ? null : response,
      error:
        response === 'hang up' ? 'The receiver closed the connection without a response.' : `The receiver returned status ${response}.`,
    })
    await sender.round() // not yet
    expect(receiver.received).toHaveLength(i + 1)
    sender.later([1, 2, 7, 60][i]!)
  }
  await sender.round() // Retry-After was two hours
  expect(receiver.received).toHaveLength(4)
  expect((await app.call('GET', `${ALL}/${hook.id}`)).body.failing_since).not.toBeNull()
  sender.later(70)
  receiver.respond = () => ({ status: 204 })
  await sender.round()
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await deliveriesOf(app, hook.id)).toMatchObject([{ status: 'delivered', attempts: 5, response_status: 204, error: null }])
  expect((await app.call('GET', `${ALL}/${hook.id}`)).body).toMatchObject({ failing_since: null, enabled: true })

  // It can be sent again manually any number of times.
  const [{ id }] = await deliveriesOf(app, hook.id)
  const again = await app.call('POST', `${ALL}/${hook.id}/deliveries/${id}/redeliver`)
  expect([again.status, again.body.status]).toEqual([200, 'pending'])
  await sender.round()
  expect(receiver.received).toHaveLength(6)
  expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(id)
})

test('activities committed after the creation of a webhook are sent, even if their transaction started before', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  const early = { ...app.ctx, now: new Date(Date.now() - 60_000) }
  const { id } = await app.createResource({ title: 'orders' })
  const sent = async (hook: { id: string }) => {
    while (await followForWebhooks({ ...app.ctx, now: new Date() })) {}
    return (await deliveriesOf(app, hook.id)).map(({ event }: { event: string }) => event)
  }
  const before = await create(app, 'https://hooks.example.com/a', { events: ['webhook_*', 'resource_*'] })
  const during = await inTransaction(early, async (ctx) => {
    await editResource(ctx, id, { description: 'by an import under way' })
    return create(app, 'https://hooks.example.com/b', { events: ['webhook_*', 'resource_*'] })
  })
  const after = await create(app, 'https://hooks.example.com/c', { events: ['webhook_*', 'resource_*'] })
  expect((await sent(before)).sort()).toEqual(['resource_updated', 'webhook_created', 'webhook_created'])
  expect((await sent(during)).sort()).toEqual(['resource_updated', 'webhook_created'])
  expect(await sent(after)).toEqual([])
})

test('many activities are processed in steps, and concurrent followers queue each delivery once', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  const hook = await create(app, 'https://hooks.example.com', { events: ['resource_*'] })
  const ids: string[] = []
  for (let i = 0; i < 7; i += 1) ids.push((await app.createResource({ title: `t${i}` })).id)
  await editResources(
    { ...app.ctx, now: new Date() },
    ids.map((id) => ({ id, data: { description: 'all of them' } })),
  )
  const follow = async () => {
    let steps = 1
    while (await followForWebhooks({ ...app.ctx, now: new Date() }, 3)) steps += 1
    return steps
  }
  expect((await Promise.all([follow(), follow(), follow()])).reduce((a, b) => a + b)).toBeGreaterThanOrEqual(5)
  await follow()
  const { rows } = await sql<{ n: number; entries: number }>`
    select count(*)::int as n, count(distinct activity_id)::int as entries from deliveries where webhook_id = ${hook.id}`.execute(app.db)
  expect(rows).toEqual([{ n: 14, entries: 14 }])
})

test('a webhook that fails for three days is disabled, admins are notified, and enabling it continues', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  const hook = await create(app, receiver.url, { events: ['resource_created'] })
  const sender = createTestWebhookSender(app, LOOPBACK)
  sender.later(1)
  await app.call('POST', '/resource/catalog', { body: { title: 'first' } })
  await sql`update activities set logged_at = logged_at + interval '1 minute' where activity_type = 'resource_created'`.execute(app.db)
  receiver.respond = () => ({ status: 503 })
  for (let i = 0; i < 12; i += 1) {
    await sender.round()
    sender.later(25 * 60)
  }
  expect((await app.call('GET', `${ALL}/${hook.id}`)).body).toMatchObject({
    enabled: false,
    disabled_reason: 'All deliveries have failed for three days.',
  })
  const { rows: notices } = await sql<{ alert: unknown }>`select alert from deliveries where webhook_id is null`.execute(app.db)
  expect(notices).toMatchObject([{ alert: { phase: 'notice', items: [{ title: 'Webhook hook was disabled' }] } }])
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toContain('webhook_disabled')
  const tries = receiver.received.length
  await sender.round()
  expect(receiver.received).toHaveLength(tries)

  receiver.respond = () => ({ status: 200 })
  await app.call('PATCH', `${ALL}/${hook.id}`, { body: { enabled: true } })
  await sender.round()
  expect(await deliveriesOf(app, hook.id)).toMatchObject([{ status: 'delivered' }])

  // A receiver that returns 410 is disabled immediately.
  receiver.respond = () => ({ status: 410 })
  await app.call('POST', `${ALL}/${hook.id}/deliveries/${(await deliveriesOf(app, hook.id))[0].id}/redeliver`)
  await sender.round()
  expect((await app.call('GET', `${ALL}/${hook.id}`)).body.enabled).toBe(false)
  const off = await app.call('POST', `${ALL}/${hook.id}/deliveries/${(await deliveriesOf(app, hook.id))[0].id}/redeliver`)
  expect(off.status).toBe(409)
  sender.later(60 * 24 * 31)
  await deleteOldWebhookDeliveries(sender.ctx())
  expect(await deliveriesOf(app, hook.id)).toEqual([])
})

test('a test returns its result immediately, and a rotated secret is valid together with the old one for a day', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  const hook = await create(app, receiver.url)
  const ping = () => app.call('POST', `${ALL}/${hook.id}/test`)
  expect((await ping()).body).toMatchObject({
    event: 'ping',
    status: 'delivered',
    response_status: 200,
    response_body: 'thanks',
    attempts: 1,
  })
  expect(JSON.parse(receiver.received[0]!.body).type).toBe('ping')
  receiver.respond = () => ({ status: 500, body: `${'x'.repeat(100_000)}` })
  const failed = await ping()
  expect(failed.body).toMatchObject({ status: 'failed', error: 'The receiver returned status 500.' })
  expect(failed.body.response_body).toHaveLength(2000)
  expect((await app.call('GET', `${ALL}/${hook.id}`)).body.failing_since).toBeNull()

  receiver.respond = () => ({ status: 200 })
  const rotated = (await app.call('POST', `${ALL}/${hook.id}/rotate_secret`)).body
  expect(rotated.secret).not.toBe(hook.secret)
  await ping()
  const last = receiver.received.at(-1)!
  expect([isSignedBy(rotated.secret, last), isSignedBy(hook.secret, last)]).toEqual([true, true])

  // A process with a new key decrypts both secrets with the old key and encrypts them again.
  await using other = await app.createInstance({ secretKeys: ['another key for tests', 'a key for tests'] })
  expect(await resealWebhookSecrets(other.ctx)).toBeUndefined()
  await using alone = await app.createInstance({ secretKeys: ['another key for tests'], config: { webhookAllow: LOOPBACK } })
  expect(await resealWebhookSecrets(alone.ctx)).toBeUndefined()
  const pingThere = () => alone.call('POST', `${ALL}/${hook.id}/test`)
  expect((await pingThere()).body.status).toBe('delivered')
  expect([isSignedBy(rotated.secret, receiver.received.at(-1)!), isSignedBy(hook.secret, receiver.received.at(-1)!)]).toEqual([true, true])
  await sql`update webhooks set old_secret_until = now() - interval '1 second'`.execute(app.db)
  expect((await pingThere()).body.status).toBe('delivered')
  expect([isSignedBy(rotated.secret, receiver.received.at(-1)!), isSignedBy(hook.secret, receiver.received.at(-1)!)]).toEqual([true, false])
  expect(await resealWebhookSecrets({ ...app.ctx })).toContain('1 of 1 webhooks')
  expect((await ping()).body.error).toContain('encrypted with a different key')
})

test('rejects internal addresses by IP, by name, by redirect and by DNS rebinding', async () => {
  await using app = await createTestApp()
  await using receiver = await createWebhookReceiver()
  for (const url of [
    'http://127.0.0.1/x',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://localhost:3000/',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.1.2.3/',
    'http://192.168.0.1/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[2002:7f00:1::]/',
    'http://224.0.0.1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://user:secret@example.com/',
    'not an address',
    'https://',
  ]) {
    const response = await app.call('POST', ALL, { body: { url } })
    expect([url, response.status, response.body.errors?.url?.length]).toEqual([url, 400, 1])
  }
  expect((await app.call('GET', ALL)).body.count).toBe(0)

  // A name that passes validation is checked again when connecting: this one resolves to loopback.
  const { id } = (await app.call('POST', ALL, { body: { url: 'https://hooks.example.com' } })).body
  await sql`update webhooks set url = ${receiver.url.replace('127.0.0.1', 'localhost')}`.execute(app.db)
  expect((await app.call('POST', `${ALL}/${id}/test`)).body).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/localhost is at .* not a public address/),
  })
  await sql`update webhooks set url = ${receiver.url}`.execute(app.db)
  expect((await app.call('POST', `${ALL}/${id}/test`)).body).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/127\.0\.0\.1 is not a public address/),
  })
  expect(receiver.received).toEqual([])
})

test('only public addresses and those on the allowlist are allowed', () => {
  const none = parseAllowlist([])
  for (const address of ['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])
    expect([address, isAddressAllowed('example.com', address, none)]).toEqual([address, true])
  for (const address of [
    '127.1.2.3',
    '169.254.169.254',
    '198.18.0.1',
    '255.255.255.255',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    '2001:0:1::',
    'nonsense',
  ])
    expect([address, isAddressAllowed('example.com', address, none)]).toEqual([address, false])
  const some = parseAllowlist(['hooks.internal', '10.0.0.7', '10.1.0.0/16', 'fd00::/8'])
  expect(isAddressAllowed('hooks.internal', '192.168.1.1', some)).toBe(true)
  expect(isAddressAllowed('x.example.com', '192.168.1.1', some)).toBe(false)
  expect([
    isAddressAllowed('x', '10.0.0.7', some),
    isAddressAllowed('x', '10.0.0.8', some),
    isAddressAllowed('x', '10.1.2.3', some),
  ]).toEqual([true, false, true])
  expect(findAddressProblem('http://HOOKS.internal:8080/', some)).toBeUndefined()
  expect(findAddressProblem('http://[fd00::1]/', some)).toBeUndefined()
  const allow = (value: string) => readConfig({ TABLINUM_WEBHOOK_ALLOW: value }, []).webhookAllow
  expect(allow(' hooks.internal , 10.1.0.0/16 ')).toEqual(['hooks.internal', '10.1.0.0/16'])
  for (const wrong of ['10.0.0.0/33', 'a b', 'http://x', 'x/8', '::/129']) expect(() => allow(wrong)).toThrow(/TABLINUM_WEBHOOK_ALLOW/)
})

test('redirects are not followed, and an endless response is cut off', async () => {
  await using receiver = await createWebhookReceiver()
  await using inside = await createWebhookReceiver()
  receiver.respond = () => ({ status: 307, headers: { location: inside.url } })
  const response = await postOutbound(receiver.url, {}, '{}', parseAllowlist(LOOPBACK))
  expect([response.status, inside.received.length]).toEqual([307, 0])
  receiver.respond = () => ({ status: 200, body: 'x'.repeat(5_000_000) })
  expect((await postOutbound(receiver.url, {}, '{}', parseAllowlist(LOOPBACK))).body).toHaveLength(2000)
})

test('the signature matches the example of the standard', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"test": 2432232314}'
  expect(buildSignatureHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1614265330_000), body }, [secret])).toMatchObject({
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('rejects invalid input and callers who are not admins', async () => {
  await using app = await createTestApp()
  const bad: [object, string][] = [
    [{}, 'url'],
    [{ url: 5 }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2000)}` }, 'url'],
    [{ url: 'https://example.com', events: [] }, 'events'],
    [{ url: 'https://example.com', events: ['Incident opened'] }, 'events'],
    [{ url: 'https://example.com', events: 'incident_*' }, 'events'],
    [{ url: 'https://example.com', integrations: ['x'] }, 'integrations'],
    [{ url: 'https://example.com', name: '  ' }, 'name'],
    [{ url: 'https://example.com', name: 'a\0b' }, 'name'],
    [{ url: 'https://example.com', enabled: 'true' }, 'enabled'],
  ]
  for (const [body, field] of bad) {
    const response = await app.call('POST', ALL, { body })
    expect([JSON.stringify(body).slice(0, 80), response.status, Object.keys(response.body.errors ?? {})[0]]).toEqual([
      JSON.stringify(body).slice(0, 80),
      400,
      expect.stringMatching(field),
    ])
  }
  expect((await app.call('GET', ALL)).body.count).toBe(0)
  const { id } = (await app.call('POST', ALL, { body: { url: 'https://hooks.example.com/a' } })).body
  const { body, headers } = await app.call('GET', `${ALL}/${id}`)
  expect(body).toMatchObject({
    name: 'hooks.example.com',
    events: ['incident_opened', 'incident_resolved'],
    entity_types: [],
    enabled: true,
  })
  expect((await app.call('PATCH', `${ALL}/${id}`, { body: { name: 'x' }, headers: { 'if-match': '"old"' } })).status).toBe(412)
  const named = await app.call('PATCH', `${ALL}/${id}`, {
    body: { name: 'x', entity_types: null },
    headers: { 'if-match': headers.etag! },
  })
  expect([named.status, named.body.name]).toEqual([200, 'x'])
  for (const path of [`${ALL}/${newId()}`, `${ALL}/nonsense`, `${ALL}/${id}/deliveries/${newId()}`, `${ALL}/${newId()}/deliveries`])
    expect([path, (await app.call('GET', path)).status]).toEqual([path, 404])
  const editor = await app.createUser('editor')
  expect((await app.call('GET', ALL, { token: editor.token })).status).toBe(403)
  expect((await app.call('DELETE', `${ALL}/${id}`)).status).toBe(204)
  expect((await app.call('GET', `${ALL}/${id}`)).status).toBe(404)
})
