import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { getNetworkPrefix } from '../../src/platform/core/network.ts'
import { createBrowserSession, PASSWORD, signInAdmin } from '../support/browser-session.ts'
import { createTestApp, type TestApp, type TestInstance } from '../support/test-app.ts'

/** Limits for guessing passwords and tokens, which must not lock out the owner. */
const createProxiedApp = (app: TestApp): Promise<TestInstance> => app.createInstance({ config: { trustProxy: true } })
const from = (at: TestInstance, address: string) => ({
  signIn: async (login: string, password: string) => {
    const { status, headers, body } = await at.call('POST', '/auth/sign_in', {
      token: null,
      headers: { 'x-forwarded-for': address },
      body: { login, password },
    })
    return `${status} ${body.code ?? 'ok'} ${headers['retry-after'] ?? ''}`.trim()
  },
})
const ten = Array.from({ length: 10 }, (_, i) => i)
const WRONG = '401 unauthenticated'
const TOO_MANY = '429 rate_limited 900'

test('wrong passwords from one address do not lock the owner out at another', async () => {
  const now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  await using at = await createProxiedApp(app)
  await signInAdmin(app)
  const attacker = from(at, '198.51.100.7')
  for (const i of ten) expect(await attacker.signIn('admin', `guess ${i}`)).toBe(WRONG)
  expect(await attacker.signIn('admin', PASSWORD)).toBe(TOO_MANY)
  expect(await attacker.signIn('admin@localhost', PASSWORD)).toBe(TOO_MANY)
  expect(await from(at, '203.0.113.9').signIn('admin', PASSWORD)).toBe('200 ok')
})

/** Raises the stored counters: verifying real passwords is slow on purpose. */
const raiseCounters = ({ db }: TestApp, tries: number) =>
  sql`update sign_in_tries set tries = tries + ${tries} where key like 'login %'`.execute(db)

test('an account guessed from many addresses is closed to new browsers but open to known ones', async () => {
  const now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  await using at = await createProxiedApp(app)
  const owner = await signInAdmin(app)
  for (let i = 0; i < 10; i += 1) await from(at, `198.51.100.${i}`).signIn('admin', 'a guess')
  await raiseCounters(app, 90)
  expect(await from(at, '203.0.113.9').signIn('admin', PASSWORD)).toBe(TOO_MANY)
  const { status } = await at.call('POST', '/auth/sign_in', {
    token: null,
    headers: { 'x-forwarded-for': '203.0.113.9', cookie: owner.device! },
    body: { login: 'admin', password: PASSWORD },
  })
  expect(status).toBe(200)
  // A known browser has its own limit, and only for its own account.
  const other = await app.createUser('editor')
  const guess = (login: string) =>
    at.call('POST', '/auth/sign_in', { token: null, headers: { cookie: owner.device! }, body: { login, password: 'a guess' } })
  const guesses = []
  for (const _ of [...ten, 10]) guesses.push((await guess('admin')).status)
  expect(guesses).toEqual([...ten.map(() => 401), 429])
  expect((await guess(`editor-${other.id}@example.com`)).status).toBe(401)
})

test('the device cookie grants no access, and a new password invalidates it', async () => {
  await using app = await createTestApp()
  const owner = await signInAdmin(app)
  expect(owner.device).toMatch(/^tablinum_device=[\w-]{43}$/)
  expect((await app.call('GET', '/user/me', { token: null, headers: { cookie: owner.device! } })).status).toBe(401)
  const [before] = await app.db.selectFrom('known_devices').selectAll().execute()
  const browser = createBrowserSession(app)
  browser.device = owner.device
  await browser.call('POST', '/auth/sign_in', { body: { login: 'admin', password: PASSWORD } })
  expect((await app.db.selectFrom('known_devices').selectAll().execute()).map(({ hash }) => hash)).toEqual([before!.hash])
  await browser.call('PUT', '/auth/password', { body: { current_password: PASSWORD, password: 'another long one' } })
  expect(await app.db.selectFrom('known_devices').selectAll().execute()).toEqual([])
})

test('existing and unknown accounts get the same response', async () => {
  const now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  await using at = await createProxiedApp(app)
  await signInAdmin(app)
  const signInRepeatedly = async (name: string, address: string): Promise<string[]> => {
    const caller = from(at, address)
    const responses: string[] = []
    for (const i of ten) responses.push(await caller.signIn(`${name}@localhost`, `guess ${i}`))
    for (const login of [`${name}@localhost`, name, name.toUpperCase(), ` ${name}@localhost `, `${name}@elsewhere`, `${name}2`])
      responses.push(await caller.signIn(login, 'a guess'))
    return responses
  }
  const knownAccount = await signInRepeatedly('admin', '198.51.100.7')
  expect(knownAccount).toEqual([...ten.map(() => WRONG), TOO_MANY, TOO_MANY, TOO_MANY, TOO_MANY, TOO_MANY, WRONG])
  expect(await signInRepeatedly('nobody', '198.51.100.8')).toEqual(knownAccount)
})

test('signing in to an own account does not reset the limit of another one with the same name', async () => {
  await using app = await createTestApp()
  await using at = await createProxiedApp(app)
  await signInAdmin(app)
  const sameName = await app.createUser('viewer')
  await app.db.updateTable('users').set({ email: 'admin@twin.example' }).where('id', '=', sameName.id).execute()
  const { body: invitation } = await app.call('POST', `/user/${sameName.id}/invitation`)
  await app.call('POST', '/auth/invitation/accept', { token: null, body: { code: invitation.code, password: PASSWORD } })
  const responses = [await from(at, '198.51.100.99').signIn('admin@localhost', 'a guess')]
  await raiseCounters(app, 88)
  for (let i = 0; i < 2; i += 1) {
    const caller = from(at, `198.51.100.${i}`)
    for (let j = 0; j < 9; j += 1) responses.push(await caller.signIn('admin@localhost', `guess ${j}`))
    await caller.signIn('admin@twin.example', PASSWORD)
  }
  expect(responses.filter((each) => each === WRONG)).toHaveLength(12)
})

test('addresses of one IPv6 network count as one', () => {
  expect(getNetworkPrefix('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(getNetworkPrefix('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64')
  expect(getNetworkPrefix('2001:DB8::1')).toBe('2001:db8:0:0::/64')
  expect(getNetworkPrefix('::1')).toBe('0:0:0:0::/64')
  expect(getNetworkPrefix('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(getNetworkPrefix('192.0.2.1')).toBe('192.0.2.1')
})

test('invalid tokens from one address get 429 after a hundred a minute; known tokens and other addresses still work', async () => {
  let now = new Date('2026-03-01T12:00:20Z')
  await using app = await createTestApp({ now: () => now })
  await using at = await createProxiedApp(app)
  const { token: another } = await app.createUser('viewer')
  const sendRequest = async (token: string, address = '198.51.100.7') =>
    (await at.call('GET', '/user/me', { token, headers: { 'x-forwarded-for': address } })).status
  expect(await sendRequest(app.token)).toBe(200)
  const guesses: number[] = []
  for (let i = 0; i < 102; i += 1) guesses.push(await sendRequest(`tbl_guess_${i}`))
  expect(guesses).toEqual([...Array(100).fill(401), 429, 429])
  expect(await sendRequest(app.token)).toBe(200)
  expect(await sendRequest(another)).toBe(429) // not cached by this process yet: it might be a guess
  expect(await sendRequest(another, '203.0.113.9')).toBe(200)
  expect(await sendRequest(another)).toBe(200)
  // Nothing is read from the database for a guess.
  const find = vi.spyOn(at.ctx.runtime.editGroups, 'find')
  const guess = { token: 'tbl_guess', body: {}, headers: { 'x-forwarded-for': '198.51.100.7' } }
  expect((await at.call('PATCH', `/resource/all/${newId()}`, guess)).status).toBe(429)
  expect(find).not.toHaveBeenCalled()
  now = new Date('2026-03-01T12:01:00Z')
  expect(await sendRequest('tbl_guess')).toBe(401)
})
