import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recoverDeliveries } from '../../src/notifications/deliveries/ledger.ts'
import { newId } from '../../src/platform/core/id.ts'
import { openDedicatedConnection } from '../../src/platform/db/dedicated-connection.ts'
import { createWebhookReceiver } from '../support/notification-servers.ts'
import { createTestApp } from '../support/test-app.ts'

/** Idempotency-Key on routes that are not one transaction; for those that are, see test/catalog/resources-idempotency.test.ts. */
const LOOPBACK = ['127.0.0.0/8']
const keyed = (key: string, body?: unknown) => ({ headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) })

test('a webhook test with a key is sent once and returns the same response twice', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  const { body: hook } = await app.call('POST', '/notification/webhooks', { body: { url: receiver.url } })
  const path = `/notification/webhooks/${hook.id}/test`
  const first = await app.call('POST', path, keyed('k'))
  const again = await app.call('POST', path, keyed('k'))
  expect(first).toMatchObject({ status: 200, body: { event: 'ping', status: 'delivered' } })
  expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
  expect(again.text).toBe(first.text)
  await sql`update deliveries set leased_until = clock_timestamp() - interval '1 second' where leased_until is not null`.execute(app.db)
  await recoverDeliveries(app.ctx)
  const { rows } = await sql<{ status: string }>`select status from deliveries`.execute(app.db)
  expect(rows).toEqual([{ status: 'sent' }])
  expect(receiver.received).toHaveLength(1)
})

test('while the first request is running, the second is 409 with Retry-After and does nothing', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  const arrived = Promise.withResolvers<void>()
  const leave = Promise.withResolvers<void>()
  receiver.before = () => {
    arrived.resolve()
    return leave.promise
  }
  const { body: hook } = await app.call('POST', '/notification/webhooks', { body: { url: receiver.url } })
  const path = `/notification/webhooks/${hook.id}/test`
  const first = app.call('POST', path, keyed('k'))
  await arrived.promise
  const second = await app.call('POST', path, keyed('k'))
  leave.resolve()
  expect(second).toMatchObject({ status: 409, headers: { 'retry-after': '1' }, body: { code: 'conflict' } })
  expect((await first).status).toBe(200)
  expect((await app.call('POST', path, keyed('k'))).text).toBe((await first).text)
  expect(receiver.received).toHaveLength(1)
})

test('a key whose process died can be used again after its claim expires', async () => {
  await using app = await createTestApp()
  const path = '/lineage/lineage_from_query'
  const body = { sql: 'create table b as select * from a' }
  const { body: me } = await app.call('GET', '/user/me')
  const first = await app.call('POST', path, keyed('k', body))
  // The state after a process died between claiming the key and storing the response.
  await sql`update idempotency_responses set status = null, body = null, claim = gen_random_uuid(),
    claimed_until = clock_timestamp() + interval '1 hour' where user_id = ${me.id}`.execute(app.db)
  expect((await app.call('POST', path, keyed('k', body))).status).toBe(409)
  await sql`update idempotency_responses set claimed_until = clock_timestamp() - interval '1 second'`.execute(app.db)
  const again = await app.call('POST', path, keyed('k', body))
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([first.status, undefined])
  expect((await app.call('POST', path, keyed('k', body))).headers['idempotent-replayed']).toBe('true')
})

test('a rejected request does not use up its key, on such routes too', async () => {
  await using app = await createTestApp()
  expect((await app.call('POST', '/lineage/lineage_from_query', keyed('k', { sql: 'selekt' }))).status).toBe(400)
  const right = await app.call('POST', '/lineage/lineage_from_query', keyed('k', { sql: 'create table b as select * from a' }))
  expect(right.status).toBe(200)
})

test('an upload with an invalid key is rejected before its file is read', async () => {
  await using app = await createTestApp()
  const path = `/integration/integrations/${newId()}/import_jsonl_metadata/`
  const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': '' }
  const body = '{"databuilder_id":"shop","entity_type":"database","title":"shop"}\n'
  expect((await app.call('POST', path, { headers, body })).status).toBe(400)
  expect((await sql`select from import_lines`.execute(app.db)).rows).toEqual([])
})

test('a response without a body is replayed without one', async () => {
  await using app = await createTestApp()
  const event = {
    eventTime: '2026-03-01T12:00:00Z',
    producer: 'https://example.com',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    eventType: 'COMPLETE',
    run: { runId: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f' },
    job: { namespace: 'jobs', name: 'load' },
    inputs: [],
    outputs: [],
  }
  const first = await app.call('POST', '/lineage', keyed('k', event))
  const again = await app.call('POST', '/lineage', keyed('k', event))
  expect([first.status, first.text, first.headers['idempotent-replayed']]).toEqual([201, '', undefined])
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, '', 'true'])
})

test('nothing is sent before the commit: a response that cannot be stored is an error, and nothing is written', async () => {
  await using app = await createTestApp()
  await sql`alter table idempotency_responses add constraint full_disk check (key <> 'k')`.execute(app.db)
  expect((await app.call('POST', '/resource/catalog', keyed('k', { title: 'orders' }))).status).toBe(500)
  expect((await app.call('GET', '/resource/catalog')).body.count).toBe(0)
})

test('requests waiting for the first one with their key hold no connection and get the same response', async () => {
  await using app = await createTestApp()
  const { body: me } = await app.call('GET', '/user/me')
  const lock = await openDedicatedConnection(app.url, 'test')
  const key = sql<string>`hashtextextended(${`${me.id} slow`}, 0)`
  const { rows } = await sql<{ key: string }>`select ${key}::text as key`.execute(app.db)
  await lock.query(`select pg_advisory_lock(${rows[0]!.key})`)
  const all = Array.from({ length: 12 }, () =>
    app.call('POST', '/resource/catalog', keyed('slow', { entity_type: 'table', title: 'once' })),
  )
  await sleep(300)
  expect((await app.call('GET', '/resource/catalog')).body.count).toBe(0)
  await lock[Symbol.asyncDispose]()
  const responses = await Promise.all(all)
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect((await app.call('GET', '/resource/catalog')).body.count).toBe(1)
})
