import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createResources } from '../../src/catalog/resources/create.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { describeStatement } from '../../src/platform/db/describe-statement.ts'
import { startTestServer } from '../faults/server.ts'
import { eventually } from '../support/eventually.ts'
import { createWebhookReceiver } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { createOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts'

const LOOPBACK = '127.0.0.0/8'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SAMPLED = { traceparent: `00-${TRACE}-${CALLER}-01` }
const [SERVER, CLIENT, CONSUMER, FAILED] = [2, 3, 5, 2]

const startTraced = (app: TestApp, url: string, env: Record<string, string> = {}) =>
  startTestServer({
    DATABASE_URL: app.url,
    TABLINUM_SECRET_KEY: 'a key for tests',
    TABLINUM_WEBHOOK_ALLOW: LOOPBACK,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ...env,
  })

const find = (spans: readonly ReceivedSpan[], name: string) => spans.find((span) => span.name === name)!
const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
const waitForSpan = ({ spans }: OtlpReceiver, name: string) => eventually(() => expect(find(spans, name)).toBeDefined())

test('one trace leads from a request to its statements, to the task it queued, and to the webhook about what the task did', async () => {
  await using app = await createTestApp({ webhookAllow: [LOOPBACK] })
  await using collector = await createOtlpReceiver()
  await using receiver = await createWebhookReceiver()
  await using server = await startTraced(app, collector.url, {
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=data%20platform',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    LOG_LEVEL: 'info',
  })
  await server.call('POST', '/notification/webhooks', { name: 'hook', url: receiver.url, events: ['integration_deleted'] })
  const { body: integration } = await server.call('POST', '/integration/integrations', { name: 'Hush hush' })
  await createResources(
    app.ctx,
    Array.from({ length: 1_001 }, (_, i) => ({ title: `t${i}`, entity_type: 'table', integration: integration.id })),
  )
  const deleted = await server.call('DELETE', `/integration/integrations/${integration.id}`, undefined, SAMPLED)
  expect(deleted.status).toBe(202)
  await waitForSpan(collector, 'deliver webhook')
  const spans = () => collector.spans.filter(({ traceId }) => traceId === TRACE)

  const request = find(spans(), 'DELETE /api/v1/integration/integrations/:integration_id')
  expect(request).toMatchObject({ kind: SERVER, parentSpanId: CALLER, status: 0 })
  expect(request.attributes).toMatchObject({
    'http.request.method': 'DELETE',
    'http.route': '/api/v1/integration/integrations/:integration_id',
    'http.response.status_code': 202,
    'url.path': `/api/v1/integration/integrations/${integration.id}`,
    'url.scheme': 'http',
  })
  expect(request.resource).toMatchObject({ 'service.name': 'tablinum', 'deployment.environment.name': 'test' })

  const statements = childrenOf(spans(), request).filter(({ kind }) => kind === CLIENT)
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['INSERT background_jobs', 'UPDATE integrations', 'COMMIT']))
  expect(find(statements, 'UPDATE integrations').attributes).toMatchObject({
    'db.system.name': 'postgresql',
    'db.query.summary': 'UPDATE integrations',
    'db.query.text': 'update "integrations" set "removal_job" = $1 where "id" = $2',
  })

  const task = find(spans(), 'process run_long_job')
  expect(task).toMatchObject({ kind: CONSUMER, parentSpanId: request.spanId })
  expect(task.attributes).toMatchObject({
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'run_long_job',
    'tablinum.worker_class': 'long',
    'tablinum.job.kind': 'remove_integration',
  })
  expect(childrenOf(spans(), task).map(({ name }) => name)).toContain('DELETE integrations')

  const delivery = find(spans(), 'deliver webhook')
  expect(delivery).toMatchObject({ parentSpanId: task.spanId, attributes: { 'tablinum.delivery.status': 'delivered' } })
  const post = childrenOf(spans(), delivery).find(({ name }) => name === 'POST')!
  expect(post).toMatchObject({ kind: CLIENT, attributes: { 'http.response.status_code': 200, 'server.address': '127.0.0.1' } })
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([`00-${TRACE}-${post.spanId}-01`])

  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'content-type': 'application/x-protobuf', 'x-team': 'data platform' },
  })
  const everything = JSON.stringify(collector.spans)
  for (const secret of ['Hush hush', '/hook', 'whsec_', 'Bearer']) expect(everything).not.toContain(secret)
  const logged = server
    .output()
    .split('\n')
    .find((line) => line.includes(`"trace_id":"${TRACE}"`))
  expect(JSON.parse(logged!)).toMatchObject({ msg: 'request', status: 202 })
})

test('a failed statement is a failed span without the message of its error, and spans are sent as JSON if wanted', async () => {
  await using app = await createTestApp()
  await using collector = await createOtlpReceiver()
  await using server = await startTraced(app, collector.url, {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'catalog',
    TABLINUM_REQUEST_TIMEOUT: '2',
  })
  // With open connections and loaded code, the time is over while the statement waits, and not before.
  expect((await server.call('GET', '/search?q=quiet')).status).toBe(200)
  await app.db.transaction().execute(async (holder) => {
    await sql`lock table search_titles in access exclusive mode`.execute(holder)
    expect((await server.call('GET', '/search?q=hushhush')).status).toBe(503)
    // The statement ends after the response, when Postgres has cancelled it.
    await eventually(() => expect(collector.spans.some(({ kind, status }) => kind === CLIENT && status === FAILED)).toBe(true))
  })
  const findRequest = () => collector.spans.find(({ name, status }) => name === 'GET /api/v1/search' && status === FAILED)!
  await eventually(() => expect(findRequest()).toBeDefined())
  const request = findRequest()
  expect(request).toMatchObject({ status: FAILED, attributes: { 'error.type': '503' }, resource: { 'service.name': 'catalog' } })
  const failed = childrenOf(collector.spans, request).find(({ status }) => status === FAILED)!
  expect(failed.attributes).toMatchObject({ 'db.response.status_code': '57014', 'error.type': '57014' })
  expect(collector.requests[0]!.headers['content-type']).toBe('application/json')
  expect(JSON.stringify(collector.spans)).not.toContain('hushhush')
})

test('health checks are not traced, and a caller decides whether its request is', async () => {
  await using app = await createTestApp()
  await using collector = await createOtlpReceiver()
  await using server = await startTraced(app, collector.url, { OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
  await fetch(`${server.address}/readycheck`, { headers: SAMPLED })
  await server.call('GET', '/user/me')
  await server.call('GET', '/user/me', undefined, { traceparent: `00-${'1'.repeat(32)}-${CALLER}-00` })
  await server.call('POST', '/resource/catalog', { title: 'orders' }, SAMPLED)
  await waitForSpan(collector, 'POST /api/v1/resource/catalog')
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
  expect(collector.spans.filter(({ kind }) => kind === SERVER).map(({ name }) => name)).toEqual(['POST /api/v1/resource/catalog'])
  const { traceparent } = await app.db
    .selectFrom('activities')
    .select('traceparent')
    .where('activity_type', '=', 'resource_created')
    .executeTakeFirstOrThrow()
  expect(traceparent).toBe(`00-${TRACE}-${find(collector.spans, 'POST /api/v1/resource/catalog').spanId}-01`)
})

test('a collector that is away or does not respond delays neither requests nor the end', async () => {
  await using app = await createTestApp()
  await using collector = await createOtlpReceiver()
  collector.respond = () => 'hang'
  for (const [url, timeout] of [
    ['http://127.0.0.1:1', '500'],
    [collector.url, '600000'],
  ] as const) {
    await using server = await startTraced(app, url, { OTEL_EXPORTER_OTLP_TIMEOUT: timeout, LOG_LEVEL: 'warn' })
    for (let i = 0; i < 20; i++) expect((await server.call('GET', '/user/me')).status).toBe(200)
    if (timeout === '500')
      await eventually(async () => {
        const metrics = await (await fetch(`${server.address}/metrics`)).text()
        expect(metrics).toMatch(/^tablinum_trace_spans_total\{result="failed"\} [1-9]/m)
        expect(server.output()).toContain('Traces could not be sent to the collector')
      })
    await sleep(200) // at least one request to the collector is on its way
    server.signal('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, signal: null })
  }
})

test('what was recorded until the end is sent', async () => {
  await using app = await createTestApp()
  await using collector = await createOtlpReceiver()
  const server = await startTraced(app, collector.url, { OTEL_BSP_SCHEDULE_DELAY: '600000' })
  await server.call('GET', '/user/me')
  expect(collector.spans).toEqual([])
  await server[Symbol.asyncDispose]()
  expect(find(collector.spans, 'GET /api/v1/user/me')).toMatchObject({ kind: SERVER })
})

test('nothing is traced by default', async () => {
  await using app = await createTestApp({ webhookAllow: [LOOPBACK] })
  await using receiver = await createWebhookReceiver()
  await using server = await startTestServer({
    DATABASE_URL: app.url,
    TABLINUM_SECRET_KEY: 'a key for tests',
    TABLINUM_WEBHOOK_ALLOW: LOOPBACK,
  })
  await server.call('POST', '/notification/webhooks', { name: 'hook', url: receiver.url, events: ['resource_created'] })
  await server.call('POST', '/resource/catalog', { title: 'orders' }, SAMPLED)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received[0]!.headers.traceparent).toBeUndefined()
  expect(await app.db.selectFrom('activities').select('id').where('traceparent', 'is not', null).execute()).toEqual([])
  expect(await (await fetch(`${server.address}/metrics`)).text()).not.toContain('tablinum_trace_spans_total')
})

test('tracing needs a collector, and valid settings', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318'
  const otlp = (env: NodeJS.ProcessEnv) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env }, []).otlp
  expect(readConfig({}, []).otlp).toBeUndefined()
  expect(otlp({})).toMatchObject({ protocol: 'http/protobuf', sampler: 'parentbased_always_on', ratio: 1 })
  expect(
    otlp({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' }),
  ).toMatchObject({
    protocol: 'http/json',
    sampler: 'traceidratio',
    ratio: 0.05,
  })
  for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }])
    expect(otlp(off)).toBeUndefined()
  for (const [wrong, message] of [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that starts with http:// or https://.'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json, not "grpc".'],
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, /^OTEL_TRACES_SAMPLER must be one of always_on, .*, not "sometimes"\.$/],
    [{ OTEL_TRACES_SAMPLER_ARG: '10' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "10".'],
  ] as const)
    expect(() => otlp(wrong)).toThrow(message)
})

test.each([
  [
    "select r.* from resources r where r.title = 'a''b' -- it's here\n limit 1",
    'SELECT resources',
    'select r.* from resources r where r.title = ? limit 1',
  ],
  ['insert into "activities" ("id") select $1', 'INSERT activities', undefined],
  ['with x as (select 1 from a), y as (delete from b) update only "c" set d = 1', 'UPDATE c', undefined],
  ['with next as materialized (select 1) select n.id from next n', 'SELECT next', undefined],
  ['select 1 from (select 2 from a) b', 'SELECT', undefined],
  ['select graphile_worker.add_job(identifier => $1)', 'SELECT', undefined],
  ['delete from graphile_worker._private_jobs j using x', 'DELETE graphile_worker._private_jobs', undefined],
  ['begin isolation level read committed ', 'BEGIN', 'begin isolation level read committed'],
  ['commit', 'COMMIT', 'commit'],
])('a statement is described without its values: %s', (text, summary, shown) => {
  expect(describeStatement(text)).toMatchObject({ summary, ...(shown && { text: shown }) })
})
