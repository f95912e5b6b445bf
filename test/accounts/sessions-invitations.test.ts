import { expect, test } from 'vitest'
import { createBrowserSession, PASSWORD } from '../support/browser-session.ts'
import { createMailServer } from '../support/notification-servers.ts'
import { createTestApp } from '../support/test-app.ts'

/** One-time links to set a first password or replace a forgotten one. */
const invited = async (call: (method: string, path: string, options?: object) => Promise<{ body: { id: string } }>) =>
  (await call('POST', '/user', { body: { email: 'grace@example.com', role: 'editor' } })).body.id

test('the admin gets a link; whoever opens it sets a password and is signed in; the link works once', async () => {
  await using app = await createTestApp()
  const id = await invited(app.call)
  // Without PUBLIC_URL the Host header is trusted only on loopback: any other host gets a path.
  const there = await app.call('POST', `/user/${id}/invitation`, { headers: { host: 'evil.example' } })
  expect(there.body.link).toBe(`/welcome#code=${there.body.code}`)
  const created = await app.call('POST', `/user/${id}/invitation`, { headers: { host: 'localhost:3000' } })
  expect([created.status, created.body]).toEqual([
    201,
    {
      code: expect.stringMatching(/^[\w-]{43}$/),
      link: `http://localhost:3000/welcome#code=${created.body.code}`,
      expires_at: expect.any(String),
      mailed: false,
    },
  ])
  const { code } = created.body
  const grace = createBrowserSession(app)
  expect((await grace.call('POST', '/auth/invitation', { body: { code } })).body).toEqual({
    email: 'grace@example.com',
    name: 'grace@example.com',
    expires_at: created.body.expires_at,
    setup: false,
  })
  const accept = (body: object, browser = grace) =>
    browser.call('POST', '/auth/invitation/accept', { body: { code, password: PASSWORD, ...body } })
  expect((await accept({ password: 'grace' })).body.errors).toHaveProperty('password')
  expect((await accept({ code: 'wrong' })).status).toBe(404)
  for (const bad of ['', '\0', 7, null, 'x'.repeat(1000)]) expect((await accept({ code: bad })).status).toBe(400)
  const responses = await Promise.all([
    accept({ first_name: 'Grace', last_name: 'Hopper' }),
    accept({ first_name: 'Grace', last_name: 'Hopper' }, createBrowserSession(app)),
  ])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await accept({})).status).toBe(404)
  expect((await grace.call('POST', '/auth/invitation', { body: { code } })).status).toBe(404)
  const signedIn = await grace.call('POST', '/auth/sign_in', { body: { login: 'Grace Hopper', password: PASSWORD } })
  expect(signedIn.body.user).toMatchObject({ id, role: 'editor', name: 'Grace Hopper' })
  const recorded = (await app.listActivities()).map(({ activity_type }) => activity_type)
  expect(recorded).toEqual([
    'user_invited',
    'invitation_created',
    'invitation_created',
    'user_updated',
    'password_set',
    'session_started',
    'session_started',
  ])
})

test('a new link invalidates the previous one, a used one ends all sessions, and none outlives its week or its user', async () => {
  let now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  const id = await invited(app.call)
  const link = async () => (await app.call('POST', `/user/${id}/invitation`)).body.code as string
  const accept = (code: string, password = PASSWORD, browser = createBrowserSession(app)) =>
    browser.call('POST', '/auth/invitation/accept', { body: { code, password } })
  const [first, second] = [await link(), await link()]
  expect((await accept(first)).status).toBe(404)
  const browser = createBrowserSession(app)
  expect((await accept(second, PASSWORD, browser)).status).toBe(200)
  expect((await browser.call('GET', '/user/me')).status).toBe(200)
  expect((await accept(await link(), 'a forgotten one, chosen anew')).status).toBe(200)
  expect((await browser.call('GET', '/user/me')).status).toBe(401)
  expect((await browser.call('POST', '/auth/sign_in', { body: { login: 'grace', password: PASSWORD } })).status).toBe(401)
  const late = await link()
  now = new Date('2026-03-08T12:00:00Z')
  expect((await accept(late)).status).toBe(404)
  const fresh = await link()
  await app.call('PATCH', `/user/${id}`, { body: { disabled: true } })
  expect((await accept(fresh)).status).toBe(404)
  expect((await app.call('POST', `/user/${id}/invitation`)).status).toBe(409)
  const editor = await app.createUser('editor')
  expect((await app.call('POST', `/user/${id}/invitation`, { token: editor.token })).status).toBe(403)
  expect((await app.call('POST', '/user/not-an-id/invitation')).status).toBe(404)
})

test('with a mail server the link is also sent by e-mail; a mail error does not fail the request', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  await using server = await app.createInstance({
    config: { smtpUrl: mail.url, smtpFrom: 'Catalog <catalog@example.com>', publicUrl: 'https://catalog.example.com' },
  })
  const id = await invited(server.call)
  const { body } = await server.call('POST', `/user/${id}/invitation`)
  expect(body).toMatchObject({ mailed: true, link: `https://catalog.example.com/welcome#code=${body.code}` })
  expect(mail.mails.map(({ to, subject }) => [to, subject])).toEqual([['grace@example.com', 'Your invitation to Tablinum']])
  expect(mail.mails[0]!.raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=')).toContain(body.link)
  mail.reject = () => ({ code: 550, text: 'no such person' })
  expect((await server.call('POST', `/user/${id}/invitation`)).body).toMatchObject({ mailed: false, code: expect.any(String) })
  // Over https the cookie is bound to this host and never sent in clear text.
  const grace = createBrowserSession(server)
  const { code } = (await server.call('POST', `/user/${id}/invitation`)).body
  const { headers } = await grace.call('POST', '/auth/invitation/accept', { body: { code, password: PASSWORD } })
  expect([headers['set-cookie']].flat()[0]).toMatch(
    /^__Host-tablinum_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect((await grace.call('GET', '/user/me', { headers: { origin: 'https://catalog.example.com' } })).status).toBe(200)
  expect((await app.call('GET', '/user/me', { token: null, headers: { cookie: grace.cookie! } })).status).toBe(401)
})

test('a replay by Idempotency-Key creates no second link and does not return the first', async () => {
  await using app = await createTestApp()
  const id = await invited(app.call)
  const headers = { 'idempotency-key': 'once' }
  const first = await app.call('POST', `/user/${id}/invitation`, { headers })
  const second = await app.call('POST', `/user/${id}/invitation`, { headers })
  expect(second.body).toEqual({ expires_at: first.body.expires_at, mailed: false })
  const accepted = await createBrowserSession(app).call('POST', '/auth/invitation/accept', {
    body: { code: first.body.code, password: PASSWORD },
  })
  expect(accepted.status).toBe(200)
})

test('an invited user can sign in before the admin has a password', async () => {
  await using app = await createTestApp()
  const { id } = (await app.call('POST', '/user', { body: { email: 'eddi@example.com', role: 'editor' } })).body
  const { code } = (await app.call('POST', `/user/${id}/invitation`)).body
  const eddi = createBrowserSession(app)
  expect((await eddi.call('POST', '/auth/invitation/accept', { body: { code, password: PASSWORD } })).status).toBe(200)
  await eddi.call('POST', '/auth/sign_out')
  expect((await eddi.call('GET', '/auth/setup')).body).toMatchObject({ setup_needed: true, has_passwords: true })
  expect((await eddi.call('POST', '/auth/sign_in', { body: { login: 'eddi', password: PASSWORD } })).status).toBe(200)
})
