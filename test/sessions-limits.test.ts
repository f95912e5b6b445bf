import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { networkOf } from '../src/network.ts'
import { aHouse, type House, type Instance } from './house.ts'
import { aBrowser, aSignedInAdmin, PASSWORD } from './signed-in.ts'

/** Limits for guessing passwords and tokens, which must not lock out the owner. */
const aProxied = (house: House): Promise<Instance> => house.instance({ config: { trustProxy: true } })
const from = (at: Instance, address: string) => ({
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
const OVER = '429 rate_limited 900'

test('wrong passwords from one address do not lock the owner out at another', async () => {
  const now = new Date('2026-03-01T12:00:00Z')
  await using house = await aHouse({ now: () => now })
  await using at = await aProxied(house)
  await aSignedInAdmin(house)
  const attacker = from(at, '198.51.100.7')
  for (const i of ten) expect(await attacker.signIn('admin', `guess ${i}`)).toBe(WRONG)
  expect(await attacker.signIn('admin', PASSWORD)).toBe(OVER)
  expect(await attacker.signIn('admin@localhost', PASSWORD)).toBe(OVER)
  expect(await from(at, '203.0.113.9').signIn('admin', PASSWORD)).toBe('200 ok')
})

/** Raises the stored counters: verifying real passwords is slow on purpose. */
const countMore = ({ db }: House, tries: number) =>
  sql`update sign_in_tries set tries = tries + ${tries} where key like 'login %'`.execute(db)

test('an account guessed from many addresses is closed to new browsers but open to known ones', async () => {
  const now = new Date('2026-03-01T12:00:00Z')
  await using house = await aHouse({ now: () => now })
  await using at = await aProxied(house)
  const owner = await aSignedInAdmin(house)
  for (let i = 0; i < 10; i += 1) await from(at, `198.51.100.${i}`).signIn('admin', 'a guess')
  await countMore(house, 90)
  expect(await from(at, '203.0.113.9').signIn('admin', PASSWORD)).toBe(OVER)
  const { status } = await at.call('POST', '/auth/sign_in', {
    token: null,
    headers: { 'x-forwarded-for': '203.0.113.9', cookie: owner.device! },
    body: { login: 'admin', password: PASSWORD },
  })
  expect(status).toBe(200)
  // A known browser has its own limit, and only for its own account.
  const other = await house.someone('editor')
  const guess = (login: string) =>
    at.call('POST', '/auth/sign_in', { token: null, headers: { cookie: owner.device! }, body: { login, password: 'a guess' } })
  const guesses = []
  for (const _ of [...ten, 10]) guesses.push((await guess('admin')).status)
  expect(guesses).toEqual([...ten.map(() => 401), 429])
  expect((await guess(`editor-${other.id}@example.com`)).status).toBe(401)
})

test('the device cookie grants no access, and a new password invalidates it', async () => {
  await using house = await aHouse()
  const owner = await aSignedInAdmin(house)
  expect(owner.device).toMatch(/^tablinum_device=[\w-]{43}$/)
  expect((await house.call('GET', '/user/me', { token: null, headers: { cookie: owner.device! } })).status).toBe(401)
  const [before] = await house.db.selectFrom('known_devices').selectAll().execute()
  const browser = aBrowser(house)
  browser.device = owner.device
  await browser.call('POST', '/auth/sign_in', { body: { login: 'admin', password: PASSWORD } })
  expect((await house.db.selectFrom('known_devices').selectAll().execute()).map(({ hash }) => hash)).toEqual([before!.hash])
  await browser.call('PUT', '/auth/password', { body: { current_password: PASSWORD, password: 'another long one' } })
  expect(await house.db.selectFrom('known_devices').selectAll().execute()).toEqual([])
})

test('existing and unknown accounts get the same response', async () => {
  const now = new Date('2026-03-01T12:00:00Z')
  await using house = await aHouse({ now: () => now })
  await using at = await aProxied(house)
  await aSignedInAdmin(house)
  const answersFor = async (name: string, address: string): Promise<string[]> => {
    const caller = from(at, address)
    const answers: string[] = []
    for (const i of ten) answers.push(await caller.signIn(`${name}@localhost`, `guess ${i}`))
    for (const login of [`${name}@localhost`, name, name.toUpperCase(), ` ${name}@localhost `, `${name}@elsewhere`, `${name}2`])
      answers.push(await caller.signIn(login, 'a guess'))
    return answers
  }
  const known = await answersFor('admin', '198.51.100.7')
  expect(known).toEqual([...ten.map(() => WRONG), OVER, OVER, OVER, OVER, OVER, WRONG])
  expect(await answersFor('nobody', '198.51.100.8')).toEqual(known)
})

test('signing in to an own account does not reset the limit of another one with the same name', async () => {
  await using house = await aHouse()
  await using at = await aProxied(house)
  await aSignedInAdmin(house)
  const twin = await house.someone('viewer')
  await house.db.updateTable('users').set({ email: 'admin@twin.example' }).where('id', '=', twin.id).execute()
  const { body: invitation } = await house.call('POST', `/user/${twin.id}/invitation`)
  await house.call('POST', '/auth/invitation/accept', { token: null, body: { code: invitation.code, password: PASSWORD } })
  const answers = [await from(at, '198.51.100.99').signIn('admin@localhost', 'a guess')]
  await countMore(house, 88)
  for (let i = 0; i < 2; i += 1) {
    const caller = from(at, `198.51.100.${i}`)
    for (let j = 0; j < 9; j += 1) answers.push(await caller.signIn('admin@localhost', `guess ${j}`))
    await caller.signIn('admin@twin.example', PASSWORD)
  }
  expect(answers.filter((each) => each === WRONG)).toHaveLength(12)
})

test('addresses of one IPv6 network count as one', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:DB8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
})

test('invalid tokens from one address get 429 after a hundred a minute; known tokens and other addresses still work', async () => {
  let now = new Date('2026-03-01T12:00:20Z')
  await using house = await aHouse({ now: () => now })
  await using at = await aProxied(house)
  const { token: another } = await house.someone('viewer')
  const ask = async (token: string, address = '198.51.100.7') =>
    (await at.call('GET', '/user/me', { token, headers: { 'x-forwarded-for': address } })).status
  expect(await ask(house.token)).toBe(200)
  const guesses: number[] = []
  for (let i = 0; i < 102; i += 1) guesses.push(await ask(`tbl_guess_${i}`))
  expect(guesses).toEqual([...Array(100).fill(401), 429, 429])
  expect(await ask(house.token)).toBe(200)
  expect(await ask(another)).toBe(429) // not cached by this process yet: it might be a guess
  expect(await ask(another, '203.0.113.9')).toBe(200)
  expect(await ask(another)).toBe(200)
  now = new Date('2026-03-01T12:01:00Z')
  expect(await ask('tbl_guess')).toBe(401)
})
