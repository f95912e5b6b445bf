import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { expect } from 'vitest'
import { createChannels } from '../../src/notifications/service/notifier.ts'
import type { Channel } from '../../src/platform/channels/channel.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { type EventKind, type IncidentPayload, recordEvent } from '../../src/platform/history/events.ts'
import { createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

interface Received {
  readonly path: string
  readonly authorization?: string
  // biome-ignore lint/suspicious/noExplicitAny: the body of any receiver
  readonly body: any
  readonly raw: string
  readonly headers: IncomingHttpHeaders
}

/** A receiver that plays Teams, PagerDuty and Opsgenie on loopback. */
const createReceiver = async () => {
  const received: Received[] = []
  const it = {
    received,
    respond: (): { status: number; body?: string; headers?: Record<string, string> } | 'hang up' => ({
      status: 202,
      body: '{"status":"success"}',
    }),
    url: '',
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer(async (request, response) => {
    const raw = await readText(request)
    const { headers } = request
    received.push({ path: request.url!, authorization: headers.authorization, body: JSON.parse(raw), raw, headers })
    const result = it.respond()
    if (result === 'hang up') return request.socket.destroy()
    return response.writeHead(result.status, result.headers).end(result.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return it
}

const LOOPBACK = ['127.0.0.1']
export const PUBLIC = 'https://catalog.example.com'

/** Receivers, an app and a notifier that may send to loopback. */
export const createRoutingFixture = async (channels: readonly Channel[] = []) => {
  await using stack = new AsyncDisposableStack()
  const receiver = stack.use(await createReceiver())
  const app = stack.use(await createTestApp({ webhookAllow: LOOPBACK }))
  const notifier = createTestNotifier(app, [...channels, ...createChannels({}, LOOPBACK)], PUBLIC)
  const make = async (path: string, body: object) => {
    const response = await app.call('POST', `/notification/${path}`, { body })
    expect(response.status, JSON.stringify(response.body)).toBe(201)
    return response.body
  }
  const parts = stack.move()
  return {
    ...{ receiver, app, notifier, make },
    teams: () => make('channels', { name: 'Data team', type: 'teams', url: `${receiver.url}/workflow?sig=s3cret` }),
    pagerduty: () => make('channels', { name: 'On-call', type: 'pagerduty', url: receiver.url, key: 'R0UT1NG' }),
    opsgenie: () => make('channels', { name: 'Ops', type: 'opsgenie', url: receiver.url, key: 'g3nie' }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

interface TestIncident {
  readonly incident: string
  readonly monitor: string
  readonly target: { readonly id: string; readonly title: string | null }
  readonly severity: string
  readonly snoozed_until?: string
}

type IncidentKind = Extract<EventKind, `incident_${'opened' | 'reopened' | 'acknowledged' | 'resolved'}`>

export const recordIncident = (
  app: TestApp,
  now: Date,
  kind: IncidentKind,
  { incident, monitor, target, severity, snoozed_until }: TestIncident,
) => {
  const at = now.toISOString()
  const payload: IncidentPayload = {
    ...{ incident, monitor, name: 'Row count', metric_type: 'row_count', frequency: 24, severity, first_seen_at: at, value: 3 },
    ...{
      lower_threshold: 980,
      upper_threshold: 1120,
      summary: `${target.title} has 3 rows.`,
      notify_slack_channel: null,
      upstream_incident: null,
    },
    ...(snoozed_until ? { snoozed_until } : {}),
  }
  return inTransaction({ ...app.ctx, now }, (ctx) =>
    recordEvent(ctx, {
      kind,
      resource: { id: target.id, type: 'table', title: target.title },
      related: { type: 'incident', ids: [incident, monitor] },
      payload: kind === 'incident_resolved' ? { ...payload, resolved_at: at, reason: 'in_range' } : payload,
    } as Parameters<typeof recordEvent>[1]),
  )
}

export const openIncident = async (app: TestApp, now: Date, target: TestIncident['target'], severity = 'medium'): Promise<TestIncident> => {
  const incident = { incident: newId(), monitor: newId(), target, severity }
  await recordIncident(app, now, 'incident_opened', incident)
  return incident
}
