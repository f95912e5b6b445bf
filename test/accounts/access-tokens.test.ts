import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createToken, revokeToken } from '../../src/accounts/tokens/manage-tokens.ts'
import { editUser } from '../../src/accounts/users/manage-users.ts'
import { hashToken } from '../../src/platform/authentication/token-hash.ts'
import { flushTokenUse, trackTokenUse } from '../../src/platform/authentication/token-use.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { type Actor, SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { createBrowserSession } from '../support/browser-session.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Every row of every table as text. */
const dump = async ({ db }: TestApp): Promise<Map<string, string>> => {
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select coalesce(string_agg(t::text, ' '), '') as text from ${sql.table(name)} t`.execute(
      db,
    )
    texts.set(name, rows[0]!.text)
  }
  return texts
}

test('a new token works, is returned once, and only its hash is stored', async () => {
  await using app = await createTestApp()
  const created = await app.call('POST', '/auth/tokens', { body: { name: ' Nightly sync ', scope: 'write' } })
  expect(created.status).toBe(201)
  const { token, ...record } = created.body
  expect(token).toMatch(/^tbl_[\w-]{43}$/)
  expect(record).toMatchObject({ name: 'Nightly sync', scope: 'write', hint: `…${token.slice(-4)}`, user: app.ctx.actor.user_id })
  expect(record).toMatchObject({ expires_at: null, revoked_at: null, last_used_at: null })
  expect((await app.call('GET', '/user/me', { token })).body.scope).toBe('write')
  expect((await app.call('GET', `/auth/tokens/${record.id}`)).body).toEqual(record)

  const hash = hashToken(token).toString('hex')
  for (const [table, text] of await dump(app)) {
    expect([table, text.includes(token.slice(4))]).toEqual([table, false])
    expect([table, text.includes(hash)]).toEqual([table, table === 'tokens'])
    if (table === 'activities') expect(text).toContain('Nightly sync')
  }
})

test('a replay by Idempotency-Key creates no second token and neither returns nor stores the first', async () => {
  await using app = await createTestApp()
  const post = () => app.call('POST', '/auth/tokens', { body: { name: 'once' }, headers: { 'idempotency-key': 'k1' } })
  const [first, second] = [await post(), await post()]
  const { token, ...record } = first.body
  expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true'])
  expect(second.body).toEqual(record)
  expect((await app.call('GET', '/auth/tokens?name=ONCE')).body.count).toBe(1)
  const texts = await dump(app)
  expect(texts.get('idempotency_responses')).toContain(record.id)
  for (const [table, text] of texts) expect([table, text.includes(token)]).toEqual([table, false])
})

test('a token cannot create one with a wider scope', async () => {
  await using app = await createTestApp()
  const { token } = await app.createUser('admin', { scope: 'write' })
  for (const [scope, status] of [
    ['admin', 403],
    ['write', 201],
    ['read', 201],
  ] as const)
    expect([scope, (await app.call('POST', '/auth/tokens', { token, body: { name: scope, scope } })).status]).toEqual([scope, status])
  expect((await app.call('POST', '/auth/tokens', { token, body: { name: 'by default' } })).body.scope).toBe('write')
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toEqual([
    'token_created',
    'token_created',
    'token_created',
  ])
})

test('a token never outlives the one it was created with', async () => {
  const now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  const expires_at = new Date('2026-03-02T12:00:00Z')
  const { token, id } = await app.createUser('admin', { expires_at })
  const create = (by: string, body: object = {}) => app.call('POST', '/auth/tokens', { token: by, body: { name: 'made', ...body } })
  expect((await create(token)).body.expires_at).toBe(expires_at.toISOString())
  expect((await create(token, { expires_at: null })).body.expires_at).toBe(expires_at.toISOString())
  expect((await create(token, { expires_at: '2026-03-01T13:00:00Z' })).body.expires_at).toBe('2026-03-01T13:00:00.000Z')
  const later = await create(token, { expires_at: '2026-03-03T12:00:00Z' })
  expect([later.status, Object.keys(later.body.errors)]).toEqual([400, ['expires_at']])
  // Nor with a session that was started with it.
  const browser = createBrowserSession(app)
  await browser.call('POST', '/auth/sign_in/token', { body: { token } })
  expect((await browser.call('POST', '/auth/tokens', { body: { name: 'made' } })).body.expires_at).toBe(expires_at.toISOString())
  expect((await create(app.token, { user: id })).body.expires_at).toBeNull()
})

test('revoking a token revokes the tokens created with it, also indirectly and through sessions', async () => {
  await using app = await createTestApp()
  const create = async (token: string) => (await app.call('POST', '/auth/tokens', { token, body: { name: 'made' } })).body
  const first = await create(app.token)
  const second = await create(first.token)
  const third = await create(second.token)
  const browser = createBrowserSession(app)
  await browser.call('POST', '/auth/sign_in/token', { body: { token: first.token } })
  const bySession = (await browser.call('POST', '/auth/tokens', { body: { name: 'made' } })).body
  const unrelated = await create(app.token)
  expect((await app.call('DELETE', `/auth/tokens/${first.id}`)).status).toBe(204)
  const status = async ({ token }: { token: string }) => (await app.call('GET', '/user/me', { token })).status
  expect(await Promise.all([first, second, third, bySession, unrelated].map(status))).toEqual([401, 401, 401, 401, 200])
  const recorded = (await app.listActivities())
    .filter(({ activity_type }) => activity_type === 'token_revoked')
    .map(({ resource_id }) => resource_id)
  expect(recorded.sort()).toEqual([first.id, second.id, third.id, bySession.id].sort())
})

test('users list their own tokens; an admin lists all, filtered by user, name, scope and state', async () => {
  await using app = await createTestApp()
  const ada = await app.createUser('editor')
  const bob = await app.createUser('viewer')
  const { body: mine } = await app.call('POST', '/auth/tokens', { token: ada.token, body: { name: 'Sync', scope: 'read' } })
  await app.call('DELETE', `/auth/tokens/${mine.id}`, { token: ada.token })
  const ids = async (query: string, token?: string) => {
    const { body } = await app.call('GET', `/auth/tokens${query}`, { token })
    expect(body.results).toHaveLength(body.count)
    return body.results.map(({ id }: { id: string }) => id)
  }
  const adas = [mine.id, ada.ctx.actor.token_id]
  expect(await ids('', ada.token)).toEqual(adas)
  expect(await ids(`?user=${bob.id}`, ada.token)).toEqual([])
  expect(await ids(`?user=${ada.id.replaceAll('-', '').toUpperCase()}`)).toEqual(adas)
  expect(await ids('')).toEqual(expect.arrayContaining([...adas, bob.ctx.actor.token_id, app.ctx.actor.token_id]))
  expect(await ids('?name=syn')).toEqual([mine.id])
  expect(await ids('?scope=read')).toEqual([mine.id])
  expect(await ids(`?user=${ada.id}&active=true`)).toEqual([ada.ctx.actor.token_id])
  expect(await ids(`?user=${ada.id}&active=false`)).toEqual([mine.id])
  const { body: page } = await app.call('GET', `/auth/tokens?user=${ada.id}&page_size=1`)
  expect(page).toMatchObject({ count: 2, total_pages: 2, meta: { page: 1, previous_page: 'None', next_page: 2 } })
  expect(page.links.next).toContain(`user=${ada.id}&page_size=1&page=2`)
})

test('creating, renaming and revoking are each recorded once with the changes', async () => {
  await using app = await createTestApp()
  const { id: user, token } = await app.createUser('viewer')
  const { body } = await app.call('POST', '/auth/tokens', { token, body: { name: 'One', expires_at: '2099-01-01T00:00:00+02:00' } })
  const path = `/auth/tokens/${body.id}`
  const renamed = await app.call('PATCH', path, { token, body: { name: 'Two' } })
  expect([renamed.body.name, renamed.body.updated_at > body.updated_at]).toEqual(['Two', true])
  await app.call('PATCH', path, { token, body: { name: 'Two' } })
  for (let i = 0; i < 2; i += 1) expect((await app.call('DELETE', path, { token })).status).toBe(204)
  const { body: revoked } = await app.call('GET', path, { token })

  const recorded = await app.db.selectFrom('activities').selectAll().orderBy('logged_at').orderBy('id').execute()
  expect(recorded.map(({ activity_type, changes }) => [activity_type, changes])).toEqual([
    [
      'token_created',
      [
        { field: 'name', from: null, to: 'One' },
        { field: 'scope', from: null, to: 'admin' },
        { field: 'user', from: null, to: user },
        { field: 'expires_at', from: null, to: '2098-12-31T22:00:00.000Z' },
      ],
    ],
    ['token_updated', [{ field: 'name', from: 'One', to: 'Two' }]],
    ['token_revoked', [{ field: 'revoked_at', from: null, to: revoked.revoked_at }]],
  ])
  expect(recorded.map(({ performer_id, resource_id, resource_type }) => [performer_id, resource_id, resource_type])).toEqual(
    Array(3).fill([user, body.id, 'token']),
  )
})

test('an outdated ETag can neither edit nor revoke', async () => {
  const now = new Date()
  await using app = await createTestApp({ now: () => now })
  const created = await app.call('POST', '/auth/tokens', { body: { name: 'One' } })
  const path = `/auth/tokens/${created.body.id}`
  const headers = { 'if-match': created.headers.etag! }
  const renamed = await app.call('PATCH', path, { body: { name: 'Two' }, headers })
  expect([renamed.status, renamed.headers.etag === created.headers.etag]).toEqual([200, false])
  expect((await app.call('PATCH', path, { body: { name: 'Three' }, headers })).status).toBe(412)
  expect((await app.call('DELETE', path, { headers })).status).toBe(412)
  expect((await app.call('GET', path)).body).toMatchObject({ name: 'Two', revoked_at: null })
  expect((await app.call('DELETE', path, { headers: { 'if-match': renamed.headers.etag! } })).status).toBe(204)
})

test('invalid input is reported by field', async () => {
  await using app = await createTestApp()
  const { id: disabled } = await app.createUser('viewer')
  await app.call('PATCH', `/user/${disabled}`, { body: { disabled: true } })
  for (const [field, body] of [
    ['name', {}],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['scope', { name: 'x', scope: 'root' }],
    ['expires_at', { name: 'x', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { name: 'x', expires_at: '2099-06-30T23:59:60Z' }],
    ['user', { name: 'x', user: 'ada' }],
    ['user', { name: 'x', user: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f' }],
    ['user', { name: 'x', user: disabled }],
  ] as const) {
    const response = await app.call('POST', '/auth/tokens', { body })
    expect([body, response.status, Object.keys(response.body.errors ?? {})]).toEqual([body, 400, [field]])
  }
  expect((await app.call('GET', '/auth/tokens?user=ada')).status).toBe(400)
  expect((await app.call('GET', '/auth/tokens/ada')).status).toBe(404)
})

test('a token created while its user is being disabled is revoked too', async () => {
  await using app = await createTestApp()
  for (let i = 0; i < 5; i += 1) {
    const { id } = await app.createUser('editor')
    await Promise.allSettled([editUser(app.ctx, id, { disabled: true }), createToken(app.ctx, { name: 'meanwhile', user: id })])
    const active = await app.db.selectFrom('tokens').select('id').where('user_id', '=', id).where('revoked_at', 'is', null).execute()
    expect(active).toEqual([])
  }
})

test('usage is tracked in memory and written at most once a minute', async () => {
  await using app = await createTestApp()
  const { id, ctx } = await app.createUser('editor')
  const now = new Date('2030-05-05T10:00:00.000Z')
  const after = (seconds: number) => ({ ...ctx, now: new Date(now.getTime() + seconds * 1000) })
  const seen = async () => {
    const { body: token } = await app.call('GET', `/auth/tokens/${ctx.actor.token_id}`)
    const { body: user } = await app.call('GET', `/user/${id}`)
    expect([token.updated_at, user.updated_at]).toEqual([token.created_at, user.created_at])
    return [token.last_used_at, user.last_seen_at]
  }
  trackTokenUse(after(0))
  expect(await seen()).toEqual([null, null])
  await flushTokenUse(after(1))
  expect(await seen()).toEqual(['2030-05-05T10:00:00.000Z', '2030-05-05T10:00:00.000Z'])
  trackTokenUse(after(59))
  await flushTokenUse(after(59))
  expect(await seen()).toEqual(['2030-05-05T10:00:00.000Z', '2030-05-05T10:00:00.000Z'])
  trackTokenUse(after(60))
  await flushTokenUse(after(60))
  expect(await seen()).toEqual(['2030-05-05T10:01:00.000Z', '2030-05-05T10:01:00.000Z'])
})

test('a token created while its parent is being revoked is revoked too', async () => {
  await using app = await createTestApp()
  const create = async (token: string) => (await app.call('POST', '/auth/tokens', { token, body: { name: 'made' } })).body
  const first = await create(app.token)
  const second = await create(first.token)
  const { user_id } = await app.db.selectFrom('tokens').select('user_id').where('id', '=', second.id).executeTakeFirstOrThrow()
  const thief: Actor = { ...SYSTEM, user_id, token_id: second.id, role: 'admin', scope: 'admin' }
  let revoking: Promise<unknown> | undefined
  const third = await inTransaction({ ...app.ctx, actor: thief }, async (ctx) => {
    const created = await createToken(ctx, { name: 'made meanwhile' })
    revoking = revokeToken(app.ctx, first.id)
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
        app.db,
      )
      expect(rows).toHaveLength(1)
    })
    return created
  })
  await revoking
  expect((await app.call('GET', '/user/me', { token: third.token })).status).toBe(401)
})
