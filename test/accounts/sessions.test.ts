import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSession } from '../../src/accounts/sign-in/create-session.ts'
import { assertPasswordPolicy } from '../../src/accounts/sign-in/passwords.ts'
import { deleteExpiredSessions } from '../../src/accounts/sign-in/sessions.ts'
import { newSetupCode } from '../../src/accounts/sign-in/setup.ts'
import { deleteOldAttempts } from '../../src/accounts/sign-in/throttle.ts'
import { flushSessionUse } from '../../src/platform/authentication/session-callers.ts'
import { createBrowserSession, PASSWORD, signInAdmin } from '../support/browser-session.ts'
import { createTestApp } from '../support/test-app.ts'

/** Signing in, sessions, and signing out. */
const DAY = 86_400_000
const BAD_TEXTS = ['', '\0', '\ud800', 'x'.repeat(10_000), 7, null, {}, []]

test('a fresh workspace can be set up only with the code printed at startup or an admin token', async () => {
  await using app = await createTestApp()
  const browser = createBrowserSession(app)
  expect((await browser.call('GET', '/auth/setup')).body).toEqual({
    setup_needed: true,
    has_passwords: false,
    password: true,
    token: true,
    oidc: null,
  })
  const old = await newSetupCode(app.ctx)
  const code = await newSetupCode(app.ctx) // a second start creates another code and invalidates the first
  const set = (body: object) => browser.call('POST', '/auth/setup', { body: { password: PASSWORD, ...body } })
  const { token } = await app.createUser('editor')
  const { token: narrow } = await app.createUser('admin', { scope: 'write' })
  for (const wrong of [old, token, narrow, 'tbl_nothing', `${code}x`]) expect((await set({ code: wrong })).status).toBe(401)
  expect(browser.cookie).toBeUndefined()
  for (const weak of ['short', 'password123', 'aaaaaaaaaaaaaa', 'admin@localhost', 'qwertyuiopqwertyuiop']) {
    const { status, body } = await set({ code, password: weak })
    expect([weak, status, Object.keys(body.errors)]).toEqual([weak, 400, ['password']])
  }
  for (const bad of BAD_TEXTS) expect((await set({ code, password: bad })).status).toBe(400)
  for (const bad of BAD_TEXTS) expect((await set({ code: bad })).status).toBe(400)
  expect((await browser.call('POST', '/auth/invitation', { body: { code } })).body).toMatchObject({ email: 'admin@localhost', setup: true })

  const { status, body, headers } = await set({ code, email: 'Ada@Example.com', first_name: ' Ada ', last_name: 'Lovelace' })
  expect([status, body.user.name, body.user.email]).toEqual([201, 'Ada Lovelace', 'Ada@Example.com'])
  expect([headers['set-cookie']].flat()[0]).toMatch(/^tablinum_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
  expect((await browser.call('GET', '/user/me')).body).toMatchObject({
    email: 'Ada@Example.com',
    role: 'admin',
    scope: 'admin',
    token_id: null,
  })
  expect((await browser.call('GET', '/auth/setup')).body.setup_needed).toBe(false)
  expect((await set({ code })).status).toBe(409)
  expect((await set({ code: app.token })).status).toBe(409)
  expect(await newSetupCode(app.ctx)).toBeUndefined()
  expect((await app.listActivities()).map((each) => each.activity_type)).toEqual(['user_updated', 'password_set', 'session_started'])
})

test('users sign in with e-mail address, its part before the @, or name, and the password', async () => {
  await using app = await createTestApp()
  await signInAdmin(app)
  await app.db.updateTable('users').set({ email: 'Ada@Example.com', last_name: 'Lovelace', first_name: 'Ada' }).execute()
  const sameName = await app.createUser('viewer')
  const browser = createBrowserSession(app)
  const signIn = (login: unknown, password: unknown = PASSWORD) => browser.call('POST', '/auth/sign_in', { body: { login, password } })
  for (const login of ['ada@example.com', ' ADA@EXAMPLE.COM ', 'ada', 'ada lovelace']) expect((await signIn(login)).status).toBe(200)
  const { body } = await signIn('ada')
  expect(body).toMatchObject({ session: { method: 'password', scope: 'admin', current: true }, user: { name: 'Ada Lovelace' } })
  await app.db.updateTable('users').set({ first_name: 'Ada', last_name: 'Lovelace' }).where('id', '=', sameName.id).execute()
  // Wrong, unknown, without a password, ambiguous: the same response.
  const responses = new Set<string>()
  for (const [login, password] of [
    ['ada', 'A long sentence will do'],
    ['nobody', PASSWORD],
    [`viewer-${sameName.id}@example.com`, PASSWORD],
    ['ada lovelace', PASSWORD],
  ]) {
    const { status, body } = await signIn(login, password)
    responses.add(`${status} ${body.code} ${body.detail}`)
  }
  expect([...responses]).toEqual(['401 unauthenticated Incorrect name or password.'])
  for (const bad of BAD_TEXTS.filter((each) => each !== '')) {
    expect((await signIn(bad)).status).toBe(400)
    expect((await signIn('ada', bad)).status).toBe(400)
  }
  const { rows } = await sql<{ stored: string }>`
    select string_agg(t::text, '') as stored from (select p.hash as t from passwords p union all select s.hash::text from sessions s union all select k.key from sign_in_tries k) x`.execute(
    app.db,
  )
  expect(rows[0]!.stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(rows[0]!.stored).not.toContain(PASSWORD)
  expect(rows[0]!.stored).not.toContain(browser.cookie!.split('=')[1])
})

test('requests with the session cookie that change something require the CSRF header and the same origin', async () => {
  await using app = await createTestApp()
  const browser = await signInAdmin(app)
  const { cookie } = browser
  const post = (headers: Record<string, string>) =>
    app.call('POST', '/tag', { token: null, headers: { cookie: cookie!, ...headers }, body: { name: `tag ${Math.random()}` } })
  expect((await post({})).body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('X-Requested-With') })
  const csrfHeader = { 'x-requested-with': 'tablinum' }
  for (const [headers, status] of [
    [csrfHeader, 201],
    [{ ...csrfHeader, origin: 'http://localhost:80' }, 201],
    [{ ...csrfHeader, origin: 'https://localhost:80' }, 201], // behind a proxy that ends TLS
    [{ ...csrfHeader, 'sec-fetch-site': 'same-origin' }, 201],
    [{ ...csrfHeader, origin: 'https://evil.example' }, 403],
    [{ ...csrfHeader, origin: 'null' }, 403],
    [{ ...csrfHeader, 'sec-fetch-site': 'cross-site' }, 403],
    [{ ...csrfHeader, 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'http://localhost:80' }, 403],
  ] as const)
    expect([headers, (await post(headers)).status]).toEqual([headers, status])
  // A form on another site can neither sign a user in nor out.
  const evil = { origin: 'https://evil.example', cookie: cookie! }
  for (const path of ['/auth/sign_out', '/auth/sign_in', '/auth/sign_in/token'])
    expect(
      (await app.call('POST', path, { token: null, headers: evil, body: { login: 'admin', password: PASSWORD, token: app.token } })).status,
    ).toBe(403)
  expect((await app.call('GET', '/user/me', { token: null, headers: { cookie: cookie! } })).status).toBe(200)
  // Browsers do not send tokens on their own, so they need no protection; with a token, the cookie is ignored.
  expect((await app.call('POST', '/tag', { headers: { origin: 'https://evil.example' }, body: { name: 'by a token' } })).status).toBe(201)
  expect((await app.call('GET', '/user/me', { token: 'tbl_wrong', headers: { cookie: cookie! } })).status).toBe(401)
  const value = cookie!.split('=')[1]!
  expect((await app.call('GET', '/user/me', { token: value })).status).toBe(401) // a session secret is not a token
  expect((await app.call('GET', '/user/me', { token: null, headers: { cookie: `tablinum_session=${app.token}` } })).status).toBe(401)
})

test('sessions can be listed and ended one by one or all at once, on all instances immediately', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  const [here, there, third] = [await signInAdmin(app), createBrowserSession(other), createBrowserSession(app)]
  for (const each of [there, third]) await each.call('POST', '/auth/sign_in', { body: { login: 'admin', password: PASSWORD } })
  const { body } = await here.call('GET', '/auth/sessions')
  expect([body.count, body.results.map(({ current }: { current: boolean }) => current)]).toEqual([3, [false, false, true]])
  const me = async (browser: typeof here) => (await browser.call('GET', '/user/me')).status
  expect([await me(here), await me(there), await me(third)]).toEqual([200, 200, 200])

  const { body: mine } = await there.call('GET', '/auth/sessions')
  const { id } = mine.results.find(({ current }: { current: boolean }) => current)
  const outsider = await app.createUser('viewer')
  expect((await app.call('DELETE', `/auth/sessions/${id}`, { token: outsider.token })).status).toBe(404)
  expect((await app.call('GET', `/auth/sessions?user=${app.ctx.actor.user_id}`, { token: outsider.token })).status).toBe(403)
  expect((await here.call('DELETE', `/auth/sessions/${id}`)).status).toBe(204)
  expect((await here.call('DELETE', `/auth/sessions/${id}`)).status).toBe(404)
  expect([await me(here), await me(there), await me(third)]).toEqual([200, 401, 200])

  expect((await here.call('DELETE', '/auth/sessions?others=true')).status).toBe(204)
  expect([await me(here), await me(third)]).toEqual([200, 401])
  const { cookie } = here
  expect((await here.call('POST', '/auth/sign_out')).status).toBe(204)
  expect(here.cookie).toBeUndefined()
  expect((await app.call('GET', '/user/me', { token: null, headers: { cookie: cookie! } })).body.detail).toBe(
    'Your session has expired. Sign in again.',
  )
  expect((await here.call('POST', '/auth/sign_out')).status).toBe(204)
  await here.call('POST', '/auth/sign_in', { body: { login: 'admin', password: PASSWORD } })
  await here.call('DELETE', '/auth/sessions')
  expect(await me(here)).toBe(401)
})

test('a session expires after a week without use and after a month in any case', async () => {
  let now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  const [used, unused] = [await signInAdmin(app), createBrowserSession(app)]
  await unused.call('POST', '/auth/sign_in', { body: { login: 'admin', password: PASSWORD } })
  for (let day = 1; day <= 29; day += 4) {
    now = new Date(Date.parse('2026-03-01T12:00:00Z') + day * DAY)
    expect([day, (await used.call('GET', '/user/me')).status]).toEqual([day, 200])
    await flushSessionUse({ ...app.ctx, now })
    if (day === 9) expect((await unused.call('GET', '/user/me')).status).toBe(401)
  }
  expect((await app.db.selectFrom('users').select('last_seen_at').executeTakeFirstOrThrow()).last_seen_at).toBe('2026-03-30T12:00:00.000Z')
  now = new Date('2026-03-31T12:00:01Z')
  expect((await used.call('GET', '/user/me')).status).toBe(401)
  await deleteExpiredSessions({ ...app.ctx, now })
  expect(await app.db.selectFrom('sessions').select('id').execute()).toEqual([])
})

test('a session started with a token has its scope and ends with it', async () => {
  await using app = await createTestApp()
  const { token, ctx } = await app.createUser('editor', { scope: 'read' })
  const browser = createBrowserSession(app)
  for (const wrong of ['tbl_nothing', ' '])
    expect((await browser.call('POST', '/auth/sign_in/token', { body: { token: wrong } })).status).toBe(401)
  const { body } = await browser.call('POST', '/auth/sign_in/token', { body: { token } })
  expect(body).toMatchObject({ session: { method: 'token', scope: 'read' }, user: { role: 'editor' } })
  expect((await browser.call('GET', '/user/me')).body).toMatchObject({ scope: 'read', id: ctx.actor.user_id })
  expect((await browser.call('POST', '/tag', { body: { name: 'no' } })).status).toBe(403)
  expect((await browser.call('PUT', '/auth/password', { body: { password: PASSWORD } })).status).toBe(403)
  await app.call('DELETE', `/auth/tokens/${ctx.actor.token_id}`)
  expect((await browser.call('GET', '/user/me')).status).toBe(401)
})

test('a disabled user is signed out immediately and stays signed out when enabled again', async () => {
  await using app = await createTestApp()
  const { token, id } = await app.createUser('editor')
  const browser = createBrowserSession(app)
  await browser.call('POST', '/auth/sign_in/token', { body: { token } })
  await browser.call('PUT', '/auth/password', { body: { password: PASSWORD } })
  expect((await browser.call('GET', '/user/me')).status).toBe(200)
  await app.call('PATCH', `/user/${id}`, { body: { disabled: true } })
  expect((await browser.call('GET', '/user/me')).status).toBe(401)
  expect((await browser.call('POST', '/auth/sign_in', { body: { login: `editor-${id}`, password: PASSWORD } })).status).toBe(401)
  await app.call('PATCH', `/user/${id}`, { body: { disabled: false } })
  expect((await browser.call('GET', '/user/me')).status).toBe(401)
  expect((await browser.call('POST', '/auth/sign_in', { body: { login: `editor-${id}`, password: PASSWORD } })).status).toBe(200)
})

test('changing a password requires the old one and ends the other sessions', async () => {
  await using app = await createTestApp()
  const [here, there] = [await signInAdmin(app), createBrowserSession(app)]
  await there.call('POST', '/auth/sign_in', { body: { login: 'admin', password: PASSWORD } })
  const change = (body: object) => here.call('PUT', '/auth/password', { body })
  expect((await change({ password: 'another long one' })).body.errors).toEqual({ current_password: ['is required.'] })
  expect((await change({ password: 'another long one', current_password: 'wrong' })).body.errors).toEqual({
    current_password: ['is incorrect.'],
  })
  expect((await change({ password: 'short', current_password: PASSWORD })).body.errors).toHaveProperty('password')
  expect((await there.call('GET', '/user/me')).status).toBe(200)
  const token = (await here.call('POST', '/auth/tokens', { body: { name: 'script' } })).body.token
  expect((await change({ password: 'another long one', current_password: PASSWORD })).status).toBe(204)
  expect((await app.call('GET', '/user/me', { token })).status).toBe(200)
  expect([(await here.call('GET', '/user/me')).status, (await there.call('GET', '/user/me')).status]).toEqual([200, 401])
  const signIn = (password: string) => there.call('POST', '/auth/sign_in', { body: { login: 'admin', password } })
  expect([(await signIn(PASSWORD)).status, (await signIn('another long one')).status]).toEqual([401, 200])
  // With revoke_tokens, tokens are revoked too.
  expect((await change({ password: 'a third long one', current_password: 'another long one', revoke_tokens: true })).status).toBe(204)
  expect([(await app.call('GET', '/user/me', { token })).status, (await app.call('GET', '/user/me')).status]).toEqual([401, 401])
})

test.each([
  ...['Summer2026!', 'welcome2026', '2026-Sommer', 'Password1234', 'Februar#2026', 'qwerty123456', '12345678910', 'aaaaaaaaaaaa'],
  ...['ada@example.com', 'Ada Lovelace'],
])('the password %s is rejected', async (password) => {
  const user = { email: 'ada@example.com', name: 'Ada Lovelace' }
  expect(() => assertPasswordPolicy(password, user)).toThrow(/^password: must|^password: is too common/)
  for (const good of [`${password} and more`, 'abc-829301746553', 'another long one']) assertPasswordPolicy(good, user)
})

test('sign-in attempts are limited by name and by address across all instances', async () => {
  let now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  await using other = await app.createInstance()
  await signInAdmin(app)
  const signIn = (at: typeof app | typeof other, login: string, password: string) =>
    at.call('POST', '/auth/sign_in', { token: null, body: { login, password } })
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => signIn(i % 2 ? app : other, ['admin', 'admin@localhost', 'ADMIN'][i % 3]!, `guess number ${i}`)),
  )
  expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429])
  const rejected = await signIn(other, 'admin', PASSWORD) // even the correct password is rejected now
  expect([rejected.status, rejected.body.code, Number(rejected.headers['retry-after'])]).toEqual([429, 'rate_limited', 900])
  expect((await signIn(other, 'somebody else', PASSWORD)).status).toBe(401)
  now = new Date('2026-03-01T12:15:01Z')
  expect((await signIn(app, 'admin', PASSWORD)).status).toBe(200)
  // One address that tries many accounts.
  const many = await Promise.all(
    Array.from({ length: 101 }, (_, i) => app.call('POST', '/auth/sign_in/token', { token: null, body: { token: `tbl_${i}` } })),
  )
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([401, 429]))
  expect((await signIn(app, 'admin', PASSWORD)).status).toBe(429)
  now = new Date('2026-03-01T12:31:00Z')
  await deleteOldAttempts({ ...app.ctx, now })
  expect(await app.db.selectFrom('sign_in_tries').selectAll().execute()).toEqual([])
})

test('a sign-in that is running while the password changes creates no session', async () => {
  await using app = await createTestApp()
  const admin = await signInAdmin(app)
  const { id } = (await admin.call('GET', '/user/me')).body
  const { hash } = await app.db.selectFrom('passwords').select('hash').where('user_id', '=', id).executeTakeFirstOrThrow()
  await admin.call('PUT', '/auth/password', { body: { password: 'another long one', current_password: PASSWORD } })
  const origin = { address: '127.0.0.1', user_agent: undefined, lifetime: { idle_days: 7, days: 30 } }
  await expect(createSession(app.ctx, id, { method: 'password', password_hash: hash }, origin)).rejects.toThrow('just been changed')
  expect((await admin.call('GET', '/auth/sessions')).body.count).toBe(1)
})
