import { expect, test } from 'vitest'
import { editUser } from '../../src/accounts/users/manage-users.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const history = async ({ db }: TestApp) =>
  (await db.selectFrom('activities').selectAll().orderBy('logged_at').orderBy('id').execute()).map(
    ({ activity_type, resource_id, changes }) => [activity_type, resource_id, changes],
  )

test('an invited user has names, role, teams and groups, recorded as one activity with children', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam()
  const { body: group } = await app.call('POST', '/auth/group', { body: { name: 'Stewards' } })
  const invited = await app.call('POST', '/user', {
    body: { email: 'Ada@Example.com', first_name: ' Ada ', last_name: 'Lovelace', role: 'editor', teams: [team], groups: [group.id] },
  })
  expect(invited.status).toBe(201)
  const { id } = invited.body
  expect(invited.body).toMatchObject({ email: 'Ada@Example.com', first_name: 'Ada', name: 'Ada Lovelace', display_name: 'Ada Lovelace' })
  expect(invited.body).toMatchObject({
    role: 'editor',
    disabled: false,
    disabled_at: null,
    last_seen_at: null,
    teams: [team],
    groups: [group.id],
  })
  expect(invited.body.invited_by).toBe(app.ctx.actor.user_id)
  expect((await app.call('GET', `/user/${id}`)).body).toEqual(invited.body)
  expect((await app.call('GET', `/auth/teams/${team}`)).body.members).toEqual([id])
  expect((await app.call('GET', `/auth/group/${group.id}`)).body.members).toEqual([id])

  expect((await history(app)).slice(1)).toEqual([
    [
      'user_invited',
      id,
      [
        { field: 'email', from: null, to: 'Ada@Example.com' },
        { field: 'first_name', from: null, to: 'Ada' },
        { field: 'last_name', from: null, to: 'Lovelace' },
        { field: 'role', from: null, to: 'editor' },
      ],
    ],
    ['team_updated', team, [{ field: 'members', from: null, to: [id] }]],
    ['group_updated', group.id, [{ field: 'members', from: null, to: [id] }]],
  ])
})

test('an address can be invited once, in any case, also with concurrent requests', async () => {
  await using app = await createTestApp()
  const invite = (email: string, headers = {}) => app.call('POST', '/user', { body: { email, role: 'viewer' }, headers })
  const both = await Promise.all([invite('ada@example.com'), invite('ADA@example.com')])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'conflict', errors: { email: [expect.any(String)] } })
  const [first, again] = [
    await invite('bob@example.com', { 'idempotency-key': 'k' }),
    await invite('bob@example.com', { 'idempotency-key': 'k' }),
  ]
  expect([again.status, again.body]).toEqual([201, first.body])
  expect((await history(app)).map(([type]) => type)).toEqual(['user_invited', 'user_invited'])
})

test('invalid input is reported by field, and no user is created', async () => {
  await using app = await createTestApp()
  const unknown = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
  const ok = { email: 'ada@example.com', role: 'viewer' }
  for (const [field, body] of [
    ['email', { role: 'viewer' }],
    ['role', { email: 'ada@example.com' }],
    ['email', { ...ok, email: 'ada' }],
    ['email', { ...ok, email: 'ada@example.com\n' }],
    ['email', { ...ok, email: 'Ada <ada@example.com>' }],
    ['email', { ...ok, email: `${'a'.repeat(250)}@example.com` }],
    ['role', { ...ok, role: 'owner' }],
    ['first_name', { ...ok, first_name: 'x'.repeat(101) }],
    ['last_name', { ...ok, last_name: 5 }],
    ['teams', { ...ok, teams: [unknown] }],
    ['groups', { ...ok, groups: [unknown] }],
    ['teams[0]', { ...ok, teams: ['sales'] }],
  ] as const) {
    const response = await app.call('POST', '/user', { body })
    expect([body, response.status, Object.keys(response.body.errors ?? {})]).toEqual([body, 400, [field]])
  }
  expect((await app.call('GET', '/user')).body.count).toBe(1)
  expect(await history(app)).toEqual([])
  const { id } = await app.createUser('viewer')
  for (const body of [{ role: null }, { disabled: 'yes' }, { role: 'owner' }])
    expect([body, (await app.call('PATCH', `/user/${id}`, { body })).status]).toEqual([body, 400])
  for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
    expect([method, (await app.call(method, `/user/${unknown}`, { body })).status]).toEqual([method, 404])
})

test('users can be filtered by part of address or name, by role and by state', async () => {
  await using app = await createTestApp()
  const invite = async (email: string, role: string, names = {}) =>
    (await app.call('POST', '/user', { body: { email, role, ...names } })).body.id as string
  const ada = await invite('ada@one.example', 'editor', { first_name: 'Ada', last_name: '100%' })
  const bob = await invite('bob@two.example', 'viewer')
  await app.call('PATCH', `/user/${bob}`, { body: { disabled: true } })
  for (const [query, ids] of [
    ['email=ONE.', [ada]],
    ['name=a 1', [ada]],
    ['name=%25', [ada]],
    ['name=bob@', [bob]],
    ['role=editor', [ada]],
    ['disabled=true', [bob]],
    ['role=viewer&disabled=false', []],
  ] as const) {
    const { body } = await app.call('GET', `/user?${query}`)
    expect([query, body.count, body.results.map(({ id }: { id: string }) => id)]).toEqual([query, ids.length, ids])
  }
  expect((await app.call('GET', '/user?role=owner')).status).toBe(400)
  expect((await app.call('GET', '/user?page=9')).body).toMatchObject({ count: 3, results: [] })
})

test('an edit changes only the given fields, is recorded once, and an outdated ETag is rejected', async () => {
  const now = new Date()
  await using app = await createTestApp({ now: () => now })
  const { id } = await app.createUser('viewer')
  const read = await app.call('GET', `/user/${id}`)
  const headers = { 'if-match': read.headers.etag! }
  const edited = await app.call('PATCH', `/user/${id}`, { body: { role: 'editor', first_name: null }, headers })
  expect(edited.body).toMatchObject({ role: 'editor', first_name: null, last_name: 'Person', name: 'Person' })
  expect((await app.call('PATCH', `/user/${id}`, { body: { role: 'guest' }, headers })).status).toBe(412)
  expect((await app.call('DELETE', `/user/${id}`, { headers })).status).toBe(412)
  const same = await app.call('PATCH', `/user/${id}`, { body: { role: 'editor', id: 'x', teams: [] } })
  expect([same.body, same.headers.etag, same.headers.warning]).toEqual([edited.body, edited.headers.etag, undefined])
  const changes = [
    { field: 'first_name', from: 'viewer', to: null },
    { field: 'role', from: 'viewer', to: 'editor' },
  ]
  expect(await history(app)).toEqual([['user_updated', id, changes]])
})

test('a changed role applies from the next request', async () => {
  await using app = await createTestApp()
  const { id, token } = await app.createUser('viewer')
  const create = async () => (await app.call('POST', '/resource/catalog', { token, body: { title: 'x' } })).status
  expect(await create()).toBe(403)
  await app.call('PATCH', `/user/${id}`, { body: { role: 'editor' } })
  expect(await create()).toBe(201)
})

test('disabling a user revokes every token permanently and records each revocation as a child', async () => {
  await using app = await createTestApp()
  const { id, token } = await app.createUser('editor')
  await app.call('POST', '/auth/tokens', { body: { name: 'second', user: id } })
  const disabled = await app.call('PATCH', `/user/${id}`, { body: { disabled: true } })
  expect(disabled.body).toMatchObject({ disabled: true, disabled_at: expect.any(String) })
  expect((await app.call('PATCH', `/user/${id}`, { body: { disabled: true } })).body).toEqual(disabled.body)
  expect((await app.call('PATCH', `/user/${id}`, { body: { disabled: false } })).body).toMatchObject({
    disabled: false,
    disabled_at: null,
  })
  expect((await app.call('GET', '/user/me', { token })).status).toBe(401)
  expect((await app.call('GET', `/auth/tokens?user=${id}&active=true`)).body.count).toBe(0)

  const recorded = await app.db.selectFrom('activities').selectAll().orderBy('logged_at').orderBy('id').execute()
  expect(recorded.map(({ activity_type }) => activity_type)).toEqual([
    'token_created',
    'user_disabled',
    'token_revoked',
    'token_revoked',
    'user_enabled',
  ])
  expect(recorded[1]).toMatchObject({ resource_id: id, changes: [{ field: 'disabled', from: false, to: true }] })
  expect([recorded[2]?.parent_id, recorded[3]?.parent_id]).toEqual([recorded[1]?.id, recorded[1]?.id])
})

test('the last active admin can be neither disabled nor demoted', async () => {
  await using app = await createTestApp()
  const admin = app.ctx.actor.user_id!
  const former = await app.createUser('admin')
  await app.call('DELETE', `/user/${former.id}`)
  const before = await app.listActivities()
  for (const [method, body] of [['DELETE'], ['PATCH', { disabled: true }], ['PATCH', { role: 'editor' }]] as const) {
    const response = await app.call(method, `/user/${admin}`, { body })
    expect([method, body, response.status, response.body.code]).toEqual([method, body, 409, 'conflict'])
  }
  expect((await app.call('PATCH', `/user/${admin}`, { body: { first_name: 'Root' } })).status).toBe(200)
  expect((await app.listActivities()).slice(before.length).map(({ activity_type }) => activity_type)).toEqual(['user_updated'])
})

test('two admins who demote each other concurrently leave one', async () => {
  await using app = await createTestApp()
  const ada = { id: app.ctx.actor.user_id!, ctx: app.ctx }
  const bob = await app.createUser('admin')
  for (let round = 0; round < 10; round += 1) {
    const outcomes = await Promise.allSettled([
      editUser(ada.ctx, bob.id, { disabled: true }),
      editUser(bob.ctx, ada.id, { role: 'viewer' }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
    const left = await app.db.selectFrom('users').select('id').where('role', '=', 'admin').where('disabled_at', 'is', null).execute()
    expect(left).toHaveLength(1)
    for (const { id } of [ada, bob]) await editUser(app.ctx, id, { role: 'admin', disabled: false })
  }
})

test('the same over HTTP: one request succeeds, the other is rejected or unauthenticated', async () => {
  await using app = await createTestApp()
  const admin = app.ctx.actor.user_id!
  const bob = await app.createUser('admin')
  const responses = await Promise.all([app.call('DELETE', `/user/${bob.id}`), app.call('DELETE', `/user/${admin}`, { token: bob.token })])
  const [done, rejected] = responses.map(({ status }) => status).sort()
  expect(done).toBe(204)
  expect([401, 409]).toContain(rejected)
  expect(await app.db.selectFrom('users').select('id').where('disabled_at', 'is', null).execute()).toHaveLength(1)
})
