import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResource } from '../../src/catalog/resources/create.ts'
import { editResource } from '../../src/catalog/resources/edit.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { recordActivity } from '../../src/platform/history/record.ts'
import { createJob } from '../../src/platform/jobs/jobs.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { signInAdmin } from '../support/browser-session.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The event stream of the web app. */
let app: TestApp
let address: string
beforeAll(async () => {
  app = await createTestApp()
  address = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app[Symbol.asyncDispose]())

interface ReceivedEvent {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: events have many shapes
  readonly data: any
  readonly id?: string
}

const listen = async (headers: Record<string, string>) => {
  const leaving = new AbortController()
  const response = await fetch(`${address}/api/v1/ui/stream`, { headers, signal: leaving.signal })
  const received: ReceivedEvent[] = []
  let over = false
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const fields = Object.fromEntries(
          part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        if (fields.event) received.push({ event: fields.event, data: JSON.parse(fields.data!), id: fields.id })
      }
    }
    over = true
  })().catch(() => {})
  const of = (event: string) => received.filter((each) => each.event === event)
  const stream = {
    status: response.status,
    type: response.headers.get('content-type'),
    of,
    ids: () => of('resource.changed').flatMap(({ data }) => data.ids ?? ['many']) as string[],
    isOver: () => over,
    lastId: () => received.findLast(({ id }) => id)?.id,
    [Symbol.asyncDispose]: async () => {
      leaving.abort()
      await reading
    },
  }
  if (response.ok) await until(() => expect(of('hello')).toHaveLength(1))
  return stream
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const until = (check: () => unknown) => eventually(check)
const ctx = () => ({ ...app.ctx, now: new Date() })

test('sends changes only to callers who can see them', async () => {
  const closed = await app.createTeam(true)
  const [viewer, guest, member] = [
    await app.createUser('viewer'),
    await app.createUser('guest'),
    await app.createUser('editor', { teams: [closed] }),
  ]
  const outsider = await app.createUser('editor')
  await using admins = await listen(bearer(app.token))
  await using viewers = await listen(bearer(viewer.token))
  await using guests = await listen(bearer(guest.token))
  await using members = await listen(bearer(member.token))
  await using outsiders = await listen(bearer(outsider.token))
  expect(admins.type).toBe('text/event-stream; charset=utf-8')
  const open = await app.createResource({ title: 'open', published: true })
  const hidden = await app.createResource({ title: 'hidden' })
  const secret = await app.createResource({ title: 'secret', published: true, teams: [closed] })
  await until(() => expect(new Set(admins.ids())).toEqual(new Set([open.id, hidden.id, secret.id])))
  await app.call('DELETE', `/resource/all/${secret.id}`)
  await app.call('DELETE', `/resource/all/${hidden.id}`)
  await editResource(ctx(), open.id, { description: 'Changed.' })
  await until(() => expect(admins.ids().length).toBeGreaterThanOrEqual(6))
  const last = await app.createResource({ title: 'last', published: true }) // the last event: all others were sent before it
  const everyone = [viewers, members, outsiders]
  await until(() => expect(everyone.map((each) => each.ids().includes(last.id))).toEqual([true, true, true]))
  expect(new Set(viewers.ids())).toEqual(new Set([open.id, last.id]))
  expect(new Set(members.ids())).toEqual(new Set([open.id, hidden.id, secret.id, last.id]))
  expect(new Set(outsiders.ids())).toEqual(new Set([open.id, hidden.id, last.id]))
  expect(guests.ids()).toEqual([])
})

test('summarizes very many changes and does not send rolled back ones', async () => {
  await using stream = await listen(bearer(app.token))
  await inTransaction(ctx(), async (inner) => {
    await createResource(inner, { title: 'never' })
    throw new Error('thought better of it')
  }).catch(() => {})
  await inTransaction(ctx(), async (inner) => {
    for (let i = 0; i < 205; i += 1) await createResource(inner, { title: `bulk ${i}` })
  })
  await until(() => expect(stream.ids()).toEqual(['many']))
})

test('resumes an interrupted stream', async () => {
  const before = await listen(bearer(app.token))
  const first = await app.createResource({ title: 'first' })
  await until(() => expect(before.ids()).toContain(first.id))
  const position = before.lastId()!
  await before[Symbol.asyncDispose]()
  const missed = await app.createResource({ title: 'missed' })
  await using after = await listen({ ...bearer(app.token), 'last-event-id': position })
  await until(() => expect(after.ids()).toContain(missed.id))
  expect(after.ids()).not.toContain(first.id)
  for (const nonsense of ['x', '1:2', `1:1:${'1,'.repeat(2000)}1`, '99999999999999999999:99999999999999999999:', "1:1:'"]) {
    await using stream = await listen({ ...bearer(app.token), 'last-event-id': nonsense })
    expect(stream.status).toBe(200)
  }
})

test('sends job progress without the log to callers who can see the job', async () => {
  const [editor, other] = [await app.createUser('editor'), await app.createUser('editor')]
  await using admins = await listen(bearer(app.token))
  await using editors = await listen(bearer(editor.token))
  await using others = await listen(bearer(other.token))
  const { id } = await createJob({ ...editor.ctx, now: new Date() }, { kind: 'count', title: 'Counting' })
  await runJob(ctx(), new Map([['count', async (_, __, report) => report(40, 'Forty.')]]), id, {}, true)
  for (const stream of [admins, editors])
    await until(() => expect(stream.of('job').at(-1)?.data).toMatchObject({ id, status: 'COMPLETED', progress: 100, user: editor.id }))
  expect(editors.of('job').at(-1)!.data).not.toHaveProperty('logs')
  expect(others.of('job')).toEqual([])
})

test.each([false, true])('sends incidents to callers who can see the resource; published: %s', async (published) => {
  const target = await app.createResource({ title: 'measured', published })
  const viewer = await app.createUser('viewer')
  await using admins = await listen(bearer(app.token))
  await using viewers = await listen(bearer(viewer.token))
  const [incident, monitor] = [newId(), newId()]
  const common = { resource_id: target.id, resource_type: 'table' }
  await inTransaction(ctx(), async (inner) => {
    await recordActivity(inner, {
      activity_type: 'monitor_created',
      ...common,
      related_resource_ids: [monitor],
      related_resource_type: 'monitor',
    })
    await recordActivity(inner, {
      activity_type: 'incident_opened',
      ...common,
      related_resource_ids: [incident, monitor],
      related_resource_type: 'incident',
    })
  })
  await until(() => expect(admins.of('incident')).toHaveLength(1))
  expect(admins.of('incident')[0]!.data).toEqual({ id: incident, monitor, target: target.id, activity_type: 'incident_opened' })
  expect(admins.of('monitor')[0]!.data).toEqual({ id: monitor, target: target.id, activity_type: 'monitor_created' })
  if (published) await until(() => expect(viewers.of('incident')).toEqual(admins.of('incident')))
  else expect([viewers.of('incident'), viewers.of('monitor')]).toEqual([[], []])
})

test('sends the number of unread notifications', async () => {
  const owner = await app.createUser('editor')
  const owned = await app.createResource({ title: 'owned', owners: [owner.id] })
  await using stream = await listen(bearer(owner.token))
  expect(stream.of('hello')[0]!.data).toEqual({ unread_count: 0 })
  await editResource(ctx(), owned.id, { description: 'By another.' })
  await followChanges(ctx(), [])
  await until(() => expect(stream.of('inbox').at(-1)?.data).toEqual({ unread_count: 1 }))
  await app.call('POST', '/notification/inbox/read_all', { token: owner.token })
  await until(() => expect(stream.of('inbox').at(-1)?.data).toEqual({ unread_count: 0 }))
})

test('ends with the session or token and reports changed permissions', async () => {
  const editor = await app.createUser('editor')
  await using byToken = await listen(bearer(editor.token))
  const browser = await signInAdmin(app)
  await using bySession = await listen({ cookie: browser.cookie! })
  await app.call('PATCH', `/user/${editor.id}`, { body: { role: 'viewer' } })
  await until(() => expect(byToken.of('access')).toHaveLength(1))
  const hidden = await app.createResource({ title: 'hidden from now on' })
  await until(() => expect(bySession.ids()).toContain(hidden.id))
  await app.call('DELETE', `/auth/tokens/${editor.ctx.actor.token_id}`)
  await until(() => expect(byToken.isOver()).toBe(true))
  expect(byToken.ids()).not.toContain(hidden.id)
  expect(bySession.isOver()).toBe(false)
  await browser.call('POST', '/auth/sign_out')
  await until(() => expect(bySession.isOver()).toBe(true))
  const invalidCredentials: Record<string, string>[] = [{}, bearer(editor.token), { cookie: 'tablinum_session=nothing' }]
  for (const headers of invalidCredentials) expect((await listen(headers)).status).toBe(401)
})

test('closes streams when the server shuts down', async () => {
  await using other = await app.createInstance()
  const there = await other.fastify.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${there}/api/v1/ui/stream`, { headers: bearer(app.token) })
  const reading = response.text()
  const silent = connect(Number(new URL(there).port), '127.0.0.1') // like the idle connections that browsers preopen
  await once(silent, 'connect')
  await other.fastify.close()
  expect(await reading).toContain('retry: 3000')
})

test('clients that disconnect before their stream starts do not count as open streams', async () => {
  const { hostname, port } = new URL(address)
  await Promise.all(
    Array.from({ length: 120 }, async () => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(`GET /api/v1/ui/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${app.token}\r\n\r\n`)
      socket.destroy()
      await once(socket, 'close')
    }),
  )
  await eventually(async () => {
    await using stream = await listen({ authorization: `Bearer ${app.token}` })
    expect(stream.status).toBe(200)
  })
})
